/** Maps, merges, Scalars and statics of classes under bad input: the code of the refusal, and an unchanged store. */
import { Collection, depthLimit, Entity, Scalar, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, User } from '../setup/world.ts';
import { BORN, accepts, json, oops, owning, refuses, throwing } from './arena.ts';
import type { Act, Refusal } from './arena.ts';

const cut = { id: 900, name: 'half' };
const maps = new Collection(new Values(User));
const own = { is: oops };
const scalar = (lens: (args: any) => any, entity: typeof User | undefined = User) =>
  new Scalar({ lens, key: 'hostile', ...(entity && { entity }) });
const spoiled = (statics: object) => Object.assign(class extends Knot {}, statics);
const inField = (lens: (args: any) => any, pct: unknown): Act => {
  class Firm extends Entity {
    id = 0;
    pct = 0;
    static override schema = { pct: scalar(lens) };
  }
  return (a) => a.answer({ u: User, f: Firm }, { u: cut, f: { id: 1, pct } });
};
/** The result of a merge when a row is added to the list of the arena. */
const merging =
  (merge: (existing: any, incoming: any) => any): Act =>
  (a) =>
    a.answer(a.todos.addWith(merge), { id: 901, author: cut });
const mergingMaps =
  (merge: (existing: any, incoming: any) => any): Act =>
  async (a) => {
    await a.answer(maps, {});
    return a.w.controller.set(maps.addWith(merge), {}, { x: cut });
  };

test.each<[string, Act, Refusal]>([
  ['[N14] a list for a map', (a) => a.answer({ u: User, m: maps }, { u: cut, m: [] }), 'S8'],
  ['[N14] a string for a map', (a) => a.answer({ u: User, m: maps }, { u: cut, m: 'x' }), 'S8'],
  ['[N14] assign with a list', (a) => a.answer(maps.assign, [cut]), 'S8'],
  ['[N14] assign with a string', (a) => a.answer(maps.assign, 'x'), 'S8'],
  ['[N14] assign with true as an entry', (a) => a.answer(maps.assign, { a: cut, b: true }), 'S2'],
  ['[N3] assign with an entry without a pk', (a) => a.answer(maps.assign, { a: cut, b: {} }), 'S1'],
  ['[N14] an object for a list', (a) => a.answer(new Collection([User]), { a: cut }), 'S3'],
  [
    '[N14] a map of an undefined schema',
    (a) => a.answer(new Collection(new Values(undefined)), { a: 1 }),
    'S4',
  ],
  ['[N14] a merge that throws', merging(() => throwing()), own],
  ['[N14] a merge that returns undefined', merging(() => undefined), 'S14'],
  ['[N14] a merge that returns a string', merging(() => 'x'), 'S14'],
  ['[N14] a merge that returns rows with other keys', merging((was) => [...was, { id: 5 }]), 'S14'],
  ['[N14] a merge that returns undefined rows', merging((was) => [...was, undefined]), 'S14'],
  ['[N14] a merge of maps that throws', mergingMaps(throwing), own],
  ['[N14] a merge of maps that returns null', mergingMaps(() => null), 'S14'],
  ['[N14] a merge of maps that returns a list', mergingMaps(() => []), 'S14'],
  [
    '[N14] a merge of maps that returns values that are no entries',
    mergingMaps(() => ({ a: 1 })),
    'S14',
  ],
  [
    '[N15] a custom filter that throws',
    (a) =>
      a.answer(
        a.todos.addWith(
          (was) => was,
          () => throwing,
        ),
        { id: 901, author: cut },
      ),
    own,
  ],
  [
    '[N15] a createCollectionFilter that throws',
    (a) =>
      a.answer(
        a.todos.addWith((was) => was, throwing),
        { id: 901, author: cut },
      ),
    own,
  ],
  ['[N5] a lens that returns undefined', inField(() => undefined, 1), 'S15'],
  ['[N5] a lens that returns an object', inField(() => ({}), 1), 'S15'],
  ['[N5] a lens that returns an empty string', inField(() => '', 1), 'S15'],
  ['[N5] a lens that throws', inField(throwing, 1), own],
  [
    '[N5] a Scalar without an entity',
    (a) =>
      a.answer(
        { u: User, m: [new Scalar({ lens: () => 'x', key: 'loose' })] },
        { u: cut, m: [{ id: 1 }] },
      ),
    'S15',
  ],
  [
    '[N5] rows of a Scalar without a pk',
    (a) => a.answer({ u: User, m: [scalar(() => 'x')] }, { u: cut, m: [{ pct: 1 }] }),
    'S15',
  ],
  [
    '[N5] a string for the row of a Scalar',
    (a) => a.answer({ u: User, m: [scalar(() => 'x')] }, { u: cut, m: ['x'] }),
    'S15',
  ],
  [
    '[N10] normalize throws',
    (a) => a.answer({ u: User, k: spoiled({ normalize: throwing }) }, { u: cut, k: { id: 1 } }),
    own,
  ],
  [
    '[N10] normalize returns a plain object',
    (a) => a.answer({ u: User, k: spoiled({ normalize: () => ({}) }) }, { u: cut, k: { id: 1 } }),
    'S2',
  ],
  [
    '[C6] mergeMetaWithStore throws',
    async (a) => {
      const Spoiled = spoiled({ mergeMetaWithStore: throwing });
      await a.answer(Spoiled, { id: 900 });
      return a.answer({ u: User, k: Spoiled }, { u: cut, k: { id: 900 } }, { n: 2 });
    },
    own,
  ],
  [
    '[C6] mergeMetaWithStore returns undefined',
    async (a) => {
      const Spoiled = spoiled({ mergeMetaWithStore: () => undefined });
      await a.answer(Spoiled, { id: 900 });
      return a.answer({ u: User, k: Spoiled }, { u: cut, k: { id: 900 } }, { n: 2 });
    },
    TypeError,
  ],
  ['[C6] queryKey throws', (a) => a.w.controller.get(spoiled({ queryKey: throwing }), {}), own],
])('%s: an error, and nothing is stored', (_, act, refusal) =>
  expect(refuses(act, refusal)).resolves.toBe(undefined),
);

test.each<[string, object]>([
  ['[N10] createIfValid that throws', { createIfValid: throwing }],
  ['[N10] createIfValid that returns a string', { createIfValid: () => 'x' }],
  ['[N10] createIfValid that returns null', { createIfValid: () => null }],
  ['[N2] denormalize that throws', { denormalize: throwing }],
  ['[N2] denormalize that returns undefined', { denormalize: () => undefined }],
])('%s makes the entity incomplete, and lists omit the entity', (_, statics) =>
  expect(
    accepts(
      async (a) => {
        const Odd = spoiled(statics);
        const rows = await a.answer([Odd, User], [{ id: 1 }]);
        return [rows, a.w.controller.entity(Odd, 1).value, a.w.controller.get(Odd, 1)];
      },
      [[], undefined, undefined],
    ),
  ).resolves.toBe(undefined),
);

test.each<[string, object, unknown]>([
  ['[C6] queryKey that returns NaN', { queryKey: () => Number.NaN }, undefined],
  ['[C6] queryKey that returns an object', { queryKey: () => ({}) }, undefined],
  ['[C6] queryKey that returns another pk', { queryKey: () => 7 }, 'seven'],
  ['[N11] maxEntityDepth of NaN', { maxEntityDepth: depthLimit(Number.NaN) }, undefined],
  ['[N11] a negative maxEntityDepth', { maxEntityDepth: depthLimit(-5) }, undefined],
])('%s: get returns the entity or undefined', (_, statics, expected) =>
  expect(
    accepts(async (a) => {
      const Odd = spoiled(statics);
      await a.w.controller.set([Odd], [{ id: 7, label: 'seven' }]);
      return a.w.controller.get(Odd, { none: 1 } as object)?.label;
    }, expected),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N14] a map entry with the key %s is stored and read', (name) =>
  expect(
    accepts(
      async (a) => {
        await a.answer(maps, json('{"a": {"id": 950, "name": "x"}}'));
        await a.w.controller.set(maps.assign, {}, owning(name, { id: 951, name: 'y' }));
        await a.w.controller.set(
          maps.addWith((was, is) => ({ ...was, ...is })),
          {},
          { b: { id: 952 } },
        );
        const map = a.w.controller.get(maps, {}) as object;
        const entry = Object.getOwnPropertyDescriptor(map, name)?.value as User | undefined;
        return [Object.keys(map), entry?.name];
      },
      [['a', name, 'b'], 'y'],
    ),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N5] a Scalar with the lens %s and a column of that name is read', (name) =>
  expect(
    accepts(async (a) => {
      const by = scalar(([params]) => params.lens);
      const read = await a.answer(new Values(by), { 1: owning(name, 5) }, { lens: name });
      return Object.getOwnPropertyDescriptor((read as object[])[1], name)?.value as unknown;
    }, 5),
  ).resolves.toBe(undefined),
);

test('[N11] with maxEntityDepth, a chain of 10,000 entities is read to that depth', () =>
  expect(
    accepts(async (a) => {
      class Deep extends Knot {
        static override maxEntityDepth = depthLimit(50);
      }
      Deep.schema = { next: Deep };
      const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, next: id + 1 }));
      await a.answer([Deep], rows);
      let depth = 0;
      for (let at: unknown = a.w.controller.get(Deep, 0); at instanceof Deep; at = at.next) depth++;
      return depth;
    }, 50),
  ).resolves.toBe(undefined));

test('[N14] assign omits entries that are null or undefined', () =>
  expect(
    accepts(
      async (a) => {
        await a.answer(maps, {});
        await a.answer(maps.assign, { x: null, y: undefined, z: { id: 950 } }, { n: 1 });
        return Object.keys(a.w.controller.get(maps, {}) ?? {});
      },
      ['z'],
    ),
  ).resolves.toBe(undefined));
