/** The aggregate functions for rows; each row costs at most a search in a sorted list. */
import { compareValues, isMissingValue, SortedList } from './SortedList.ts';
import { DEV } from '../../errors.ts';
import type { Fields } from '../../schema/schema.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { replaceEqualDeep } from '../../schema/equal.ts';
import { SAME, SHAPE } from './Partition.ts';
import type { RowEntry, ChangeLevel, Partition } from './Partition.ts';

/** The running state of a figure. */
export interface Accumulator<Row, T> {
  readonly add: (row: Row) => void;
  /** `row` was added before, and is the same object. */
  readonly remove: (row: Row) => void;
  readonly value: T;
}

/** The description of a figure; `start` creates the state without rows. */
export interface Aggregate<Row, T> {
  readonly start: () => Accumulator<Row, T>;
}

/** A figure that is the value of one row's field: the type is inferred from the type of the rows. */
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
    const apply = (row: never, sign: 1 | -1) => {
      const value = read(row);
      if (!Number.isFinite(value)) return;
      total.add(sign * (value as number));
      counted += sign;
    };
    return {
      add: (row) => apply(row, 1),
      remove: (row) => apply(row, -1),
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
    const apply = (row: never, method: 'insert' | 'remove') => {
      const value = read(row);
      if (!isMissingValue(value)) values[method](value);
    };
    return {
      add: (row) => apply(row, 'insert'),
      remove: (row) => apply(row, 'remove'),
      get value() {
        return figure(values);
      },
    };
  };
  return { start };
}

/**
 * Shewchuk's expansion: the exact sum as numbers of growing magnitude with non-overlapping bits, few in practice. A
 * plain running total would keep the rounding errors of rows that were removed long ago.
 */
class ExactSum {
  #partials: number[] = [];

  add(term: number): void {
    const parts: number[] = [];
    let rest = term;
    for (const part of this.#partials) {
      const [big, small] = Math.abs(rest) < Math.abs(part) ? [part, rest] : [rest, part];
      rest = big + small;
      const lost = small - (rest - big);
      if (lost !== 0) parts.push(lost);
    }
    if (rest !== 0) parts.push(rest);
    this.#partials = parts;
  }

  /** The number nearest to the exact sum. */
  get value(): number {
    const parts = [...this.#partials];
    let total = parts.pop() ?? 0;
    let lost = 0;
    while (lost === 0 && parts.length > 0) {
      const high = total;
      const part = parts.pop() as number;
      total = high + part;
      lost = part - (total - high);
    }
    // half-way between two numbers, the smaller parts still decide
    if (Math.sign(lost) * Math.sign(parts.at(-1) ?? 0) > 0) {
      const next = total + lost * 2;
      if (next - total === lost * 2) total = next;
    }
    return total;
  }
}

export class Accumulators<Row> implements Partition<Row> {
  size = 0;
  readonly #accumulators: readonly (readonly [name: string, tally: Accumulator<Row, unknown>])[];
  #value: Fields | undefined;

  constructor(aggregates: Readonly<Record<string, Aggregate<Row, unknown>>>) {
    this.#accumulators = Object.entries(aggregates).map(([name, aggregate]) => [
      name,
      aggregate.start(),
    ]);
  }

  add({ row }: RowEntry<Row>): number {
    this.size++;
    for (const [, tally] of this.#accumulators) tally.add(row as Row);
    return 0;
  }

  remove({ row }: RowEntry<Row>): number {
    this.size--;
    for (const [, tally] of this.#accumulators) tally.remove(row as Row);
    return 0;
  }

  replace(entry: RowEntry<Row>, row: Row): void {
    this.remove(entry);
    entry.row = row;
    this.add(entry);
  }

  onMoved(): void {}

  takeChangeLevel(): ChangeLevel {
    const before = this.#value;
    return this.#recompute() === before ? SAME : SHAPE;
  }

  value(): Fields {
    return this.#value ?? this.#recompute();
  }

  #recompute(): Fields {
    const next: Fields = {};
    for (const [name, tally] of this.#accumulators) setOwn(next, name, tally.value);
    return (this.#value = replaceEqualDeep(this.#value, DEV ? Object.freeze(next) : next));
  }
}
