/** The conditions for a 304 after other writes, own writes and invalidations; over real HTTP. */
import { createResource, RestEndpoint, httpCache } from 'signalbox';
import { expect, test } from 'vitest';
import { cachingServer, found, todoAt } from '../setup/cachingServer.ts';
import { settled, Todo, User, watch } from '../setup/world.ts';

const params = { id: 1 };
const body = { id: 1, title: 'a' };
const CONDITION = '"id1titlea" ';

test('[F6] a 304 after an invalidation restores the stored data with the same reference', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  const first = await controller.fetch(get, params);
  const reader = watch(controller.signal(get, params));
  controller.invalidate(get, params);
  expect([found(stage, get, params), reader.last]).toEqual(['invalid', undefined]);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', `${CONDITION}304`]);
  expect(reader.seen).toEqual([first, undefined, first]);
  expect(reader.last).toBe(first);
  expect(found(stage, get, params)).toBe('valid');
});

test('[F6] a 304 to a request issued before an invalidation leaves the key invalid', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  const first = await controller.fetch(get, params);
  const go = stage.hold();
  const second = controller.fetch(get, params);
  await stage.came(2);
  controller.invalidate(get, params);
  go();
  expect(await second).toBe(first);
  expect(log).toEqual(['200', `${CONDITION}304`]);
  expect(found(stage, get, params)).toBe('invalid');
  await controller.fetch(get, params);
  expect(found(stage, get, params)).toBe('valid');
});

// with a body, and without: the key is left as stale
test.each([
  [true, '"id1titlea" 304'],
  [false, '200'],
])(
  '[F6] a response to a request issued before an own write leaves the key stale (http: %s)',
  async (http, second) => {
    const stage = await cachingServer([body]);
    const { controller, clock, address, log } = stage;
    const policy = http && httpCache;
    const options = {
      urlPrefix: address,
      path: '/todos/:id',
      schema: Todo,
      http: policy,
    } as const;
    const { getList, partialUpdate } = createResource(options);
    await controller.fetch(getList);
    const go = stage.hold();
    const read = controller.fetch(getList);
    await stage.came(2);
    stage.body = { id: 1, title: 'mine' };
    await controller.fetch(partialUpdate, params, { title: 'mine' });
    const reader = watch(() => controller.signal(getList).value?.[0]?.title);
    go();
    expect(await read).toMatchObject([{ title: 'mine' }]);
    expect(log).toEqual(['200', second, '200']);
    clock.advance(1);
    expect(reader.seen).toEqual(['mine']);
    expect(found(stage, getList)).toBe('stale');
    stage.body = [stage.body];
    await controller.fetch(getList);
    expect(log.at(-1)).toBe('200');
    expect(found(stage, getList)).toBe('valid');
  },
);

test('[F6] after a push that changed the stored response, a refetch sends no ETag', async () => {
  const { controller, address, log } = await cachingServer(body);
  const get = todoAt(address);
  await controller.fetch(get, params);
  await controller.set(Todo, params, { title: 'pushed' });
  // the server has returned to the first value, with the same ETag
  expect(await controller.fetch(get, params)).toMatchObject({ title: 'a' });
  await controller.fetch(get, params);
  expect(log).toEqual(['200', '200', `${CONDITION}304`]);
});

test('[F6] a response that was partly replaced by a newer push is refetched without its ETag', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  const go = stage.hold();
  const first = controller.fetch(get, params);
  await stage.came(1);
  await controller.set(Todo, params, { title: 'pushed' });
  go();
  expect(await first).toMatchObject({ title: 'pushed' });
  expect(await controller.fetch(get, params)).toMatchObject({ title: 'a' });
  expect(log).toEqual(['200', '200']);
});

test('[F6] after a push of a nested entity of the response, a refetch sends no ETag', async () => {
  const nested = { id: 1, title: 'a', author: { id: 7, name: 'Ada' } };
  const { controller, address, log } = await cachingServer(nested);
  const get = todoAt(address);
  await controller.fetch(get, params);
  await controller.set(User, { id: 7 }, { name: 'Grace' });
  expect((await controller.fetch(get, params)).author).toMatchObject({ name: 'Ada' });
  await controller.set(User, { id: 8 }, { name: 'Emmy' });
  await controller.fetch(get, params);
  expect(log.map((line) => line.slice(-3))).toEqual(['200', '200', '304']);
});

test('[F6] another response with equal data leaves the ETag of the stored response valid', async () => {
  const stage = await cachingServer([body]);
  const { controller, address, log } = stage;
  const Todos = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
  });
  const list = await controller.fetch(Todos.getList);
  stage.body = body;
  await controller.fetch(Todos.get, params);
  stage.body = [body];
  expect(await controller.fetch(Todos.getList)).toBe(list);
  expect(log).toEqual(['200', '200', `${CONDITION}304`]);
});

test('[F6] a 304 whose stored response was changed meanwhile is followed by one full request', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  await controller.fetch(get, params);
  const go = stage.hold();
  const second = controller.fetch(get, params);
  await stage.came(2);
  await controller.set(Todo, params, { title: 'pushed' });
  const requests: number[] = [];
  controller.on('request', ({ id }) => requests.push(id));
  go();
  // the pushed data are newer than the request
  expect(await second).toMatchObject({ title: 'pushed' });
  expect(log).toEqual(['200', `${CONDITION}304`, '200']);
  expect(requests).toEqual([]);
});

test('[F6] a 304 to a request without a condition rejects', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const stubborn = todoAt(address).extend({
    getHeaders: (headers: HeadersInit) => ({ ...headers, 'x-none': 'x' }),
    async fetchResponse(this: RestEndpoint, input: RequestInfo | URL, init: RequestInit = {}) {
      if (log.length > 1) throw Object.assign(new Error('not modified'), { status: 304 });
      return RestEndpoint.prototype.fetchResponse.call(this, input, init);
    },
  });
  await controller.fetch(stubborn, params);
  await controller.set(Todo, params, { title: 'pushed' });
  await controller.fetch(stubborn, params);
  await expect(controller.fetch(stubborn, params)).rejects.toMatchObject({ status: 304 });
});

test('[F6] data removed by a sweep are fetched without conditions', async () => {
  const { controller, address, log } = await cachingServer(body);
  const get = todoAt(address);
  await controller.fetch(get, params);
  expect(controller.sweep()).toBe(0);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', '200']);
});

test('[F6] after a reset no ETag of an earlier response is sent', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  await controller.fetch(get, params);
  const reader = watch(controller.signal(get, params));
  const go = stage.hold();
  const second = controller.fetch(get, params);
  await stage.came(2);
  controller.reset();
  await expect(second).rejects.toMatchObject({ code: 'F3' });
  go();
  await settled();
  expect(reader.last).toBeUndefined();
  expect(await controller.fetch(get, params)).toMatchObject(body);
  expect(log).toEqual(['200', `${CONDITION}304`, '200']);
});

test('[F6] a read during an optimistic mutation of its row sends no ETag', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const { get, update } = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
    optimistic: true,
  });
  await controller.fetch(get, params);
  const reader = watch(() => controller.signal(get, params).value?.title);
  const go = stage.hold(2);
  const write = controller.fetch(update, params, { id: 1, title: 'mine' });
  await stage.came(1);
  expect(reader.last).toBe('mine');
  const read = controller.fetch(get, params);
  await stage.came(3);
  go();
  await Promise.all([read, write]);
  expect(log).toEqual(['200', '200', '200']);
});

test('[F6] a page of a list is renewed by its own 304, and the list does not change', async () => {
  const stage = await cachingServer([body]);
  const { controller, address, log } = stage;
  const { getList } = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'page',
    http: httpCache,
  });
  await controller.fetch(getList);
  stage.body = [{ id: 2, title: 'b' }];
  await controller.fetch(getList.getPage, { page: 2 });
  const list = watch(controller.signal(getList));
  await controller.fetch(getList.getPage, { page: 2 });
  expect(list.seen.map((rows) => rows?.map(({ title }) => title))).toEqual([['a', 'b']]);
  expect(log).toEqual(['200', '200', '"id2titleb" 304']);
});

test('[F6] a 304 restarts the expiry for readers that mount later', async () => {
  const stage = await cachingServer(body);
  const { controller, clock, address } = stage;
  const get = todoAt(address).extend({ dataExpiryLength: 1_000 });
  const after = (ms: number) => (clock.advance(ms), found(stage, get, params));
  await controller.fetch(get, params);
  expect([after(1_000), after(1)]).toEqual(['valid', 'stale']);
  await controller.fetch(get, params);
  expect([after(1_000), after(1)]).toEqual(['valid', 'stale']);
});
