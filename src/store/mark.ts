/** Changes go up from a record to all that is made of it; at the end of the commit readers are told. */
import { INVALID } from '../schema/schema.ts';
import { isSurelyThere } from './joined.ts';
import { CHANGED, DIRTY, NOTED, RESHAPED } from './flags.ts';
import { Record } from './Record.ts';
import type { Builder } from './Record.ts';

/** The records whose readers are told at the end of the commit, and beside them the values that they had before. */
const noted: Record[] = [];
const before: unknown[] = [];
/** Stands for a value that is no other's equal. */
const UNLIKE = Symbol('unlike');
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
  if (record.flags & NOTED) record.flags |= RESHAPED;
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
  const { flags } = record;
  if (record.cell === undefined && record.fine === undefined && !record.mayBreak) return;
  if (!(flags & NOTED)) {
    noted.push(record);
    before.push(record.memo);
    // what it was before is known of clean records alone
    record.flags |= flags & DIRTY ? NOTED | CHANGED : NOTED;
  }
  if (sure) record.flags |= CHANGED;
}

/** The end of a commit: tells the readers of what changed. What may have changed is built and compared. */
export function flush(builder: Builder): void {
  while (late.size + noted.length > 0) {
    for (const one of late) {
      late.delete(one);
      one.look(builder);
    }
    // it grows while it is gone through
    for (let at = 0; at < noted.length; at++) tellOf(noted[at] as Record, before[at], builder);
    noted.length = before.length = 0;
  }
  // clearing costs, even where there is nothing
  if (appeared.size > 0) appeared.clear();
}

function tellOf(record: Record, was: unknown, builder: Builder): void {
  const { flags } = record;
  record.flags &= ~(NOTED | CHANGED);
  compare(record, flags & CHANGED ? UNLIKE : was, builder);
  record.flags &= ~RESHAPED;
}

/** Tells the readers of a record if its value is another than before. Nobody builds what nobody watches. */
function compare(record: Record, was: unknown, builder: Builder): void {
  const { mayBreak } = record;
  const looks = mayBreak || (was !== UNLIKE && record.watched);
  const now = looks ? valueOf(record, builder) : UNLIKE;
  const flips = (now === INVALID) !== (was === INVALID);
  if (mayBreak && (was === UNLIKE || flips)) record.flip();
  if (was !== UNLIKE && now === was) return;
  const reshapes = flips || (now === UNLIKE && was !== UNLIKE);
  if (record.flags & RESHAPED || reshapes) record.reshape();
  record.tell();
}

/** The value; UNLIKE where building it throws, since each exception counts as another value. */
function valueOf(record: Record, builder: Builder): unknown {
  try {
    return builder.read(record);
  } catch {
    return UNLIKE;
  }
}
