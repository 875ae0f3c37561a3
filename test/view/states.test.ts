/** The table of cache states: which readers fetch, wait, and show data. */
import { All, Collection, Delete, Query, liveResult, subscribe, transaction } from 'signalbox';
import type { EndpointInterface } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Todo, User, refusal, settled, watch, wholeTodo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const MINUTE = 60_000;
const todo = () => ({ id: 1, title: 'a' });
const params = { id: 1 };

/** A reader mounts: waits or not, then fetches if the shown data are stale. */
function mount(w: World, endpoint: ReturnType<World['read']>): 'waits' | 'shows' {
  const view = w.controller.view(endpoint, params);
  const ready = view.ensure(true);
  if (ready !== undefined) return 'waits';
  view.revalidate();
  return 'shows';
}

async function fresh(options: object = {}) {
  const w = world();
  const get = w.read('get', Todo, { reply: todo, ...options });
  await w.controller.fetch(get, params);
  return { w, get, view: w.controller.view(get, params) };
}

/** A reader is mounted and has data; later requests wait for a response. */
async function mounted(options: Parameters<typeof world>[0] = {}) {
  const w = world(options);
  const get = w.read('get', Todo);
  const view = w.controller.view(get, params);
  view.retain();
  void view.ensure(true);
  await w.call().answer(todo());
  return { w, get, view };
}

test('[C1] without stored data two readers suspend and share one request', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: todo });
  expect([mount(w, get), mount(w, get)]).toEqual(['waits', 'waits']);
  expect(w.calls).toHaveLength(1);
  await w.controller.view(get, params).ready;
  expect(w.controller.view(get, params).result.value).toMatchObject({ status: 'success' });
});

test('[F1] a view or a subscription of a mutation throws E7 and sends no request', async () => {
  const w = world();
  const add = w.mutation('add', Todo, { reply: todo });
  expect(() => w.controller.view(add, params)).toThrow(/E7.*"?add"? is a mutation/);
  expect(() => subscribe(w.controller, add, params)).toThrow(/E7.*"?add"? is a mutation/);
  await w.controller.setResponse(add, params, todo());
  w.controller.expireAll(add);
  expect(() => w.controller.view(add, params)).toThrow('E7');
  expect(w.calls).toEqual([]);
});

test('[H10] an endpoint in place of a schema throws E10, naming the endpoint', () => {
  const w = world();
  const get = w.read('get', Todo, { reply: todo });
  expect(() => w.controller.get(get, params)).toThrow('E10] "get" is an endpoint, but a schema');
  expect(() => w.controller.query(get, params)).toThrow('E10] "get" is an endpoint');
  expect(() => w.controller.snapshot().get(get, params)).toThrow('E10');
});

test('[H10] set with an endpoint, or get with a resource, in place of a schema throws E10', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: todo });
  await expect(w.controller.set(get, params, todo())).rejects.toThrow(/E10\] "get".*setResponse/);
  await expect(w.controller.set({ get }, params, todo())).rejects.toThrow('E10] "get"');
  expect(() => w.controller.get({ get }, params)).toThrow('E10] "get"');
});

test('[H10] undefined in place of a schema throws S4, naming a circular import', () => {
  const { controller } = world();
  const missing = undefined as unknown as typeof Todo;
  expect(() => controller.query(missing, params)).toThrow(/S4\] .* circular import/);
  expect(() => controller.get(missing, params)).toThrow(/S4\] .* circular import/);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'undefined'],
  ['a resource', { get: world().read('get', Todo) }, 'an object with the endpoints get'],
  ['a request that was sent', Promise.resolve(1), 'a promise'],
  ['an entity', Todo, 'Todo'],
  ['a function', () => 1, 'a function'],
  ['a text', '/todos', '"/todos"'],
])('[H10] %s in place of an endpoint throws E14, naming the value', async (_, value, text) => {
  const { controller } = world();
  const message = `E14] an endpoint is expected, got ${text}; pass`;
  const wrong = value as EndpointInterface;
  expect(() => controller.view(wrong, params)).toThrow(message);
  expect(() => controller.getResponse(wrong, params)).toThrow(message);
  expect(() => controller.expireAll(wrong)).toThrow(message);
  expect(() => controller.invalidateAll(wrong)).toThrow(message);
  expect(() => subscribe(controller, wrong, params)).toThrow(message);
  await expect(transaction(controller, (steps) => steps.fetch(wrong, params))).rejects.toThrow(
    message,
  );
  for (const how of ['fetch', 'fetchIfStale', 'setResponse'] as const)
    await expect(controller[how](wrong, params, {})).rejects.toThrow(message);
});

test.each([undefined, Promise.resolve(1), '/todos'])(
  '[H10] invalidate of %s throws E14',
  (value) => {
    const { controller } = world();
    expect(() => controller.invalidate(value as never, 1)).toThrow(/E14\] an endpoint is expected/);
  },
);

test('[C1] a reader of incomplete data suspends', async () => {
  const w = world();
  await w.controller.set(Article, params, { title: 'a' });
  const get = w.read('get', Article, { reply: () => ({ id: 1, author: { id: 1 } }) });
  expect(mount(w, get)).toBe('waits');
});

test('[C1] a reader of deleted data suspends and refetches', async () => {
  const { w, get, view } = await fresh();
  await w.controller.set(new Delete(Todo), params, {});
  expect(view.result.value.status).toBe('pending');
  expect(mount(w, get)).toBe('waits');
  expect(w.calls).toHaveLength(2);
});

test('[C1] a reader of invalidated data suspends', async () => {
  const { w, get, view } = await fresh();
  w.controller.invalidate(get, params);
  expect(view.result.value.status).toBe('pending');
  expect(mount(w, get)).toBe('waits');
});

test('[C1] a reader of expired data with invalidIfStale suspends', async () => {
  const { w, get } = await fresh({ invalidIfStale: true });
  w.clock.advance(MINUTE);
  expect(mount(w, get)).toBe('shows');
  w.clock.advance(1);
  expect(mount(w, get)).toBe('waits');
  expect(w.calls).toHaveLength(2);
});

test('[C2] expired data are shown while they are refetched once', async () => {
  const { w, get, view } = await fresh();
  w.clock.advance(MINUTE + 1);
  expect([mount(w, get), mount(w, get)]).toEqual(['shows', 'shows']);
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
  expect(w.calls).toHaveLength(2);
});

test('[C2] data with a time in the future (the clock was set back) are shown and refetched', async () => {
  const { w, get } = await fresh();
  w.clock.advance(-1);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(2);
  expect(w.controller.getResponse(get, params).expiresAt).toBe(0);
  await w.call().answer(todo());
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(2);
});

test('[C2] data that never expire stay fresh when the clock is set back', async () => {
  const { w, get } = await fresh({ dataExpiryLength: Infinity });
  w.clock.advance(-MINUTE);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(1);
});

test('[C6] a detail from a list with a time in the future (the clock was set back) is refetched', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const list = w.controller.fetch(w.read('list', [Todo]));
  await w.call().answer([wholeTodo()]);
  await list;
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(1);
  w.clock.advance(-1);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(2);
});

test('[C2] `fetching` of a view is true while a request is in flight', async () => {
  const w = world();
  const view = w.controller.view(w.read('get', Todo), params);
  const fetching = watch(view.fetching);
  void view.ensure(true);
  await settled();
  await w.call().answer(todo());
  expect(fetching.seen).toEqual([false, true, false]);
});

test('[C3] fresh data are shown without a request', async () => {
  const { w, get } = await fresh();
  expect(mount(w, get)).toBe('shows');
  w.clock.advance(MINUTE);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(1);
});

test('[C3] a response that expires at once is refetched by later readers, not by the readers that waited', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: todo, dataExpiryLength: 0 });
  const view = w.controller.view(get, params);
  await view.ensure(true);
  w.clock.advance(1);
  expect([mount(w, get), mount(w, get)]).toEqual(['shows', 'shows']);
  expect(w.calls).toHaveLength(1);
  await settled();
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(2);
});

test('[C3] a hard error is shown without a request', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => Promise.reject(refusal(404)) });
  await w.controller.view(get, params).ensure(true);
  expect(mount(w, get)).toBe('shows');
  expect(w.controller.view(get, params).result.value.status).toBe('error');
  expect(w.calls).toHaveLength(1);
});

test.each([
  ['a soft error', 503],
  ['a hard error', 404],
])('[C7] %s with a time in the future (the clock was set back) is refetched', async (_, status) => {
  const w = world();
  const reply = () => Promise.reject(refusal(status));
  const get = w.read('get', Todo, { reply, errorExpiryLength: MINUTE });
  const lasting = w.read('lasting', Todo, { reply, errorExpiryLength: Infinity });
  await w.controller.view(get, params).ensure(true);
  await w.controller.view(lasting, params).ensure(true);
  w.clock.advance(MINUTE - 1);
  expect(mount(w, get)).toBe('shows');
  w.clock.advance(-MINUTE);
  expect(mount(w, get)).toBe('waits');
  expect(mount(w, lasting)).toBe('shows');
  expect(w.calls).toHaveLength(3);
});

test('[C4] null arguments send no request, suspend no reader and throw no error', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, null);
  expect(view.ensure(true)).toBeUndefined();
  view.revalidate();
  view.retain()();
  view.listen(() => {})();
  expect(await w.controller.fetch(get, null)).toBeUndefined();
  expect(await w.controller.fetchIfStale(get, null)).toBeUndefined();
  w.controller.prefetch(get, null);
  w.controller.invalidate(get, null);
  expect(w.controller.signal(get, null).value).toBeUndefined();
  expect(w.controller.getResponse(get, null)).toMatchObject({ data: undefined, error: undefined });
  await w.controller.setResponse(get, null, todo());
  await w.controller.setError(get, null, refusal(404));
  expect(view.result.value).toEqual({ status: 'success', data: undefined, error: undefined });
  expect(w.calls).toHaveLength(0);
  expect(w.controller.entity(Todo, 1).value).toBeUndefined();
});

test('[C5] expiry starts when the response arrives, and includes the last millisecond', async () => {
  const w = world();
  const get = w.read('get', Todo, { dataExpiryLength: 100 });
  const fetched = w.controller.fetch(get, params);
  w.clock.advance(1_000);
  const arrived = w.clock.now();
  await w.call().answer(todo());
  await fetched;
  expect(w.controller.getResponse(get, params).expiresAt).toBe(arrived + 100);
  w.clock.advance(100);
  mount(w, get);
  expect(w.calls).toHaveLength(1);
  w.clock.advance(1);
  mount(w, get);
  expect(w.calls).toHaveLength(2);
});

test('[C5] expiry alone sends no request for a mounted reader', async () => {
  const { w, view } = await fresh();
  const release = view.retain();
  const watcher = watch(view.result);
  w.clock.advance(10 * MINUTE);
  await settled();
  expect(view.ensure(false)).toBeUndefined();
  expect([watcher.runs, w.calls.length]).toEqual([1, 1]);
  release();
});

test('[C5] expireAll refetches for a mounted reader, which keeps its data, and not after an unmount', async () => {
  const { w, get, view } = await fresh();
  const release = view.retain();
  const watcher = watch(view.result);
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
  expect(watcher.runs).toBe(1);
  await settled();
  release();
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
});

test.each([
  ['a soft error over data', 503, 'success'],
  ['a hard error', 404, 'error'],
] as const)('[C5] expireAll refetches where %s is stored', async (_, status, shows) => {
  const { w, get, view } = await mounted({ errorExpiryLength: MINUTE });
  w.controller.expireAll(get);
  await w.call().fail(refusal(status));
  w.controller.expireAll(get);
  expect([w.calls.length, view.result.value.status]).toEqual([3, shows]);
  expect(view.ensure(false)).toBeUndefined();
  await w.call().fail(refusal(status));
  view.revalidate();
  expect(w.calls).toHaveLength(3);
});

test('[R8] an empty response to a mutation refetches for a mounted reader, also with a stored error', async () => {
  const { w, get } = await mounted({ errorExpiryLength: MINUTE });
  w.controller.expireAll(get);
  await w.call().fail(refusal(503));
  await w.controller.fetch(w.mutation('update', Todo, { reply: () => null }), params);
  expect(w.log.at(-1)).toBe('get {"id":1}');
});

const listed = async (options: object = {}) => {
  const w = world();
  const reply = () => [wholeTodo({ author: { id: 1, name: 'Ada' } })];
  const list = w.read('list', new Collection([Todo]), { reply, ...options });
  await w.controller.fetch(list, {});
  return { w, list };
};

test('[C5] expireAll during a request refetches once more after the response', async () => {
  const { w, get, view } = await mounted();
  w.controller.expireAll(get);
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
  await w.call(1).answer({ id: 1, title: 'b' });
  expect([w.calls.length, view.result.value.data?.title]).toEqual([3, 'b']);
  await w.call(2).answer({ id: 1, title: 'c' });
  expect(w.calls).toHaveLength(3);
  expect(w.controller.getResponse(get, params).expiresAt).toBe(w.clock.now() + MINUTE);
});

test('[C6] a detail that a list response contains is shown without a request', async () => {
  const { w } = await listed();
  const get = w.read('get', Todo);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(1);
  const { result } = w.controller.view(get, params);
  expect(result.value.data).toBe(w.controller.entity(Todo, 1).value);
});

test('[C6] a detail from other responses expires with the earliest of its entities', async () => {
  const { w } = await listed({ dataExpiryLength: 1_000 });
  const get = w.read('get', Todo);
  w.clock.advance(500);
  await w.controller.set(Todo, params, { done: true });
  expect(w.controller.getResponse(get, params).expiresAt).toBe(w.clock.now() + 500);
  w.clock.advance(501);
  expect(mount(w, get)).toBe('shows');
  expect(w.calls).toHaveLength(2);
});

test('[C6] an expired detail is fresh again after another response with its entity', async () => {
  const { w, list } = await listed();
  const get = w.read('get', Todo);
  w.controller.view(get, params);
  w.controller.expireAll(get);
  w.clock.advance(1);
  await w.controller.fetch(list, {});
  expect(mount(w, get)).toBe('shows');
  expect(w.log).toEqual(['list {}', 'list {}']);
});

test('[C6] a plain list is not inferred from stored entities: a reader suspends', async () => {
  const { w } = await listed();
  const plain = w.read('plain', [Todo]);
  expect(w.controller.signal(plain, params).value).toBeUndefined();
  expect(mount(w, plain)).toBe('waits');
  expect(w.controller.signal(w.read('wrapped', { data: [Todo] }), params).value).toBeUndefined();
});

test.each([
  ['all of a class', () => new All(Todo)],
  ['a query over all', () => new Query(new All(Todo), (todos) => todos.length)],
  ['a declared query over all', () => new Query(new All(Todo), { sort: 'title' })],
])(
  '[C6] %s is shown without a request, and expires with the first of its rows',
  async (_, schema) => {
    const w = world();
    const reply = () => [todo()];
    const all = w.read('all', schema(), { reply });
    expect(w.controller.getResponse(all).expiresAt).toBe(0);
    await w.controller.fetch(w.read('list', [Todo], { reply, dataExpiryLength: 100 }));
    await w.controller.set(Todo, { id: 2 }, { title: 'b' });
    expect(w.controller.getResponse(all).expiresAt).toBe(w.clock.now() + 100);
    await w.controller.fetchIfStale(all);
    expect(w.log).toEqual(['list']);
    w.clock.advance(101);
    await w.controller.fetchIfStale(all);
    expect(w.log).toEqual(['list', 'all']);
  },
);

test('[C6] All of a class without remaining rows is requested', async () => {
  const w = world();
  const all = w.read('all', new All(Todo), { reply: () => [] });
  await w.controller.set(Todo, { id: 1 }, todo());
  await w.controller.set(new Delete(Todo), { id: 1 }, { id: 1 });
  await w.controller.fetchIfStale(all);
  expect(w.log).toEqual(['all']);
});

test('[C6] a list that another endpoint has fetched is found by the same arguments', async () => {
  const { w, list } = await listed();
  const other = w.read('other', { results: list.schema, total: 0 });
  expect(w.controller.signal(other, {}).value).toEqual({
    results: w.controller.signal(list, {}).value,
    total: 0,
  });
  expect(w.controller.signal(other, { userId: 1 }).value).toBeUndefined();
});

test('[C6] an entity in an object schema is found by the arguments', async () => {
  const { w } = await listed();
  const get = w.read('get', { data: Todo, note: '' });
  expect(mount(w, get)).toBe('shows');
  expect(w.controller.signal(get, params).value?.data).toBe(w.controller.entity(Todo, 1).value);
});

test.each<[string, unknown, unknown]>([
  ['a collection', new Collection([Todo]), []],
  ['a list', [Todo], []],
  ['an entity', User, undefined],
  [
    'an object',
    { results: [Todo], total: 0, next: '', who: User },
    { results: [], total: 0, next: '', who: undefined },
  ],
  ['nothing', undefined, undefined],
])('[C9] null arguments return the empty value of %s, with one reference', (_, schema, shape) => {
  const w = world();
  const get = w.read('get', schema);
  const { data } = w.controller.view(get, null).result.value;
  expect(data).toEqual(shape);
  expect(w.controller.signal(get.extend({}), null).value).toBe(data);
  expect(liveResult(w.controller.view(get, null)).value.data).toBe(data);
});

test('[N6] a response with a required nested member resolves waiting readers with the entity', async () => {
  const w = world();
  const get = w.read('get', Article);
  const view = w.controller.view(get, { id: 1 });
  const shown = watch(view.result);
  const live = watch(liveResult(view));
  void view.ensure(true);
  await w.call().answer({ id: 1, title: 'a', author: { id: 2, name: 'ada' } });
  expect(shown.seen.map(({ status }) => status)).toEqual(['pending', 'success']);
  expect(live.seen.map(({ status }) => status)).toEqual(['pending', 'success']);
  expect(shown.last.data?.author.name).toBe('ada');
});

test('[N17] a response with a declared query as schema resolves waiting readers with the query result', async () => {
  const w = world();
  const titles = new Query(new Collection([Todo]), { filter: ({ done }: Todo) => !done });
  const view = w.controller.view(w.read('list', titles), {});
  const shown = watch(view.result);
  void view.ensure(true);
  await w.call().answer([
    { id: 1, title: 'a' },
    { id: 2, title: 'b', done: true },
  ]);
  expect(shown.seen.map(({ status }) => status)).toEqual(['pending', 'success']);
  expect((shown.last.data as Todo[]).map(({ title }) => title)).toEqual(['a']);
});
