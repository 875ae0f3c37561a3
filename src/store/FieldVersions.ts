/** When the fields of an entity were written, as one value that rows of one answer share. */
import type { Form } from '../schema/Form.ts';
import { covers } from '../schema/namesIn.ts';
import type { Fields } from '../schema/schema.ts';
import { EMPTY } from './append.ts';
import { UNWRITTEN, isAtLeastAsNew, mergeTimes } from './versioning.ts';
import type { FieldTimes, Stamp, Times } from './versioning.ts';

/** Of the own creation or deletion that stands. */
export interface ExistenceWrite {
  /** Logical time at which it was issued. */
  readonly issued: number;
  /** Of a creation: when what had this key before was deleted; 0: never. */
  readonly formerDeletion?: number;
  /** It is a deletion. */
  readonly deleted?: true;
}

/** Never changed once made. */
export interface FieldVersions extends Times {
  /** The time of all fields but those in `times`; of a missing record, the time of its deletion. */
  readonly time: number;
  /** The time of fields that were never written: that of the deletion before, if there was one. */
  readonly floor: number;
  /** The stamp with the latest expiry that wrote here. */
  readonly stamp: Stamp;
  /** Undefined: it was neither created nor deleted here. */
  readonly existence: ExistenceWrite | undefined;
  /** The form that has all the fields of the record, if there is one. */
  readonly form: Form | undefined;
  /** The declared fields that no answer has brought yet. */
  readonly unreceived: readonly string[];
}

export const NO_VERSIONS: FieldVersions = Object.freeze({
  time: 0,
  times: undefined,
  ownIssued: undefined,
  floor: 0,
  stamp: UNWRITTEN,
  existence: undefined,
  form: undefined,
  unreceived: EMPTY,
});

/*
 *   row 1   UNKNOWN ─┐                  row 1   #4 ─┐                    the first row of an answer works out what is
 *   row 2   UNKNOWN ─┼─► #4             row 2   #4 ─┼─► #9               known then; those behind it find it, as long as
 *   row 3   UNKNOWN ─┘   first answer   row 3   #4 ─┘   next answer      form, stamp, and what was known are the same
 */
interface Step {
  readonly from: FieldVersions;
  readonly stamp: Stamp;
  readonly to: FieldVersions;
}

/** What is known after a write of this stamp, where the row before has told. */
function memoizedTransition(
  form: Form,
  from: FieldVersions,
  stamp: Stamp,
): FieldVersions | undefined {
  const memoTransition = form.step as Step | undefined;
  return memoTransition !== undefined &&
    memoTransition.from === from &&
    memoTransition.stamp === stamp
    ? memoTransition.to
    : undefined;
}

/** Tells the next row; gives what it tells. */
function step(form: Form, from: FieldVersions, stamp: Stamp, to: FieldVersions): FieldVersions {
  form.step = { from, stamp, to } satisfies Step;
  return to;
}

/** What is known of an entity that came, or came again. `created`: by its own creation. */
export function knownOfNew(
  known: FieldVersions,
  form: Form,
  stamp: Stamp,
  created: boolean,
): FieldVersions {
  const memo = memoizedTransition(form, known, stamp);
  if (memo !== undefined) return memo;
  const { time } = stamp;
  const floor = created ? time : known.time;
  // older data may still bring the declared fields that this write left out
  const times = absentFieldTimes(form, floor);
  const { ownIssued, existence } = known;
  const { left: unreceived } = form;
  const bare = { time, times, ownIssued, floor, stamp, existence, form: undefined, unreceived };
  if (stamp.own !== undefined) return { ...bare, ...mergeTimes(bare, form.names, stamp, false) };
  const begun: FieldVersions = { ...bare, form: unreceived.length === 0 ? form : undefined };
  return created ? begun : step(form, known, stamp, begun);
}

/** One write of a stored entity. */
interface Written {
  readonly patch: {
    readonly fields: Fields;
    readonly form: Form | undefined;
    readonly stamp: Stamp | undefined;
  };
  /** The fields that it takes. */
  readonly names: readonly string[];
  /** The fields that are stored. */
  readonly record: Fields;
}

/** What is known after a write. */
export function knownAfter(
  known: FieldVersions,
  { patch, names, record }: Written,
  stamp: Stamp,
): FieldVersions {
  const { fields, stamp: decided } = patch;
  const form = patch.form as Form;
  const isPlain = names === form.names && decided === undefined;
  const memo = isPlain ? memoizedTransition(form, known, stamp) : undefined;
  if (memo !== undefined) return memo;
  const whole = isAtLeastAsNew(stamp.time, known.time) && isCovered(known, form, fields, record);
  const { time, times, ownIssued } = mergeTimes(known, names, stamp, whole);
  const after: FieldVersions = {
    time,
    times,
    ownIssued,
    floor: known.floor,
    stamp: decided ?? (stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp),
    existence: known.existence,
    form: whole ? form : undefined,
    unreceived: stillUnreceived(names, known.unreceived),
  };
  return isPlain && known.form === form ? step(form, known, stamp, after) : after;
}

/** True where a write has all the fields that are stored. */
function isCovered(
  { form: had }: FieldVersions,
  form: Form,
  fields: Fields,
  record: Fields,
): boolean {
  if (had === form) return true;
  const fewer = had !== undefined && form.names.length < had.names.length;
  return !fewer && covers(fields, record);
}

/** The times of what a new record leaves out. */
function absentFieldTimes({ left, never }: Form, floor: number): FieldTimes | undefined {
  if (floor === 0 || never === undefined) return never;
  return Object.fromEntries(left.map((name) => [name, floor]));
}

/** What is left when these fields came. */
function stillUnreceived(names: readonly string[], left: readonly string[]): readonly string[] {
  const came = left.some((name) => names.includes(name));
  return came ? left.filter((name) => !names.includes(name)) : left;
}
