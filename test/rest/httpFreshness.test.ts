/** How long a response is fresh, according to the cache headers; over real HTTP, on a stopped clock. */
import { createResource, RestEndpoint, httpCache } from 'signalbox';
import type { Controller, Policies } from 'signalbox';
import { expect, test } from 'vitest';
import { cachingServer, found, todoAt } from '../setup/cachingServer.ts';
import { collected } from '../setup/garbage.ts';
import { settled, Todo, User, wholeTodo } from '../setup/world.ts';
import type { StoppedClock } from '../setup/world.ts';

const params = { id: 1 };
const body = { id: 1, title: 'a' };
const CONDITION = '"id1titlea" ';

type Headers = Record<string, string>;

/** A component mounts, waits if necessary, renders, and stays or unmounts. */
async function mount(controller: Controller, get: ReturnType<typeof todoAt>) {
  const view = controller.view(get, params);
  for (let turn = 0; turn < 20; turn++) {
    const ready = view.ensure(true);
    if (ready === undefined) break;
    await ready;
  }
  const release = view.retain();
  view.revalidate();
  await settled();
  return { title: view.result.value.data?.title, release };
}

/** How long a response with these headers counts as fresh, ms. */
async function lifetime(headers: Headers, policies: Policies = {}): Promise<number> {
  const { controller, clock, address } = await cachingServer(body, headers);
  const get = todoAt(address).extend(policies);
  await controller.fetch(get, params);
  return controller.getResponse(get, params).expiresAt - clock.now();
}

const date = (seconds: number) => new Date(seconds * 1_000).toUTCString();

test.each<[string, Headers, number]>([
  ['no header', {}, 5_000],
  ['max-age', { 'cache-control': 'max-age=60' }, 60_000],
  ['max-age, less Age', { 'cache-control': 'max-age=60', age: '20' }, 40_000],
  ['an unreadable Age', { 'cache-control': 'max-age=60', age: 'x, 5' }, 60_000],
  ['the first of two Ages', { 'cache-control': 'max-age=60', age: '5, 9' }, 55_000],
  ['more Age than max-age', { 'cache-control': 'max-age=60', age: '90' }, -30_000],
  ['max-age=0', { 'cache-control': 'max-age=0, must-revalidate' }, 0],
  ['no-cache', { 'cache-control': 'max-age=60, no-cache' }, 0],
  ['no-store', { 'cache-control': 'max-age=60, no-store' }, 0],
  ['immutable', { 'cache-control': 'max-age=31536000, immutable' }, 31_536_000_000],
  ['private with s-maxage', { 'cache-control': 'private, max-age=60, s-maxage=5' }, 60_000],
  ['no directive of freshness', { 'cache-control': 'public, no-transform' }, 5_000],
  ['a malformed max-age', { 'cache-control': 'max-age=soon' }, 0],
  ['a negative max-age', { 'cache-control': 'max-age=-60' }, 0],
  ['a max-age of 400 digits', { 'cache-control': `max-age=${'9'.repeat(400)}` }, 2 ** 31 * 1e3],
  ['Expires', { expires: date(1_100), date: date(1_000) }, 100_000],
  ['Expires, less Age', { expires: date(1_100), date: date(1_000), age: '40' }, 60_000],
  ['Expires in the past', { expires: date(1_000), date: date(1_100) }, 0],
  ['Expires: 0', { expires: '0' }, 0],
  ['Expires: -1', { expires: '-1' }, 0],
  [
    'max-age before Expires',
    { expires: date(1_100), date: date(0), 'cache-control': 'max-age=1' },
    1_000,
  ],
])('[F6] cache headers take precedence over dataExpiryLength: %s', async (_, headers, expected) => {
  expect(await lifetime(headers, { dataExpiryLength: 5_000 })).toBe(expected);
});

test('[F6] with `http: false` cache headers change no freshness', async () => {
  expect(await lifetime({ 'cache-control': 'no-store' }, { http: false })).toBe(60_000);
});

test('[F6] a 304 sets the freshness by its own headers, and without headers by the first response', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'max-age=10' });
  const { controller, clock, address, log } = stage;
  const get = todoAt(address);
  const left = () => controller.getResponse(get, params).expiresAt - clock.now();
  await controller.fetch(get, params);
  stage.headers = {};
  await controller.fetch(get, params);
  expect(left()).toBe(10_000);
  stage.headers = { 'cache-control': 'max-age=20' };
  await controller.fetch(get, params);
  expect(left()).toBe(20_000);
  stage.headers = {};
  await controller.fetch(get, params);
  expect(left()).toBe(10_000);
  expect(log.slice(1)).toEqual(Array.from({ length: 3 }, () => `${CONDITION}304`));
});

test('[F6] entities have the freshness of their response', async () => {
  const stage = await cachingServer([wholeTodo()], { 'cache-control': 'max-age=30' });
  const { controller, clock, address } = stage;
  const { get, getList } = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
  });
  await controller.fetch(getList);
  const after = (ms: number) => (clock.advance(ms), found(stage, get, params));
  expect([after(30_000), after(1)]).toEqual(['valid', 'stale']);
});

test('[F6] a response with no-cache is shown, and refetched by each reader that mounts', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'no-cache' });
  const { controller, clock, address, log } = stage;
  const get = todoAt(address);
  const view = controller.view(get, params);
  await view.ensure(true);
  view.retain();
  view.revalidate();
  await settled();
  expect(log).toEqual(['200']);
  for (const comers of [1, 2, 3]) {
    clock.advance(1);
    expect(found(stage, get, params)).toBe('stale');
    view.revalidate();
    await controller.fetch(get, params);
    expect(log).toHaveLength(1 + comers);
  }
  expect(log.slice(1)).toEqual(Array.from({ length: 3 }, () => `${CONDITION}304`));
});

test.each([true, false, undefined])(
  '[F6] stale-while-revalidate limits how long data are stale before they are invalid (invalidIfStale: %s)',
  async (invalidIfStale) => {
    const headers = { 'cache-control': 'max-age=10, stale-while-revalidate=20' };
    const stage = await cachingServer(body, headers);
    const { controller, clock, address, log } = stage;
    const get = todoAt(address).extend({ invalidIfStale });
    await controller.fetch(get, params);
    const after = (ms: number) => (clock.advance(ms), found(stage, get, params));
    expect([after(10_000), after(1), after(19_999), after(1)]).toEqual([
      'valid',
      'stale',
      'stale',
      'invalid',
    ]);
    // mounted readers continue to show the data
    expect(controller.view(get, params).ensure(false)).toBeUndefined();
    await mount(controller, get);
    expect(log).toEqual(['200', `${CONDITION}304`]);
    expect([after(10_000), after(1)]).toEqual(['valid', 'stale']);
  },
);

test('[F6] without stale-while-revalidate, invalidIfStale decides whether expired data are stale or invalid', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'max-age=10, must-revalidate' });
  const { controller, clock, address } = stage;
  const get = todoAt(address);
  await controller.fetch(get, params);
  clock.advance(10_001);
  expect(found(stage, get, params)).toBe('stale');
  expect(found(stage, get.extend({ invalidIfStale: true }), params)).toBe('invalid');
});

test('[F6] a response with no-store is shown to its reader, and each reader that mounts sends one request', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'no-store' });
  const { controller, clock, address, log } = stage;
  const get = todoAt(address);
  const first = await mount(controller, get);
  expect([first.title, log.length]).toEqual(['a', 1]);
  clock.advance(1);
  expect(controller.view(get, params).ensure(false)).toBeUndefined();
  expect(found(stage, get, params)).toBe('invalid');
  const second = await mount(controller, get);
  expect([second.title, log]).toEqual(['a', ['200', '200']]);
});

/** A quarter of the default sweepAfter: until the next sweep has been through. */
function sweepOnce(clock: StoppedClock): void {
  for (let slice = 0; slice < 20; slice++) clock.advance(75_000 / 16);
}

test('[F6] a response with no-store is kept for mounted readers, and collected by the next sweep afterwards', async () => {
  const stage = await cachingServer(
    { ...body, author: { id: 7, name: 'Ada' } },
    { 'cache-control': 'no-store' },
    { sweepAfter: 300_000 },
  );
  const { controller, clock, address } = stage;
  const get = todoAt(address);
  const visit = async () => {
    const { release } = await mount(controller, get);
    for (let sweeps = 0; sweeps < 5; sweeps++) sweepOnce(clock);
    expect(controller.getResponse(get, params).data).toMatchObject({ author: { name: 'Ada' } });
    release();
  };
  await visit();
  await collected();
  sweepOnce(clock);
  expect(controller.get(User, { id: 7 })).toBeUndefined();
  expect(controller.getResponse(get, params).data).toBeUndefined();
});

test('[F6] a response with no-cache is not collected before its time', async () => {
  const { controller, clock, address } = await cachingServer(
    body,
    { 'cache-control': 'no-cache' },
    { sweepAfter: 300_000 },
  );
  const get = todoAt(address);
  await controller.fetch(get, params);
  sweepOnce(clock);
  sweepOnce(clock);
  expect(controller.getResponse(get, params).data).toMatchObject(body);
});

test('[F6] expireAll refetches mounted data with a condition', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'max-age=60' });
  const { controller, address, log } = stage;
  const get = todoAt(address);
  const view = controller.view(get, params);
  await view.ensure(true);
  view.retain();
  controller.expireAll(get);
  await stage.came(2);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', `${CONDITION}304`]);
  expect(found(stage, get, params)).toBe('valid');
});

test('[F6] focus refetches data that have expired by max-age, not by dataExpiryLength', async () => {
  const stage = await cachingServer(body, { 'cache-control': 'max-age=60' });
  const { controller, clock, page, address, log } = stage;
  const get = todoAt(address).extend({ dataExpiryLength: 1 });
  const view = controller.view(get, params);
  await view.ensure(true);
  view.retain();
  clock.advance(60_000);
  page.comeBack('focus');
  await settled();
  expect(log).toHaveLength(1);
  clock.advance(1);
  page.comeBack('focus');
  await stage.came(2);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', `${CONDITION}304`]);
});

test('[F6] a custom transport without headers changes no freshness', async () => {
  const own = new RestEndpoint({
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
    fetchResponse: () =>
      Promise.resolve(Response.json(body, { headers: { 'cache-control': 'no-store' } })),
  });
  const { controller, clock } = await cachingServer(body);
  await controller.fetch(own, params);
  expect(controller.getResponse(own, params).expiresAt).toBe(clock.now() + 60_000);
});
