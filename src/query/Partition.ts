/** What rows flow into: all of them, or those of one group. */

/** What readers may find different: nothing; a row they see; which rows they see, their order, or a figure. */
export const SAME = 0;
export const VALUE = 1;
export const SHAPE = 2;
export type ChangeLevel = typeof SAME | typeof VALUE | typeof SHAPE;

/** Where a row is that is not there. */
export const NOWHERE: number = Infinity;

export interface RowEntry<Row> {
  readonly key: unknown;
  /** Its place by arrival. */
  rank: number;
  /** Undefined: filtered out, or not there for readers. */
  row: Row | undefined;
  /** Where it is, while there is a row. */
  group: string;
}

/** Gives what stands for a row in a result. */
export type Show<Row> = (entry: RowEntry<Row>) => unknown;

export interface Partition<Row> {
  readonly size: number;
  /** Takes a row in, or lets it go. Gives its position. */
  add(entry: RowEntry<Row>): number;
  remove(entry: RowEntry<Row>): number;
  /** An entry that is in here gets another row, which stands where the one before it stood. */
  replace(entry: RowEntry<Row>, row: Row): void;
  /** One row was removed at `from` and added at `to`; NOWHERE: it only came, or only went. */
  moved(from: number, to: number): void;
  /** What has become different since this was asked last. */
  settle(): ChangeLevel;
  /** The immutable value; `live` and not live are remembered apart. */
  value(show: Show<Row>, live: boolean): unknown;
}
