// Lists with arguments that order the rows: own changes of the order expire the list.
import { createResource, Entity, optimistic, replay } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { world } from '../setup/world.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  rank = 0;
  done = false;
}

const todo = (id: number, fields: object = {}) => ({
  id,
  title: `t${id}`,
  rank: id,
  done: false,
  ...fields,
});

type Params = Readonly<Record<string, unknown>>;

const search: Params = {};

/** A resource whose lists are stored for each of these search params. */
async function stored(all: readonly Params[], options: object = {}) {
  const { controller } = world({ optimistic });
  const other = world({ optimistic }).controller;
  let answer: unknown;
  const todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: search,
    optimistic: true,
    ...options,
  });
  const send = <E extends object>(endpoint: E): E =>
    (endpoint as unknown as { extend(options: object): E }).extend({
      fetch: async () => answer,
    });
  for (const store of [controller, other])
    for (const params of all) await store.setResponse(todos.getList, params, [todo(1), todo(2)]);
  controller.on('commit', (commit) => replay(other, commit));
  const isFresh = (params: Params) =>
    [controller, other].map((store) => store.getResponse(todos.getList, params).expiresAt > 0);
  const ids = (params: Params) =>
    controller.getResponse(todos.getList, params).data?.map(({ id }) => id);
  return {
    controller,
    todos,
    isFresh,
    ids,
    update: async (id: number, body: Params, response: unknown = { ...todo(id), ...body }) => {
      answer = response;
      await controller.fetch(send(todos.partialUpdate), { id }, body);
    },
    create: async (body: Params) => {
      answer = todo(9, body);
      await controller.fetch(send(todos.getList.push), {}, body);
    },
    remove: async (id: number) => {
      answer = null;
      await controller.fetch(send(todos.delete), { id });
    },
  };
}

const BOTH = [true, true];
const NONE = [false, false];

describe.each([
  ['sort: title', { sort: 'title' }],
  ['sort: -title', { sort: '-title' }],
  ['orderBy: title:desc', { orderBy: 'title:desc' }],
  ['_order: title desc', { _order: 'title desc' }],
  ['ordering: title_DESC', { ordering: 'title_DESC' }],
  ['sort: [-rank, title]', { sort: ['-done', 'title'] }],
  ['sortBy: title, direction: asc', { sortBy: 'title', direction: 'asc' }],
  ['sort: title, with a filter', { sort: 'title', done: false }],
])('a list with %s', (_, params) => {
  test('[N18] expires after an own change of the field, here and in another tab', async () => {
    const { isFresh, update, ids } = await stored([params, {}]);
    await update(1, { rank: 7 });
    expect(isFresh(params)).toEqual(BOTH);
    await update(1, { title: 'z' });
    expect(isFresh(params)).toEqual(NONE);
    expect(isFresh({})).toEqual(BOTH);
    expect(ids(params)).toEqual([1, 2]);
  });

  test('[N18] gets a created row at the end, and expires', async () => {
    const { isFresh, create, ids } = await stored([params, {}]);
    await create({ title: 'a' });
    expect(ids(params)).toEqual([1, 2, 9]);
    expect(isFresh(params)).toEqual(NONE);
    expect(isFresh({})).toEqual(BOTH);
  });

  test('[N18] stays fresh after a deletion, a push and a read of another request', async () => {
    const { isFresh, remove, controller, todos, ids } = await stored([params]);
    await controller.set(Todo, { id: 1 }, { title: 'pushed' });
    await controller.setResponse(todos.get, { id: 1 }, todo(1, { title: 'read' }));
    await remove(2);
    expect(ids(params)).toEqual([1]);
    expect(isFresh(params)).toEqual(BOTH);
  });

  test('[N18] stays fresh if the row is not there, or keeps the value', async () => {
    const { isFresh, update, controller } = await stored([params]);
    await controller.set(Todo, { id: 5 }, todo(5, { done: true }));
    await update(5, { title: 'z' }, todo(5, { title: 'z', done: true }));
    await update(1, { title: 't1' });
    expect(isFresh(params)).toEqual(BOTH);
  });
});

test('[N18] an order that names no field expires the list after a creation only', async () => {
  const params = { sort: 'popular' };
  const { isFresh, update, create } = await stored([params]);
  await update(1, { title: 'z' });
  expect(isFresh(params)).toEqual(BOTH);
  await create({ title: 'a' });
  expect(isFresh(params)).toEqual(NONE);
});

test.each([
  ['an argument that selects the content', { expand: 'title', fields: 'title' }, {}],
  ['a cursor among nonFilterArgumentKeys', { by: 'k1' }, { nonFilterArgumentKeys: ['by'] }],
  ['revalidateLists: false', { sort: 'title' }, { revalidateLists: false }],
])('[N18] with %s the list stays fresh', async (_, params, options) => {
  const { isFresh, update, create, ids } = await stored([params], options);
  await update(1, { title: 'z' });
  await create({ title: 'a' });
  expect(ids(params)).toEqual([1, 2, 9]);
  expect(isFresh(params)).toEqual(BOTH);
});

test('[N18] a field named by one of nonFilterArgumentKeys orders the list', async () => {
  const params = { by: 'rank' };
  const { isFresh, update } = await stored([params], { nonFilterArgumentKeys: ['by'] });
  await update(1, { rank: 7 });
  expect(isFresh(params)).toEqual(NONE);
});

test('[N18] a mounted list is requested once the change is confirmed, and shows the order of the server', async () => {
  const w = world({ optimistic });
  const { controller } = w;
  const todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { sort: string },
    optimistic: true,
  });
  const rows = [todo(1), todo(2)];
  const log: string[] = [];
  const list = todos.getList.extend({
    fetch: async () => {
      log.push('GET');
      return [...rows].sort((a, b) => a.rank - b.rank);
    },
  } as object) as typeof todos.getList;
  await controller.fetch(list, { sort: 'rank' });
  const leave = controller.view(list, { sort: 'rank' }).retain();
  let answer: (row: unknown) => void = () => {};
  const update = todos.partialUpdate.extend({
    fetch: () => new Promise((resolve) => (answer = resolve)),
  } as object) as typeof todos.partialUpdate;
  const done = controller.fetch(update, { id: 1 }, { rank: 5 });
  expect(log).toEqual(['GET']);
  (rows[0] as { rank: number }).rank = 5;
  answer(rows[0]);
  await done;
  await expect
    .poll(() => controller.getResponse(list, { sort: 'rank' }).data?.map(({ id }) => id))
    .toEqual([2, 1]);
  expect(log).toEqual(['GET', 'GET']);
  leave();
});
