/** Figures about rows, updated when rows are added and removed. */
import { DEV } from '../../errors.ts';
import type { Fields } from '../../schema/schema.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { replaceEqualDeep } from '../../schema/equal.ts';
import type { Aggregate, Accumulator } from './aggregates.ts';
import { SAME, SHAPE } from './Partition.ts';
import type { RowEntry, ChangeLevel, Partition } from './Partition.ts';

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
