/** Bodies that cannot be sent, and headers that no server may see. */
import { NetworkError, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { User } from '../setup/world.ts';
import { serve } from '../setup/server.ts';
import { BORN, accepts, oops, owning, refuses, throwing } from './arena.ts';
import type { Act, Refusal } from './arena.ts';

/** Sends a body to a server that returns the same body. */
function send(body: unknown, options: object = {}): Act {
  return async (a) => {
    const server = await serve((asked) => ({ body: { id: 950, name: asked.text } }));
    const create = new RestEndpoint<any>({
      path: '/users',
      method: 'POST',
      schema: User,
      urlPrefix: server.address,
      ...options,
    });
    try {
      return (await a.w.controller.fetch(create, body)).name;
    } finally {
      asked = server.asked.length;
    }
  };
}
let asked = 0;

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const deep = (): unknown => {
  let value: unknown = null;
  for (let i = 0; i < 10_000; i++) value = [value];
  return value;
};
const own = { is: oops };
const bare = Object.create(null) as object;
const mute = () => {
  throw bare as Error;
};

test.each<[string, Act, Refusal]>([
  ['[R4] a cycle', send(cyclic), 'R9'],
  ['[R4] a cycle in an array', send([cyclic]), 'R9'],
  ['[R4] a bigint', send({ n: 1n }), 'R9'],
  ['[R4] a bare bigint', send(1n), 'R9'],
  ['[R4] a function', send(throwing), 'R9'],
  ['[R4] a symbol', send(Symbol('x')), 'R9'],
  ['[R4] a toJSON that returns undefined', send({ toJSON: () => undefined }), 'R9'],
  ['[R4] a toJSON that throws', send({ toJSON: throwing }), 'R9'],
  ['[R4] a toJSON that throws an object without toString', send({ toJSON: mute }), 'R9'],
  [
    '[R4] a getter that throws',
    send(Object.defineProperty({}, 'x', { get: throwing, enumerable: true })),
    'R9',
  ],
  ['[R4] a Proxy that throws', send({ x: new Proxy({}, { ownKeys: throwing }) }), 'R9'],
  ['[R5] getHeaders that throws', send({}, { getHeaders: throwing }), own],
  ['[R5] getHeaders that rejects', send({}, { getHeaders: () => Promise.reject(oops) }), own],
  ['[R5] getRequestInit that throws', send({}, { getRequestInit: throwing }), own],
  [
    '[R5] getRequestInit that rejects',
    send({}, { getRequestInit: () => Promise.reject(oops) }),
    own,
  ],
])('%s rejects, and no request is sent', async (_, act, refusal) => {
  await expect(refuses(act, refusal)).resolves.toBe(undefined);
  expect(asked).toBe(0);
});

test.each<[string, object]>([
  ['[R5] CR and LF in a value', { 'x-a': 'a\r\nx-evil: 1' }],
  ['[R5] NUL in a value', { 'x-a': '\0' }],
  ['[R5] a lone surrogate in a value', { 'x-a': '\uD800' }],
  ['[R5] text beyond Latin-1', { 'x-a': '日本' }],
  ['[R5] an empty name', { '': 'x' }],
  ['[R5] a space in a name', { 'x a': 'x' }],
  ['[R5] CR and LF in a name', { 'x\r\nx-evil': '1' }],
  ['[R5] a symbol as a value', { 'x-a': Symbol('x') }],
])('%s of a header rejects, and no request is sent', async (_, headers) => {
  await expect(refuses(send({}, { getHeaders: () => headers }), NetworkError)).resolves.toBe(
    undefined,
  );
  expect(asked).toBe(0);
});

test.each(BORN)('[R5] a request with a header called %s is sent with its body', (name) =>
  expect(
    accepts(
      send({ a: 1 }, { getHeaders: (h: object) => ({ ...h, ...owning(name, 'x') }) }),
      '{"a":1}',
    ),
  ).resolves.toBe(undefined),
);
test.each(BORN)('[R4] a body member called %s is sent', (name) =>
  expect(accepts(send(owning(name, 1)), JSON.stringify(owning(name, 1)))).resolves.toBe(undefined),
);

test.each<[string, Act, unknown]>([
  ['[R4] an empty object', send({}), '{}'],
  ['[R4] an array with holes', send([undefined, undefined]), '[null,null]'],
  ['[R4] NaN, minus zero and infinity', send([Number.NaN, -0, Infinity]), '[null,0,null]'],
  ['[R4] a lone surrogate', send(['\uD800']), '["\\ud800"]'],
  ['[R4] a frozen body', send(Object.freeze({ a: 1 })), '{"a":1}'],
  [
    '[R4] a body without a prototype',
    send(Object.assign(Object.create(null), { a: 1 })),
    '{"a":1}',
  ],
  ['[R4] a string', send('{"not json'), '{"not json'],
  ['[R4] a date', send({ at: new Date(0) }), '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['[R4] a megabyte', async (a) => String(await send({ x: 'y'.repeat(1e6) })(a)).length, 1e6 + 8],
])('%s: the body is sent', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

test('[R4] an array 10,000 deep is sent, or rejects with R9', () =>
  expect(
    accepts(async (a) => {
      const sent = await Promise.resolve(send(deep())(a)).catch((error: unknown) => error);
      return typeof sent === 'string' ? 'R9' : (sent as { code?: string }).code;
    }, 'R9'),
  ).resolves.toBe(undefined));
