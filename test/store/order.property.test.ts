/** Random traces against a small independent model: the latest-issued data stay, and nothing wakes without a cause. */
import * as fc from 'fast-check';
import { Collection, Delete, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, watch, world } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';

class Row extends Entity {
  id = 0;
  a = '';
  b = '';
  c = '';
}

const FIELDS = ['a', 'b', 'c', 'extra', '__proto__', 'constructor'] as const;
type Field = (typeof FIELDS)[number];

/** The known fields of a row, each with a time; a deletion is the time before which data do not count. */
class Model {
  readonly #fields = new Map<Field, { time: number; value: string }>();
  #deleted = -1;
  #shown = false;

  write(time: number, fields: Iterable<readonly [Field, string]>): void {
    if (time < this.#deleted) return;
    this.#shown = true;
    for (const [name, value] of fields) {
      if ((this.#fields.get(name)?.time ?? -1) <= time) this.#fields.set(name, { time, value });
    }
  }

  remove(time: number): void {
    this.#deleted = time;
    this.#shown = false;
    this.#fields.clear();
  }

  get row(): object | undefined {
    if (!this.#shown) return undefined;
    const written = [...this.#fields].map(([name, { value }]) => [name, value]);
    return Object.fromEntries([['id', 1], ['a', ''], ['b', ''], ['c', ''], ...written]) as object;
  }
}

const fields = fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 0 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), fields }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('push' as const), fields }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Asked {
  readonly call: Call;
  readonly time: number;
  readonly fields: readonly (readonly [Field, string])[];
}

/** Plays the steps on a store and on the model; looks after each. */
async function play(steps: readonly Step[]): Promise<void> {
  const w = world();
  const get = w.read('get', Row);
  const model = new Model();
  const pending: Asked[] = [];
  let time = 0;
  const valued = (names: readonly Field[]) =>
    names.map((name) => [name, `${name}${time}`] as const);
  const record = (values: Asked['fields']) => Object.fromEntries([['id', 1], ...values]) as object;
  const actions = {
    ask: (names: readonly Field[]) => {
      w.controller.fetch(get, { id: 1, n: time }).catch(() => {});
      pending.push({ call: w.call(), time, fields: valued(names) });
    },
    answer: async (at: number) => {
      const [asked] = pending.splice(at % pending.length, 1) as [Asked];
      await asked.call.answer(record(asked.fields));
      model.write(asked.time, asked.fields);
    },
    push: async (names: readonly Field[]) => {
      await w.controller.set(Row, { id: 1 }, record(valued(names)));
      model.write(time, valued(names));
    },
  };
  const watcher = watch(w.controller.entity(Row, 1));
  const last: Step[] = Array.from({ length: 20 }, () => ({ kind: 'answer', at: 0 }));
  for (const each of [...steps, ...last]) {
    time++;
    if (each.kind === 'ask') actions.ask(each.fields);
    else if (each.kind === 'push') await actions.push(each.fields);
    else if (each.kind === 'answer' && pending.length > 0) await actions.answer(each.at);
    else if (each.kind === 'delete') {
      await w.controller.set(new Delete(Row), { id: 1 }, {});
      model.remove(time);
    }
    const row = w.controller.entity(Row, 1).value;
    expect(row && own(row)).toEqual(model.row && own(model.row));
    expect(watcher.last).toBe(row);
  }
  expect(new Set(watcher.seen).size).toBe(watcher.runs - repeats(watcher.seen));
}

/** Members as pairs: `__proto__` is an ordinary member. */
function own(row: object): [string, unknown][] {
  const pairs = Object.entries(Object.getOwnPropertyDescriptors(row));
  return pairs.map(([name, { value }]): [string, unknown] => [name, value]).sort(byName);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Missing, there, missing again: the same undefined is seen more than once. */
function repeats(seen: readonly unknown[]): number {
  return Math.max(0, seen.filter((value) => value === undefined).length - 1);
}

test('[O4] reads, pushes and deletions in any order leave the latest data, field by field', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), play), { numRuns: 150 });
});

test('[O4] reads of all fields answered in any order end with the fields of the latest-issued read', async () => {
  const orders = fc.integer({ min: 1, max: 8 }).chain((n) =>
    fc.shuffledSubarray(
      Array.from({ length: n }, (_, at) => at),
      { minLength: n },
    ),
  );
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const w = world();
      const get = w.read('get', Row);
      for (const n of order.keys()) void w.controller.fetch(get, { id: 1, n });
      for (const at of order)
        await w.call(at).answer({ id: 1, a: `${at}`, b: `${at}`, c: `${at}` });
      const latest = `${order.length - 1}`;
      const row = w.controller.entity(Row, 1).value;
      expect({ ...row }).toEqual({ id: 1, a: latest, b: latest, c: latest });
    }),
  );
});

/** Creations, deletions and reads of a list; a server responds to each read with the rows at the time of issue. */
const listStep = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('create' as const), front: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), at: fc.nat(9) }) },
);

test('[O4] a list equals the list of the server after creations, deletions and reads in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(listStep, { maxLength: 25 }), async (steps) => {
      const w = world();
      const collection = new Collection([Row]);
      const server = new Set<number>([1, 2, 3]);
      const pending: { call: Call; ids: number[] }[] = [];
      const read = () => {
        const list = w.read(`list ${w.calls.length}`, collection);
        w.controller.fetch(list, {}).catch(() => {});
        pending.push({ call: w.call(), ids: [...server] });
      };
      const answer = async (at: number) => {
        const [{ call, ids }] = pending.splice(at % pending.length, 1) as [(typeof pending)[0]];
        await call.answer(ids.map((id) => ({ id })));
      };
      const create = async (front: boolean) => {
        const id = 100 + w.calls.length;
        const push = w.mutation('create', front ? collection.unshift : collection.push);
        void w.controller.fetch(push, {});
        server.add(id);
        await w.call().answer({ id });
      };
      const remove = async (at: number) => {
        const id = [...server][at % server.size] as number;
        server.delete(id);
        void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id });
        await w.call().answer({});
      };
      for (const each of steps) {
        if (each.kind === 'read') read();
        else if (each.kind === 'create') await create(each.front);
        else if (each.kind === 'delete' && server.size > 0) await remove(each.at);
        else if (each.kind === 'answer' && pending.length > 0) await answer(each.at);
      }
      if (pending.length === 0) read();
      while (pending.length > 0) await answer(0);
      await settled();
      const ids = w.controller.get(collection, {})?.map(({ id }) => id) ?? [];
      expect(ids).toHaveLength(server.size);
      expect(new Set(ids)).toEqual(server);
    }),
    { numRuns: 150 },
  );
});
