/** How unconfirmed writes lie over what is confirmed of a list. */
import type { Entry, Filling } from '../schema/schema.ts';
import { merged } from './arranging.ts';
import type { Arrangeable } from './arranging.ts';
import { claimOf } from './claim.ts';
import { EntityRecord } from './EntityRecord.ts';
import { inOrder } from './inOrder.ts';
import { unique } from './joined.ts';
import { placeAmong } from './Memberships.ts';
import type { Side, Turn } from './Memberships.ts';
import type { Record } from './Record.ts';

/** What one unconfirmed write does to a list. */
export interface PendingChange {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** `fill`: these are its members. `append`: so are these. `delete`: these are deleted wherever they are. */
  readonly how: Side | 'out' | 'delete' | 'merge' | Filling;
  readonly members: readonly Record[];
  /** Where a function of the user's own puts them. */
  readonly merge?: Entry['merge'];
}

/** While unconfirmed writes lie over a list: what is confirmed, and they in the order of their issue. */
export interface PendingList {
  base: Record[] | undefined;
  changes: PendingChange[];
  /** Where members stand that came meanwhile. */
  readonly turns: Map<Record, Turn>;
  /** The entities that unconfirmed writes delete, whichever list they are in. */
  readonly deleted: Iterable<EntityRecord>;
}

/** The members with the writes over them that were issued before this logical time. */
export function foldChanges(
  list: Arrangeable,
  pending: PendingList,
  before: number,
): Record[] | undefined {
  let members = pending.base?.slice();
  for (const change of withDeletions(pending)) {
    const { issued, how, members: its } = change;
    if (issued >= before) break;
    if (how === 'fill') members = unique(its);
    else if (how === 'append') members = unique([...(members ?? []), ...its]);
    else if (members === undefined) continue;
    else if (how === 'merge') members = mergedOr(list, members, change);
    else if (how === 'out' || how === 'delete')
      for (const member of its) removeFrom(members, member);
    else insertInto(members, its[0] as Record, { turn: issued, side: how }, pending);
  }
  return members;
}

/** The changes of a list, and the deletions that apply to any list, in the order of their issue. */
function withDeletions({ changes, deleted }: PendingList): readonly PendingChange[] {
  let all = changes;
  for (const member of deleted)
    for (const issued of member.deletedAt) {
      const deletion: PendingChange = { issued, how: 'delete', members: [member] };
      all = inOrder(all === changes ? changes.slice() : all, deletion);
    }
  return all;
}

/** A merge that fails, or gives what is no list of these, says nothing until the response comes. */
function mergedOr(
  list: Arrangeable,
  members: Record[],
  { merge, members: fresh }: PendingChange,
): Record[] {
  try {
    return merged(list, merge as NonNullable<typeof merge>, [members, fresh]);
  } catch {
    return members;
  }
}

/** Members are many, and each is in there once. */
export function removeFrom(members: Record[] | undefined, member: Record): void {
  const at = members?.indexOf(member) ?? -1;
  if (at >= 0) members?.splice(at, 1);
}

/** Enters, unless an own deletion that was issued later is confirmed. */
function insertInto(members: Record[], member: Record, place: Turn, { turns }: PendingList): void {
  const claimed = member instanceof EntityRecord ? (claimOf(member)?.issued ?? 0) : 0;
  if (members.includes(member) || place.turn < claimed) return;
  members.splice(placeAmong(members, turns, place), 0, member);
}
