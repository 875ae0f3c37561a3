/** Endpoints, definitions and listeners that break their contract. */
import { Todo, User, refused, settled, watch, world } from '../setup/world.ts';
import {
  BORN,
  accepts,
  arena,
  expectUnharmed,
  json,
  oops,
  owning,
  refuses,
  throwing,
} from './arena.ts';
import type { Act, Arena, Refusal } from './arena.ts';
import { Collection, Endpoint, RestEndpoint, createResource, shortenPath } from 'signalbox';
import { expect, test, vi } from 'vitest';

const bare = Object.create(null) as object;
const endpoint = (send: unknown, options: object = {}): any =>
  new Endpoint(send as () => Promise<unknown>, { name: 'bad', schema: User, ...options });
const fetching =
  (send: unknown, options: object = {}): Act =>
  (a) =>
    a.w.controller.fetch(endpoint(send, options), { id: 900 });
const frozen = Object.freeze(new Error('frozen'));
const late = () => Promise.reject(oops);

test.each<[string, Act, Refusal]>([
  ['[E1] an Endpoint of undefined', () => endpoint(undefined), 'E1'],
  ['[E1] an Endpoint of null', () => endpoint(null), 'E1'],
  ['[E1] an Endpoint of an object', () => endpoint({}), 'E1'],
  ['[E1] a function that throws', fetching(throwing), { is: oops }],
  ['[E1] a function that rejects', fetching(late), { is: oops }],
  [
    '[E1] a function that rejects with a frozen error',
    fetching(() => Promise.reject(frozen)),
    { is: frozen },
  ],
  ['[E1] a function that rejects with text', fetching(() => Promise.reject('no')), Error],
  ['[E1] a function that rejects with undefined', fetching(() => Promise.reject()), Error],
  ['[E1] a function that rejects with null', fetching(() => Promise.reject(null)), Error],
  [
    '[E1] a function that rejects with a symbol',
    fetching(() => Promise.reject(Symbol('no'))),
    Error,
  ],
  [
    '[E1] a function that rejects with a frozen object',
    fetching(() => Promise.reject(Object.freeze({ status: 404 }))),
    Error,
  ],
  ['[E1] a function that returns undefined', fetching(() => undefined), 'F2'],
  ['[R6] a function that returns null for an entity', fetching(() => null), 'F2'],
  ['[E1] a thenable that throws', fetching(() => owning('then', throwing)), { is: oops }],
  [
    '[E1] a promise that settles twice',
    fetching(() =>
      owning('then', (_: unknown, no: (error: Error) => void) => {
        no(oops);
        no(new Error('again'));
        throw new Error('and again');
      }),
    ),
    { is: oops },
  ],
  ['[E1] a key that throws', fetching(late, { key: throwing }), { is: oops }],
  ['[E2] an extend that throws', fetching(late, { extend: throwing }), { is: oops }],
  ['[E3] an errorPolicy that throws', fetching(late, { errorPolicy: throwing }), { is: oops }],
  [
    '[F3] a signal that was aborted before',
    fetching(async () => ({ id: 900 }), { signal: AbortSignal.abort(oops) }),
    { is: oops },
  ],
  ['[R3] a brace that is never closed', () => new RestEndpoint({ path: '/a/{b' }), 'R3'],
  ['[R3] a brace that was never opened', () => new RestEndpoint({ path: '/a}' }), 'R3'],
  ['[R3] braces in braces', () => new RestEndpoint({ path: '/{a{b}}' }), 'R3'],
  ['[R3] a wildcard without a name', () => new RestEndpoint({ path: '/*' }), 'R3'],
  ['[R3] a backslash at the end', () => new RestEndpoint({ path: '/a\\' }), 'R3'],
  ['[R3] a parenthesis that is never closed', () => new RestEndpoint({ path: '/:a(((' }), 'R3'],
  [
    '[R3] a megabyte of parentheses',
    () => new RestEndpoint({ path: `/:a${'('.repeat(1e6)}` }),
    'R3',
  ],
  [
    '[M3] a resource without an argument',
    () => createResource({ path: '/users', schema: User }),
    'R4',
  ],
  ['[M3] a resource without a path', () => createResource({ path: '', schema: User }), 'R4'],
  ['[M3] an argument that is escaped', () => shortenPath('/users/\\:id'), 'R4'],
  ['[I1] set with a symbol', (a) => a.w.controller.set(User, { id: 900 }, Symbol('x')), 'S2'],
  [
    '[I1] set with a function that throws',
    (a) => a.w.controller.set(Todo, { id: 1 }, throwing),
    { is: oops },
  ],
  ['[I1] set with undefined', (a) => a.w.controller.set(User, { id: 950 }, undefined), 'S16'],
  ['[I1] set with null', (a) => a.w.controller.set(User, { id: 950 }, null), 'S16'],
  [
    '[I1] set with a function that returns undefined',
    (a) => a.w.controller.set(Todo, { id: 1 }, () => undefined),
    'S16',
  ],
  [
    '[I1] set of a missing entity with a function',
    (a) => a.w.controller.set(User, { id: 900 }, throwing),
    'S10',
  ],
  ['[I1] an entity by NaN', (a) => a.w.controller.entity(User, Number.NaN), 'S9'],
  ['[I1] an entity by an empty object', (a) => a.w.controller.entity(User, {}), 'S9'],
  [
    '[I1] setError with null',
    (a) => a.w.controller.setError(endpoint(late), { id: 900 }, json('null')),
    Error,
  ],
])('%s: an error, and nothing is stored', (_, act, refusal) =>
  expect(refuses(act, refusal)).resolves.toBe(undefined),
);

test.each<[string, Act, unknown]>([
  [
    '[E1] a function that returns no promise',
    async (a) => (await (fetching(() => ({ id: 950, name: 'x' }))(a) as Promise<User>)).name,
    'x',
  ],
  [
    '[E1] a thenable',
    async (a) =>
      (
        await (fetching(() =>
          owning('then', (yes: (v: unknown) => void) => yes({ id: 950, name: 'x' })),
        )(a) as Promise<User>)
      ).name,
    'x',
  ],
  [
    '[F1] null arguments of a function that throws',
    (a) => a.w.controller.fetch(endpoint(throwing), null),
    undefined,
  ],
])('%s: fetch resolves', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

test.each(BORN)('[E1] the data of an endpoint named %s are stored and found by its key', (name) =>
  expect(
    accepts(
      async (a) => {
        const get = endpoint(async () => ({ id: 950, name: 'x' }), { name });
        return [(await a.w.controller.fetch(get, {})).name, get.testKey(get.key({}))];
      },
      ['x', true],
    ),
  ).resolves.toBe(undefined),
);
test.each(BORN)('[E4] data under the key %s are stored and read', (key) =>
  expect(
    accepts(async (a) => {
      const get = endpoint(async () => ({ id: 950, name: 'x' }), { key: () => key });
      await a.w.controller.fetch(get, {});
      return a.w.controller.getResponse(get, {}).data.name;
    }, 'x'),
  ).resolves.toBe(undefined),
);

/** An errorPolicy and a boundary may read the rejection reason: a reason without a text must not hide the failure. */
test.each<[string, unknown]>([
  ['[C7] an object without a prototype', bare],
  ['[C7] an object whose toString throws', { toString: throwing }],
  ['[C7] a symbol', Symbol('no')],
  ['[C7] undefined', undefined],
])('%s as a rejection reason is the cause of the stored error', async (_, reason) => {
  const a = await arena();
  const bad = endpoint(() => Promise.reject(reason));
  const error = (await refused(a.w.controller.fetch(bad, { id: 900 }))) as Error;
  expect(error).toBeInstanceOf(Error);
  expect(a.w.controller.getError(bad, { id: 900 })).toBe(error);
  expect(error.cause).toBe(reason);
  await expectUnharmed(a);
});

test('[C7] a rejection with a plain object is an error with the status of the object', async () => {
  const a = await arena();
  const bad = endpoint(() => Promise.reject({ status: 404, message: 'gone' }));
  const error = (await refused(a.w.controller.fetch(bad, { id: 900 }))) as { status?: number };
  expect(error.status).toBe(404);
  await expectUnharmed(a);
});

test('[O8] a request that never settles is rejected by a reset', async () => {
  const w = world();
  const waiting = refused(w.controller.fetch(w.read('never', User), { id: 1 }));
  w.controller.reset();
  expect(await waiting).toMatchObject({ code: 'F3' });
});

test.each<[string, unknown]>([
  ['[E4] undefined', undefined],
  ['[E4] a number', 5],
  ['[E4] an object', {}],
  ['[E4] a symbol', Symbol('key')],
])('%s as a key does not affect the data of other keys', async (_, key) => {
  const a = await arena();
  const odd = endpoint(async () => ({ id: 950 }), { key: () => key });
  await a.w.controller.fetch(odd, {}).catch(() => {});
  a.w.controller.invalidateAll(a.w.read('nobody', User));
  a.w.controller.expireAll(a.w.read('nobody', User));
  await expect(expectUnharmed(a)).resolves.toBe(undefined);
});

/** A listener that throws once (a log, a devtool) must not block the event's other receivers for ever. */
test.each(['request', 'commit', 'error'] as const)(
  '[C8] a listener of %s that throws leaves no reader pending',
  async (event) => {
    const a = await arena();
    const stop = a.w.controller.on(event, throwing);
    const get = a.w.read('get', Todo, {
      reply: (args) => (event === 'error' ? Promise.reject(oops) : { id: args.id }),
    });
    const view = a.w.controller.view(get, { id: 950 });
    const look = () => {
      try {
        return view.ensure(true);
      } catch {
        return undefined;
      }
    };
    void look();
    await settled();
    stop();
    const waiting = look();
    const ended = vi.fn<() => void>();
    void Promise.resolve(waiting).then(ended);
    await settled();
    expect(ended).toHaveBeenCalledTimes(1);
    const { status } = view.result.peek();
    expect(status).toBe(event === 'error' ? 'error' : 'success');
    await working(a);
  },
);

async function working(a: Arena): Promise<void> {
  const list = a.w.read('again', new Collection([User]), { reply: () => [{ id: 960 }] });
  expect(await a.w.controller.fetch(list, {})).toHaveLength(1);
}

test('[V2] an exception of a reader is printed, and other readers are notified of the commit', async () => {
  const a = await arena();
  const entity = a.w.controller.entity(User, 950);
  const other = watch(() => entity.value?.name);
  let armed = false;
  const bad = watch(() => {
    void entity.value;
    if (armed) throwing();
    return armed;
  });
  armed = true;
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  await a.w.controller.set(User, { id: 950 }, { name: 'x' });
  expect(printed).toHaveBeenCalledWith(oops);
  printed.mockRestore();
  bad.stop();
  expect(other.last).toBe('x');
  await expectUnharmed(a);
});
