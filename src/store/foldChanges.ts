/** How unconfirmed writes lie over what is confirmed of a list. */
import type { Entry, Filling } from '../schema/schema.ts';
import { applyListMerge } from './applyListMerge.ts';
import type { Arrangeable } from './applyListMerge.ts';
import { existenceWriteOf } from './existenceWriteOf.ts';
import { EntityRecord } from './EntityRecord.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import { distinctRecords } from './diffMembers.ts';
import { insertIndex } from './MembershipLog.ts';
import type { ListEnd, InsertPosition } from './MembershipLog.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** What one unconfirmed write does to a list. */
export interface PendingChange {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** `fill`: these are its members. `append`: so are these. `delete`: these are deleted wherever they are. */
  readonly how: ListEnd | 'out' | 'delete' | 'merge' | Filling;
  readonly members: readonly StoreRecord[];
  /** Where a function of the user's own puts them. */
  readonly merge?: Entry['merge'];
}

/** While unconfirmed writes lie over a list: what is confirmed, and they in the order of their issue. */
export interface PendingList {
  base: StoreRecord[] | undefined;
  changes: PendingChange[];
  /** Where members stand that came meanwhile. */
  readonly positions: Map<StoreRecord, InsertPosition>;
  /** The entities that unconfirmed writes delete, whichever list they are in. */
  readonly deleted: Iterable<EntityRecord>;
}

/** The members with the writes over them that were issued before this logical time. */
export function foldChanges(
  list: Arrangeable,
  pending: PendingList,
  before: number,
): StoreRecord[] | undefined {
  let members = pending.base?.slice();
  for (const change of withDeletions(pending)) {
    const { issued, how, members: its } = change;
    if (issued >= before) break;
    if (how === 'fill') members = distinctRecords(its);
    else if (how === 'append') members = distinctRecords([...(members ?? []), ...its]);
    else if (members === undefined) continue;
    else if (how === 'merge') members = mergedOr(list, members, change);
    else if (how === 'out' || how === 'delete')
      for (const member of its) removeFrom(members, member);
    else insertInto(members, its[0] as StoreRecord, { turn: issued, side: how }, pending);
  }
  return members;
}

/** The changes of a list, and the deletions that apply to any list, in the order of their issue. */
function withDeletions({ changes, deleted }: PendingList): readonly PendingChange[] {
  let all = changes;
  for (const member of deleted)
    for (const issued of member.deletionTimes) {
      const deletion: PendingChange = { issued, how: 'delete', members: [member] };
      all = insertByIssueTime(all === changes ? changes.slice() : all, deletion);
    }
  return all;
}

/** A merge that fails, or gives what is no list of these, says nothing until the response comes. */
function mergedOr(
  list: Arrangeable,
  members: StoreRecord[],
  { merge, members: fresh }: PendingChange,
): StoreRecord[] {
  try {
    return applyListMerge(list, merge as NonNullable<typeof merge>, [members, fresh]);
  } catch {
    return members;
  }
}

/** Members are many, and each is in there once. */
export function removeFrom(members: StoreRecord[] | undefined, member: StoreRecord): void {
  const at = members?.indexOf(member) ?? -1;
  if (at >= 0) members?.splice(at, 1);
}

/** Enters, unless an own deletion that was issued later is confirmed. */
function insertInto(
  members: StoreRecord[],
  member: StoreRecord,
  place: InsertPosition,
  { positions: turns }: PendingList,
): void {
  const claimed = member instanceof EntityRecord ? (existenceWriteOf(member)?.issued ?? 0) : 0;
  if (members.includes(member) || place.turn < claimed) return;
  members.splice(insertIndex(members, turns, place), 0, member);
}
