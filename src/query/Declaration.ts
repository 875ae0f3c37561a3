/** What a query can declare, and what its readers get for it. */
import type { Aggregate, FieldAggregate } from './aggregates.ts';
import type { Sort } from './compareBy.ts';

/** Which rows, in what order, in which groups, how many. All functions must be pure. */
export interface Declaration<Row> {
  /** True for the rows that count. */
  // any: functions of the user's own argument types must fit
  readonly filter?: (row: Row, ...args: any[]) => boolean;
  /** Rows that compare as equal, and all rows without it, stand in the order in which they came. */
  readonly sort?: Sort<Row> | readonly Sort<Row>[];
  /** The name of a field, or a function: an object of groups by the text of its value, in the order of these. */
  // any: as above
  readonly groupBy?: (keyof Row & string) | ((row: Row, ...args: any[]) => unknown);
  /** Figures in the place of rows: about all that pass the filter. */
  readonly aggregate?: Readonly<Record<string, Aggregate<Row, unknown>>>;
  /** How many rows, of each group where there are groups. */
  // any: as above
  readonly limit?: number | ((...args: any[]) => number | undefined);
  /** How many rows are passed over before. */
  // any: as above
  readonly offset?: number | ((...args: any[]) => number | undefined);
}

/** The rows of an array or a map. */
export type RowOf<Value> = Value extends readonly (infer Row)[]
  ? Row
  : Value extends Readonly<Record<string, infer Row>>
    ? Row
    : never;

/** What readers get: rows or figures, of each group where there are groups. */
export type Outcome<Row, D> = D extends { readonly groupBy: {} }
  ? Record<string, Content<Row, D>>
  : Content<Row, D>;

type Content<Row, D> = D extends { readonly aggregate: infer A }
  ? { readonly [N in keyof A]: Figure<Row, A[N]> }
  : Row[];

// any: rows are contravariant; only any meets every aggregate
type Figure<Row, A> =
  A extends Aggregate<any, infer T> ? (unknown extends T ? FieldOf<Row, A> : T) : never;

type FieldOf<Row, A> =
  A extends FieldAggregate<infer K extends keyof Row & string>
    ? NonNullable<Row[K]> | undefined
    : unknown;
