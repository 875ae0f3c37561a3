/** The declaration of a query, and the types of its results. */
import type { Aggregate, FieldAggregate } from './aggregates.ts';
import type { Sort } from './compareBy.ts';

/** Which rows a query selects, their order, their groups, and their number. All functions must be pure. */
export interface Declaration<Row> {
  /** True for the rows that are part of the result. */
  // any: functions of the user's own argument types must fit
  readonly filter?: (row: Row, ...args: any[]) => boolean;
  /**
   * The order of the rows. Rows that compare as equal, and all rows of a query without `sort`, keep their order of
   * arrival.
   */
  readonly sort?: Sort<Row> | readonly Sort<Row>[];
  /**
   * The name of a field, or a function. The result is an object of groups by the text of this value, in the order of
   * the rows.
   */
  // any: as above
  readonly groupBy?: (keyof Row & string) | ((row: Row, ...args: any[]) => unknown);
  /** Figures instead of rows, computed from all rows that pass the filter. */
  readonly aggregate?: Readonly<Record<string, Aggregate<Row, unknown>>>;
  /** The largest number of rows; of each group, if the query has groups. */
  // any: as above
  readonly limit?: number | ((...args: any[]) => number | undefined);
  /** The number of rows that are skipped first. */
  // any: as above
  readonly offset?: number | ((...args: any[]) => number | undefined);
}

/** The row type of an array or a map. */
export type RowOf<Value> = Value extends readonly (infer Row)[]
  ? Row
  : Value extends Readonly<Record<string, infer Row>>
    ? Row
    : never;

/** The result of a query: rows or figures, for each group if the query has groups. */
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
