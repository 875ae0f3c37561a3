/** Counts objects that a request creates only on demand. */
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  RestEndpoint,
  transaction,
} from 'signalbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settled, Todo, world } from '../setup/world.ts';

/** How many AbortControllers are made from now on. */
function countSignals(): () => number {
  let made = 0;
  class Counted extends AbortController {
    constructor() {
      super();
      made++;
    }
  }
  vi.stubGlobal('AbortController', Counted);
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => made;
}

const blind = new Endpoint(() => Promise.resolve(1), { name: 'blind' });

test('[F3] a request whose signal is never read creates no AbortController', async () => {
  const made = countSignals();
  const { controller } = world();
  await controller.fetch(blind);
  expect(made()).toBe(0);
  const looking = blind.extend({
    name: 'looking',
    fetch(this: { signal?: AbortSignal }) {
      expect(this.signal?.aborted).toBe(false);
      return Promise.resolve(2);
    },
  });
  await controller.fetch(looking);
  expect(made()).toBe(1);
});

test('[F3] a mutation has a signal only with a timeout or in a transaction', async () => {
  const made = countSignals();
  const { controller } = world();
  const signals: unknown[] = [];
  const save = blind.extend({
    sideEffect: true,
    fetch(this: { signal?: AbortSignal }) {
      signals.push(this.signal?.aborted);
      return Promise.resolve(2);
    },
  });
  await controller.fetch(save);
  await controller.fetch(save.extend({ timeout: 1_000 }));
  await transaction(controller, ({ fetch }) => fetch(save));
  expect(signals).toEqual([undefined, false, false]);
  expect(made()).toBe(2);
});

const resource = createResource({ path: '/todos/:id', schema: Todo });

test('[F3] a rest endpoint sends the signal of a read, and of a mutation that can be aborted', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, { method, signal }: RequestInit) => {
    sent.push(`${method} ${url} ${signal?.aborted}`);
    return Promise.resolve(Response.json({ id: 1 }));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { controller } = world();
  const { partialUpdate } = resource;
  const { signal } = new AbortController();
  await controller.fetch(resource.get, { id: 1 });
  await controller.fetch(partialUpdate, { id: 1 }, {});
  await controller.fetch(partialUpdate.extend({ signal }), { id: 1 }, {});
  expect(sent).toEqual(['GET /todos/1 false', 'PATCH /todos/1 undefined', 'PATCH /todos/1 false']);
});

test('[E2] `this` in a custom fetch has the options of the endpoint, and may be extended', async () => {
  const { controller } = world();
  const seen: unknown[] = [];
  const get = resource.get.extend({
    extra: 'mine',
    fetch({ id }) {
      seen.push(this.extra, this.method, this.url({ id: 7 }));
      const twin = this.extend({ method: 'QUERY' });
      seen.push(twin.method, twin.extra, twin.signal === this.signal, twin.path);
      return Promise.resolve({ id });
    },
  });
  await controller.fetch(get, { id: 1 });
  expect(seen).toEqual(['mine', 'GET', '/todos/7', 'QUERY', 'mine', true, '/todos/:id']);
});

test('[E1] `this` in a custom fetch is the endpoint: it can be called and spread, and has a signal only in a read', async () => {
  const { controller } = world();
  const urls: string[] = [];
  const signals = new Set<AbortSignal | null | undefined>();
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    urls.push(url);
    signals.add(signal);
    return Promise.resolve(Response.json([url]));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const searchParams: { page?: number } = {};
  const plain = new RestEndpoint({
    path: '/todos',
    urlPrefix: 'http://h',
    searchParams,
  });
  const pages = plain.extend({
    name: 'pages',
    async fetch(params) {
      const first: unknown = await plain.fetch.call(this, params);
      if (params?.page !== undefined) return first;
      const other = new RestEndpoint({ ...this, path: '/others' });
      expect(this).toBeInstanceOf(RestEndpoint);
      return [first, await this({ page: 1 }), other.url()];
    },
  });
  const whole = [['http://h/todos'], ['http://h/todos?page=1'], 'http://h/others'];
  expect(await controller.fetch(pages)).toEqual(whole);
  expect(await pages()).toEqual(whole);
  expect(urls).toHaveLength(4);
  expect([...signals].map((signal) => signal?.aborted)).toEqual([false, undefined]);
});

test('[F3] an endpoint stored during a request does not have the abort signal of that request', async () => {
  const { controller } = world();
  const list = new RestEndpoint({
    path: '/todos',
    schema: new Collection([Todo]),
    fetch() {
      return Promise.resolve([this.push, this.signal].slice(2));
    },
  });
  await controller.fetch(list);
  expect(list.push.signal).toBe(undefined);
});

test('[F1] the key of a mutation is computed only if events have listeners', async () => {
  let made = 0;
  const save = new Endpoint((params: { id: number }) => Promise.resolve(params), {
    name: 'save',
    schema: Todo,
    sideEffect: true,
    key: ({ id }) => `save ${++made} ${id}`,
  });
  const { controller } = world();
  await controller.fetch(save, { id: 1 });
  expect(made).toBe(0);
  const keys: unknown[] = [];
  controller.on('request', ({ key }) => void keys.push(key));
  controller.on('commit', ({ key }) => void keys.push(key));
  await controller.fetch(save, { id: 2 });
  expect(keys).toEqual(['save 1 2', 'save 1 2']);
});

test('[R1] a mutation without a required path param rejects with R1 and its endpoint, and sends nothing', async () => {
  const controller = new Controller();
  const told: unknown[] = [];
  controller.on('request', ({ key }) => void told.push(key));
  controller.on('error', ({ key, error }) => void told.push(key, error));
  const sent = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', sent);
  onTestFinished(() => void vi.unstubAllGlobals());
  const error: unknown = await controller
    .fetch(resource.update, {} as { id: number }, { title: 'mine' })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'R1', endpoint: 'PUT /todos/:id', status: 400 });
  expect(told).toEqual(['PUT /todos/:id', 'PUT /todos/:id', error]);
  expect(sent).not.toHaveBeenCalled();
});

test('[F2] a response is stored in the first microtask after it arrives', async () => {
  const w = world();
  const update = w.mutation('update', Todo);
  const done = w.controller.fetch(update, { id: 1 }, { title: 'mine' });
  void w.call().answer({ id: 1, title: 'mine' });
  expect(w.controller.get(Todo, { id: 1 })).toBeUndefined();
  await Promise.resolve();
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('mine');
  await done;
  await settled();
});
