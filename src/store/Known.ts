/** When the fields of an entity were written, as one value that rows of one answer share. */
import type { Form } from '../schema/Form.ts';
import { NONE } from './more.ts';
import { NEVER } from './order.ts';
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
export function stepOf(form: Form, from: Known, stamp: Stamp): Known | undefined {
  const step = form.step as Step | undefined;
  return step !== undefined && step.from === from && step.stamp === stamp ? step.to : undefined;
}

/** Tells the next row; gives what it tells. */
export function step(form: Form, from: Known, stamp: Stamp, to: Known): Known {
  form.step = { from, stamp, to } satisfies Step;
  return to;
}

/** The times of what a new record leaves out. */
export function leftTimes({ left, never }: Form, floor: number): FieldTimes | undefined {
  if (floor === 0 || never === undefined) return never;
  return Object.fromEntries(left.map((name) => [name, floor]));
}

/** What is left when these fields came. */
export function leftAfter(names: readonly string[], left: readonly string[]): readonly string[] {
  const came = left.some((name) => names.includes(name));
  return came ? left.filter((name) => !names.includes(name)) : left;
}
