/** The log of list members with a time of their own: membership is versioned as a field of (list, pk). */
import type { EntityContent } from '../entities/EntityContent.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

export type ListEnd = 'start' | 'end';

/** The side at which a member entered, and a logical time that orders the members of a side: later ones are further out. */
export interface MemberPosition {
  readonly side: ListEnd;
  readonly orderTime: number;
}

/** The response that moves members. */
export interface MembershipWrite {
  /** Logical time, if responses to older requests are still due that may contradict the move; else undefined. */
  readonly logTime: number | undefined;
  /** Logical times at which the request that moves the member was issued, and confirmed. */
  readonly issued: number;
  readonly confirmedAt: number;
  /** An optimistic write has shown the members to readers before. */
  readonly wasOptimistic: boolean;
}

/** A confirmed creation or deletion. */
interface Membership {
  /** Logical time. */
  readonly time: number;
  /** Undefined: the member left. */
  readonly insertPosition: MemberPosition | undefined;
}

/** Each entry is kept until the response of a list read issued after it arrives. */
export type MembershipLog = Map<StoreRecord, Membership>;

/**
 * The logical time at which a record last entered a log. The response to a request issued before may make the record a
 * member again, although a list that no response has filled yet has no links to its members.
 */
export const lastLogTimes: WeakMap<StoreRecord, number> = new WeakMap();

/** Forgets entries confirmed at or before a logical time. */
export function pruneLog(
  known: Map<unknown, { readonly time: number }> | undefined,
  time: number,
): void {
  for (const [key, one] of known ?? []) if (one.time <= time) known?.delete(key);
}

/** The latest logical time of the entries and `since`. */
export function latestTimeIn(
  known: ReadonlyMap<unknown, { readonly time: number }> | undefined,
  since: number,
): number {
  let last = since;
  for (const { time } of known?.values() ?? []) last = Math.max(last, time);
  return last;
}

/** The members of a read issued at `time`, with the members that were inserted later. Changes `incoming`. */
export function applyLog(
  known: MembershipLog,
  incoming: StoreRecord[],
  time: number,
  isGone: GoneTest,
): StoreRecord[] {
  pruneLog(known, time);
  if (known.size === 0) return incoming;
  const listed = new Set(incoming);
  const inserted: (MemberPosition & { readonly member: StoreRecord })[] = [];
  for (const [member, { time: since, insertPosition }] of known) {
    if (insertPosition && !listed.has(member) && !isGone(member, since))
      inserted.push({ ...insertPosition, member });
  }
  inserted.sort((a, b) => a.orderTime - b.orderTime);
  // later ones are further out
  for (const { member, side } of inserted) incoming[side === 'start' ? 'unshift' : 'push'](member);
  return incoming;
}

/** The part of a list that departures use. */
export interface DepartedList {
  readonly pk: string;
}

/** True for the lists that a member leaves, also for lists that have never contained this member. */
export type LeaveTest = (list: DepartedList) => boolean;

/** Functions that return true if the member left the list after a logical time. */
export type Departures = WeakMap<StoreRecord, (list: DepartedList, since: number) => boolean>;

/** The response that fills a list. */
export interface IncomingEntities {
  /** The content that the response has for an entity. */
  patchOf(record: EntityRecord): EntityContent | undefined;
}

/** True if the member was deleted, or left the list, after a logical time. */
export type GoneTest = (member: StoreRecord, since: number) => boolean;

export const wasDeleted: GoneTest = (member, since) => member.deletedSince(since);
