/** Changes go up from a record to all that is made of it; at the end of the commit readers are told. */
import { INVALID } from '../schema/schema.ts';
import { isCertainlyVisible } from './diffMembers.ts';
import { CHANGED, DIRTY, QUEUED, SHAPE_CHANGED } from './flags.ts';
import { StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';

/** The records whose readers are told at the end of the commit, and beside them the values that they had before. */
const queue: StoreRecord[] = [];
const valuesBefore: unknown[] = [];
/** Stands for a value that is no other's equal. */
const UNLIKE = Symbol('unlike');
/** Records that appeared in this commit, and were part of others before: no reader was shown them there. */
const newlyVisible = new Set<StoreRecord>();
/** They look at what they follow when all of a commit is written, before readers are told. */
const deferred = new Set<DeferredRecord>();
// records whose parents are still to be marked. All walks share them: each walk ends where it began
const waiting: StoreRecord[] = [];
const waitingSure: boolean[] = [];

/** A record that finds out by itself whether a change of its parts is one of its own. */
export interface DeferredRecord {
  recompute(builder: Builder): void;
}

/** To be called before a record changes. `sure`: readers get another value. Else values are compared when all is written. */
export function markDirty(record: StoreRecord, sure = true): void {
  queueNotification(record, sure);
  if (record.flags & DIRTY) return;
  record.flags |= DIRTY;
  const start = waiting.length;
  markParents(record, sure);
  while (waiting.length > start)
    markParents(waiting.pop() as StoreRecord, waitingSure.pop() as boolean);
}

function markParents(child: StoreRecord, sure: boolean): void {
  const { parents } = child;
  if (parents === undefined) return;
  if (parents instanceof StoreRecord) markParent(child, parents, sure);
  else for (const parent of parents) markParent(child, parent, sure);
}

function markParent(child: StoreRecord, parent: StoreRecord, sure: boolean): void {
  parent.onPartDirty(child);
  if (parent.flags & DIRTY || parent.detectsOwnChanges) return;
  const surely = sure && parent.alwaysChangesWithParts;
  queueNotification(parent, surely);
  parent.flags |= DIRTY;
  if (parent.parents === undefined) return;
  waiting.push(parent);
  waitingSure.push(surely);
}

/** Tells live readers of a record after the readers of the part that changed. */
export function notifyShapeAfterParts(record: StoreRecord): void {
  if (record.flags & QUEUED) record.flags |= SHAPE_CHANGED;
  else record.notifyShape();
}

/** To be called before a record appears. */
export function noteNewlyVisible(record: StoreRecord): void {
  // a record that was just made is part of none
  if (record.parents !== undefined) newlyVisible.add(record);
}

/** True where readers were shown it before this commit, and are shown it still. */
export function isVisibleBeforeAndAfter(member: StoreRecord): boolean {
  return isCertainlyVisible(member) && !newlyVisible.has(member);
}

/** Calls `look` when all of the commit is written. */
export function recomputeAtCommitEnd(one: DeferredRecord): void {
  deferred.add(one);
}

function queueNotification(record: StoreRecord, sure: boolean): void {
  const { flags } = record;
  if (record.cell === undefined && record.observers === undefined && !record.mayBeIncomplete)
    return;
  if (!(flags & QUEUED)) {
    queue.push(record);
    valuesBefore.push(record.lastValue);
    // what it was before is known of clean records alone
    record.flags |= flags & DIRTY ? QUEUED | CHANGED : QUEUED;
  }
  if (sure) record.flags |= CHANGED;
}

/** The end of a commit: tells the readers of what changed. What may have changed is built and compared. */
export function flush(builder: Builder): void {
  while (deferred.size + queue.length > 0) {
    for (const one of deferred) {
      deferred.delete(one);
      one.recompute(builder);
    }
    // it grows while it is gone through
    for (let at = 0; at < queue.length; at++)
      notifyIfChanged(queue[at] as StoreRecord, valuesBefore[at], builder);
    queue.length = valuesBefore.length = 0;
  }
  // clearing costs, even where there is nothing
  if (newlyVisible.size > 0) newlyVisible.clear();
}

function notifyIfChanged(record: StoreRecord, was: unknown, builder: Builder): void {
  const { flags } = record;
  record.flags &= ~(QUEUED | CHANGED);
  compareAndNotify(record, flags & CHANGED ? UNLIKE : was, builder);
  record.flags &= ~SHAPE_CHANGED;
}

/** Tells the readers of a record if its value is another than before. Nobody builds what nobody watches. */
function compareAndNotify(record: StoreRecord, was: unknown, builder: Builder): void {
  const { mayBeIncomplete: mayBreak } = record;
  const looks = mayBreak || (was !== UNLIKE && record.hasSubscribers);
  const now = looks ? valueOf(record, builder) : UNLIKE;
  const flips = (now === INVALID) !== (was === INVALID);
  if (mayBreak && (was === UNLIKE || flips)) record.notifyVisibilityChange();
  if (was !== UNLIKE && now === was) return;
  const reshapes = flips || (now === UNLIKE && was !== UNLIKE);
  if (record.flags & SHAPE_CHANGED || reshapes) record.notifyShape();
  record.notify();
}

/** The value; UNLIKE where building it throws, since each exception counts as another value. */
function valueOf(record: StoreRecord, builder: Builder): unknown {
  try {
    return builder.read(record);
  } catch {
    return UNLIKE;
  }
}
