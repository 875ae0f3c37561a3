/** Records that are unusual but valid. */
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, world } from '../setup/world.ts';
import { accepts, json, throwing } from './arena.ts';
import type { Act } from './arena.ts';

const bare = (fields: object) => Object.assign(Object.create(null) as object, fields);
const spoiled = (statics: object) => Object.assign(class extends Knot {}, statics);

test.each<[string, Act, unknown]>([
  [
    '[N11] a record without a prototype',
    async (a) => ({ ...(await a.answer(Knot, bare({ id: 1, label: 'x' }))) }),
    { id: 1, label: 'x', next: null },
  ],
  [
    '[N11] a frozen record',
    async (a) => (await a.answer(Knot, Object.freeze({ id: 1, label: 'x' }))).label,
    'x',
  ],
  [
    '[N2] a field of undefined',
    async (a) => (await a.answer(Knot, { id: 1, label: undefined })).label,
    '',
  ],
  ['[N2] a field of null', async (a) => (await a.answer(Knot, { id: 1, label: null })).label, null],
  [
    '[N2] NaN, a bigint, a symbol, a function and a date as values',
    async (a) =>
      Object.values(
        await a.answer(Knot, {
          id: 1,
          a: Number.NaN,
          b: 1n,
          c: Symbol.iterator,
          d: throwing,
          e: new Date(0),
        }),
      ).slice(3),
    [Number.NaN, 1n, Symbol.iterator, throwing, new Date(0)],
  ],
  [
    '[N7] a list with holes, null and undefined',
    async (a) => {
      const rows = [{ id: 1 }, null, undefined, { id: 2 }];
      rows.length = 9;
      return (await a.answer([Knot], rows)).map(({ id }: Knot) => id);
    },
    [1, 2],
  ],
  [
    '[N7] an entity twice in a response with conflicting fields',
    async (a) =>
      (
        await a.answer(
          [Knot],
          [
            { id: 1, label: 'a', x: 1 },
            { id: '1', label: 'b' },
          ],
        )
      ).map(({ label, x }: any) => [label, x]),
    [
      ['b', 1],
      ['b', 1],
    ],
  ],
  [
    '[N7] an entity first deleted and then present in a response',
    async (a) => {
      const Gone = spoiled({ process: (x: any) => (x.gone ? undefined : x) });
      return (
        await a.answer(
          [Gone],
          [
            { id: 1, gone: true },
            { id: 1, label: 'x' },
          ],
        )
      ).map(({ label }: Knot) => label);
    },
    ['x', 'x'],
  ],
  [
    '[N7] an entity first present and then deleted in a response',
    async (a) => {
      const Gone = spoiled({ process: (x: any) => (x.gone ? undefined : x) });
      return a.answer(
        [Gone],
        [
          { id: 1, label: 'x' },
          { id: 1, gone: true },
        ],
      );
    },
    [],
  ],
  [
    '[N2] a field called pk',
    async (a) => [
      (await a.answer(Knot, { id: 1, pk: 'x' })).pk,
      a.w.controller.get(Knot, 1)?.label,
    ],
    ['x', ''],
  ],
  [
    '[N3] a pk that reads a nested field of the response',
    async (a) => {
      class Deep extends Entity {
        ids = { own: 0 };
        override pk() {
          return this.ids.own;
        }
      }
      return (await a.answer(Deep, { ids: { own: 7 } }, { id: 7 })).ids.own;
    },
    7,
  ],
  [
    '[N3] JSON with __proto__ at every depth',
    async (a) => {
      const row = await a.answer(
        Knot,
        json('{"id":1,"__proto__":{"label":"evil"},"next":{"id":2,"__proto__":{"label":"evil"}}}'),
      );
      return [row.label, row.next.label, row instanceof Knot];
    },
    ['', '', true],
  ],
])('%s: the response is stored and read', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

test('[O4] an older read fills fields never written, also beside a field named `a,b`', async () => {
  class Odd extends Entity {
    id = 0;
    'a,b' = '';
    a = '';
    b = '';
  }
  const w = world();
  const get = w.read('get', Odd);
  await w.controller.set(Odd, { id: 1 }, { a: 'x', b: 'x' });
  const asked = w.controller.fetch(get, { id: 2 });
  await w.controller.set(Odd, { id: 2 }, { 'a,b': 'y' });
  await w.call().answer({ id: 2, a: 'older', b: 'older' });
  expect({ ...(await asked) }).toEqual({ id: 2, 'a,b': 'y', a: 'older', b: 'older' });
});

test.each([/page|order/, /page|order/g, /page|order/y])(
  '[N14] nonFilterArgumentKeys %s gives the same result for each list',
  async (nonFilterArgumentKeys) => {
    const w = world();
    const rows = new Collection([Knot], { nonFilterArgumentKeys });
    const pages = [1, 2, 3].map((page) => ({ order: 'label', page, z: 1 }));
    const list = w.read('list', rows, { reply: () => [] });
    for (const page of pages) await w.controller.fetch(list, page);
    await w.controller.fetch(
      w.mutation('create', rows.push, { reply: () => ({ id: 9, z: 1 }) }),
      {},
    );
    expect(pages.map((page) => w.controller.get(rows, page)?.length)).toEqual([1, 1, 1]);
  },
);
