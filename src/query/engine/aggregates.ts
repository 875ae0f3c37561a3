/** The aggregate functions for rows; each row costs at most a search in a sorted list. */
import { compareValues, isMissingValue } from './compareBy.ts';
import { ExactSum } from './ExactSum.ts';
import { SortedList } from './SortedList.ts';

/** The running state of one figure. */
export interface Accumulator<Row, T> {
  readonly add: (row: Row) => void;
  /** `row` was added before, and is the same object. */
  readonly remove: (row: Row) => void;
  readonly value: T;
}

/** The description of a figure; `start` creates its state without rows. */
export interface Aggregate<Row, T> {
  readonly start: () => Accumulator<Row, T>;
}

/** A figure that is the value of one row's field: its type is inferred from the type of the rows. */
export interface FieldAggregate<K extends string> extends Aggregate<
  { readonly [N in K]: unknown },
  unknown
> {
  // type only
  readonly field?: K;
}

type Numeric = number | null | undefined;

/** The number of rows. */
export function count(): Aggregate<unknown, number> {
  return {
    start: () => {
      const tally = { value: 0, add: () => void tally.value++, remove: () => void tally.value-- };
      return tally;
    },
  };
}

/** The sum of a field, or of the results of a function of the row. Values that are not finite numbers are skipped. */
export function sum<K extends string>(by: K): Aggregate<{ readonly [N in K]: Numeric }, number>;
export function sum<Row>(by: (row: Row) => Numeric): Aggregate<Row, number>;
export function sum(by: FieldOrFunction): Aggregate<never, number> {
  return sumAggregate(by, (total) => total);
}

/** The mean of a field, or of the results of a function of the row; undefined without values. */
export function avg<K extends string>(
  by: K,
): Aggregate<{ readonly [N in K]: Numeric }, number | undefined>;
export function avg<Row>(by: (row: Row) => Numeric): Aggregate<Row, number | undefined>;
export function avg(by: FieldOrFunction): Aggregate<never, number | undefined> {
  return sumAggregate(by, (total, counted) => (counted === 0 ? undefined : total / counted));
}

/** The least value of a field, or of the results of a function of the row; undefined without values. */
export function min<K extends string>(by: K): FieldAggregate<K>;
export function min<Row, V>(by: (row: Row) => V): Aggregate<Row, NonNullable<V> | undefined>;
export function min(by: FieldOrFunction): Aggregate<never, unknown> {
  return sortedAggregate(by, (order) => order.first);
}

/** The greatest value of a field, or of the results of a function of the row; undefined without values. */
export function max<K extends string>(by: K): FieldAggregate<K>;
export function max<Row, V>(by: (row: Row) => V): Aggregate<Row, NonNullable<V> | undefined>;
export function max(by: FieldOrFunction): Aggregate<never, unknown> {
  return sortedAggregate(by, (order) => order.last);
}

type FieldOrFunction = string | ((row: never) => unknown);

function valueReader(by: FieldOrFunction): (row: never) => unknown {
  return typeof by === 'function' ? by : (row) => (row as Record<string, unknown>)[by];
}

function sumAggregate<T>(
  by: FieldOrFunction,
  figure: (total: number, counted: number) => T,
): Aggregate<never, T> {
  const read = valueReader(by);
  const start = (): Accumulator<never, T> => {
    const total = new ExactSum();
    let counted = 0;
    const take = (row: never, sign: 1 | -1) => {
      const value = read(row);
      if (!Number.isFinite(value)) return;
      total.add(sign * (value as number));
      counted += sign;
    };
    return {
      add: (row) => take(row, 1),
      remove: (row) => take(row, -1),
      get value() {
        return figure(total.value, counted);
      },
    };
  };
  return { start };
}

function sortedAggregate(
  by: FieldOrFunction,
  figure: (values: SortedList<unknown>) => unknown,
): Aggregate<never, unknown> {
  const read = valueReader(by);
  const start = (): Accumulator<never, unknown> => {
    const values = new SortedList<unknown>(compareValues);
    const take = (row: never, how: 'insert' | 'remove') => {
      const value = read(row);
      if (!isMissingValue(value)) values[how](value);
    };
    return {
      add: (row) => take(row, 'insert'),
      remove: (row) => take(row, 'remove'),
      get value() {
        return figure(values);
      },
    };
  };
  return { start };
}
