/** Changes go up from a record to all that is made of it; at the end of the commit readers are told. */
import { INVALID } from '../schema/schema.ts';
import { isSurelyThere } from './joined.ts';
import { DIRTY, Record, RESHAPED } from './Record.ts';
import type { Builder } from './Record.ts';

/** The records whose readers are told at the end of the commit, each with its value before; CHANGED: the value is surely another. */
const told = new Map<Record, unknown>();
const CHANGED = Symbol('changed');
/** Records that appeared in this commit, and were part of others before: no reader was shown them there. */
const appeared = new Set<Record>();
/** They look at what they follow when all of a commit is written, before readers are told. */
const late = new Set<Late>();
// records whose parents are still to be marked. All walks share them: each walk ends where it began
const waiting: Record[] = [];
const waitingSure: boolean[] = [];

/** A record that finds out by itself whether a change of its parts is one of its own. */
export interface Late {
  look(builder: Builder): void;
}

/** To be called before a record changes. `sure`: readers get another value. Else values are compared when all is written. */
export function mark(record: Record, sure = true): void {
  note(record, sure);
  if (record.flags & DIRTY) return;
  record.flags |= DIRTY;
  const start = waiting.length;
  markParents(record, sure);
  while (waiting.length > start) markParents(waiting.pop() as Record, waitingSure.pop() as boolean);
}

function markParents(child: Record, sure: boolean): void {
  const { parents } = child;
  if (parents === undefined) return;
  if (parents instanceof Record) markParent(child, parents, sure);
  else for (const parent of parents) markParent(child, parent, sure);
}

function markParent(child: Record, parent: Record, sure: boolean): void {
  parent.taint(child);
  if (parent.flags & DIRTY || parent.follows) return;
  const surely = sure && parent.sure;
  note(parent, surely);
  parent.flags |= DIRTY;
  if (parent.parents === undefined) return;
  waiting.push(parent);
  waitingSure.push(surely);
}

/** Tells live readers of a record after the readers of the part that changed. */
export function reshapeLater(record: Record): void {
  if (told.has(record)) record.flags |= RESHAPED;
  else record.reshape();
}

/** To be called before a record appears. */
export function noteAppearance(record: Record): void {
  // a record that was just made is part of none
  if (record.parents !== undefined) appeared.add(record);
}

/** True where readers were shown it before this commit, and are shown it still. */
export function isStillShown(member: Record): boolean {
  return isSurelyThere(member) && !appeared.has(member);
}

/** Calls `look` when all of the commit is written. */
export function lookAtCommitEnd(one: Late): void {
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
  appeared.clear();
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

/** The value; CHANGED where building it throws, since each exception counts as another value. */
function valueOf(record: Record, builder: Builder): unknown {
  try {
    return builder.read(record);
  } catch {
    return CHANGED;
  }
}
