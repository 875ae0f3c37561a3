/** The state after a failed request, and the events that clear the failure. */
import { Collection } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { Todo, refusal, refused, watch, wholeTodo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

/** A key with data (unless `empty`), and a next request that fails with `status`. */
async function failing(status: number | undefined, options: object = {}, empty = false) {
  const w = world();
  const get = w.read('get', Todo, options);
  const params = { id: 1 };
  if (!empty) await answered(w, get, { id: 1, title: 'a' });
  const error = refusal(status);
  const caught = w.controller.fetch(get, params).catch((reason: unknown) => reason);
  await w.call().fail(error);
  expect(await caught).toBe(error);
  return { w, get, params, error, view: w.controller.view(get, params) };
}

async function answered(w: World, get: ReturnType<World['read']>, answer: unknown): Promise<void> {
  const fetched = w.controller.fetch(get, { id: 1 });
  await w.call().answer(answer);
  await fetched;
}

test.each([500, 503, undefined])(
  '[C7] a refetch that fails with status %s keeps the data, and stores the error',
  async (status) => {
    const { view, w, get, params, error } = await failing(status);
    expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
    expect(w.controller.getError(get, params)).toBe(error);
    expect(w.controller.signal(get, params).value?.title).toBe('a');
  },
);

test.each([400, 401, 404, 422, 499])(
  '[C7] a refetch that fails with status %s returns the error to readers, although data are stored',
  async (status) => {
    const { view, w, get, params, error } = await failing(status);
    expect(view.result.value).toEqual({ status: 'error', data: undefined, error });
    expect(w.controller.getResponse(get, params)).toMatchObject({ error });
    expect(w.controller.entity(Todo, 1).value?.title).toBe('a');
  },
);

test.each([404, 500, undefined])(
  '[C7] a failure with status %s without stored data is returned to readers',
  async (status) => {
    const { view, error } = await failing(status, {}, true);
    expect(view.result.value).toEqual({ status: 'error', data: undefined, error });
    expect(view.ensure(true)).toBeUndefined();
  },
);

test('[C7] errorPolicy of the endpoint decides whether readers get the data or the error', async () => {
  const soft = await failing(404, { errorPolicy: () => 'soft' });
  expect(soft.view.result.value.status).toBe('success');
  const hard = await failing(500, { errorPolicy: () => 'hard' });
  expect(hard.view.result.value.status).toBe('error');
  const open = await failing(500, { errorPolicy: () => undefined });
  expect(open.view.result.value.status).toBe('success');
});

test('[E3] policies of an endpoint take precedence over policies of the controller', async () => {
  const w = world({ errorPolicy: () => 'hard', errorExpiryLength: 5, dataExpiryLength: 10 });
  const wide = w.read('wide', Todo, { reply: () => ({ id: 1 }) });
  const narrow = wide.extend({ name: 'narrow', dataExpiryLength: 20, errorPolicy: () => 'soft' });
  for (const endpoint of [wide, narrow]) await w.controller.fetch(endpoint, { id: 1 });
  const expiries = [wide, narrow].map((get) => w.controller.getResponse(get, { id: 1 }).expiresAt);
  expect(expiries.map((at) => at - w.clock.now())).toEqual([10, 20]);
  for (const endpoint of [wide, narrow])
    void w.controller.setError(endpoint, { id: 1 }, refusal(500));
  const shown = [wide, narrow].map((get) => w.controller.view(get, { id: 1 }).result.value.status);
  expect(shown).toEqual(['error', 'success']);
});

test('[E3] by default data expire after one minute, and errors after one second', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  await w.controller.fetch(get, { id: 1 });
  expect(w.controller.getResponse(get, { id: 1 }).expiresAt).toBe(w.clock.now() + 60_000);
  const { w: other, view } = await failing(404, {}, true);
  other.clock.advance(1_000);
  expect(view.ensure(true)).toBeUndefined();
  other.clock.advance(1);
  expect(view.ensure(true)).toBeInstanceOf(Promise);
});

test.each([
  ['soft', 500],
  ['hard', 404],
])(
  '[C7] a key with a %s error sends no request before the error has expired',
  async (_, status) => {
    const { w, view } = await failing(status, { errorExpiryLength: 50 });
    view.revalidate();
    expect([view.ensure(true), w.calls.length]).toEqual([undefined, 2]);
    w.clock.advance(51);
    void view.ensure(true);
    view.revalidate();
    // the data of the soft error are still fresh: nothing to fetch
    expect(w.calls).toHaveLength(status === 404 ? 3 : 2);
  },
);

test('[C7] a reader that is retried after a hard error has expired sends a new request', async () => {
  const { w, view } = await failing(404);
  w.clock.advance(1_001);
  const ready = view.ensure(true);
  expect(ready).toBeInstanceOf(Promise);
  await w.call().answer({ id: 1, title: 'b' });
  await ready;
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'b' } });
});

test.each([404, 500])('[C7] success clears an error of status %s', async (status) => {
  const { w, get, params, view } = await failing(status);
  const watcher = watch(view.result);
  await answered(w, get, { id: 1, title: 'a' });
  expect(w.controller.getError(get, params)).toBeUndefined();
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
  expect(watcher.runs).toBe(status === 404 ? 2 : 1);
});

test('[C7] success clears an invalidation', async () => {
  const { w, get, params, view } = await failing(500);
  w.controller.invalidate(get, params);
  expect(view.result.value.status).toBe('pending');
  await answered(w, get, { id: 1, title: 'a' });
  expect(view.result.value.status).toBe('success');
  expect(view.ensure(true)).toBeUndefined();
});

test('[C7] a reader of an invalidated key with a soft error suspends, and sends a request', async () => {
  const { w, get, params, view } = await failing(500);
  w.controller.invalidate(get, params);
  expect(view.ensure(true)).toBeInstanceOf(Promise);
  expect(w.calls).toHaveLength(3);
});

test('[C7] a failure of a request issued before the stored response rejects its caller, and is not stored', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const older = w.controller.fetch(get, { id: 1 }).catch((error: unknown) => error);
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'pushed' });
  await w.call().fail(refusal(404));
  expect(await older).toBeInstanceOf(Error);
  expect(w.controller.view(get, { id: 1 }).result.value).toMatchObject({ status: 'success' });
});

test('[C7] a failed key does not affect other keys with the same entity', async () => {
  const { w } = await failing(404);
  const list = w.read('list', new Collection([Todo]), { reply: () => [{ id: 1 }] });
  await w.controller.fetch(list, {});
  expect(w.controller.view(list, {}).result.value.status).toBe('success');
});

const thrower = () => {
  throw new TypeError('no such member');
};

test.each<[string, object, object]>([
  ['an endpoint', {}, { errorPolicy: thrower }],
  ['a controller', { errorPolicy: thrower }, {}],
])(
  '[C7] an errorPolicy of %s that throws logs one E8 warning, and the default policy decides',
  async (of, wide, own) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const w = world(wide);
    const get = w.read(`get of ${of}`, Todo, own);
    const failed: Error[] = [];
    w.controller.on('error', ({ error }) => void failed.push(error));
    const [soft, hard] = [refusal(500), refusal(404)];
    for (const [params, error] of [[{ id: 1 }, soft] as const, [{ id: 2 }, hard] as const]) {
      await w.controller.set(Todo, wholeTodo(params));
      const caught = refused(w.controller.fetch(get, params));
      await w.call().fail(error);
      expect(await caught).toBe(error);
      expect(w.controller.getError(get, params)).toBe(error);
    }
    expect(failed).toEqual([soft, hard]);
    const states = [1, 2].map((id) => w.controller.view(get, { id }).result.value.status);
    expect(states).toEqual(['success', 'error']);
    expect(warn.mock.calls.map(String)).toEqual([
      expect.stringMatching(/E8.*get of a.*no such member/),
    ]);
    warn.mockRestore();
  },
);
