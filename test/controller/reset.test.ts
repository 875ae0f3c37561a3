/** Log out: no earlier data are left, and no earlier response is stored later. */
import { Collection, ResetError, live } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, refusal, refused, settled, watch, world } from '../setup/world.ts';

async function filled() {
  const w = world();
  const list = w.read('list', new Collection([Todo]), {
    reply: () => [{ id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1 }] }],
  });
  const get = w.read('get', Todo);
  await w.controller.fetch(list, {});
  return { w, list, get };
}

test('[O8] a reset removes all data and errors in one commit, which runs each reader once', async () => {
  const { w, list, get } = await filled();
  await w.controller.setError(get, { id: 9 }, refusal(404));
  const all = watch(() => [
    w.controller.signal(list, {}).value,
    w.controller.entity(Todo, 1).value,
    w.controller.entity(User, 1).value,
    w.controller.entity(Tag, 1).value,
    w.controller.view(get, { id: 9 }).result.value.error,
    live(w.controller, Todo, 1).title,
  ]);
  const commits: string[] = [];
  w.controller.on('commit', ({ cause }) => commits.push(cause));
  w.controller.reset();
  expect(all.runs).toBe(2);
  expect(all.last).toEqual([undefined, undefined, undefined, undefined, undefined, '']);
  expect(commits).toEqual(['reset']);
  expect(w.controller.get(list.schema, {})).toBeUndefined();
  expect(w.controller.getResponse(list, {})).toMatchObject({ data: undefined, expiresAt: 0 });
});

test('[O8] responses to requests issued before a reset are never stored', async () => {
  const { w, get } = await filled();
  const read = w.controller.fetch(get, { id: 1 }).catch((error: unknown) => error);
  const update = w.mutation('update', Todo);
  const write = w.controller.fetch(update, { id: 1 }).catch((error: unknown) => error);
  w.controller.reset();
  const watcher = watch(w.controller.entity(Todo, 1));
  await w.call(-2).answer({ id: 1, title: 'old' });
  await w.call(-1).answer({ id: 1, title: 'old' });
  expect([await read, await write].every((error) => error instanceof ResetError)).toBe(true);
  expect([watcher.runs, watcher.last]).toEqual([1, undefined]);
  expect(w.controller.signal(get, { id: 1 }).value).toBeUndefined();
});

test('[O8] errors of requests issued before a reset are never stored', async () => {
  const { w, get } = await filled();
  const read = w.controller.fetch(get, { id: 1 }).catch((error: unknown) => error);
  w.controller.reset();
  await w.call().fail(refusal(500));
  expect(await read).toBeInstanceOf(ResetError);
  expect(w.controller.getError(get, { id: 1 })).toBeUndefined();
});

test('[O8] a reset rejects the caller of a request at once with a ResetError, and aborts the request', async () => {
  const { w, get } = await filled();
  const caught = refused(w.controller.fetch(get, { id: 1 }));
  w.controller.reset();
  expect(await caught).toMatchObject({ name: 'ResetError', code: 'F3', key: get.key({ id: 1 }) });
  expect(w.call().signal?.aborted).toBe(true);
});

test('[O8] a mounted reader suspends after a reset, and sends a new request', async () => {
  const { w, get } = await filled();
  const view = w.controller.view(get, { id: 5 });
  const release = view.retain();
  const before = view.ensure(true);
  w.controller.reset();
  await before;
  expect(view.result.value.status).toBe('pending');
  const after = view.ensure(true);
  expect(after).toBeInstanceOf(Promise);
  expect(after).not.toBe(before);
  await w.call().answer({ id: 5, title: 'new' });
  await after;
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'new' } });
  release();
});

test('[O8] a reader created before the reset sees data written after it', async () => {
  const { w, list } = await filled();
  const rows = watch(w.controller.signal(list, {}));
  const todo = watch(w.controller.entity(Todo, 1));
  const title = watch(() => live(w.controller, Todo, 1).title);
  w.controller.reset();
  await w.controller.fetch(list, {});
  expect(rows.seen.map((value) => value?.length)).toEqual([1, undefined, 1]);
  expect(todo.last?.author?.name).toBe('Ada');
  expect(title.last).toBe('a');
  expect(todo.seen[2]).not.toBe(todo.seen[0]);
});

test('[O8] a fetch after a reset does not join a request issued before the reset', async () => {
  const { w, get } = await filled();
  const old = w.controller.fetch(get, { id: 1 }).catch(() => 'rejected');
  w.controller.reset();
  const fresh = w.controller.fetch(get, { id: 1 });
  expect(w.log.slice(1)).toEqual(['get {"id":1}', 'get {"id":1}']);
  await w.call(-1).answer({ id: 1, title: 'new' });
  expect((await fresh).title).toBe('new');
  expect(await old).toBe('rejected');
});

test('[O8] a creation after a reset is not added to a list stored before the reset', async () => {
  const { w, list } = await filled();
  w.controller.reset();
  await w.controller.fetch(w.mutation('push', list.schema.push, { reply: () => ({ id: 9 }) }), {});
  expect(w.controller.get(list.schema, {})).toBeUndefined();
  await w.controller.fetch(list, {});
  expect(w.controller.get(list.schema, {})?.map(({ id }) => id)).toEqual([1]);
});

test('[O8] listeners of `reset` get the number of each reset until they are removed', async () => {
  const { w } = await filled();
  const generations: number[] = [];
  const stop = w.controller.on('reset', ({ generation }) => generations.push(generation));
  w.controller.reset();
  w.controller.reset();
  stop();
  w.controller.reset();
  await settled();
  expect(generations).toEqual([1, 2]);
});
