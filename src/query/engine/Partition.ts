/** The interface of the containers of a query's rows: a container for all rows, or for each group. */

/**
 * How much the result changed: not at all; the content of a visible row; the visible rows, their order, or a figure.
 */
export const SAME = 0;
export const VALUE = 1;
export const SHAPE = 2;
export type ChangeLevel = typeof SAME | typeof VALUE | typeof SHAPE;

/** The position of a row that is not in the list. */
export const NO_POSITION: number = Infinity;

export interface RowEntry<Row> {
  readonly key: unknown;
  /** The position by order of arrival. */
  rank: number;
  /** Undefined if the row is filtered out, or cannot be read. */
  row: Row | undefined;
  /** The group of the row, while `row` is defined. */
  group: string;
}

/** Returns the value that represents a row in a result. */
export type RowPresenter<Row> = (entry: RowEntry<Row>) => unknown;

export interface Partition<Row> {
  readonly size: number;
  /** Adds or removes a row. Returns the position of the row. */
  add(entry: RowEntry<Row>): number;
  remove(entry: RowEntry<Row>): number;
  /** Replaces the row of an entry without changing the position. */
  replace(entry: RowEntry<Row>, row: Row): void;
  /** A row was removed at `from` and added at `to`. NO_POSITION: the row was only added, or only removed. */
  onMoved(from: number, to: number): void;
  /** How much the result changed since the last call. */
  takeChangeLevel(): ChangeLevel;
  /** The immutable value. The values for `live` true and false are cached separately. */
  value(show: RowPresenter<Row>, live: boolean): unknown;
}
