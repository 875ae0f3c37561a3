/** The store identifies an endpoint by its key, schema and policies; never by the function. */
import { Collection, Endpoint } from 'signalbox';
import { afterEach, expect, test, vi } from 'vitest';
import { Tag, Todo, User, wholeTodo, world } from '../setup/world.ts';

afterEach(() => void vi.restoreAllMocks());

test('[E1] arguments that differ only in the order of their members have one key', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => wholeTodo() });
  const todo = await w.controller.fetch(get, { id: 1, deep: { a: [1], b: 2 }, gone: undefined });
  expect(w.controller.signal(get, { deep: { b: 2, a: [1] }, id: 1 }).value).toBe(todo);
  expect(
    w.controller.getResponse(get, { deep: { b: 2, a: [2] }, id: 1 }).expiresAt,
  ).toBeGreaterThan(0);
  expect(get.key({ id: 1 })).not.toBe(get.key({ id: '1' }));
  expect(get.testKey(get.key({ id: 1 }))).toBe(true);
});

test('[E1] a direct call of an endpoint sends a request, and stores nothing', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  expect(await get({ id: 1 })).toEqual({ id: 1 });
  expect(w.calls).toHaveLength(1);
  expect(w.controller.entity(Todo, 1).value).toBeUndefined();
});

test('[E1] a plain function with a key and a schema can be fetched like an endpoint', async () => {
  const w = world();
  const plain = Object.assign(async () => ({ id: 1, name: 'Ada' }), {
    key: () => 'plain',
    schema: User,
  });
  const user = await w.controller.fetch(plain);
  expect(user).toBe(w.controller.entity(User, 1).value);
});

test('[E1] cyclic arguments, which have no key, reject and send nothing', async () => {
  const w = world();
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const get = w.read('get', Todo);
  await expect(w.controller.fetch(get, cyclic)).rejects.toThrow(/cyclic/);
  await expect((async () => w.controller.fetchIfStale(get, cyclic))()).rejects.toThrow(/cyclic/);
  expect(w.controller.fetchIfStale(get, cyclic).catch(() => {})).toBeInstanceOf(Promise);
  expect(w.calls).toHaveLength(0);
});

test('[E2] extend keeps the other options, and the store applies them', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }), dataExpiryLength: 5 });
  const longer = get.extend({ name: 'longer', errorExpiryLength: 7 });
  await w.controller.fetch(longer, { id: 1 });
  expect(w.controller.getResponse(longer, { id: 1 }).expiresAt).toBe(w.clock.now() + 5);
  expect(longer.errorExpiryLength).toBe(7);
  expect(get.errorExpiryLength).toBeUndefined();
});

test('[E2] a fetch passed to extend together with another schema can call the previous fetch', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  const wrapped = get.extend({
    name: 'wrapped',
    schema: { data: Todo, source: '' },
    async fetch(...args: unknown[]) {
      return { data: (await get.fetch(...args)) as object, source: 'there' };
    },
  });
  const { data, source } = await w.controller.fetch(wrapped, { id: 1 });
  expect([data, source]).toEqual([w.controller.entity(Todo, 1).value, 'there']);
});

test('[E4] endpoints with one key that are created for each call share one request and one view', async () => {
  const w = world();
  let sent = 0;
  const make = () =>
    new Endpoint(async ({ id }: { id: number }) => ({ id, n: sent++ }), {
      name: 'get',
      schema: Todo,
    });
  const first = w.controller.fetch(make(), { id: 1 });
  expect(w.controller.fetch(make(), { id: 1 })).toBe(first);
  await first;
  expect(w.controller.view(make(), { id: 1 })).toBe(w.controller.view(make(), { id: 1 }));
  expect(w.controller.view(make(), { id: 1 }).ensure(true)).toBeUndefined();
  expect(sent).toBe(1);
});

test('[E4] two schemas of different structure under one key log one E2 warning that names the key', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const w = world();
  const one = w.read('shared', { a: Todo }, { reply: () => ({ a: { id: 1 } }) });
  const two = w.read('shared', { b: [Tag] }, { reply: () => ({ b: [{ id: 1 }] }) });
  await w.controller.fetch(one, { id: 1 });
  await w.controller.fetch(two, { id: 1 }).catch(() => {});
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/E2.*shared.*key/));
});

test('[E4] schemas of equal structure under one key log no warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const w = world();
  const make = () =>
    w.read('alike', { data: new Collection([Todo]), total: 0 }, { reply: () => ({ data: [] }) });
  await w.controller.fetch(make(), { id: 1 });
  await w.controller.fetch(make(), { id: 1 });
  expect(warn).not.toHaveBeenCalled();
});
