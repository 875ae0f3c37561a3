/** The fold of a list: its confirmed members with the changes of optimistic writes applied. */
import type { ListChangeOp, FillMode, Node, StoredKind } from '../schema/schema.ts';
import { runListMerge } from './runListMerge.ts';
import type { ListMerge } from './runListMerge.ts';
import { EntityRecord } from './EntityRecord.ts';
import { EMPTY } from './append.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import { distinctRecords } from './diffMembers.ts';
import { insertIndex } from './MembershipLog.ts';
import type { ListEnd, InsertPosition } from './MembershipLog.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** The effect of one optimistic write on a list. */
export interface PendingChange {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** `fill`: all members. `append`: further members. `delete`: these entities are deleted, in every list. */
  readonly op: ListEnd | 'out' | 'delete' | 'merge' | FillMode;
  readonly members: readonly Node[];
  /** Of a map: the keys of the members; a member without a key enters at its primary key. */
  readonly keys: readonly (string | undefined)[];
  /** The user function that places the members. */
  readonly merge?: ListChangeOp['merge'];
}

/** The state of a list or map with optimistic writes: the confirmed members, and the changes in the order of issue. */
export class PendingMembers<Base> {
  base: Base | undefined;
  changes: PendingChange[] = EMPTY;
  /** Of a list: the positions of members that entered meanwhile. */
  readonly positions: Map<StoreRecord, InsertPosition> = new Map();
  /** Of a list: the entities that optimistic writes delete, in any list. A map does not use them. */
  readonly deletedEntities: Iterable<EntityRecord>;

  constructor(base: Base | undefined, deletedEntities: Iterable<EntityRecord>) {
    this.base = base;
    this.deletedEntities = deletedEntities;
  }

  add(change: PendingChange): void {
    this.changes = insertByIssueTime(this.changes, change);
  }

  /** Drops the changes of the write issued at this logical time. */
  drop(issued: number): void {
    this.changes = this.changes.filter((change) => change.issued !== issued);
  }
}

export type PendingList = PendingMembers<StoreRecord[]>;

/** The members with the optimistic writes applied that were issued before this logical time. */
export function foldChanges(
  kind: StoredKind,
  pending: PendingList,
  before: number,
): StoreRecord[] | undefined {
  let members = pending.base?.slice();
  for (const change of withDeletions(pending)) {
    const { issued, op, members: its } = change;
    if (issued >= before) break;
    if (op === 'fill') members = distinctRecords(its);
    else if (op === 'append') members = distinctRecords([...(members ?? []), ...its]);
    else if (members === undefined) continue;
    else if (op === 'merge') members = tryMerge(kind, members, change);
    else if (op === 'out' || op === 'delete')
      for (const member of its) removeFrom(members, member as StoreRecord);
    else insertInto(members, its[0] as StoreRecord, { orderTime: issued, side: op }, pending);
  }
  return members;
}

/** The changes of a list and the deletions, which apply to any list, in the order of issue. */
function withDeletions({ changes, deletedEntities }: PendingList): readonly PendingChange[] {
  const deletions: PendingChange[] = [];
  for (const member of deletedEntities)
    for (const issued of member.pendingDeletionTimes)
      deletions.push({ issued, op: 'delete', members: [member], keys: [] });
  if (deletions.length === 0) return changes;
  return [...changes, ...deletions].sort((one, other) => one.issued - other.issued);
}

/** Applies a user merge. A merge that throws or returns no list of these members has no effect until the response. */
function tryMerge(
  kind: StoredKind,
  members: StoreRecord[],
  { merge, members: fresh }: PendingChange,
): StoreRecord[] {
  try {
    return runListMerge(kind, merge as ListMerge, members, fresh as StoreRecord[]);
  } catch {
    return members;
  }
}

/** Stops at the first match, since lists are long and contain each member once. */
export function removeFrom(members: StoreRecord[] | undefined, member: StoreRecord): void {
  const at = members?.indexOf(member) ?? -1;
  if (at >= 0) members?.splice(at, 1);
}

/** Inserts the member, unless an own creation or deletion issued later is confirmed. */
function insertInto(
  members: StoreRecord[],
  member: StoreRecord,
  place: InsertPosition,
  { positions }: PendingList,
): void {
  const claimed =
    member instanceof EntityRecord ? (member.versions.existenceWrite?.issued ?? 0) : 0;
  if (members.includes(member) || place.orderTime < claimed) return;
  members.splice(insertIndex(members, positions, place), 0, member);
}
