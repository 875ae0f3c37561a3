/** The rules of which data replace which, as pure functions. No other file of the library compares times. */
import type { Meta } from '../../schema/EntityStatics.ts';
import { setOwn } from '../../schema/fieldOf.ts';

/*
 * The logical clock of a store ticks for every request issued and every response confirmed. Wall time gives no order.
 *
 *   data                                   have the time at which
 *   response of a read                     the request was issued
 *   set() (a push)                         the data were received
 *   fields in the body of a mutation       the response arrived
 *   other fields of the response           the request was issued; if it waited, sent
 *
 * A record has a single time. Fields with another time are listed in `times`. A field never written has the time of the
 * deletion before, else 0.
 * A deletion leaves the record empty with the time of the deletion: only later data restore the record.
 */

/** Times of single fields that differ from the time of their record. Immutable, since records share the object. */
export type FieldTimes = Readonly<Record<string, number>>;

/** When data were known to be true, and until when they count as fresh. */
export interface Stamp {
  /** Logical time. */
  readonly time: number;
  /** Logical time of the fields in the body of the mutation, when its response arrived; absent for reads and pushes. */
  readonly ownTime?: number;
  readonly own?: ReadonlySet<string>;
  /** Logical time at which a mutation was sent that had waited, for example for the key of its row. */
  readonly sentAt?: number;
  /** Logical time at which the response of a read arrived; absent for mutations and pushes. */
  readonly arrivedAt?: number;
  /** Wall time of arrival and of expiry, ms since 1970. */
  readonly fetchedAt: number;
  readonly expiresAt: number;
  /**
   * Stale-while-revalidate: wall time until which readers that mount after expiry may see the data during the refetch.
   * Absent: a policy decides. -Infinity: never shown stale, and dropped when no reader is left (no-store).
   */
  readonly staleUntil?: number | undefined;
  /** The data were pushed, not requested. */
  readonly isPush?: true;
  /** The value was computed from values that readers see, and may contain defaults of fields never received. */
  readonly derived?: boolean;
}

/** The metadata that the statics of a class receive. */
export function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}

/** True for no-store data: only for the readers that requested the data, in this page, while mounted. */
export function isNoStore({ staleUntil }: Pick<Stamp, 'staleUntil'>): boolean {
  return staleUntil === -Infinity;
}

/** True if data of time `incoming` replace data of time `stored`. Equal times are of one response: the later wins. */
export function isAtLeastAsNew(incoming: number, stored: number): boolean {
  return incoming >= stored;
}

/*
 *   mutation ─── sent ──────────────────── response        the server may have answered the read before the change,
 *   read                    sent ──────────────────────    or after the change, whichever response is stored first
 */

/** Logical time at which the server can have got the request at the earliest. */
const sentTime = ({ time, sentAt = time }: Stamp): number => sentAt;

/** True if the data of the stamp and the stored data are those of a read and of a mutation in flight at the same time. */
export function overlaps(stamp: Stamp, stored: Stamp): boolean {
  const [first, last] = sentTime(stamp) < sentTime(stored) ? [stamp, stored] : [stored, stamp];
  return last.ownTime === undefined && !last.isPush && last.time < (first.ownTime ?? 0);
}

/** The times of a record: `time` applies to all fields not listed in `times`. */
export interface Times {
  readonly time: number;
  readonly times: FieldTimes | undefined;
  /** Per field, when the mutation was issued that last wrote the field by its body. */
  readonly ownIssued: FieldTimes | undefined;
}

interface StampedTimes extends Times {
  readonly stamp: Stamp;
  /** Of the last response of an own write. */
  readonly ownStamp: Stamp | undefined;
}

/** The stamp of records never written. */
export const UNWRITTEN_STAMP: Stamp = Object.freeze({ time: 0, fetchedAt: 0, expiresAt: 0 });

/** The time of a field that was written before. */
export function fieldTime(name: string, { time, times }: Times): number {
  return times !== undefined && Object.hasOwn(times, name) ? (times[name] as number) : time;
}

/** The time that a stamp gives to a field. */
export function fieldTimeInStamp(name: string, stamp: Stamp): number {
  return stamp.own?.has(name) ? (stamp.ownTime as number) : sentTime(stamp);
}

/*
 *   PATCH /todos/1 {done: true}      sent ─────── response        the second mutation has no `done` in the body, and the
 *   POST /todos/1/reopen                 sent ──────── response   response may contain the value before, or after, the first
 *
 *   PATCH /todos/1 {listId: 2}       sent ─────── response        the second read may contain the `list` of before the
 *   GET /todos/1                       sent ───────── response    mutation, although the first read has brought the `list`
 *   GET /todos                            sent ─────── response   of after the mutation
 */

/**
 * True if only the server knows which is later, the data of the stamp or the stored field: a mutation overlaps a request.
 * Of a read: where an own write has left its stamp.
 */
export function overlapsStored(name: string, stamp: Stamp, record: StampedTimes): boolean {
  const { ownIssued = {}, stamp: last, ownStamp } = record;
  const time = fieldTime(name, record);
  if (stamp.own?.has(name)) return time === ownStamp?.time && time > stamp.time;
  if (stamp.ownTime === undefined)
    return (
      time >= (ownStamp as Stamp).time && time <= stamp.time && overlaps(stamp, ownStamp as Stamp)
    );
  // an own write replaces the stamp of a read; a replaced mutation leaves its time, too
  const isOfRead =
    time === last.time
      ? last.ownTime === undefined && !last.isPush
      : time === record.time && !Object.values(ownIssued).includes(time);
  return (
    time > sentTime(stamp) && (Object.hasOwn(ownIssued, name) || (isOfRead && time < stamp.ownTime))
  );
}

/** True if an own write of this field, issued after this logical time, is confirmed. */
export function hasLaterOwnWrite(name: string, issued: number, { ownIssued }: Times): boolean {
  if (ownIssued === undefined || !Object.hasOwn(ownIssued, name)) return false;
  return issued < (ownIssued[name] as number);
}

/**
 * True if the data of the stamp replace a field that was written before. Of two own writes of a field the write issued
 * later wins, in whichever order the responses arrive.
 */
export function canWriteField(name: string, stamp: Stamp, record: Times): boolean {
  if (stamp.own?.has(name) && hasLaterOwnWrite(name, stamp.time, record)) return false;
  return isAtLeastAsNew(fieldTimeInStamp(name, stamp), fieldTime(name, record));
}

/** True if no field of the record is newer, so the data of the stamp replace all their fields. */
export function canWriteAllFields({ time, own }: Stamp, record: Times): boolean {
  if (!isAtLeastAsNew(time, record.time) || !areAllOlder(record.times, time)) return false;
  if (own === undefined || record.ownIssued === undefined) return true;
  for (const name of own) if (hasLaterOwnWrite(name, time, record)) return false;
  return true;
}

function areAllOlder(times: FieldTimes | undefined, time: number): boolean {
  for (const name in times) if (!isAtLeastAsNew(time, times[name] as number)) return false;
  return true;
}

/**
 * The times of a record after a write of the fields `names`; `covers`: the data are at least as new as the record, which
 * has no other fields.
 *
 *   all fields                               the record has the new time, except for own and newer fields
 *   some fields                              each written field gets a separate time
 */
export function mergeTimes(
  record: Times,
  names: readonly string[],
  stamp: Stamp,
  covers: boolean,
): Times {
  const { time, times, ownIssued } = record;
  const { own } = stamp;
  const base = covers ? stamp.time : time;
  if (own === undefined) {
    if (covers && areAllOlder(times, base)) return { time: base, times: undefined, ownIssued };
    if (times === undefined && stamp.time === base) return record;
  }
  const next: { [name: string]: number } = { ...times };
  if (covers)
    for (const name in next) if (isAtLeastAsNew(base, next[name] as number)) delete next[name];
  const issued = own ? { ...ownIssued } : ownIssued;
  for (const name of names) {
    const single = fieldTimeInStamp(name, stamp);
    if (single !== base || name in next) setOwn(next, name, single);
    if (own?.has(name)) setOwn(issued as typeof next, name, stamp.time);
  }
  return { time: base, times: next, ownIssued: issued };
}
