/** Who is in a list, where that has a time of its own: membership is a field of (list, pk). */
import type { StoreRecord } from './StoreRecord.ts';

export type ListEnd = 'start' | 'end';

/** Where a member entered, and in which turn: logical time. Among those at one side the later stands further out. */
export interface InsertPosition {
  readonly side: ListEnd;
  readonly turn: number;
}

/** A confirmed creation or deletion. */
interface Membership {
  /** Logical time. */
  readonly time: number;
  /** Undefined: the member left. */
  readonly entered: InsertPosition | undefined;
}

/** Each is remembered until a list read issued after it arrives. */
export type MembershipLog = Map<StoreRecord, Membership>;

/** Forgets what was confirmed until a logical time. */
export function pruneLog(
  known: Map<unknown, { readonly time: number }> | undefined,
  time: number,
): void {
  for (const [key, one] of known ?? []) if (one.time <= time) known?.delete(key);
}

/** The latest of these logical times, and of `since`. */
export function latestTimeIn(
  known: ReadonlyMap<unknown, { readonly time: number }> | undefined,
  since: number,
): number {
  let last = since;
  for (const { time } of known?.values() ?? []) last = Math.max(last, time);
  return last;
}

/** True when `member` was taken out after this time. */
export function isRemovedSince(
  known: MembershipLog | undefined,
  member: StoreRecord,
  time: number,
): boolean {
  const last = known?.get(member);
  return last !== undefined && last.entered === undefined && last.time > time;
}

/** What a read of `time` says, corrected by memberships that were confirmed after it was issued. */
export function applyLog(
  known: MembershipLog | undefined,
  incoming: StoreRecord[],
  time: number,
): StoreRecord[] {
  pruneLog(known, time);
  if (known === undefined || known.size === 0) return incoming;
  const listed = new Set(incoming);
  const come: (InsertPosition & { readonly member: StoreRecord })[] = [];
  for (const [member, { time: since, entered }] of known) {
    if (entered !== undefined && !listed.has(member) && !member.deletedSince(since))
      come.push({ ...entered, member });
  }
  come.sort((a, b) => a.turn - b.turn);
  const at = (wanted: ListEnd) =>
    come.filter(({ side }) => side === wanted).map(({ member }) => member);
  const stay = incoming.filter((member) => !isRemovedSince(known, member, time));
  return [...at('start').reverse(), ...stay, ...at('end')];
}

/*
 *   unconfirmed  confirmed    readers see
 *   #4 T  #7 U   a            a T U       no row jumps: what was expected has the turn of its issue,
 *   #4 T         a U          a T U       behind an expected row all stand in the order of issue
 *                a T U        a T U
 */

/** Where a member goes: before those at the end, or behind those at the start, whose turn is later. */
export function insertIndex(
  members: readonly StoreRecord[],
  turns: ReadonlyMap<StoreRecord, InsertPosition>,
  { turn, side }: InsertPosition,
): number {
  const isLater = (member: StoreRecord | undefined): boolean => {
    const known = member && turns.get(member);
    return known !== undefined && known.side === side && known.turn > turn;
  };
  let at = side === 'start' ? 0 : members.length;
  if (side === 'start') while (isLater(members[at])) at++;
  else while (isLater(members[at - 1])) at--;
  return at;
}
