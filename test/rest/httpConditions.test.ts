/** Stored responses are revalidated by their validators, and a 304 renews them; over real HTTP. */
import { Controller, createResource, RestEndpoint, httpCache, subscribe } from 'signalbox';
import { expect, test } from 'vitest';
import { cachingServer, found, todoAt } from '../setup/cachingServer.ts';
import { serve } from '../setup/server.ts';
import { refused, Todo, watch } from '../setup/world.ts';

const params = { id: 1 };
const body = { id: 1, title: 'a' };
const ETAG = '"id1titlea"';

test('[F6] a refetch sends the ETag of the stored response, and a 304 renews the expiry without a write', async () => {
  const { controller, clock, address, log, commits } = await cachingServer(body);
  const get = todoAt(address);
  const first = await controller.fetch(get, params);
  const reader = watch(controller.signal(get, params));
  clock.advance(60_001);
  const { expiresAt } = controller.getResponse(get, params);
  expect(await controller.fetch(get, params)).toBe(first);
  expect(log).toEqual(['200', `${ETAG} 304`]);
  expect(commits.map(({ cause, written, writes }) => [cause, written, writes.length])).toEqual([
    ['answer', 0, 1],
    ['answer', 0, 0],
  ]);
  expect(reader.runs).toBe(1);
  expect(controller.getResponse(get, params)).toEqual({
    data: first,
    error: undefined,
    expiresAt: expiresAt + 60_001,
  });
});

test('[F6] a changed response is stored, and the next refetch sends its new ETag', async () => {
  const stage = await cachingServer(body);
  const { controller, address, log } = stage;
  const get = todoAt(address);
  await controller.fetch(get, params);
  stage.body = { id: 1, title: 'b' };
  expect(await controller.fetch(get, params)).toMatchObject({ title: 'b' });
  await controller.fetch(get, params);
  expect(log).toEqual(['200', `${ETAG} 200`, '"id1titleb" 304']);
});

test('[F6] a refetch of a response without an ETag sends If-Modified-Since', async () => {
  const { controller, address, log } = await cachingServer(body, {}, { modified: true });
  const get = todoAt(address);
  await controller.fetch(get, params);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', 'Thu, 01 Jan 2026 00:00:00 GMT 304']);
});

test.each(['W/"weak"', '"with, a comma"', 'unquoted', 'ÿ'])(
  '[F6] the ETag is sent as received: %s',
  async (etag) => {
    const server = await serve(({ headers }) => {
      const known = headers['if-none-match'] === etag;
      return known ? { status: 304 } : { headers: { etag }, body };
    });
    const controller = new Controller();
    const first = await controller.fetch(todoAt(server.address), params);
    expect(await controller.fetch(todoAt(server.address), params)).toBe(first);
    expect(server.last.headers['if-none-match']).toBe(etag);
  },
);

test('[F6] an endpoint with `http: false` sends no conditions, and a 304 without a condition rejects with R7', async () => {
  const { controller, address, log } = await cachingServer(body);
  const get = todoAt(address).extend({ http: false });
  await controller.fetch(get, params);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', '200']);
  const mute = await serve({ status: 304 });
  const caught = await refused(new Controller().fetch(todoAt(mute.address), params));
  expect(caught).toMatchObject({ code: 'R7', status: 304 });
});

test('[F6] the policy `http` can be set on the controller, and a resource can turn the policy off', async () => {
  const { address, log, controller } = await cachingServer([body], {}, { http: httpCache });
  const options = { urlPrefix: address, path: '/todos/:id', schema: Todo } as const;
  const { getList } = createResource(options);
  const { getList: plain } = createResource({ ...options, http: false });
  await controller.fetch(getList);
  await controller.fetch(getList);
  await controller.fetch(plain, { plain: true });
  await controller.fetch(plain, { plain: true });
  expect(log).toEqual(['200', '"id1titlea" 304', '200', '200']);
});

test('[F6] mutations and reads by POST send no conditions', async () => {
  const { controller, address, log } = await cachingServer(body);
  const Todos = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
  });
  const search = Todos.get.extend({ method: 'POST', sideEffect: undefined, body: {} });
  await controller.fetch(Todos.get, params);
  await controller.fetch(search, params, {});
  await controller.fetch(search, params, {});
  await controller.fetch(Todos.update, params, body);
  await controller.fetch(Todos.partialUpdate, params, body);
  expect(log).toEqual(['200', '200', '200', '200', '200']);
});

test('[F6] a 304 notifies no mounted reader and keeps the same data', async () => {
  const stage = await cachingServer(body);
  const { controller, clock, address, log } = stage;
  const get = todoAt(address);
  await controller.fetch(get, params);
  const view = controller.view(get, params);
  let told = 0;
  view.listen(() => told++);
  view.retain();
  clock.advance(60_001);
  controller.expireAll(get);
  await controller.fetch(get, params);
  expect([log, told]).toEqual([['200', `${ETAG} 304`], 0]);
  expect(found(stage, get, params)).toBe('valid');
});

test('[F6] a 304 clears the stored error of its key', async () => {
  let broken = false;
  const server = await serve(({ headers }) => {
    if (broken) return { status: 500 };
    return headers['if-none-match'] === '"1"'
      ? { status: 304 }
      : { headers: { etag: '"1"' }, body };
  });
  const controller = new Controller({ retry: 0 });
  const get = todoAt(server.address);
  await controller.fetch(get, params);
  broken = true;
  await refused(controller.fetch(get, params));
  expect(controller.getError(get, params)).toMatchObject({ status: 500 });
  broken = false;
  await controller.fetch(get, params);
  expect(controller.getError(get, params)).toBeUndefined();
});

test('[F6] polling with 304 responses writes nothing and notifies no reader, and a changed response is stored', async () => {
  const stage = await cachingServer([body, { id: 2, title: 'b' }]);
  const { controller, clock, address, log, commits } = stage;
  const { getList } = createResource({
    urlPrefix: address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
    pollFrequency: 1_000,
  });
  await controller.fetch(getList);
  const list = watch(controller.signal(getList));
  subscribe(controller, getList);
  for (let polls = 1; polls <= 5; polls++) {
    clock.advance(1_000);
    await stage.came(polls + 1);
    await controller.fetch(getList);
  }
  expect(log.slice(1).every((line) => line.endsWith(' 304'))).toBe(true);
  expect(commits.slice(1).map(({ written }) => written)).toEqual([0, 0, 0, 0, 0]);
  expect(list.runs).toBe(1);
  stage.body = [body];
  clock.advance(1_000);
  await controller.fetch(getList);
  expect(list.last).toHaveLength(1);
});

test('[F6] overridden steps of a request run for a 200, and a 304 runs no step after fetchResponse', async () => {
  const { controller, address, log } = await cachingServer(body);
  const steps: string[] = [];
  const step = <T>(name: string, value: T): T => (steps.push(name), value);
  class Own<O extends { path: string } = any> extends RestEndpoint<O> {
    override async fetchResponse(input: RequestInfo | URL, init?: RequestInit) {
      return step('fetchResponse', await super.fetchResponse(input, init));
    }
    override async parseResponse(response: Response) {
      return step('parseResponse', (await super.parseResponse(response)) as unknown);
    }
    override process(value: { title: string }) {
      return step('process', { ...value, title: value.title.toUpperCase() });
    }
  }
  const get = new Own({ urlPrefix: address, path: '/todos/:id', schema: Todo, http: httpCache });
  const first = await controller.fetch(get, params);
  expect(first).toMatchObject({ title: 'A' });
  expect(await controller.fetch(get, params)).toBe(first);
  expect([log, steps]).toEqual([
    ['200', `${ETAG} 304`],
    ['fetchResponse', 'parseResponse', 'process'],
  ]);
});

test('[F6] a custom fetch that reads the headers of the response is renewed by a 304 with its envelope', async () => {
  const { controller, address, log } = await cachingServer([body], { link: '</todos?page=2>' });
  const getList = new RestEndpoint({
    urlPrefix: address,
    path: '/todos',
    schema: { link: '', results: [Todo] },
    http: httpCache,
    async fetch(this: RestEndpoint) {
      const response = await this.fetchResponse(this.url(), await this.getRequestInit());
      return { link: response.headers.get('link'), results: (await response.json()) as unknown };
    },
  });
  const first = await controller.fetch(getList);
  expect(first).toMatchObject({ link: '</todos?page=2>', results: [{ title: 'a' }] });
  expect(await controller.fetch(getList)).toBe(first);
  expect(log).toEqual(['200', '"id1titlea" 304']);
});

test('[F6] a custom fetch with several requests sends no conditions', async () => {
  const { controller, address, log } = await cachingServer({ n: 1 });
  const both = new RestEndpoint({
    urlPrefix: address,
    path: '/sum',
    http: httpCache,
    async fetch(this: RestEndpoint) {
      const ask = async (url: string) =>
        (await this.fetchResponse(url, await this.getRequestInit())).json();
      const answers = [await ask(`${address}/a`), await ask(`${address}/b`)] as { n: number }[];
      return answers.reduce((sum, { n }) => sum + n, 0);
    },
  });
  expect(await controller.fetch(both)).toBe(2);
  expect(await controller.fetch(both)).toBe(2);
  expect(log).toEqual(['200', '200', '200', '200']);
});

test('[F6] the ETag is sent only to the address of its response', async () => {
  const { controller, address, log } = await cachingServer(body);
  let at = 'a';
  const get = todoAt(address).extend({ url: () => `${address}/${at}`, key: () => 'todo' });
  await controller.fetch(get, params);
  at = 'b';
  await controller.fetch(get, params);
  await controller.fetch(get, params);
  expect(log).toEqual(['200', '200', `${ETAG} 304`]);
});

test.each(['If-None-Match', 'if-modified-since'])(
  '[F6] a condition %s of getHeaders is sent alone, and its 304 rejects',
  async (name) => {
    const own = name === 'If-None-Match' ? '"mine"' : 'Thu, 01 Jan 2026 00:00:00 GMT';
    const server = await serve(({ headers }) =>
      headers[name.toLowerCase()] === own ? { status: 304 } : { headers: { etag: '"1"' }, body },
    );
    const controller = new Controller();
    const get = todoAt(server.address);
    await controller.fetch(get, params);
    const mine = get.extend({
      getHeaders: (headers: HeadersInit) => ({ ...headers, [name]: own }),
    });
    expect(await refused(controller.fetch(mine, params))).toMatchObject({ status: 304 });
    const sent = server.last.headers;
    expect([sent['if-none-match'], sent['if-modified-since']].filter(Boolean)).toEqual([own]);
  },
);

test('[F6] a response without a schema is renewed by a 304', async () => {
  const { controller, address, log } = await cachingServer('plain text');
  const get = new RestEndpoint({ urlPrefix: address, path: '/motd', http: httpCache });
  expect(await controller.fetch(get)).toBe('plain text');
  expect(await controller.fetch(get)).toBe('plain text');
  expect(log).toEqual(['200', '"plaintext" 304']);
});
