/** Changes go up from a record to all that is made of it; at the end of the commit readers are told. */
import { INVALID } from '../schema/schema.ts';
import { isSurelyThere } from './joined.ts';
import { DIRTY, Record, RESHAPED } from './Record.ts';
import type { Builder } from './Record.ts';

/** Who is to be told at the end of the commit, with the value of before. CHANGED: it surely has another. */
const told = new Map<Record, unknown>();
const CHANGED = Symbol('changed');
/** What came in this commit, and was in something before: nobody was shown it there. */
const unseen = new Set<Record>();
/** What must be looked at when all of a commit is written, and before anybody is told. */
const late = new Set<Late>();
// those whose parents are still to be marked: one for all walks, each from where it found it
const line: Record[] = [];
const sures: boolean[] = [];

/** Something that follows records by itself. */
export interface Late {
  look(builder: Builder): void;
}

/** To be called before a record changes. `sure`: readers get another value. Else values are compared when all is written. */
export function mark(record: Record, sure = true): void {
  note(record, sure);
  if (record.flags & DIRTY) return;
  record.flags |= DIRTY;
  const start = line.length;
  climb(record, sure);
  while (line.length > start) climb(line.pop() as Record, sures.pop() as boolean);
}

function climb(child: Record, sure: boolean): void {
  const { parents } = child;
  if (parents === undefined) return;
  if (parents instanceof Record) pass(child, parents, sure);
  else for (const parent of parents) pass(child, parent, sure);
}

function pass(child: Record, parent: Record, sure: boolean): void {
  parent.taint(child);
  if (parent.flags & DIRTY || parent.follows) return;
  const surely = sure && parent.sure;
  note(parent, surely);
  parent.flags |= DIRTY;
  if (parent.parents === undefined) return;
  line.push(parent);
  sures.push(surely);
}

/** Live readers look again, after those of what changed in it. */
export function reshapeLater(record: Record): void {
  if (told.has(record)) record.flags |= RESHAPED;
  else record.reshape();
}

/** It comes. */
export function appears(record: Record): void {
  // what was just made is in nothing
  if (record.parents !== undefined) unseen.add(record);
}

/** True where readers were shown it before this commit, and are shown it still. */
export function isStillShown(member: Record): boolean {
  return isSurelyThere(member) && !unseen.has(member);
}

/** Has it looked at when all of the commit is written. */
export function lookLate(one: Late): void {
  late.add(one);
}

function note(record: Record, sure: boolean): void {
  if (record.cell === undefined && record.fine === undefined && !record.mayBreak) return;
  if (sure) told.set(record, CHANGED);
  else if (!told.has(record)) told.set(record, record.flags & DIRTY ? CHANGED : record.memo);
}

/** The end of a commit: tells the readers of what changed. What may have changed is built and compared. */
export function flush(builder: Builder): void {
  while (late.size + told.size > 0) {
    for (const one of late) {
      late.delete(one);
      one.look(builder);
    }
    for (const [record, before] of told) {
      told.delete(record);
      compare(record, before, builder);
      record.flags &= ~RESHAPED;
    }
  }
  unseen.clear();
}

/** Tells the readers of a record if its value is another than before. Nobody builds what nobody watches. */
function compare(record: Record, before: unknown, builder: Builder): void {
  const { mayBreak } = record;
  const looks = mayBreak || (before !== CHANGED && record.watched);
  const now = looks ? valueOf(record, builder) : CHANGED;
  const flips = (now === INVALID) !== (before === INVALID);
  if (mayBreak && (before === CHANGED || flips)) record.flip();
  if (before !== CHANGED && now === before) return;
  const reshapes = flips || (now === CHANGED && before !== CHANGED);
  if (record.flags & RESHAPED || reshapes) record.reshape();
  record.tell();
}

/** What it threw is another value each time. */
function valueOf(record: Record, builder: Builder): unknown {
  try {
    return builder.read(record);
  } catch {
    return CHANGED;
  }
}
