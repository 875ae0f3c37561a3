/** A stored thing above which unconfirmed writes lie: what is confirmed of it, what is written above, what readers see. */
import type { Node } from '../schema/schema.ts';
import type { Builder, Record } from './Record.ts';

/*
 *   record      what readers see    { title: 'b', done: true }
 *     layer #7    writes                          done: true
 *     layer #4    writes            title: 'b'
 *   base        what is confirmed   { title: 'a', done: false }     answers are written here
 */

export interface Layered {
  /** What is confirmed: a record of its own, which nobody shows. */
  readonly base: Record;
  /** What it is made of, beside what readers see. */
  readonly needs: Node;
  /** A record of its own with what the layers issued before this logical time see. */
  before(time: number): Record;
  /** Takes away what the layer issued at this logical time writes here. */
  lift(issued: number): void;
  /** Lets readers see what is confirmed with the layers over it. */
  show(builder: Builder): void;
  /** When the last deletion of it was issued that lies above. */
  readonly deletedAt?: number | undefined;
  /** These fields of the base changed, of an entity; undefined: any may have. */
  note?(names: readonly string[] | undefined): void;
  /** An own write of these fields was confirmed: what layers issued before it say of them is hidden from now on. */
  outrun?(own: ReadonlySet<string>): void;
}

export function layeredOf(record: Record): Layered | undefined {
  return record.layered as Layered | undefined;
}

/** Of the base: what lies above, and is alone told of what changes in it. */
export function aboveOf(record: Record): Layered | undefined {
  const layered = layeredOf(record);
  return layered?.base === record ? layered : undefined;
}

/** The record to which answers are written, and which tells what is confirmed. */
export function confirmed<R extends Record>(record: R): R {
  return (layeredOf(record)?.base as R | undefined) ?? record;
}
