// Deletions in the view of a reader, and the refetch after deletions.
import { Collection, createResource, Delete, Entity, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, Todo, wholeTodo, world } from '../setup/world.ts';

/** A mounted todo, and its optimistic deletion. */
async function stage() {
  const w = world();
  const get = w.read('get', Todo);
  const remove = w.mutation('remove', new Delete(Todo), {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  const { controller } = w;
  void controller.fetch(get, { id: 1 });
  await w.call().answer({ id: 1, title: 'one', author: { id: 1, name: 'Ada' } });
  const view = controller.view(get, { id: 1 });
  void view.ensure(true);
  const release = view.retain();
  const shown = () => view.result.value;
  expect(shown()).toMatchObject({ status: 'success', data: { title: 'one' } });
  return { w, controller, get, remove, view, release, shown };
}

const data = (shown: () => { readonly data: unknown }) => (shown().data as Todo).title;

test('[C10] a mounted row has `deleted: true` from the call of the deletion until the deletion fails', async () => {
  const { w, controller, remove, shown } = await stage();
  expect(shown()).not.toHaveProperty('deleted');
  const before = shown().data;
  controller.fetch(remove, { id: 1 }).catch(() => {});
  expect(shown()).toMatchObject({ status: 'success', deleted: true, error: undefined });
  expect(shown().data).toBe(before);
  await w.call().fail(refusal(403));
  expect(shown()).not.toHaveProperty('deleted');
  expect(shown().data).toEqual(before);
  expect(w.log).toEqual(['get {"id":1}', 'remove {"id":1}']);
});

test('[C10] a mounted row is refetched after a refused deletion if the row has been declared expired meanwhile', async () => {
  const { w, controller, get, remove, shown } = await stage();
  controller.fetch(remove, { id: 1 }).catch(() => {});
  controller.expireAll(get);
  expect(w.log).toEqual(['get {"id":1}', 'remove {"id":1}']);
  await w.call(1).fail(refusal(403));
  expect(w.log.slice(2)).toEqual(['get {"id":1}']);
  await w.call(2).answer({ id: 1, title: 'two', author: { id: 1, name: 'Ada' } });
  expect(data(shown)).toBe('two');
});

test('[C10] methods of the controller and signals return no data of a deleted entity', async () => {
  const { w, controller, get, remove, shown } = await stage();
  void controller.fetch(remove, { id: 1 });
  await w.call().answer({});
  expect(data(shown)).toBe('one');
  expect(controller.getResponse(get, { id: 1 }).data).toBeUndefined();
  expect(controller.signal(get, { id: 1 }).value).toBeUndefined();
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  void controller.fetchIfStale(get, { id: 1 }).catch(() => {});
  expect(w.log.at(-1)).toBe('get {"id":1}');
  await w.call().fail(refusal(404));
  expect(data(shown)).toBe('one');
  expect(controller.getError(get, { id: 1 })).toMatchObject({ status: 404 });
});

test('[C10] an error stored while a row was deleted is cleared when the row is restored', async () => {
  const { w, controller, get, remove, shown } = await stage();
  void controller.fetch(remove, { id: 1 });
  await w.call().answer({});
  controller.fetch(get, { id: 1 }).catch(() => {});
  await w.call().fail(refusal(404));
  await controller.set(Todo, { id: 1 }, wholeTodo({ title: 'back' }));
  expect(shown()).toMatchObject({ status: 'success', data: { title: 'back' } });
  expect(controller.getError(get, { id: 1 })).toBeUndefined();
});

test('[C10] the live object of a deleted row keeps its reference, fields and nested entities', async () => {
  const { w, controller, view, remove } = await stage();
  const live = liveResult(view).value.data as Todo;
  void controller.fetch(remove, { id: 1 });
  expect(liveResult(view).value).toMatchObject({ status: 'success', deleted: true });
  expect(liveResult(view).value.data).toBe(live);
  expect([live.title, live.upper, live.author?.name]).toEqual(['one', 'ONE', 'Ada']);
  await w.call().answer({});
  expect([live.id, live.title]).toEqual([1, 'one']);
  await controller.set(Todo, { id: 1 }, wholeTodo({ title: 'two' }));
  expect(liveResult(view).value.data).toBe(live);
  expect([live.title, 'deleted' in liveResult(view).value]).toEqual(['two', false]);
});

test('[C10] mounted readers of an envelope or of an indexed field keep the data of a deleted entity', async () => {
  class User extends Entity {
    id = 0;
    name = '';
    static override indexes = ['name'];
  }
  const w = world();
  const { controller } = w;
  const envelope = w.read('envelope', { user: User, count: 0 });
  const byName = w.read('byName', User);
  const remove = w.mutation('remove', new Delete(User));
  await controller.setResponse(envelope, {}, { user: { id: 1, name: 'ada' }, count: 5 });
  const views = [controller.view(envelope, {}), controller.view(byName, { name: 'ada' })];
  for (const view of views) {
    void view.ensure(true);
    view.retain();
    expect(view.result.value.status).toBe('success');
  }
  void controller.fetch(remove, { id: 1 });
  await w.call().answer({});
  for (const view of views) {
    view.revalidate();
    expect(view.ensure(false)).toBeUndefined();
    expect(view.result.value).toMatchObject({ status: 'success', deleted: true });
  }
  expect(views[0]?.result.value.data).toMatchObject({ user: { name: 'ada' }, count: 5 });
  expect(w.log).toEqual(['remove {"id":1}']);
});

test('[C6] a deleted required member makes the parent pending, and a reader refetches', async () => {
  class Page extends Entity {
    id = 0;
    todo = Todo.fromJS();
    static override schema = { todo: Todo };
  }
  const w = world();
  const get = w.read('page', Page);
  await w.controller.setResponse(get, { id: 1 }, { id: 1, todo: { id: 7 } });
  const view = w.controller.view(get, { id: 1 });
  expect(view.result.value.status).toBe('success');
  await w.controller.set(new Delete(Todo), { id: 7 }, {});
  expect(view.result.value).toMatchObject({ status: 'pending' });
  expect(view.ensure(false)).toBeDefined();
});

test('[O14] fetch resolves with a response that a pending deletion hides', async () => {
  const { w, controller, get, remove, shown } = await stage();
  const read = controller.fetch(get, { id: 1 });
  const asked = w.call();
  controller.fetch(remove, { id: 1 }).catch(() => {});
  const removal = w.call();
  await asked.answer({ id: 1, title: 'newer' });
  expect((await read).title).toBe('newer');
  expect(controller.getError(get, { id: 1 })).toBeUndefined();
  expect([data(shown), controller.get(Todo, { id: 1 })]).toEqual(['one', undefined]);
  await removal.fail(refusal(500));
  expect(data(shown)).toBe('newer');
});

test('[O14] fetch resolves with a list without the row that a pending deletion hides', async () => {
  const w = world();
  const Todos = createResource({ path: '/todos/:id', schema: Todo });
  const list = w.read('list', new Collection([Todo]));
  const remove = w.mutation('remove', Todos.delete.schema, {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  void w.controller.fetch(remove, { id: 1 });
  const read = w.controller.fetch(list, {});
  await w.call().answer([{ id: 1 }, { id: 2 }]);
  expect((await read).map(({ id }) => id)).toEqual([2]);
});
