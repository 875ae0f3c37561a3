/** When the fields of an entity were written, as one value that rows of one answer share. */
import type { Form } from '../schema/Form.ts';
import { covers } from '../schema/namesIn.ts';
import type { Fields } from '../schema/schema.ts';
import { NONE } from './more.ts';
import { NEVER, replaces, retimed } from './order.ts';
import type { FieldTimes, Stamp, Times } from './order.ts';

/** Of the own creation or deletion that stands. */
export interface Claim {
  /** Logical time at which it was issued. */
  readonly issued: number;
  /** Of a creation: when what had this key before was deleted; 0: never. */
  readonly gone?: number;
  /** It is a deletion. */
  readonly deleted?: true;
}

/** Never changed once made. */
export interface Known extends Times {
  /** The time of all fields but those in `times`; of a missing record, the time of its deletion. */
  readonly time: number;
  /** The time of fields that were never written: that of the deletion before, if there was one. */
  readonly floor: number;
  /** The stamp with the latest expiry that wrote here. */
  readonly stamp: Stamp;
  /** Undefined: it was neither created nor deleted here. */
  readonly claim: Claim | undefined;
  /** The form that has all the fields of the record, if there is one. */
  readonly form: Form | undefined;
  /** The declared fields that no answer has brought yet. */
  readonly left: readonly string[];
}

export const UNKNOWN: Known = Object.freeze({
  time: 0,
  times: undefined,
  ownIssued: undefined,
  floor: 0,
  stamp: NEVER,
  claim: undefined,
  form: undefined,
  left: NONE,
});

/*
 *   row 1   UNKNOWN ─┐                  row 1   #4 ─┐                    the first row of an answer works out what is
 *   row 2   UNKNOWN ─┼─► #4             row 2   #4 ─┼─► #9               known then; those behind it find it, as long as
 *   row 3   UNKNOWN ─┘   first answer   row 3   #4 ─┘   next answer      form, stamp, and what was known are the same
 */
interface Step {
  readonly from: Known;
  readonly stamp: Stamp;
  readonly to: Known;
}

/** What is known after a write of this stamp, where the row before has told. */
function stepOf(form: Form, from: Known, stamp: Stamp): Known | undefined {
  const step = form.step as Step | undefined;
  return step !== undefined && step.from === from && step.stamp === stamp ? step.to : undefined;
}

/** Tells the next row; gives what it tells. */
function step(form: Form, from: Known, stamp: Stamp, to: Known): Known {
  form.step = { from, stamp, to } satisfies Step;
  return to;
}

/** What is known of an entity that came, or came again. `created`: by its own creation. */
export function knownOfNew(known: Known, form: Form, stamp: Stamp, created: boolean): Known {
  const memo = stepOf(form, known, stamp);
  if (memo !== undefined) return memo;
  const { time } = stamp;
  const floor = created ? time : known.time;
  // older data may still bring the declared fields that this write left out
  const times = leftTimes(form, floor);
  const { ownIssued, claim } = known;
  const { left } = form;
  const bare = { time, times, ownIssued, floor, stamp, claim, form: undefined, left };
  if (stamp.own !== undefined) return { ...bare, ...retimed(bare, form.names, stamp, false) };
  const begun: Known = { ...bare, form: left.length === 0 ? form : undefined };
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
export function knownAfter(known: Known, { patch, names, record }: Written, stamp: Stamp): Known {
  const { fields, stamp: decided } = patch;
  const form = patch.form as Form;
  const isPlain = names === form.names && decided === undefined;
  const memo = isPlain ? stepOf(form, known, stamp) : undefined;
  if (memo !== undefined) return memo;
  const whole = replaces(stamp.time, known.time) && isCovered(known, form, fields, record);
  const { time, times, ownIssued } = retimed(known, names, stamp, whole);
  const after: Known = {
    time,
    times,
    ownIssued,
    floor: known.floor,
    stamp: decided ?? (stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp),
    claim: known.claim,
    form: whole ? form : undefined,
    left: leftAfter(names, known.left),
  };
  return isPlain && known.form === form ? step(form, known, stamp, after) : after;
}

/** True where a write has all the fields that are stored. */
function isCovered({ form: had }: Known, form: Form, fields: Fields, record: Fields): boolean {
  if (had === form) return true;
  const fewer = had !== undefined && form.names.length < had.names.length;
  return !fewer && covers(fields, record);
}

/** The times of what a new record leaves out. */
function leftTimes({ left, never }: Form, floor: number): FieldTimes | undefined {
  if (floor === 0 || never === undefined) return never;
  return Object.fromEntries(left.map((name) => [name, floor]));
}

/** What is left when these fields came. */
function leftAfter(names: readonly string[], left: readonly string[]): readonly string[] {
  const came = left.some((name) => names.includes(name));
  return came ? left.filter((name) => !names.includes(name)) : left;
}
