/** Invalid schemas, schemas in a cycle, schemas under names of Object.prototype; very deep and wide data. */
import { Collection, Delete, Entity, SignalboxError } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, User, settled, world } from '../setup/world.ts';
import { BORN, accepts, arena, expectUnharmed, oops, owning, refuses, throwing } from './arena.ts';
import type { Refusal } from './arena.ts';

const cut = { id: 900, name: 'half' };
const ring: { inner?: unknown } = { inner: User };
ring.inner = ring;
const loop: unknown[] = [];
loop[0] = loop;
const bare = Object.create(null) as object;
const mute = () => {
  throw bare as Error;
};
const standard = (validate: unknown) => ({ '~standard': { version: 1, vendor: 'x', validate } });

test.each<[string, unknown, unknown, Refusal]>([
  [
    '[N3] a schema that contains itself',
    { u: User, ring },
    { u: cut, ring: { inner: {} } },
    SignalboxError,
  ],
  [
    '[N3] a list schema that contains itself',
    { u: User, loop },
    { u: cut, loop: [[]] },
    SignalboxError,
  ],
  [
    '[N3] undefined deep in a schema',
    { u: User, a: { b: [{ c: undefined }] } },
    { u: cut, a: {} },
    'S4',
  ],
  ['[N3] a Delete of undefined', new Delete(undefined as never), cut, 'S4'],
  [
    '[N3] a Collection of undefined',
    { u: User, c: new Collection([undefined]) },
    { u: cut, c: [] },
    'S4',
  ],
  ['[N3] a Collection of no schema', { u: User, c: new Collection([]) }, { u: cut, c: [1] }, 'S4'],
  ['[N5] a decoder that throws', { u: User, a: throwing }, { u: cut, a: 1 }, 'S7'],
  [
    '[N5] a decoder that throws undefined',
    {
      u: User,
      a: () => {
        throw undefined as unknown as Error;
      },
    },
    { u: cut, a: 1 },
    'S7',
  ],
  [
    '[N5] a decoder that throws an object without toString',
    { u: User, a: mute },
    { u: cut, a: 1 },
    'S7',
  ],
  ['[N5] BigInt of a fraction', { u: User, a: BigInt }, { u: cut, a: 1.5 }, 'S7'],
  ['[N5] BigInt of an object', { u: User, a: BigInt }, { u: cut, a: bare }, 'S7'],
  ['[N5] URL of nonsense', { u: User, a: URL }, { u: cut, a: '::' }, 'S7'],
  ['[N5] an Array of minus one', { u: User, a: Array }, { u: cut, a: -1 }, 'S7'],
  [
    '[N5] a constructor that throws for a symbol',
    { u: User, a: Event.prototype.constructor },
    { u: cut, a: Symbol('x') },
    'S7',
  ],
  [
    '[N5] a Standard Schema that throws',
    { u: User, a: standard(throwing) },
    { u: cut, a: 1 },
    'S7',
  ],
  [
    '[N5] a Standard Schema with issues',
    { u: User, a: standard(() => ({ issues: [{ message: 'no' }] })) },
    { u: cut, a: 1 },
    'S7',
  ],
  [
    '[N5] an asynchronous Standard Schema',
    { u: User, a: standard(async () => ({ value: 1 })) },
    { u: cut, a: 1 },
    'S7',
  ],
  ['[N3] a list in place of an object', { u: User, a: { b: User } }, { u: cut, a: [] }, 'S8'],
  ['[N3] a string in place of an object', { u: User, a: { b: User } }, { u: cut, a: 'x' }, 'S8'],
  [
    '[N3] an array-like object for a list',
    { u: User, a: [User] },
    { u: cut, a: { 0: cut, length: 1 } },
    'S3',
  ],
  ['[N3] a typed array', { u: User, a: [User] }, { u: cut, a: new Uint8Array(2) }, 'S3'],
  ['[N3] a set', { u: User, a: [User] }, { u: cut, a: new Set([cut]) }, 'S3'],
  ['[N3] a string for a list', { u: User, a: [User] }, { u: cut, a: 'xy' }, 'S3'],
  ['[N3] lists in lists', { u: User, a: [User] }, { u: cut, a: [[cut]] }, 'S2'],
  ['[N3] true for a row', { u: User, a: [User] }, { u: cut, a: [true] }, 'S2'],
  ['[N3] a deletion whose response has no key', new Delete(User), { ok: true }, 'S1'],
  ['[N3] push of a row without a pk', new Collection([User]).push, { name: 'x' }, 'S1'],
  ['[N3] push of several rows, one without a pk', new Collection([User]).push, [cut, {}], 'S1'],
])('%s: an error, and nothing is stored', async (_, schema, reply, refusal) => {
  await expect(refuses((a) => a.answer(schema, reply), refusal)).resolves.toBe(undefined);
  // the first reader may not be a request: writing by hand fails in the same way
  await expect(
    refuses((a) => a.w.controller.set(schema as never, {}, reply), refusal),
  ).resolves.toBe(undefined);
});

test.each<[string, unknown]>([
  ['[N8] null', null],
  ['[N8] zero', 0],
  ['[N8] text', ''],
  ['[N8] a symbol', Symbol('s')],
  ['[N8] NaN', Number.NaN],
  ['[N8] no members', {}],
])('%s as a schema returns the response unchanged', async (_, schema) => {
  await expect(accepts((a) => a.answer(schema, { id: 900 }), { id: 900 })).resolves.toBe(undefined);
});

test.each(BORN)('[N8] a member of an object called %s follows its schema', (name) =>
  expect(
    accepts(async (a) => {
      const shown = await a.answer(owning(name, User), owning(name, { id: 950, name: 'x' }));
      const user = Object.getOwnPropertyDescriptor(shown, name)?.value as User | undefined;
      return user?.name;
    }, 'x'),
  ).resolves.toBe(undefined),
);
test.each(BORN)('[N8] a member of an object called %s has its default if absent', (name) =>
  expect(
    accepts(async (a) => {
      const shown = await a.answer(owning(name, ''), { other: 1 });
      return Object.getOwnPropertyDescriptor(shown, name)?.value as unknown;
    }, ''),
  ).resolves.toBe(undefined),
);
test.each(BORN)('[N4] the data of a class with the key %s are stored and read', (key) =>
  expect(
    accepts(async (a) => {
      const Odd = class extends Knot {
        static override key = key;
      };
      return (await a.answer(Odd, { id: 1, label: 'x' })).label;
    }, 'x'),
  ).resolves.toBe(undefined),
);

test('[N3] a failed commit leaves no data for the next commit, also in another store', async () => {
  class Whole extends Entity {
    id = 0;
    user = User.fromJS();
    static override schema = { user: User };
  }
  const a = await arena();
  const other = world();
  other.controller.entity(Whole, 1).subscribe(() => {});
  const bad = [
    { id: 1, user: { id: 1 } },
    {
      id: 2,
      user: 1,
      get x() {
        return throwing();
      },
    },
  ];
  await expect(other.controller.set([Whole], bad)).rejects.toBe(oops);
  await settled();
  await expectUnharmed(a);
  expect(other.controller.get(Whole, 1)).toBe(undefined);
});
