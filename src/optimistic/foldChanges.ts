/** The fold of a list: the confirmed members with the changes of optimistic writes applied. */
import type { ListChangeOp, ListFillMode, NormalizedNode, StoredKind } from '../schema/schema.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { runListMerge } from '../store/lists/ListRecord.ts';
import type { ListMerge, ListRecord, StoredList } from '../store/lists/ListRecord.ts';
import type { ListEnd, MemberPosition } from '../store/lists/MembershipLog.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { distinctRecords, removeFrom } from '../store/records/diffMembers.ts';
import { pendingOf } from './PendingEntity.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';

/** The effect of an optimistic write on a list. */
export interface PendingChange {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** `fill`: all members. `append`: further members. `delete`: these entities are deleted, in every list. */
  readonly op: ListEnd | 'out' | 'delete' | 'merge' | ListFillMode;
  readonly members: readonly NormalizedNode[];
  /** Of a map: the keys of the members; a member without a key enters at its primary key. */
  readonly keys: readonly (string | undefined)[];
  /** The user function that places the members. */
  readonly merge?: ListChangeOp['merge'];
  /** The change follows from the fields of the member, whichever layers have written the fields. */
  readonly isFieldMove?: boolean;
}

/** The state of a list or map with optimistic writes: the confirmed members, and the changes in the order of issue. */
export class PendingMembers<Base> {
  base: Base | undefined;
  changes: PendingChange[] = EMPTY;
  /** Of a list: the entities that optimistic writes delete, in any list. Unused by maps. */
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
    this.changes = this.changes.filter((one) => one.issued !== issued || one.isFieldMove);
  }

  dropChange(change: PendingChange): void {
    this.changes = this.changes.filter((one) => one !== change);
  }

  /** True if a change inserts or removes this member. */
  mentions(member: StoreRecord): boolean {
    return this.changes.some(({ members }) => members.includes(member));
  }

  /** True if the write issued at this logical time inserts or removes this member. */
  expects(member: StoreRecord, issued: number): boolean {
    return this.changes.some((one) => one.issued === issued && one.members.includes(member));
  }

  /** True if a change inserts this member for a reason other than the fields of the member. */
  inserts(member: StoreRecord): boolean {
    return this.changes.some(
      ({ op, members, isFieldMove }) => op !== 'out' && !isFieldMove && members.includes(member),
    );
  }

  get gcEdges(): NormalizedNode {
    const { base } = this;
    const confirmed = base instanceof Map ? [...base.values()] : base;
    return [confirmed, this.changes.map(({ members }) => members)];
  }
}

/** Of a list. */
export class PendingList extends PendingMembers<StoreRecord[]> {
  /** The positions of members that entered meanwhile. */
  readonly positions: Map<StoreRecord, MemberPosition> = new Map();

  /** Logical time at which the first insertion at this side was issued. */
  firstIssued(side: ListEnd): number | undefined {
    return this.changes.find(({ op }) => op === side)?.issued;
  }

  /** Inserts a confirmed member. */
  insert(member: StoreRecord, position: MemberPosition): void {
    this.positions.set(member, position);
    const base = this.base as StoreRecord[];
    base.splice(insertIndex(base, this.positions, position), 0, member);
  }

  /** True while a layer may insert a member before another that entered meanwhile. `active`: all layers. */
  needsPositions(active: Iterable<{ readonly issued: number }>): boolean {
    let oldest = Infinity;
    for (const { issued } of active) oldest = Math.min(issued, oldest);
    for (const { orderTime } of this.positions.values()) if (orderTime > oldest) return true;
    return false;
  }

  /** A member of a response has its position there; a member created later has the order time of its creation. */
  updatePositions(list: ListRecord, listed: ReadonlySet<NormalizedNode>, time: number): void {
    for (const member of this.base ?? EMPTY) {
      const position = list.insertPositionOf(member);
      if (listed.has(member) && !member.deletedSince(time)) this.positions.delete(member);
      else if (position !== undefined) this.positions.set(member, position);
    }
  }
}

/** The optimistic changes of a list or map; undefined if there are none. */
export function pendingMembersOf({ pending }: StoredList): PendingMembers<unknown> | undefined {
  return pending as PendingMembers<unknown> | undefined;
}

// up to this number of changes, searching the list is faster than building a set
const MANY_CHANGES = 16;

/** The members with the optimistic writes applied that were issued before this logical time. */
export function foldChanges(
  kind: StoredKind,
  pending: PendingList,
  before: number,
): StoreRecord[] | undefined {
  const changes = withDeletions(pending);
  const fold = new ListFold(pending.base, changes.length > MANY_CHANGES);
  for (const change of changes) {
    const { issued, op, members: its, isFieldMove } = change;
    const { members } = fold;
    if (issued >= before) break;
    if (op === 'fill') fold.setMembers(distinctRecords(its));
    else if (op === 'append') fold.setMembers(distinctRecords([...(members ?? []), ...its]));
    else if (members === undefined) continue;
    else if (op === 'merge') fold.setMembers(tryMerge(kind, members, change));
    else if (op === 'out' || op === 'delete')
      for (const member of its) fold.remove(member as StoreRecord);
    // an own creation or deletion that was issued later decides, but a row that exists follows the shown fields
    else if (isFieldMove === true || issued >= claimTime(its[0] as StoreRecord))
      fold.insert(its[0] as StoreRecord, { orderTime: issued, side: op }, pending);
  }
  return fold.members;
}

/** Members that are changed in place. */
class ListFold {
  members: StoreRecord[] | undefined;
  /** Of many changes: the members, since a search of the list for each change would cost the product of both. */
  readonly #present: Set<StoreRecord> | undefined;
  /** The last change, if an insertion. */
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

  insert(member: StoreRecord, place: MemberPosition, { positions }: PendingList): void {
    const members = this.members as StoreRecord[];
    if (this.#present?.has(member) ?? members.includes(member)) return;
    const { side } = place;
    const before = this.#last?.side === side ? this.#last.at : undefined;
    const index = insertIndex(members, positions, place, before);
    members.splice(index, 0, member);
    this.#present?.add(member);
    this.#last = { side, at: side === 'start' ? index : index + 1 };
  }
}

/** Logical time at which the confirmed own creation or deletion of a member was issued. */
function claimTime(member: StoreRecord): number {
  return member instanceof EntityRecord ? (member.versions.existenceWrite?.issued ?? 0) : 0;
}

/** The changes of a list and the deletions, which apply to any list, in the order of issue. */
function withDeletions({ changes, deletedEntities }: PendingList): readonly PendingChange[] {
  const deletions: PendingChange[] = [];
  for (const member of deletedEntities)
    for (const issued of pendingOf(member)?.deletionTimes ?? EMPTY)
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

/*
 *   optimistic   confirmed    readers see
 *   #4 T  #7 U   a            a T U       no row jumps: an optimistic row is ordered by time of issue,
 *   #4 T         a U          a T U       and all rows behind an optimistic row are in the order of issue
 *                a T U        a T U
 */

/**
 * The index of an insertion: before the members at the end, or after the members at the start, with a later order time.
 * `before`: the index of the last insertion, at the same side with an earlier order time; else the walk begins at the end.
 */
function insertIndex(
  members: readonly StoreRecord[],
  positions: ReadonlyMap<StoreRecord, MemberPosition>,
  { orderTime, side }: MemberPosition,
  before?: number,
): number {
  const isLater = (member: StoreRecord | undefined): boolean => {
    const known = member && positions.get(member);
    return known !== undefined && known.side === side && known.orderTime > orderTime;
  };
  let at = before ?? (side === 'start' ? 0 : members.length);
  if (before !== undefined) {
    if (side === 'start') while (at > 0 && !isLater(members[at - 1])) at--;
    else while (at < members.length && !isLater(members[at])) at++;
  } else if (side === 'start') while (isLater(members[at])) at++;
  else while (isLater(members[at - 1])) at--;
  return at;
}
