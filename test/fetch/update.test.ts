// What an answer changes in what other requests show, as `update` of its endpoint says.
import { Collection } from 'signalbox';
import { expect, test } from 'vitest';
import { refused, Todo, watch, world } from '../setup/world.ts';

async function stage() {
  const w = world();
  const plain = w.read('plain', [Todo]);
  const { controller } = w;
  void controller.fetch(plain, {});
  await w.call().answer([{ id: 1, title: 'one' }]);
  const titles = () => controller.getResponse(plain, {}).data?.map(({ title }) => title);
  return { w, controller, plain, titles };
}

test('[E3] update puts a created row into a plain list, in the commit of the answer', async () => {
  const { w, controller, plain, titles } = await stage();
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({ [plain.key({})]: (rows: string[]) => [created, ...rows] }),
  });
  const all = watch(() => [
    controller.signal(plain, {}).value?.length,
    controller.entity(Todo, 2).value?.title,
  ]);
  const done = controller.fetch(create, { title: 'two' });
  await w.call().answer({ id: 2, title: 'two' });
  expect(await done).toBe(controller.getResponse(plain, {}).data?.[0]);
  expect(titles()).toEqual(['two', 'one']);
  expect(all.seen).toEqual([
    [1, undefined],
    [2, 'two'],
  ]);
});

test('[E3] update gets the arguments, and objects with primary keys in the place of entities', async () => {
  const { w, controller } = await stage();
  const page = w.read('page', { results: [Todo], total: 0 });
  void controller.fetch(page, {});
  await w.call().answer({ results: [{ id: 1 }], total: 1 });
  const create = w.mutation('create', Todo, {
    update: (created: string, params: { readonly to: string }) => ({
      [page.key({})]: (stored: { results: string[]; total: number }) => ({
        results:
          params.to === 'front' ? [created, ...stored.results] : [...stored.results, created],
        total: stored.total + 1,
      }),
    }),
  });
  void controller.fetch(create, { to: 'back' }, {});
  await w.call().answer({ id: 2, title: 'two' });
  const { data } = controller.getResponse(page, {});
  expect([data?.total, data?.results.map(({ id }) => id)]).toEqual([2, [1, 2]]);
});

test('[E3] update changes a Collection by the keys of its members', async () => {
  const { w, controller } = await stage();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  void controller.fetch(list, {});
  await w.call().answer([{ id: 1 }, { id: 2 }]);
  const drop = w.mutation('drop', Todo, {
    update: (gone: string) => ({
      [list.key({})]: (rows: string[]) => rows.filter((pk) => pk !== gone),
    }),
  });
  void controller.fetch(drop, {}, {});
  await w.call().answer({ id: 1, title: 'archived' });
  expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([2]);
});

test('[E3] update passes over keys under which nothing is stored', async () => {
  const { w, controller, titles } = await stage();
  let asked = 0;
  const create = w.mutation('create', Todo, {
    update: () => ({ 'never fetched': () => asked++ }),
  });
  void controller.fetch(create, {});
  await w.call().answer({ id: 2, title: 'two' });
  expect([asked, titles()]).toEqual([0, ['one']]);
});

test('[E3] a function of update that throws rejects the call, and nothing is stored', async () => {
  const { w, controller, plain, titles } = await stage();
  const create = w.mutation('create', Todo, {
    update: () => ({
      [plain.key({})]: () => {
        throw new TypeError('mine');
      },
    }),
  });
  const done = controller.fetch(create, {});
  void w.call().answer({ id: 2, title: 'two' });
  expect(await refused(done)).toMatchObject({ message: 'mine' });
  expect(titles()).toEqual(['one']);
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
});
