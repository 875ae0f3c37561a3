/** The law of order as pure functions: which data replace which. Nothing else in the library compares times. */

/*
 * One logical clock per store ticks on every request issued and every answer confirmed. Wall time is not order.
 *
 *   data                                   carry the time
 *   what a read brings                     its request was issued
 *   what set() brings (a push)             it was received
 *   fields a mutation wrote (its body)     its answer arrived
 *   the rest of a mutation's answer        its request was issued
 *
 * A record has one time; fields that differ from it have their own in `times`. A field never written has time 0.
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
}

/** True when data of time `incoming` replace data of time `stored`. Equal times come from one answer: later wins. */
export function replaces(incoming: number, stored: number): boolean {
  return incoming >= stored;
}

/** The time of one field of a record. */
export function timeOf(name: string, time: number, times: FieldTimes | undefined): number {
  return times !== undefined && Object.hasOwn(times, name) ? (times[name] as number) : time;
}

/** The time that a stamp gives to one field. */
export function stampTime(name: string, stamp: Stamp): number {
  return stamp.own?.has(name) ? (stamp.ownTime ?? stamp.time) : stamp.time;
}

/** The times of a record, and how many fields it has. */
export interface Times {
  readonly time: number;
  readonly times: FieldTimes | undefined;
  readonly width: number;
}

/** The stamp of what was never written. */
export const NEVER: Stamp = Object.freeze({ time: 0, fetchedAt: 0, expiresAt: 0 });

/**
 * The times of a record after a write of `fields`:
 *
 *   every field, none of them newer before    the record has one time again
 *   some fields, or some refused              those taken get their own time
 */
export function retimed(
  record: Times,
  fields: Readonly<Record<string, unknown>>,
  stamp: Stamp,
): Times {
  const { time, times, width } = record;
  if (stamp.own === undefined && times === undefined && stamp.time === time) return record;
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  const covers = stamp.own === undefined && names.length >= width && replaces(stamp.time, time);
  if (covers && Object.values(times ?? {}).every((own) => replaces(stamp.time, own))) {
    return { time: stamp.time, times: undefined, width };
  }
  const next: { [name: string]: number } = { ...times };
  for (const name of names) {
    const own = stampTime(name, stamp);
    const stored = timeOf(name, time, times);
    if (own !== stored && replaces(own, stored)) next[name] = own;
  }
  return { time, times: next, width };
}
