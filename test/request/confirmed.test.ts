/** Functions of `set` receive the confirmed value; optimistic layers are recomputed over the result. */
import { All, Collection, Endpoint, Entity } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, settled, Todo, world } from '../setup/world.ts';

const todos = new Collection([Todo]);

function stage() {
  const w = world();
  const list = w.read('list', todos);
  const update = w.mutation('update', Todo, {
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  const create = w.mutation('create', todos.push, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  return { w, list, update, create };
}

test('[O5] a function of set does not make an unconfirmed value last', async () => {
  const { w, update } = stage();
  await w.controller.set(Todo, { id: 1 }, { userId: 1 });
  void w.controller.fetch(update, { id: 1 }, { userId: 5 }).catch(() => {});
  const seen: unknown[] = [];
  await w.controller.set(Todo, { id: 1 }, (todo: Todo) => {
    seen.push(todo.userId, todo instanceof Todo);
    return { ...todo, title: 'x' };
  });
  expect(seen).toEqual([1, true]);
  expect(w.controller.get(Todo, { id: 1 })).toMatchObject({ title: 'x', userId: 5 });
  await w.call().fail(refusal(500));
  expect(w.controller.get(Todo, { id: 1 })).toMatchObject({ title: 'x', userId: 1 });
});

test('[O6] a function of set over a list does not keep a row that is only expected', async () => {
  const { w, list, create } = stage();
  await w.controller.setResponse(list, {}, [{ id: 1 }]);
  void w.controller.fetch(create, { title: 'new' }).catch(() => {});
  await w.controller.set(todos, {}, (rows: readonly Todo[]) => [...rows, { id: 5 }]);
  const ids = () => w.controller.getResponse(list, {}).data?.map(({ title, id }) => title || id);
  expect(ids()).toEqual([1, 5, 'new']);
  await w.call().fail(refusal(500));
  expect(ids()).toEqual([1, 5]);
  expect(w.controller.get(new All(Todo))).toHaveLength(2);
});

test('[I1] a function of set sees a row that is only expected, where nothing of it is confirmed', async () => {
  const { w } = stage();
  const create = w.mutation('create', new Collection([Todo]).push, {
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  });
  void w.controller.fetch(create, { id: 1, title: 'new' }).catch(() => {});
  await w.controller.set(Todo, { id: 1 }, ({ title }: Todo) => ({ title: `${title}!` }));
  await w.call().fail(refusal(500));
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('new!');
});

class Count extends Entity {
  id = 0;
  total = 0;
}

test.each<[string, unknown, unknown]>([
  ['plain data', { total: 5 }, { total: 50 }],
  ['data that come first', undefined, { total: 50 }],
])('[O5] a layer that looked at a request is asked again with %s', async (_, before, after) => {
  const w = world();
  const total = new Endpoint(() => new Promise<{ total: number }>(() => {}), { name: 'total' });
  const add = w.mutation('add', Count, {
    getOptimisticResponse: (snapshot: OptimisticSnapshot) => ({
      id: 1,
      total: ((snapshot.getResponse(total).data as { total: number } | undefined)?.total ?? 0) + 1,
    }),
  });
  if (before !== undefined) await w.controller.setResponse(total, before);
  void w.controller.fetch(add, {}).catch(() => {});
  await w.controller.setResponse(total, after);
  expect(w.controller.get(Count, { id: 1 })?.total).toBe(51);
});

test('[O5] a layer that looked at a list is asked again when it is invalidated, and when it comes', async () => {
  const { w, list } = stage();
  const count = w.mutation('count', Count, {
    getOptimisticResponse: (snapshot: OptimisticSnapshot) => ({
      id: 1,
      total: (snapshot.getResponse(list, {}).data as readonly Todo[] | undefined)?.length ?? -1,
    }),
  });
  await w.controller.setResponse(list, {}, [{ id: 1 }]);
  void w.controller.fetch(count, {}).catch(() => {});
  const total = () => w.controller.get(Count, { id: 1 })?.total;
  expect(total()).toBe(1);
  w.controller.invalidate(list, {});
  expect(total()).toBe(-1);
  await w.controller.setResponse(list, {}, [{ id: 1 }, { id: 2 }]);
  expect(total()).toBe(2);
  await w.controller.setResponse(list, {}, []);
  expect(total()).toBe(0);
});

test('[O5] a layer that looked at an error is asked again when there is one', async () => {
  const { w, list } = stage();
  const count = w.mutation('count', Count, {
    getOptimisticResponse: (snapshot: OptimisticSnapshot) => ({
      id: 1,
      total: snapshot.getError(list, {}) === undefined ? 0 : 1,
    }),
  });
  void w.controller.fetch(count, {}).catch(() => {});
  await w.controller.setError(list, {}, refusal(404));
  await settled();
  expect(w.controller.get(Count, { id: 1 })?.total).toBe(1);
});
