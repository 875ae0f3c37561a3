/** Deduplication of requests, and the value of their promise. */
import { Collection, Delete, Endpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, refusal, refused, watch, world } from '../setup/world.ts';

test('[F1] concurrent reads of one key share one request and one promise', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const first = w.controller.fetch(get, { id: 1, x: 2 });
  const same = w.controller.fetch(get.extend({}), { x: 2, id: 1 });
  expect(same).toBe(first);
  const ready = w.controller.view(get, { id: 1, x: 2 }).ensure(true);
  w.controller.prefetch(get, { id: 1, x: 2 });
  expect(w.log).toEqual(['get {"id":1,"x":2}']);
  await w.call().answer({ id: 1 });
  await ready;
  expect(await first).toBe(await same);
  expect(w.calls).toHaveLength(1);
});

test('[F1] a read after the former request has settled sends a new request with a new promise', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  const first = w.controller.fetch(get, { id: 1 });
  await first;
  expect(w.controller.fetch(get, { id: 1 })).not.toBe(first);
  expect(w.calls).toHaveLength(2);
});

test('[F1] a read after the former request has failed sends a new request', async () => {
  const w = world();
  const get = w.read('get', Todo);
  for (const status of [404, 500, undefined]) {
    const caught = refused(w.controller.fetch(get, { id: 1 }));
    await w.call().fail(refusal(status));
    await caught;
  }
  expect(w.calls).toHaveLength(3);
});

test('[F1] reads of different keys are different requests', () => {
  const w = world();
  const get = w.read('get', Todo);
  void w.controller.fetch(get, { id: 1 });
  void w.controller.fetch(get, { id: '1' });
  void w.controller.fetch(get, { id: 2 });
  void w.controller.fetch(w.read('other', Todo), { id: 1 });
  expect(w.calls).toHaveLength(4);
});

test('[F1] two mutations with equal arguments are both sent', () => {
  const w = world();
  const create = w.mutation('create', Todo);
  const promises = [1, 2].map(() => w.controller.fetch(create, { title: 'a' }));
  expect(promises[0]).not.toBe(promises[1]);
  expect(w.calls).toHaveLength(2);
});

test('[F1] the promise of a view is the same until the request is settled', async () => {
  const w = world();
  const view = w.controller.view(w.read('get', Todo), { id: 1 });
  const ready = view.ensure(true);
  expect(ready).toBeInstanceOf(Promise);
  expect(view.ensure(true)).toBe(ready);
  expect(view.ensure(false)).toBe(ready);
  expect(view.ready).toBe(ready);
  await w.call().answer({ id: 1 });
  expect(await ready).toBeUndefined();
  expect(view.ensure(true)).toBeUndefined();
  expect(w.calls).toHaveLength(1);
});

test('[F1] the promise of a view does not reject, the error is in the result', async () => {
  const w = world();
  const view = w.controller.view(w.read('get', Todo), { id: 1 });
  const ready = view.ensure(true);
  const error = refusal(404);
  await w.call().fail(error);
  await expect(ready).resolves.toBeUndefined();
  expect(view.result.value).toEqual({ status: 'error', data: undefined, error });
});

test('[F2] fetch resolves with the reference that readers see', async () => {
  const w = world();
  const list = w.read('list', new Collection([Todo]), { reply: () => [{ id: 1 }] });
  const rows = await w.controller.fetch(list, {});
  expect(rows).toBe(w.controller.signal(list, {}).value);
  expect(rows).toBe(w.controller.get(list.schema, {}));
  expect(rows[0]).toBe(w.controller.entity(Todo, 1).value);
  const page = w.read('page', { data: [Tag], next: '' }, { reply: () => ({ data: [{ id: 1 }] }) });
  const shown = await w.controller.fetch(page, {});
  expect(shown).toBe(w.controller.signal(page, {}).value);
});

test('[F2] a mutation resolves with the reference that readers have', async () => {
  const w = world();
  const update = w.mutation('update', Todo, { reply: () => ({ id: 1, author: { id: 2 } }) });
  const todo = await w.controller.fetch(update, { id: 1 }, { title: 'a' });
  expect(todo).toBe(w.controller.entity(Todo, 1).value);
  expect(todo.author).toBe(w.controller.entity(User, 2).value);
});

test('[F2] a deletion resolves with the response', async () => {
  const w = world();
  const remove = w.mutation('delete', new Delete(Todo), { reply: () => ({ ok: true }) });
  expect(await w.controller.fetch(remove, { id: 1 })).toEqual({ ok: true });
});

test('[F2] readers are notified before fetch resolves, both before the next timer', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const order: string[] = [];
  const fetched = w.controller.fetch(get, { id: 1 }).then(() => order.push('resolved'));
  watch(() => order.push(`read ${w.controller.entity(Todo, 1).value?.title}`));
  void w.call().answer({ id: 1, title: 'a' });
  const timer = new Promise((resolve) => void setTimeout(resolve)).then(() => order.push('timer'));
  await Promise.all([fetched, timer]);
  expect(order).toEqual(['read undefined', 'read a', 'resolved', 'timer']);
});

test('[F2] fetch rejects with the error that the store has recorded', async () => {
  const w = world();
  const get = w.read('get', Todo);
  for (const wrong of [refusal(404), refusal(), 'text', undefined]) {
    const caught = w.controller.fetch(get, { id: 1 }).catch((error: unknown) => error);
    await w.call().fail(wrong);
    expect(await caught).toBeInstanceOf(Error);
    expect(await caught).toBe(w.controller.getError(get, { id: 1 }));
    expect(String(await caught)).toContain(String(wrong));
    w.controller.invalidate(get, { id: 1 });
  }
});

test('[F2] a fetch of an endpoint that throws synchronously rejects, and stores the error', async () => {
  const w = world();
  const broken = new Endpoint((): Promise<unknown> => {
    throw new Error('at once');
  });
  await expect(w.controller.fetch(broken)).rejects.toThrow('at once');
  expect(w.controller.getError(broken)?.message).toBe('at once');
});

test('[F2] a failed mutation rejects and changes nothing', async () => {
  const w = world();
  const update = w.mutation('update', Todo);
  const watcher = watch(w.controller.entity(Todo, 1));
  const error = refusal(400);
  const caught = refused(w.controller.fetch(update, { id: 1 }));
  await w.call().fail(error);
  expect(await caught).toBe(error);
  expect(watcher.runs).toBe(1);
});

test('[O10] one response is one commit', async () => {
  const w = world();
  const commits: unknown[] = [];
  w.controller.on('commit', ({ cause, key }) => commits.push([cause, key]));
  const list = w.read('list', [Todo], { reply: () => [{ id: 1, author: { id: 1 } }, { id: 2 }] });
  await w.controller.fetch(list, {});
  expect(commits).toEqual([['answer', list.key({})]]);
});

test('[F5] fetchIfStale sends only if the stored data are not fresh', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  const first = await w.controller.fetchIfStale(get, { id: 1 });
  expect(await w.controller.fetchIfStale(get, { id: 1 })).toBe(first);
  expect(w.calls).toHaveLength(1);
  w.clock.advance(60_001);
  await w.controller.fetchIfStale(get, { id: 1 });
  expect(w.calls).toHaveLength(2);
});

test('[F3] an abort by the signal of the caller stores no error', async () => {
  const w = world();
  const abort = new AbortController();
  const get = w.read('get', Todo);
  const fetched = w.controller.fetch(get.extend({ signal: abort.signal }), { id: 1 });
  const caught = refused(fetched);
  abort.abort();
  expect(await caught).toMatchObject({ name: 'AbortError' });
  expect(w.call().signal?.aborted).toBe(true);
  expect(w.controller.getError(get, { id: 1 })).toBeUndefined();
  await w.call().answer({ id: 1 });
  expect(w.controller.entity(Todo, 1).value).toBeUndefined();
});
