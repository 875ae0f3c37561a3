/** Endpoints as functions with an identity. */
import { Endpoint } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { serialize } from '../../src/schema/serialize.ts';

async function user({ id }: { id: number }) {
  return { id };
}

describe('Endpoint', () => {
  const endpoint = new Endpoint(user);

  test('[E1] an endpoint is a function that sends a request, and has the name of its fetch function', async () => {
    expect(typeof endpoint).toBe('function');
    expect(endpoint).toBeInstanceOf(Endpoint);
    expect(await endpoint({ id: 1 })).toEqual({ id: 1 });
    expect(await endpoint.call(undefined, { id: 2 })).toEqual({ id: 2 });
    expect(endpoint.name).toBe('user');
  });

  test('[E1] the key of an endpoint does not depend on the order of members of the arguments', () => {
    const any = new Endpoint(async (fields: object) => fields, { name: 'n' });
    expect(any.key({ b: 1, a: [{ d: 1, c: 2 }] })).toBe(any.key({ a: [{ c: 2, d: 1 }], b: 1 }));
    expect(any.key({ a: 1 })).not.toBe(any.key({ a: '1' }));
    expect(any.testKey(any.key({}))).toBe(true);
    expect(any.testKey('nn [{}]')).toBe(false);
  });

  test('[E1] an Endpoint of a value that is not a function throws E1', () => {
    expect(() => new Endpoint(5 as never)).toThrow(/E1/);
  });

  test('[E1] an endpoint is created, extended and has a key without eval and Function', () => {
    const { Function: made, eval: evaluated } = globalThis;
    const forbid = () => {
      throw new Error('CSP');
    };
    Object.assign(globalThis, { Function: forbid, eval: forbid });
    try {
      expect(new Endpoint(user).extend({ name: 'x' }).key({ id: 1 })).toBe('x [{"id":1}]');
    } finally {
      Object.assign(globalThis, { Function: made, eval: evaluated });
    }
  });

  test('[E2] extend overrides the given options, keeps the others, and leaves the original endpoint unchanged', async () => {
    const first = endpoint.extend({ schema: [], dataExpiryLength: 5, extra: { a: 1 } });
    const second = first.extend({ sideEffect: true });
    expect({ ...second }).toMatchObject({
      schema: [],
      dataExpiryLength: 5,
      extra: { a: 1 },
      sideEffect: true,
    });
    expect(first.sideEffect).toBe(undefined);
    expect(endpoint.schema).toBe(undefined);
    expect(second.key({ id: 1 })).toBe(endpoint.key({ id: 1 }));
  });

  test('[E2] a fetch passed to extend can call the previous fetch, and keeps the name', async () => {
    const more = endpoint.extend({
      fetch: async (params: { id: number }) => ({ ...(await endpoint.fetch(params)), more: true }),
    });
    expect(await more({ id: 1 })).toEqual({ id: 1, more: true });
    expect(more.name).toBe('user');
  });

  test('[E2] extend of a subclass of Endpoint returns an instance of the subclass', () => {
    class Mine extends Endpoint<typeof user> {
      field = 'class';
      override key(): string {
        return 'mine';
      }
    }
    const mine = new Mine(user).extend({ name: 'm', field: 'option' }) as unknown as Mine;
    expect(mine).toBeInstanceOf(Mine);
    expect([mine.key(), mine.field, mine.name]).toEqual(['mine', 'option', 'm']);
  });
});

describe('serialize', () => {
  test.each([
    [{ b: undefined, a: 1 }, '{"a":1}'],
    [[undefined, null], '[undefined,null]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [1n, '1n'],
    [Number.NaN, 'NaN'],
    [new Set([1]), '[1]'],
    [
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
      '[["b",1],["a",2]]',
    ],
    [{ __proto__: null, a: 1 }, '{"a":1}'],
  ])('[E1] serialize writes %s as %s', (value, expected) => {
    expect(serialize(value)).toBe(expected);
  });

  test('[E1] serialize of a cycle throws a TypeError', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => serialize(cycle)).toThrow(TypeError);
  });
});
