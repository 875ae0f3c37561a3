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

test('[O5] a function passed to set gets confirmed values, so an optimistic value is not stored by the result', async () => {
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

test('[O6] a function passed to set over a list does not store an optimistic row that is rolled back later', async () => {
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

test('[O5] a function passed to set gets an optimistic row without a confirmed base, and its result stays', async () => {
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
  ['other data', { total: 5 }, { total: 50 }],
  ['its first data', undefined, { total: 50 }],
])(
  '[O5] an optimistic layer that read a request is recomputed when the request gets %s',
  async (_, before, after) => {
    const w = world();
    const total = new Endpoint(() => new Promise<{ total: number }>(() => {}), { name: 'total' });
    const add = w.mutation('add', Count, {
      getOptimisticResponse: (snapshot: OptimisticSnapshot) => ({
        id: 1,
        total:
          ((snapshot.getResponse(total).data as { total: number } | undefined)?.total ?? 0) + 1,
      }),
    });
    if (before !== undefined) await w.controller.setResponse(total, before);
    void w.controller.fetch(add, {}).catch(() => {});
    await w.controller.setResponse(total, after);
    expect(w.controller.get(Count, { id: 1 })?.total).toBe(51);
  },
);

test('[O5] an optimistic layer that read a list is recomputed after an invalidation and after each response', async () => {
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

test('[O5] an optimistic layer that read the error of a request is recomputed when an error is set', async () => {
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
