/** Random schemas: written data are read back unchanged, frozen input stays unchanged, and a second write changes nothing. */
import * as fc from 'fast-check';
import { Collection, Entity, Scalar, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { watch, world } from '../setup/world.ts';
import { freeze, runs } from './runs.ts';

/** A schema with data, and the expected data of a reader. */
interface Case {
  readonly schema: unknown;
  readonly data: unknown;
  readonly read: unknown;
}

let serial = 0;
const BORN = ['__proto__', 'constructor', 'toString'];
const name = fc.oneof(fc.constantFrom('a', 'b', 'c', 'tags', 'owner'), fc.constantFrom(...BORN));
const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((data) => ({ schema: '', data, read: data })),
  fc.integer({ min: 0, max: 1e12 }).map((at) => {
    const data = new Date(at).toISOString();
    return { schema: Date, data, read: data };
  }),
  // null and absent values are for the enclosing entity
  fc.jsonValue({ maxDepth: 1 }).map((data) => entity([['column', column(data)]])),
  fc.bigInt().map((value) => ({ schema: BigInt, data: `${value}`, read: `${value}` })),
);

const scalar = new Scalar({ lens: () => 'one', key: 'roundtrip' });

function column(data: unknown): Case {
  return { schema: scalar, data, read: data };
}

/** Own members only, `__proto__` like any other. */
const record = (pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(pairs);

const { any } = fc.letrec<{ any: Case; members: (readonly [string, Case])[] }>((tie) => ({
  members: fc.uniqueArray(fc.tuple(name, tie('any')), { maxLength: 3, selector: ([key]) => key }),
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    // an array of a single case, as long as needed
    fc.tuple(tie('any'), fc.nat(3)).map(([of, length]) => list(of, length, [of.schema])),
    fc.tuple(tie('any'), fc.nat(3)).map(([of, length]) => {
      const { schema } = entity([['value', of]]);
      return list(entity([['value', of]], schema), Math.min(length, 1), new Collection([schema]));
    }),
    // an entity under each of several keys
    fc
      .tuple(tie('any'), fc.uniqueArray(name, { maxLength: 3 }), fc.boolean())
      .map(([of, keys, grows]) => map(entity([['value', of]]), keys, grows)),
    tie('members').map((members) => ({
      schema: record(members.map(([key, { schema }]) => [key, schema])),
      data: record(members.map(([key, { data }]) => [key, data])),
      read: record(
        members.map(([key, { data, read }]) => [key, data === undefined ? undefined : read]),
      ),
    })),
    tie('members').map((members) => entity(members)),
  ),
}));

function list({ data, read }: Case, length: number, schema: unknown): Case {
  // null has no place in a list
  const times = data === null ? 0 : length;
  return { schema, data: Array(times).fill(data), read: Array(times).fill(read) };
}

function map({ schema, data, read }: Case, keys: readonly string[], grows: boolean): Case {
  const values = new Values(schema);
  const under = (value: unknown) => record(keys.map((key) => [key, value]));
  return { schema: grows ? new Collection(values) : values, data: under(data), read: under(read) };
}

/** An entity of a separate class: identities never coincide. */
function entity(members: readonly (readonly [string, Case])[], Given?: unknown): Case {
  const id = ++serial;
  const nested = record(members.map(([key, { schema }]) => [key, schema]));
  class One extends Entity {
    id = 0;
    left = 'default';
    constructor() {
      super();
      // without an own default a member would inherit the default of a base
      for (const [key] of members) {
        Object.defineProperty(this, key, {
          value: null,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
    }
    static override schema = nested;
  }
  const data = record([['id', id], ...members.map(([key, of]) => [key, of.data] as const)]);
  const shown = members.map(([key, of]) => [key, of.read] as const);
  const read = record([['id', id], ['left', 'default'], ...shown]);
  return { schema: Given ?? One, data, read };
}

/** The read data as plain data: decoded values as the received JSON, members by name. */
function outline(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return `${value}`;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(outline);
  const own = Object.entries(Object.getOwnPropertyDescriptors(value));
  return own
    .map(([key, of]): [string, unknown] => [key, outline(of.value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

test('[N2] data written under any schema are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(any, async ({ schema, data, read }) => {
      const w = world();
      const get = w.read('get', schema, { reply: () => data });
      expect(outline(await w.controller.fetch(get, {}))).toEqual(outline(read));
    }),
    runs(),
  );
});

test('[N11] frozen data stay unchanged when written under any schema', async () => {
  await fc.assert(
    fc.asyncProperty(any, async ({ schema, data, read }) => {
      const before = outline(data);
      const w = world();
      const get = w.read('get', schema, { reply: () => freeze(data) });
      expect(outline(await w.controller.fetch(get, {}))).toEqual(outline(read));
      expect(outline(data)).toEqual(before);
    }),
    runs(),
  );
});

test('[V2] an equal response under any schema notifies no reader and changes no reference', async () => {
  await fc.assert(
    fc.asyncProperty(any, async ({ schema, data }) => {
      const w = world();
      const get = w.read('get', schema, { reply: () => structuredClone(data) });
      const first: unknown = await w.controller.fetch(get, {});
      const readers = [
        watch(w.controller.signal(get, {})),
        watch(w.controller.view(get, {}).result),
      ];
      expect(await w.controller.fetch(get, {})).toBe(first);
      expect(readers.map(({ runs: times }) => times)).toEqual([1, 1]);
    }),
    runs(),
  );
});

class Row extends Entity {
  id = 0;
  a = '';
  b = '';
}
const fields = fc.dictionary(
  fc.constantFrom('a', 'b', ...BORN),
  fc.oneof(fc.string(), fc.constant(null), fc.constant({})),
);
const shown = (row: object | undefined) => outline({ ...row });

test('[N9] consecutive writes of an entity have the same result in any grouping', async () => {
  await fc.assert(
    fc.asyncProperty(fields, fields, fields, async (x, y, z) => {
      const together = (...parts: object[]) =>
        Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
      const results: unknown[] = [];
      for (const writes of [
        [x, y, z],
        [together(x, y), z],
        [x, together(y, z)],
        [together(x, y, z)],
      ]) {
        const w = world();
        for (const write of writes)
          await w.controller.set(Row, { id: 1 }, together({ id: 1 }, write));
        results.push(shown(w.controller.get(Row, 1)));
      }
      expect(results).toEqual(results.map(() => results[0]));
    }),
    runs(),
  );
});

test('[N7] rows of one response with the same key are merged as if written one after another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 4 }), async (parts) => {
      const rows = parts.map((part) => Object.fromEntries([['id', 1], ...Object.entries(part)]));
      const [one, other] = [world(), world()];
      await one.controller.set([Row], rows);
      for (const row of rows) await other.controller.set([Row], [row]);
      expect(shown(one.controller.get(Row, 1))).toEqual(shown(other.controller.get(Row, 1)));
    }),
    runs(),
  );
});
