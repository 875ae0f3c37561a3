/** Very deep, very wide and very long data, and circular data. */
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, User } from '../setup/world.ts';
import { accepts, arena, expectUnharmed, json } from './arena.ts';
import type { Act } from './arena.ts';

const nest = (depth: number): any => {
  let value: unknown = null;
  for (let i = 0; i < depth; i++) value = { next: value };
  return value;
};

const deepJson = () => json(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);

test.each<[string, Act, unknown]>([
  [
    '[N11] meta 10,000 deep before the data',
    async (a) => {
      await a.answer({ data: User }, { meta: deepJson(), data: { id: 950, name: 'x' } });
      const reader = a.w.controller.signal(a.w.read('bad', { data: User }), {});
      void (reader.value as { data: User }).data;
      await a.w.controller.set(User, { id: 950 }, { name: 'y' });
      return (reader.value as { data: User }).data.name;
    },
    'y',
  ],
  [
    '[N11] cyclic meta before the data',
    async (a) => {
      const meta: { self?: unknown } = {};
      meta.self = meta;
      await a.answer({ data: User }, { meta, data: { id: 950, name: 'x' } });
      const reader = a.w.controller.signal(a.w.read('bad', { data: User }), {});
      void (reader.value as { data: User }).data;
      await a.w.controller.set(User, { id: 950 }, { name: 'y' });
      return (reader.value as { data: User }).data.name;
    },
    'y',
  ],
  [
    '[N11] a mutation without a schema, with a response 10,000 deep',
    async (a) => {
      const change = a.w.mutation('change', undefined, { reply: deepJson });
      return Array.isArray(await a.w.controller.fetch(change, {}));
    },
    true,
  ],
  [
    '[N11] a mutation without a schema, with a cyclic response',
    async (a) => {
      const answer: { self?: unknown } = {};
      answer.self = answer;
      const change = a.w.mutation('change', undefined, { reply: () => answer });
      return (await a.w.controller.fetch(change, {})) === answer;
    },
    true,
  ],
  [
    '[N11] an unknown field 10,000 deep, received twice',
    async (a) => {
      await a.answer(Knot, { id: 1, deep: nest(10_000) });
      return (
        (await a.answer(Knot, { id: 1, deep: nest(10_000) }, { n: 2 })).deep.next.next !== null
      );
    },
    true,
  ],
  [
    '[N11] an entity with 10,000 fields',
    async (a) => {
      const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at]));
      await a.answer(Knot, { id: 1, ...wide });
      return (await a.answer(Knot, { id: 1, ...wide, k7: 'x' }, { n: 2 })).k7;
    },
    'x',
  ],
  [
    '[N11] 10,000 rows with the same key',
    async (a) =>
      (
        await a.answer(
          [Knot],
          Array.from({ length: 10_000 }, (_, at) => ({ id: 1, label: `${at}` })),
        )
      )[0].label,
    '9999',
  ],
  [
    '[N11] a megabyte in a field',
    async (a) => (await a.answer(Knot, { id: 1, label: 'x'.repeat(1e6) })).label.length,
    1e6,
  ],
  [
    '[N11] an entity that contains itself',
    async (a) => {
      const knot: any = { id: 1, label: 'x' };
      knot.next = knot;
      const read = await a.answer(Knot, knot);
      return read.next === read;
    },
    true,
  ],
  [
    '[N14] an argument 1,000 deep',
    async (a) => (await a.answer(new Collection([Knot]), [], { q: nest(1_000) })).length,
    0,
  ],
])('%s: the response is stored and read', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

/**
 * Pages point to both neighbours: in objects that point to each other, each page is entered a bounded number of times.
 */
test.each([20, 200])(
  '[N11] %d pages with references to both neighbors are processed in linear time',
  async (length) => {
    let entered = 0;
    class Page extends Entity {
      id = 0;
      before: Page | null = null;
      after: Page | null = null;
      static override schema = { before: Page, after: Page };
      static override process(input: any): unknown {
        if (++entered > 100 * length) throw new Error('entered without end');
        return input;
      }
    }
    const pages = Array.from({ length }, (_, id): any => ({ id }));
    pages.forEach((page, at) =>
      Object.assign(page, { before: pages[at - 1] ?? null, after: pages[at + 1] ?? null }),
    );
    const a = await arena();
    const first = await a.answer(Page, pages[0]);
    expect(first.after.before).toBe(first);
    await expectUnharmed(a);
  },
);

/** A value that holds itself twice, written again: each member is looked at a bounded number of times. */
test('[N11] a plain value with two references to itself is compared in linear time', async () => {
  let looks = 0;
  const twist = (label: string): object => {
    const look = () => {
      if (++looks > 10_000) throw new Error('compared without end');
      return value;
    };
    const value: object = Object.defineProperties(
      { label },
      {
        left: { get: look, enumerable: true },
        right: { get: look, enumerable: true },
      },
    );
    return value;
  };
  const a = await arena();
  await a.answer(Knot, { id: 1, twist: twist('a') });
  const knot = await a.answer(Knot, { id: 1, twist: twist('b') }, { n: 2 });
  expect(knot.twist.label).toBe('b');
  await expectUnharmed(a);
});
