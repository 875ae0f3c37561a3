/** Propagation of changes from a record to all records above, and the notification of readers after a commit. */
import { INVALID } from '../../schema/schema.ts';
import { append, EMPTY } from './SmallSet.ts';
import { CHANGED, DIRTY, QUEUED, SHAPE_CHANGED, StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';
import { isCertainlyVisible } from './diffMembers.ts';

/** The records to notify readers of at the end of the commit, with their values before the commit. */
let queue: { readonly record: StoreRecord; readonly before: unknown }[] = EMPTY;
/** Stands for a value that equals no other value. */
const UNEQUAL = Symbol('unequal');
/** Records that appeared in this commit and had parents before: readers of these parents have not seen the records. */
const newlyVisible = new Set<StoreRecord>();
/** Records that recompute when all of a commit is written, before readers are notified. */
const deferred = new Set<DeferredRecord>();
// records with parents still to be flagged. All walks share this stack: each walk ends at its starting height
const walkStack: StoreRecord[] = [];
const walkStackSure: boolean[] = [];

/** A record that finds out by itself whether changed parts change its value. */
export interface DeferredRecord {
  recompute(builder: Builder): void;
}

/** Must be called before a record changes. `sure`: readers get another value. Else `flush` compares the values. */
export function markDirty(record: StoreRecord, sure = true): void {
  queueNotification(record, sure);
  if (record.flags & DIRTY) return;
  record.flags |= DIRTY;
  const start = walkStack.length;
  markParents(record, sure);
  while (walkStack.length > start)
    markParents(walkStack.pop() as StoreRecord, walkStackSure.pop() as boolean);
}

function markParents(child: StoreRecord, sure: boolean): void {
  const { parents } = child;
  if (parents === undefined) return;
  if (parents instanceof StoreRecord) markParent(child, parents, sure);
  else for (const parent of parents) markParent(child, parent, sure);
}

function markParent(child: StoreRecord, parent: StoreRecord, sure: boolean): void {
  parent.onPartDirty?.(child);
  if (parent.flags & DIRTY || parent.detectsOwnChanges) return;
  const surely = sure && parent.alwaysChangesWithParts;
  queueNotification(parent, surely);
  parent.flags |= DIRTY;
  if (parent.parents === undefined) return;
  walkStack.push(parent);
  walkStackSure.push(surely);
}

/**
 * Notifies live readers of a list, map or result, and of containing entities, after the readers of the changed part.
 */
export function scheduleShapeNotification(record: StoreRecord): void {
  if (record.flags & QUEUED) record.flags |= SHAPE_CHANGED;
  else record.notifyVisibilityChange();
}

/** Must be called before a record appears. */
export function addNewlyVisible(record: StoreRecord): void {
  // a new record has no parents
  if (record.parents !== undefined) newlyVisible.add(record);
}

/** True if `member` was visible to readers before this commit and still is. */
export function isVisibleBeforeAndAfter(member: StoreRecord): boolean {
  return isCertainlyVisible(member) && !newlyVisible.has(member);
}

/** Calls `recompute` when all of the commit is written. */
export function recomputeAtCommitEnd(one: DeferredRecord): void {
  deferred.add(one);
}

function queueNotification(record: StoreRecord, sure: boolean): void {
  const { flags } = record;
  if (record.cell === undefined && record.observers === undefined && !record.mayBeIncomplete)
    return;
  if (!(flags & QUEUED)) {
    queue = append(queue, { record, before: record.cachedValue });
    // only a clean record knows its value before the commit
    record.flags |= flags & DIRTY ? QUEUED | CHANGED : QUEUED;
  }
  if (sure) record.flags |= CHANGED;
}

/**
 * Ends a commit: notifies the readers of changed records, and recomputes deferred records, until nothing is queued. A
 * record that may have changed is built and compared.
 */
export function flush(builder: Builder): void {
  while (deferred.size + queue.length > 0) {
    // the queue may grow meanwhile; what becomes visible enters lists, which queries read
    for (let due = queue; due.length > 0; due = queue) {
      queue = EMPTY;
      for (const { record, before } of due) notifyQueued(record, before, builder);
    }
    // iterating over an empty set has a cost, and so has clearing
    if (deferred.size === 0) break;
    for (const one of deferred) {
      deferred.delete(one);
      one.recompute(builder);
    }
  }
  if (newlyVisible.size > 0) newlyVisible.clear();
}

/** Notifies the readers of a record if the value has changed. A record without subscribers is not built for this. */
function notifyQueued(record: StoreRecord, before: unknown, builder: Builder): void {
  const { flags, mayBeIncomplete } = record;
  record.flags &= ~(QUEUED | CHANGED | SHAPE_CHANGED);
  const was = flags & CHANGED ? UNEQUAL : before;
  const looks = mayBeIncomplete || (was !== UNEQUAL && record.hasSubscribers);
  let now: unknown = UNEQUAL;
  try {
    if (looks) now = builder.read(record);
  } catch {
    // each exception counts as another value
  }
  const flips = (now === INVALID) !== (was === INVALID);
  if (mayBeIncomplete && (was === UNEQUAL || flips)) record.notifyVisibilityChange();
  if (was !== UNEQUAL && now === was) return;
  const reshapes = flips || (now === UNEQUAL && was !== UNEQUAL);
  if (flags & SHAPE_CHANGED) record.notifyVisibilityChange();
  else if (reshapes) record.notifyShape();
  record.notify();
}
