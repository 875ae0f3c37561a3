import { expect, test } from 'vitest';
import { rows, world } from './world.ts';

const w = world();

const titles = (list: readonly { title: string }[] | undefined) => list?.map(({ title }) => title);

test('[M2] a created row joins lists with matching params, and no other list', async () => {
  const { controller, todos } = w;
  await controller.fetch(todos.getList);
  await controller.fetch(todos.getList, { userId: 1 });
  await controller.fetch(todos.getList, { userId: 2 });
  await controller.fetch(todos.getList, { userId: 2, done: true });
  await controller.fetch(todos.create, { title: 'new', done: false, userId: 2 });
  const shown = (params?: object) =>
    titles(controller.getResponse(todos.getList, ...(params ? [params] : [])).data);
  expect(shown()).toEqual(['oil the points', 'trim the lamp', 'log the goods', 'new']);
  expect(shown({ userId: 1 })).toEqual(['oil the points', 'trim the lamp']);
  expect(shown({ userId: '2' })).toEqual(['log the goods', 'new']);
  expect(shown({ userId: 2, done: true })).toEqual([]);
});

test('[M2] a refetch of lists that a created row joined changes nothing', async () => {
  const { controller, todos } = w;
  await controller.fetch(todos.getList);
  await controller.fetch(todos.getList, { userId: 2 });
  await controller.fetch(todos.create, { title: 'new', done: false, userId: 2 });
  for (const params of [[], [{ userId: 2 }]] as const) {
    const shown = controller.getResponse(todos.getList, ...params).data;
    expect(shown).toHaveLength(params.length === 0 ? 4 : 2);
    await expect(controller.fetch(todos.getList, ...params)).resolves.toBe(shown);
  }
});

test('[M2] a sorted list and a page are separate lists with the same entities', async () => {
  const { controller, todos } = w;
  const sorted = await controller.fetch(todos.getList, { _sort: 'title', _order: 'desc' });
  expect(titles(sorted)).toEqual(['trim the lamp', 'oil the points', 'log the goods']);
  const page = await controller.fetch(todos.getList, { _page: 2, _limit: 2 });
  expect(titles(page)).toEqual(['log the goods']);
  expect(page[0]).toBe(sorted[2]);
});

test('[M4] a deleted todo leaves each list that contains the todo, and other lists keep their reference', async () => {
  const { controller, todos } = w;
  await controller.fetch(todos.getList);
  await controller.fetch(todos.getList, { userId: 1 });
  await controller.fetch(todos.getList, { userId: 2 });
  const others = controller.getResponse(todos.getList, { userId: 2 }).data;
  await controller.fetch(todos.delete, { id: 1 });
  expect(controller.getResponse(todos.getList).data).toEqual([rows[1], rows[2]]);
  expect(controller.getResponse(todos.getList, { userId: 1 }).data).toEqual([rows[1]]);
  expect(controller.getResponse(todos.getList, { userId: 2 }).data).toBe(others);
});

test('[V2] an equal response of a list notifies no reader and writes no signal', async () => {
  const { controller, todos } = w;
  const before = await controller.fetch(todos.getList);
  const shown = controller.signal(todos.getList);
  const written: number[] = [];
  controller.on('commit', (commit) => written.push(commit.written));
  let runs = 0;
  const stop = shown.subscribe(() => runs++);
  await expect(controller.fetch(todos.getList)).resolves.toBe(before);
  stop();
  expect(runs).toBe(1);
  expect(written).toEqual([0]);
});
