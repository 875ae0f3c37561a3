// Many unconfirmed edits of a row: the cost of an edit does not grow with the number of other edits.
import { Collection, createResource, Entity } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { blocksRun } from '../setup/blocksRun.ts';
import { settled, watch, world } from '../setup/world.ts';
import type { Call, World } from '../setup/world.ts';

class Item extends Entity {
  id = 0;
  title = '';
  n = 0;
}

type Settle = (call: Call, at: number) => Promise<void>;
type Order = (calls: readonly Call[]) => readonly Call[];

const inOrder: Order = (calls) => calls;
const reversed: Order = (calls) => [...calls].reverse();
// 7 has no common divisor with the counts
const mixed: Order = (calls) => calls.map((_, at) => calls[(at * 7) % calls.length] as Call);

const confirm: Settle = (call) => {
  const [params, body] = call.args as [object, object];
  return call.answer({ ...params, ...body });
};
const confirmWithVersion: Settle = (call, at) => {
  const [params, body] = call.args as [object, object];
  return call.answer({ ...params, ...body, updatedAt: at });
};
const refuse: Settle = (call) => call.fail(new Error('no'));

interface Scene {
  readonly w: World;
  readonly edit: (at: number) => Promise<unknown>;
  /** The counted calls so far. */
  readonly calls: () => number;
}

/** The counted calls for each of `count` edits: at issue, and at settlement. */
async function cost(
  create: () => Promise<Scene>,
  count: number,
  settle: Settle,
  order: Order,
): Promise<readonly number[]> {
  const { w, edit, calls } = await create();
  const row = watch(w.controller.entity(Item, 1));
  const before = w.calls.length;
  const start = calls();
  const ends = Array.from({ length: count }, (_, at) => edit(at + 1).catch(() => {}));
  const issued = calls();
  for (const [at, call] of order(w.calls.slice(before)).entries()) await settle(call, at);
  await Promise.all(ends);
  row.stop();
  return [(issued - start) / count, (calls() - issued) / count];
}

/** The ratio of the cost of each of 400 edits to each of 10: at issue, and at settlement. */
async function growth(
  create: () => Promise<Scene>,
  settle: Settle = confirm,
  order: Order = inOrder,
): Promise<number> {
  const few = await cost(create, 10, settle, order);
  const many = await cost(create, 400, settle, order);
  // a call for each edit is never too much
  return Math.max(...many.map((calls, at) => calls / Math.max(few[at] as number, 1)));
}

/** Edits with an optimistic function that reads a field of the row, and the number of calls. */
async function readingScene(): Promise<Scene> {
  const w = world();
  await w.controller.set(Item, {}, { id: 1, title: '0' });
  const expects = vi.fn((snapshot: OptimisticSnapshot, params: { id: number }, body: object) => ({
    ...params,
    ...body,
    title: `${snapshot.get(Item, params)?.n}`,
  }));
  const change = w.mutation('change', Item, { getOptimisticResponse: expects });
  const edit = (at: number) => w.controller.fetch(change, { id: 1 }, { title: `${at}` });
  return { w, edit, calls: () => expects.mock.calls.length };
}

describe('many unconfirmed edits of one row', () => {
  test.for([
    ['confirmed in order', confirm, inOrder],
    ['confirmed from the last to the first', confirm, reversed],
    ['refused from the last to the first', refuse, reversed],
  ] as const)(
    '[O5] each of 400 edits calls an optimistic function that reads the row as often as each of 10: %s',
    async ([, settle, order]) =>
      expect(await growth(readingScene, settle, order)).toBeLessThanOrEqual(1.5),
  );

  test('[O5] 100 edits each call the optimistic function once, and not again if confirmed with the same value', async () => {
    const w = world();
    await w.controller.set(Item, {}, { id: 1, n: 0 });
    const expects = vi.fn((snapshot: OptimisticSnapshot, params: { id: number }) => ({
      ...params,
      n: (snapshot.get(Item, params)?.n ?? 0) + 1,
    }));
    const add = w.mutation('add', Item, { getOptimisticResponse: expects });
    const row = watch(() => w.controller.entity(Item, 1).value?.n);
    for (let at = 0; at < 100; at++) void w.controller.fetch(add, { id: 1 }, {});
    expect([row.last, expects.mock.calls.length]).toEqual([100, 100]);
    for (const [at, call] of w.calls.entries()) await call.answer({ id: 1, n: at + 1 });
    expect([row.last, expects.mock.calls.length, row.runs]).toEqual([100, 100, 101]);
  });

  test.for([
    ['confirmed in order', confirm, inOrder],
    ['refused from the last to the first', refuse, reversed],
  ] as const)(
    '[O5] each of 400 edits calls `merge` of the class as often as each of 10: %s',
    async ([, settle, order]) => {
      const merges = vi.fn();
      class Merged extends Item {
        static override key = 'merged item';
        static override merge(existing: object, incoming: object) {
          merges();
          return { ...existing, ...incoming };
        }
      }
      const grown = await growth(
        async () => {
          const w = world();
          await w.controller.set(Merged, {}, { id: 1, title: '0' });
          watch(w.controller.entity(Merged, 1));
          const change = w.mutation('change', Merged, {
            getOptimisticResponse: (_: unknown, params: object, body: object) => ({
              ...params,
              ...body,
            }),
          });
          const edit = (at: number) => w.controller.fetch(change, { id: 1 }, { title: `${at}` });
          return { w, edit, calls: () => merges.mock.calls.length };
        },
        // the response equals the optimistic value: the edits above need no merge
        settle,
        order,
      );
      expect(grown).toBeLessThanOrEqual(1.5);
    },
  );

  test.for([
    ['confirmed in order', confirmWithVersion, inOrder],
    ['confirmed in any order', confirmWithVersion, mixed],
    ['refused in order', refuse, inOrder],
    ['refused in any order', refuse, mixed],
  ] as const)(
    '[O5] each of 400 edits of an optimistic resource computes its value as often as each of 10: %s',
    async ([, settle, order]) => {
      const expects = vi.fn();
      const grown = await growth(
        async () => {
          const w = world();
          await w.controller.set(Item, {}, { id: 1, title: '0' });
          const items = createResource({ path: '/items/:id', schema: Item, optimistic: true });
          const { getOptimisticResponse } = items.partialUpdate;
          const change = w.mutation('change', Item, {
            getOptimisticResponse(...args: [any, ...any[]]) {
              expects();
              return getOptimisticResponse?.(...(args as [any, any, any]));
            },
          });
          const edit = (at: number) => w.controller.fetch(change, { id: 1 }, { title: `${at}` });
          return { w, edit, calls: () => expects.mock.calls.length };
        },
        settle,
        order,
      );
      expect(grown).toBeLessThanOrEqual(1.5);
    },
  );

  test('[O5] optimistic edits of 200 rows notify the reader of each row at most twice', async () => {
    const w = world();
    const ids = Array.from({ length: 200 }, (_, at) => at + 1);
    await w.controller.set(
      [Item],
      {},
      ids.map((id) => ({ id, title: '0' })),
    );
    const change = w.mutation('change', Item, {
      getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
    });
    const rows = ids.map((id) => watch(w.controller.entity(Item, id)));
    for (const id of ids) void w.controller.fetch(change, { id }, { title: 'a' });
    for (const [at, call] of w.calls.entries()) await confirm(call, at);
    expect(Math.max(...rows.map(({ runs }) => runs))).toBeLessThanOrEqual(3);
  });
});

/** The steps of 40 edits of a row, after 760 unconfirmed ones; `keys`: the lists by which the field is filtered. */
async function stepsAfterMany(keys: readonly number[]) {
  const w = world();
  const getList = w.read('list', new Collection([Item]), {
    reply: ({ n }: { n: number }) => (n === 0 ? [{ id: 1, title: 'a', n }] : []),
  });
  await w.controller.set(Item, { id: 1 }, { id: 1, title: 'a', n: 0 });
  for (const n of keys) {
    await w.controller.fetch(getList, { n });
    watch(w.controller.signal(getList, { n }));
  }
  const change = w.mutation('change', Item, {
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  const edit = (from: number, to: number) => {
    for (let at = from; at <= to; at++) void w.controller.fetch(change, { id: 1 }, { n: at % 3 });
  };
  edit(1, 760);
  const steps = await blocksRun(() => edit(761, 800));
  const shown = keys.map((n) => w.controller.getResponse(getList, { n }).data?.length);
  return { steps, shown };
}

test('[O5] an edit that moves a row between lists does not compute the moves of 760 unconfirmed edits again', async () => {
  const moving = await stepsAfterMany([0, 1, 2]);
  expect(moving.shown).toEqual([0, 0, 1]);
  const { steps } = await stepsAfterMany([]);
  // about 5; more than 40 with the moves of all edits before
  expect(moving.steps).toBeLessThan(16 * steps);
});

test('[O5] 300 optimistic creations keep their places in a list, confirmed in any order', async () => {
  const w = world();
  const list = new Collection([Item]);
  const getList = w.read('list', list, { reply: () => [{ id: 1, title: 'old' }] });
  await w.controller.fetch(getList, {});
  for (const verb of ['push', 'unshift'] as const) {
    const before = w.calls.length;
    const create = w.mutation(verb, list[verb], {
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    for (let at = 0; at < 300; at++) void w.controller.fetch(create, { title: `${verb} ${at}` });
    const titles = () => w.controller.get(list, {})?.map(({ title }) => title);
    const shown = titles();
    expect(shown).toHaveLength(verb === 'push' ? 301 : 601);
    for (const [at, call] of mixed(w.calls.slice(before)).entries())
      await call.answer({ id: 1000 + before + at, ...(call.args[0] as object) });
    expect(titles()).toEqual(shown);
  }
});

class Row extends Entity {
  id = 0;
  a = 0;
  b = 0;
  c = 0;
}
type Fields = Record<string, number>;
type Step = readonly ['edit' | 'confirm' | 'refuse' | 'push', number, string, string];
interface Edit {
  readonly call: Call;
  readonly at: number;
  readonly to: string;
  readonly from: string;
}

/** The value that readers see by the rules: the edits replayed over the confirmed fields, in the order of issue. */
function replay(base: Fields, own: Fields, edits: readonly Edit[]): Fields {
  const shown = { ...base };
  for (const { at, to, from } of edits)
    if (at >= (own[to] ?? 0)) shown[to] = ((shown[from] ?? 0) * 31 + at) % 997;
  return shown;
}

test('[O5] optimistic functions that read single fields are recomputed after each change of these fields', async () => {
  const field = fc.constantFrom('a', 'b', 'c', 'note');
  const verb = fc.constantFrom<Step[0]>('edit', 'edit', 'edit', 'confirm', 'refuse', 'push');
  const steps = fc.array(fc.tuple(verb, fc.nat(50), field, field), { maxLength: 25 });
  const property = fc.asyncProperty(steps, async (program) => {
    const w = world();
    const base: Fields = { id: 1, a: 1, b: 2, c: 3 };
    const own: Fields = {};
    let edits: Edit[] = [];
    await w.controller.set(Row, {}, { ...base });
    const change = w.mutation('change', Row, {
      getOptimisticResponse(snapshot: OptimisticSnapshot, { to, from, at }: Omit<Edit, 'call'>) {
        const row = snapshot.get(Row, { id: 1 }) as unknown as Fields;
        return { id: 1, [to]: ((row[from] ?? 0) * 31 + at) % 997 };
      },
    });
    let issued = 0;
    for (const [step, n, to, from] of program) {
      const edit = edits[n % Math.max(edits.length, 1)];
      if (step === 'edit') {
        const at = ++issued;
        w.controller.fetch(change, { to, from, at }, { id: 1, [to]: 0 }).catch(() => {});
        edits.push({ call: w.call(), at, to, from });
      } else if (step === 'push') {
        base[to] = n;
        await w.controller.set(Row, { id: 1 }, { [to]: n });
      } else if (edit !== undefined) {
        edits = edits.filter((other) => other !== edit);
        if (step === 'refuse') await edit.call.fail(new Error('no'));
        else {
          if (edit.at >= (own[edit.to] ?? 0)) {
            base[edit.to] = n;
            own[edit.to] = edit.at;
          }
          await edit.call.answer({ id: 1, [edit.to]: n });
        }
      }
      await settled();
      expect({ ...w.controller.get(Row, { id: 1 }) }).toEqual(replay(base, own, edits));
    }
  });
  await fc.assert(property, { numRuns: Number(process.env['LAWS_RUNS'] ?? 150) });
});
