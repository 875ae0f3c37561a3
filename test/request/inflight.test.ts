/** Requests in flight during an invalidation or an own write. */
import { Collection, Delete, Entity } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { Tag, Todo, User, refusal, refused, watch, wholeTodo, world } from '../setup/world.ts';

class Lonely extends Entity {
  id = 0;
}

test('[O7] a fetch after an invalidation does not join a request issued before the invalidation', () => {
  const w = world();
  const get = w.read('get', Todo);
  void w.controller.fetch(get, { id: 1 });
  w.controller.invalidate(get, { id: 1 });
  void w.controller.fetch(get, { id: 1 });
  void w.controller.fetch(get, { id: 1 });
  expect(w.calls).toHaveLength(2);
});

test('[O7] only the response to a request issued after an invalidation makes the key fresh', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, { id: 1 });
  const older = w.controller.fetch(get, { id: 1 });
  w.controller.invalidate(get, { id: 1 });
  await w.call(0).answer({ id: 1, title: 'old' });
  await older;
  const ready = view.ensure(true);
  expect(ready).toBeInstanceOf(Promise);
  expect(w.calls).toHaveLength(2);
  await w.call(1).answer({ id: 1, title: 'new' });
  await ready;
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'new' } });
  expect(view.ensure(true)).toBeUndefined();
});

test('[O7] setResponse after an invalidation makes the key fresh', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  await w.controller.fetch(get, { id: 1 });
  w.controller.invalidate(get, { id: 1 });
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'pushed' });
  expect(w.controller.view(get, { id: 1 }).ensure(true)).toBeUndefined();
  expect(w.controller.signal(get, { id: 1 }).value?.title).toBe('pushed');
  expect(w.calls).toHaveLength(1);
});

describe('a push of an entity after an invalidation', () => {
  test.for([
    ['an entity', Todo, (todo: object) => todo],
    ['a list of entities', [Todo], (todo: object) => [todo]],
  ] as const)(
    '[O7] a push of all fields makes the invalidated key of the entity fresh: %s',
    async ([, schema, wrap]) => {
      const w = world();
      const { controller } = w;
      const get = w.read('get', Todo, { reply: ({ id }: { id: number }) => wholeTodo({ id }) });
      await controller.fetch(get, { id: 1 });
      await controller.fetch(get, { id: 2 });
      controller.invalidateAll(get);
      const view = controller.view(get, { id: 1 });
      expect(view.result.value.status).toBe('pending');
      await controller.set(schema, {}, wrap(wholeTodo({ title: 'pushed' })));
      expect(view.ensure(true)).toBeUndefined();
      expect(w.calls).toHaveLength(2);
      expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'pushed' } });
      // the key of another entity stays invalid
      expect(controller.view(get, { id: 2 }).ensure(true)).toBeDefined();
      controller.invalidate(get, { id: 1 });
      expect(view.ensure(true)).toBeDefined();
    },
  );

  test('[O7] a push of some fields leaves the invalidated key of the entity invalid, a push of all makes it fresh', async () => {
    const w = world();
    const { controller } = w;
    const get = w.read('get', Todo, { reply: () => wholeTodo() });
    await controller.fetch(get, { id: 1 });
    controller.invalidate(get, { id: 1 });
    await controller.set(Todo, { id: 1 }, { title: 'pushed' });
    expect(controller.view(get, { id: 1 }).ensure(true)).toBeDefined();
    await controller.set(Todo, {}, wholeTodo({ title: 'whole' }));
    expect(controller.view(get, { id: 1 }).ensure(true)).toBeUndefined();
  });

  test('[O7] a push of an entity leaves an invalidated key with further data invalid', async () => {
    const w = world();
    const { controller } = w;
    const page = w.read('page', { todo: Todo, total: 0 });
    await controller.setResponse(page, {}, { todo: wholeTodo(), total: 1 });
    controller.invalidate(page, {});
    await controller.set(Todo, {}, wholeTodo({ title: 'pushed' }));
    expect(controller.view(page, {}).ensure(true)).toBeDefined();
  });

  test('[O7] a pushed deletion leaves the invalidated key of the entity invalid', async () => {
    const w = world();
    const { controller } = w;
    const get = w.read('get', Todo, { reply: () => wholeTodo() });
    await controller.fetch(get, { id: 1 });
    controller.invalidate(get, { id: 1 });
    await controller.set(new Delete(Todo), { id: 1 }, {});
    expect(controller.view(get, { id: 1 }).ensure(true)).toBeDefined();
  });
});

test('[O7] a read in flight is joined after an invalidation of another key', () => {
  const w = world();
  const get = w.read('get', Todo);
  void w.controller.fetch(get, { id: 1 });
  w.controller.invalidate(get, { id: 2 });
  void w.controller.fetch(get, { id: 1 });
  expect(w.calls).toHaveLength(1);
});

/** A read in flight, crossed by a confirmed own write of `schema`. */
async function crossed(schema: unknown) {
  const w = world();
  const list = w.read('list', new Collection([Todo]));
  const older = w.controller.fetch(list, {});
  const written = w.controller.fetch(w.mutation('write', schema), { id: 5 }, { title: 'mine' });
  await w.call().answer({ id: 5, title: 'mine' });
  await written;
  return { w, list, older };
}

test.each<[string, unknown]>([
  ['the entity itself', Todo],
  ['a creation', new Collection([Todo]).push],
  ['a nested entity', User],
  ['an entity in a nested list', Tag],
])('[O7] a read is not joined after an own write was confirmed: %s', async (_, schema) => {
  const { w, list, older } = await crossed(schema);
  void w.controller.fetch(list, {});
  expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(2);
  await w.call(0).answer([]);
  await older;
});

test('[O7] a fetch joins a read in flight after an own write of a class that the read cannot contain', async () => {
  const { w, list } = await crossed(Lonely);
  void w.controller.fetch(list, {});
  expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(1);
});

test('[O7] the response to a read issued before an own write is shown, but leaves the key stale', async () => {
  const { w, list, older } = await crossed(Todo);
  await w.call(0).answer([{ id: 1 }]);
  await older;
  expect(w.controller.signal(list, {}).value?.map(({ id }) => id)).toEqual([1]);
  w.controller.view(list, {}).revalidate();
  expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(2);
});

test('[O7] a failure of a read issued before an invalidation rejects its caller, and is not stored', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, { id: 1 });
  const older = refused(w.controller.fetch(get, { id: 1 }));
  w.controller.invalidate(get, { id: 1 });
  const error = refusal(404);
  await w.call(0).fail(error);
  expect(await older).toBe(error);
  expect(w.controller.getError(get, { id: 1 })).toBeUndefined();
  const ready = view.ensure(true);
  expect([ready, w.calls.length]).toEqual([expect.any(Promise), 2]);
  await w.call(1).answer({ id: 1, title: 'new' });
  await ready;
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'new' } });
});

test('[O7] a mounted reader gets no error from a failed read that was issued before an invalidation', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, { id: 1 });
  view.retain();
  void view.ensure(true);
  await w.call().answer({ id: 1, title: 'a' });
  const { seen } = watch(view.result);
  w.controller.expireAll(get);
  w.controller.invalidate(get, { id: 1 });
  void view.ensure(false);
  await w.call(1).fail(refusal(404));
  await w.call(2).answer({ id: 1, title: 'b' });
  expect(seen.map(({ status }) => status)).toEqual(['success', 'pending', 'success']);
});

test('[O7] a failure of a read issued before an own write does not hide the written data', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const older = refused(w.controller.fetch(get, { id: 1 }));
  const update = w.mutation('update', Todo, { reply: () => wholeTodo({ title: 'mine' }) });
  await w.controller.fetch(update, { id: 1 }, { title: 'mine' });
  await w.call(0).fail(refusal(404));
  await older;
  expect(w.controller.view(get, { id: 1 }).result.value).toMatchObject({ status: 'success' });
});

test('[O7] a refetch issued before an own write that fails later is sent again for a mounted reader', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, { id: 1 });
  view.retain();
  void view.ensure(true);
  await w.call().answer(wholeTodo());
  w.controller.expireAll(get);
  const update = w.mutation('update', Todo, { reply: () => wholeTodo({ id: 2 }) });
  await w.controller.fetch(update, { id: 2 }, {});
  // of the row that is gone on the server
  await w.call(1).fail(refusal(404));
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
  expect(w.log).toEqual(['get {"id":1}', 'get {"id":1}', 'update {"id":2} {}', 'get {"id":1}']);
  await w.call().fail(refusal(404));
  expect(view.result.value).toMatchObject({ status: 'error' });
  expect(w.calls).toHaveLength(4);
});

test('[O7] an empty response to a read issued before an invalidation rejects its caller, and is not stored', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const older = refused(w.controller.fetch(get, { id: 1 }));
  w.controller.invalidate(get, { id: 1 });
  await w.call(0).answer(undefined);
  expect(await older).toMatchObject({ code: 'F2' });
  expect(w.controller.getError(get, { id: 1 })).toBeUndefined();
});

test('[O7] a reader after an invalidation sends a new request, and the late older response is dropped', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const view = w.controller.view(get, { id: 1 });
  const ready = view.ensure(true);
  expect(view.ensure(true)).toBe(ready);
  w.controller.invalidate(get, { id: 1 });
  void view.ensure(true);
  void view.ensure(true);
  expect(w.calls).toHaveLength(2);
  await w.call(1).answer({ id: 1, title: 'new' });
  await ready;
  await w.call(0).answer({ id: 1, title: 'old' });
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'new' } });
});
