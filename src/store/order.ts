/** The law of order as pure functions: which data replace which. Nothing else in the library compares times. */
import { assign } from '../schema/equal.ts';

/*
 * One logical clock per store ticks on every request issued and every answer confirmed. Wall time is not order.
 *
 *   data                                   carry the time
 *   what a read brings                     its request was issued
 *   what set() brings (a push)             it was received
 *   fields a mutation wrote (its body)     its answer arrived
 *   the rest of a mutation's answer        its request was issued
 *
 * A record has one time; fields that differ from it have their own in `times`; one never written has the
 * time of the deletion before it, else 0.
 * A deletion leaves the record empty with the time of the deletion: only later data bring it back.
 */

/** Times of single fields where they differ from their record's. Never changed once made: records share them. */
export type FieldTimes = Readonly<Record<string, number>>;

/** When data were known to be true, and until when they count as fresh. */
export interface Stamp {
  /** Logical time. */
  readonly time: number;
  /** Logical time of fields that a mutation's own body named; absent for reads and pushes. */
  readonly ownTime?: number;
  readonly own?: ReadonlySet<string>;
  /** Wall time of arrival and of expiry, ms since 1970. */
  readonly fetchedAt: number;
  readonly expiresAt: number;
  /**
   * Wall time until when it may be shown, while it is asked again, to readers who come after its expiry; where it is
   * absent, a policy decides. -Infinity: nor is it kept when nobody reads it.
   */
  readonly staleUntil?: number | undefined;
}

/** True when data of time `incoming` replace data of time `stored`. Equal times come from one answer: later wins. */
export function replaces(incoming: number, stored: number): boolean {
  return incoming >= stored;
}

/** The times of a record: one for all fields but those in `times`. */
export interface Times {
  readonly time: number;
  readonly times: FieldTimes | undefined;
  /** When the mutations were issued that last wrote these fields themselves. */
  readonly ownIssued: FieldTimes | undefined;
}

/** The stamp of what was never written. */
export const NEVER: Stamp = Object.freeze({ time: 0, fetchedAt: 0, expiresAt: 0 });

/** The time of one field that was written before. */
export function timeOf(name: string, { time, times }: Times): number {
  return times !== undefined && Object.hasOwn(times, name) ? (times[name] as number) : time;
}

/** The time that a stamp gives to one field. */
export function stampTime(name: string, stamp: Stamp): number {
  return isOwn(name, stamp) ? (stamp.ownTime as number) : stamp.time;
}

/** True when an own write of this field was confirmed that was issued after this logical time. */
export function isOutrun(name: string, issued: number, { ownIssued }: Times): boolean {
  if (ownIssued === undefined || !Object.hasOwn(ownIssued, name)) return false;
  return issued < (ownIssued[name] as number);
}

function isOwn(name: string, { own }: Stamp): boolean {
  return own !== undefined && own.has(name);
}

/**
 * True when the stamp's data replace one field that was written before. Of two own writes of a field the one that was
 * issued later wins, whichever was answered first.
 */
export function takes(name: string, stamp: Stamp, record: Times): boolean {
  if (isOwn(name, stamp) && isOutrun(name, stamp.time, record)) return false;
  return replaces(stampTime(name, stamp), timeOf(name, record));
}

/** True when no field of the record is newer: these data replace all that they name. */
export function replacesAll({ time, own }: Stamp, record: Times): boolean {
  if (!replaces(time, record.time) || !areOlder(record.times, time)) return false;
  if (own === undefined || record.ownIssued === undefined) return true;
  for (const name of own) if (isOutrun(name, time, record)) return false;
  return true;
}

function areOlder(times: FieldTimes | undefined, time: number): boolean {
  for (const name in times) if (!replaces(time, times[name] as number)) return false;
  return true;
}

/**
 * The times of a record after a write that took the fields `names`; `covers`: these are all it has.
 *
 *   all fields, none of them newer before    the record has one time again, but for own ones
 *   some fields                              those taken get their own time
 */
export function retimed(
  record: Times,
  names: readonly string[],
  stamp: Stamp,
  covers: boolean,
): Times {
  const { time, times, ownIssued } = record;
  const { own } = stamp;
  const one = covers && replaces(stamp.time, time) && areOlder(times, stamp.time);
  if (own === undefined) {
    if (one) return { time: stamp.time, times: undefined, ownIssued };
    if (times === undefined && stamp.time === time) return record;
  }
  const base = one ? stamp.time : time;
  const next: { [name: string]: number } = one ? {} : { ...times };
  const issued: { [name: string]: number } | undefined = own && { ...ownIssued };
  for (const name of names) {
    const single = stampTime(name, stamp);
    if (single !== base || name in next) assign(next, name, single);
    if (issued !== undefined && isOwn(name, stamp)) assign(issued, name, stamp.time);
  }
  return { time: base, times: next, ownIssued: issued ?? ownIssued };
}
