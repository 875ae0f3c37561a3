/** The fold of a list: its confirmed members with the changes of optimistic writes applied. */
import type { ListChangeOp, FillMode, Node, StoredKind } from '../../schema/schema.ts';
import { runListMerge } from './runListMerge.ts';
import type { ListMerge } from './runListMerge.ts';
import { EntityRecord } from '../entities/EntityRecord.ts';
import { EMPTY } from '../records/append.ts';
import { insertByIssueTime } from '../records/insertByIssueTime.ts';
import { distinctRecords } from '../records/diffMembers.ts';
import { insertIndex } from './MembershipLog.ts';
import type { ListEnd, InsertPosition } from './MembershipLog.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

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
  drop(issued: number): undefined {
    this.changes = this.changes.filter((change) => change.issued !== issued);
  }
}

// up to this number of changes, searching the list is faster than building a set
const MANY_CHANGES = 16;

export type PendingList = PendingMembers<StoreRecord[]>;

/** The members with the optimistic writes applied that were issued before this logical time. */
export function foldChanges(
  kind: StoredKind,
  pending: PendingList,
  before: number,
): StoreRecord[] | undefined {
  const changes = withDeletions(pending);
  const fold = new ListFold(pending.base, changes.length > MANY_CHANGES);
  for (const change of changes) {
    const { issued, op, members: its } = change;
    const { members } = fold;
    if (issued >= before) break;
    if (op === 'fill') fold.setMembers(distinctRecords(its));
    else if (op === 'append') fold.setMembers(distinctRecords([...(members ?? []), ...its]));
    else if (members === undefined) continue;
    else if (op === 'merge') fold.setMembers(tryMerge(kind, members, change));
    else if (op === 'out' || op === 'delete')
      for (const member of its) fold.remove(member as StoreRecord);
    else fold.insert(its[0] as StoreRecord, { orderTime: issued, side: op }, pending);
  }
  return fold.members;
}

/** Members that are changed in place. */
class ListFold {
  members: StoreRecord[] | undefined;
  /** Of many changes: the members, since a search of the list for each change would cost the product of both. */
  readonly #present: Set<StoreRecord> | undefined;
  /** The last change, if it was an insertion. */
  #last: { readonly side: ListEnd; readonly at: number } | undefined;

  constructor(base: readonly StoreRecord[] | undefined, isLong: boolean) {
    this.members = base?.slice();
    if (isLong) this.#present = new Set(base);
  }

  setMembers(members: StoreRecord[]): void {
    this.members = members;
    this.#last = undefined;
    this.#present?.clear();
    for (const member of members) this.#present?.add(member);
  }

  remove(member: StoreRecord): void {
    if (this.#present?.delete(member) === false) return;
    this.#last = undefined;
    removeFrom(this.members, member);
  }

  /** Inserts the member, unless an own creation or deletion issued later is confirmed. */
  insert(member: StoreRecord, place: InsertPosition, { positions }: PendingList): void {
    const members = this.members as StoreRecord[];
    const claimed =
      member instanceof EntityRecord ? (member.versions.existenceWrite?.issued ?? 0) : 0;
    const isMember = this.#present?.has(member) ?? members.includes(member);
    if (isMember || place.orderTime < claimed) return;
    const { side } = place;
    const before = this.#last?.side === side ? this.#last.at : undefined;
    const index = insertIndex(members, positions, place, before);
    members.splice(index, 0, member);
    this.#present?.add(member);
    this.#last = { side, at: side === 'start' ? index : index + 1 };
  }
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
