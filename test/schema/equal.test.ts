// Values of `process` outside of JSON: an identical response leaves equal values as they are.
import { Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { watch, world } from '../setup/world.ts';

class Money {
  readonly #cents: number;
  readonly currency = 'EUR';
  constructor(cents: number) {
    this.#cents = cents;
  }
  get cents() {
    return this.#cents;
  }
}
class Named extends Map<unknown, unknown> {
  name: unknown;
}
class Held extends Entity {
  id = 0;
  of: unknown;
}

const proxied = (value: number) => new Proxy(new Set([value]), {});

/** Writes `make(value)` for each value; returns the runs of a reader, and the last value. */
async function written(make: (value: number) => unknown, values: readonly number[]) {
  class Made extends Held {
    static override process({ id, value }: { id: number; value: number }) {
      return { id, of: make(value) };
    }
  }
  const w = world();
  const seen = watch(w.controller.entity(Made, 1));
  for (const value of values) await w.controller.set(Made, {}, { id: 1, value });
  return { runs: seen.runs - 1, last: seen.last?.of, seen: seen.seen.slice(1) };
}

test.each<[string, (value: number) => unknown]>([
  ['a date', (value) => new Date(value)],
  ['a map', (value) => new Map([['a', { value }]])],
  ['a map in a map', (value) => new Map([[{ key: 1 }, new Map([[value, [new Date(value)]]])]])],
  ['a set', (value) => new Set([1, [value]])],
  ['a map in an object', (value) => ({ by: new Map([['a', [value]]]), empty: new Set() })],
])('[V2] a write of %s notifies readers only if the content is different', async (_, make) => {
  const { runs, last, seen } = await written(make, [1, 1, 1, 2, 2]);
  expect(runs).toBe(2);
  expect(seen[0]?.of).toEqual(make(1));
  expect(last).toEqual(make(2));
});

test.each<[string, (value: number) => unknown]>([
  ['entries in another order', (value) => new Set(value === 1 ? [1, 2] : [2, 1])],
  ['another number of entries', (value) => new Map([...Array(value)].map((_, at) => [at, 0]))],
  ['a set in the place of a map', (value) => (value === 1 ? new Map() : new Set())],
  ['an instance of a subclass of Map', (value) => Object.assign(new Named(), { name: value })],
  ['an instance with only private members', (value) => new Money(value)],
  ['a proxy of a set', proxied],
])('[V2] a write of %s notifies readers', async (_, make) => {
  const { runs } = await written(make, [1, 2]);
  expect(runs).toBe(2);
});

test('[V3] a decoded value with private members is kept, without a notification, while the received value is equal', async () => {
  class Priced extends Entity {
    id = 0;
    price: Money | null = null;
    static override schema = { price: Money };
  }
  const w = world();
  const seen = watch(w.controller.entity(Priced, 1));
  for (const price of [5, 5, 7]) await w.controller.set(Priced, {}, { id: 1, price });
  expect(seen.seen.map((row) => row?.price?.cents)).toEqual([undefined, 5, 7]);
});
