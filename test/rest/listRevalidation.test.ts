/** After a mutation, lists show certain changes at once; all other mounted lists are refetched. */
import {
  Collection,
  Controller,
  createResource,
  Delete,
  Entity,
  RestEndpoint,
  transaction,
} from 'signalbox';
import type { ControllerOptions, EndpointInterface } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { settled, world } from '../setup/world.ts';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
}

type Row = { id: number; userId: number; title: string };

/** A table on a real server: filters by userId, searches by q, pages by offset and limit, newest first. */
async function setUp(
  options: ControllerOptions = {},
  policy: { revalidateLists?: 'auto' | false } = {},
) {
  let rows: Row[] = [3, 2, 1].map((id) => ({ id, userId: (id % 2) + 1, title: `todo ${id}` }));
  const select = (search: URLSearchParams) => {
    const q = search.get('q') ?? '';
    const userId = search.get('userId');
    const found = rows.filter(
      (row) => row.title.includes(q) && (userId === null || row.userId === Number(userId)),
    );
    const offset = Number(search.get('offset') ?? 0);
    return { found, page: found.slice(offset, offset + Number(search.get('limit') ?? 100)) };
  };
  const server = await serve(({ method, url, text }) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const id = Number(pathname.split('/').at(-1));
    if (method === 'POST')
      rows = [{ id: 9, userId: 1, title: '', ...(JSON.parse(text) as object) }, ...rows];
    if (method === 'POST') return { body: rows[0] };
    if (method === 'PATCH')
      rows = rows.map((row) => (row.id === id ? { ...row, ...(JSON.parse(text) as object) } : row));
    if (method === 'PATCH') return { body: rows.find((row) => row.id === id) };
    if (method === 'DELETE') rows = rows.filter((row) => row.id !== id);
    if (method === 'DELETE') return { status: 204 };
    const { found, page } = select(searchParams);
    return { body: pathname === '/table' ? { todos: page, total: found.length } : page };
  });
  const urlPrefix = server.address;
  const todos = createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: Todo,
    ...policy,
  });
  const table = todos.extend('getList', {
    path: '/table',
    schema: { todos: new Collection([Todo]), total: 0 },
  }).getList;
  const controller = new Controller(options);
  const requests: string[] = [];
  const sent = () => {
    requests.push(
      ...server.asked.slice(requests.length).map(({ method, url }) => `${method} ${url}`),
    );
    return requests;
  };
  /** Mounts a reader, like a component, and waits for the data. */
  const show = async (endpoint: EndpointInterface, params: object) => {
    const view = controller.view(endpoint as never, params as never);
    const release = view.retain();
    await controller.fetchIfStale(endpoint as never, params as never);
    return release;
  };
  /** The requests sent by `work` and afterwards, in any order. */
  const sentBy = async (work: () => Promise<unknown>) => {
    const before = sent().length;
    await work();
    // a timer alone is not enough: on a busy machine the timer may fire before the requests have been read
    await new Promise((done) => setTimeout(done, 60));
    for (let turn = 0; turn < 50; turn++) await settled();
    return sent().slice(before).sort();
  };
  const data = (endpoint: EndpointInterface, params: object) =>
    controller.getResponse(endpoint as never, params as never).data as never;
  return { controller, todos, table, show, sentBy, data };
}

const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);

test('[N18] a created row joins the lists that the row matches with certainty, and no list is refetched', async () => {
  const { controller, todos, show, sentBy, data } = await setUp();
  for (const params of [{}, { userId: 1 }, { userId: 2 }, { userId: 1, expand: 'user' }])
    await show(todos.getList, params);
  expect(await sentBy(() => controller.fetch(todos.create, { userId: 1, title: 'new' }))).toEqual([
    'POST /todos',
  ]);
  expect(ids(data(todos.getList, {}))).toEqual([3, 2, 1, 9]);
  expect(ids(data(todos.getList, { userId: 1 }))).toEqual([2, 9]);
  expect(ids(data(todos.getList, { userId: 2 }))).toEqual([3, 1]);
});

test('[N18] a creation refetches mounted pages and searches that may contain the row once, and expires unmounted ones', async () => {
  const { controller, todos, show, sentBy, data } = await setUp();
  await show(todos.getList, { offset: 0, limit: 2 });
  const leave = await show(todos.getList, { offset: 2, limit: 2 });
  await show(todos.getList, { q: 'new' });
  await show(todos.getList, { q: 'todo', userId: 2 });
  leave();
  expect(await sentBy(() => controller.fetch(todos.create, { userId: 1, title: 'new' }))).toEqual([
    'GET /todos?limit=2&offset=0',
    'GET /todos?q=new',
    'POST /todos',
  ]);
  expect(ids(data(todos.getList, { offset: 0, limit: 2 }))).toEqual([9, 3]);
  expect(ids(data(todos.getList, { q: 'new' }))).toEqual([9]);
  expect(
    await sentBy(() => controller.fetchIfStale(todos.getList, { offset: 2, limit: 2 })),
  ).toEqual(['GET /todos?limit=2&offset=2']);
});

test('[N18] a created row is not added to a numbered page', async () => {
  const { controller, todos, show, data } = await setUp();
  await show(todos.getList, { page: 1 });
  await controller.fetch(todos.create, { userId: 1, title: 'new' });
  expect(ids(data(todos.getList, { page: 1 }))).toEqual([3, 2, 1]);
});

test('[N18] a creation refetches a mounted list at another address, unless its filter excludes the row', async () => {
  const { controller, todos, table, show, sentBy, data } = await setUp();
  await show(table, {});
  await show(table, { userId: 1 });
  await show(table, { userId: 2 });
  expect(await sentBy(() => controller.fetch(todos.create, { userId: 1, title: 'new' }))).toEqual([
    'GET /table',
    'GET /table?userId=1',
    'POST /todos',
  ]);
  expect(data(table, {})).toMatchObject({ total: 4 });
});

test('[N18] a created row is added to an envelope with a count at once, and the envelope is refetched', async () => {
  const { controller, table, show, sentBy, data } = await setUp();
  await show(table, {});
  const seen: unknown[] = [];
  const stop = controller
    .signal(table, {})
    .subscribe((value) => seen.push([ids(value?.todos), value?.total]));
  expect(await sentBy(() => controller.fetch(table.push, { userId: 1, title: 'new' }))).toEqual([
    'GET /table',
    'POST /table',
  ]);
  stop();
  expect(seen).toEqual([
    [[3, 2, 1], 3],
    [[3, 2, 1, 9], 3],
    [[9, 3, 2, 1], 4],
  ]);
  expect(data(table, {})).toMatchObject({ total: 4 });
});

test('[N18] a deleted row leaves all lists at once, and mounted pages and envelopes with a count are refetched', async () => {
  const { controller, todos, table, show, sentBy, data } = await setUp();
  await show(todos.getList, {});
  await show(todos.getList, { offset: 0, limit: 1 });
  await show(todos.getList, { offset: 1, limit: 1 });
  await show(table, {});
  const requests = sentBy(() => controller.fetch(todos.delete, { id: 3 }));
  expect(await requests).toEqual([
    'DELETE /todos/3',
    'GET /table',
    'GET /todos?limit=1&offset=0',
    'GET /todos?limit=1&offset=1',
  ]);
  expect(ids(data(todos.getList, {}))).toEqual([2, 1]);
  expect(ids(data(todos.getList, { offset: 1, limit: 1 }))).toEqual([1]);
  expect(data(table, {})).toMatchObject({ total: 2 });
});

/** Lists in an envelope with a count, of which each has loaded a single row of several; row 5 of user 1 is not loaded. */
async function countedLists() {
  const w = world();
  const list = w.read('list', { results: new Collection([Todo]), total: 0 });
  for (const userId of [1, 2]) {
    const results = [{ id: userId, userId, title: 'loaded' }];
    await w.controller.setResponse(list, { userId }, { results, total: 3 });
    w.controller.view(list, { userId }).retain();
  }
  const known = w.controller.fetch(w.read('get', Todo), { id: 5 });
  await w.call().answer({ id: 5, userId: 1, title: 'not loaded' });
  await known;
  return { w, sentBy: (work: () => unknown) => (w.calls.splice(0), work(), settled()) };
}

test.each([
  ['a deletion of a known row', 'drop', [{ id: 5 }], { id: 5 }, [1]],
  ['a deletion of an unknown row', 'drop', [{ id: 6 }], null, [1, 2]],
  [
    'a change of the filtered field',
    'patch',
    [{ id: 5 }, { userId: 3 }],
    { id: 5, userId: 3 },
    [1],
  ],
  ['a change of another field', 'patch', [{ id: 5 }, { title: 'x' }], { id: 5, title: 'x' }, []],
] as const)(
  '[N18] %s refetches the mounted envelopes whose count has changed, also if no page has the row',
  async (_, name, args, answer, users) => {
    const { w, sentBy } = await countedLists();
    const schema = name === 'drop' ? new Delete(Todo) : Todo;
    await sentBy(() => w.controller.fetch(w.mutation(name, schema), ...args));
    await w.call().answer(answer);
    expect(w.log.slice(1)).toEqual(users.map((userId) => `list {"userId":${userId}}`));
  },
);

test('[N18] a pushed deletion of a row that no page has refetches the mounted envelopes with a count', async () => {
  const { w, sentBy } = await countedLists();
  await sentBy(() => w.controller.set(new Delete(Todo), { id: 5 }, { id: 5 }));
  expect(w.log).toEqual(['list {"userId":1}']);
});

test.each(['page', 'offset', 'cursor'])(
  '[N22] after a deletion of a row that no loaded page has, a list in pages by %s has the new count',
  async (paginationField) => {
    const w = world();
    const rows = [1, 2, 3, 4, 5].map((id) => ({ id, userId: 1, title: `t${id}` }));
    const todos = createResource({
      path: '/todos/:id',
      schema: Todo,
      paginationField,
    });
    const list = todos.getList.extend({
      schema: { results: new Collection([Todo]), total: 0 },
      fetch: async (params: Readonly<Record<string, number>> = {}) => {
        const { page = 1, offset = (page - 1) * 2, cursor = offset } = params;
        return { results: rows.slice(cursor, cursor + 2), total: rows.length };
      },
    });
    w.controller.view(list, {}).retain();
    await w.controller.fetch(list, {});
    await w.controller.fetch(list.getPage, { [paginationField]: 2 });
    rows.splice(4, 1);
    const remove = todos.delete.extend({ fetch: async () => null } as object);
    await w.controller.fetch(remove as EndpointInterface, { id: 5 });
    await settled();
    expect(w.controller.getResponse(list, {}).data).toMatchObject({ total: 4 });
    expect(ids(w.controller.getResponse(list, {}).data?.results)).toEqual([1, 2, 3, 4]);
  },
);

test('[N18] a move changes lists by a filter at once, and refetches mounted pages', async () => {
  const { controller, todos, show, sentBy, data } = await setUp();
  for (const params of [{ userId: 1 }, { userId: 2 }, { userId: 1, page: 1 }])
    await show(todos.getList, params);
  expect(
    await sentBy(() => controller.fetch(todos.getList.move, { id: 3 }, { userId: 1 })),
  ).toEqual(['GET /todos?page=1&userId=1', 'PATCH /todos/3']);
  expect(ids(data(todos.getList, { userId: 1 }))).toEqual([2, 3]);
  expect(ids(data(todos.getList, { userId: 2 }))).toEqual([1]);
});

test('[N18] a mounted page requested before a creation is refetched once', async () => {
  const { controller, todos, sentBy } = await setUp();
  controller.view(todos.getList, { page: 1 }).retain();
  const requests = await sentBy(async () => {
    const early = controller.fetch(todos.getList, { page: 1 });
    await Promise.all([early, controller.fetch(todos.create, { userId: 1, title: 'new' })]);
    await controller.fetchIfStale(todos.getList, { page: 1 });
  });
  expect(requests).toEqual(['GET /todos?page=1', 'GET /todos?page=1', 'POST /todos']);
});

test.each([
  ['a controller', { revalidateLists: false } as const, {}],
  ['a resource', {}, { revalidateLists: false } as const],
])(
  '[N18] `revalidateLists: false` of %s refetches and expires no page after a creation',
  async (_of, options, policy) => {
    const { controller, todos, show, sentBy } = await setUp(options, policy);
    await show(todos.getList, { page: 1 });
    expect(await sentBy(() => controller.fetch(todos.create, { userId: 1, title: 'new' }))).toEqual(
      ['POST /todos'],
    );
    expect(await sentBy(() => controller.fetchIfStale(todos.getList, { page: 1 }))).toEqual([]);
  },
);

test('[N18] two creations in one transaction refetch a mounted page once', async () => {
  const { controller, todos, show, sentBy } = await setUp();
  await show(todos.getList, { page: 1 });
  const work = () =>
    transaction(controller, (step) =>
      Promise.all([1, 2].map((userId) => step.fetch(todos.create, { userId, title: 'new' }))),
    );
  expect(await sentBy(work)).toEqual(['GET /todos?page=1', 'POST /todos', 'POST /todos']);
});

test('[N15] a created row joins the list with the path params of the call, not with the fields of the row', async () => {
  const server = await serve(({ method, text }) => ({
    body: method === 'GET' ? [] : { ...(JSON.parse(text) as object), id: 7 },
  }));
  const comments = new RestEndpoint({
    urlPrefix: server.address,
    path: '/posts/:id/comments',
    schema: new Collection([Todo]),
  });
  const controller = new Controller();
  for (const id of [1, 7]) await controller.fetch(comments, { id });
  await controller.fetch(comments.push, { id: 1 }, { title: 'first' });
  expect([1, 7].map((id) => ids(controller.getResponse(comments, { id }).data))).toEqual([[7], []]);
});

test('[N15] an argument named `orderId` filters created rows if the class has this field', async () => {
  class Order extends Entity {
    id = 0;
    orderId = 0;
  }
  const server = await serve(({ method, text }) => ({
    body: method === 'GET' ? [] : { ...(JSON.parse(text) as object), id: 7 },
  }));
  const lines = createResource({
    urlPrefix: server.address,
    path: '/lines/:id',
    schema: Order,
    searchParams: {} as { orderId: number },
  });
  const controller = new Controller();
  for (const orderId of [1, 2]) await controller.fetch(lines.getList, { orderId });
  await controller.fetch(lines.create, { orderId: 1 }, { orderId: 1 });
  expect(
    [1, 2].map((orderId) => ids(controller.getResponse(lines.getList, { orderId }).data)),
  ).toEqual([[7], []]);
});

test.each([
  ['the row', { id: 1, userId: 2, title: 'todo 1' }, ['/todos', '/todos?userId=2']],
  [
    'some of its fields',
    { id: 1, title: 'todo 1' },
    ['/todos', '/todos?userId=2', '/todos?userId=3'],
  ],
])(
  '[N18] lists that may contain a deleted row are refetched after a mutation that restores the row: the response is %s',
  async (_, row, expected) => {
    const { address, asked } = await serve(({ method, url }) => {
      if (method === 'DELETE') return { status: 204 };
      const isThere = !url.includes('3');
      return { body: method === 'POST' ? row : isThere ? [{ ...row, userId: 2 }] : [] };
    });
    const todos = createResource({ urlPrefix: address, path: '/todos/:id', schema: Todo });
    const restore = todos.get.extend({ path: '/todos/:id/restore', method: 'POST' });
    const controller = new Controller();
    for (const search of [{}, { userId: 2 }, { userId: 3 }]) {
      controller.view(todos.getList, search).retain();
      await controller.fetch(todos.getList, search);
    }
    await controller.fetch(todos.delete, { id: 1 });
    asked.length = 0;
    await controller.fetch(restore, { id: 1 }, {});
    const reads = () =>
      new Set(asked.flatMap(({ method, url }) => (method === 'GET' ? [url] : [])));
    while (reads().size < expected.length) await settled();
    for (let turn = 0; turn < 20; turn++) await settled();
    expect([...reads()].sort()).toEqual(expected);
    expect(controller.getResponse(todos.getList, {}).data?.map(({ id }) => id)).toEqual([1]);
  },
);

test.each([
  ['first', ['DELETE', 'POST']],
  ['last', ['POST', 'DELETE']],
])(
  '[N18] lists are refetched for a row that is restored while its deletion is in flight: the deletion is answered %s',
  async (_, order) => {
    const row = { id: 1, userId: 2, title: 'todo 1' };
    const w = world();
    const { controller } = w;
    const all = w.read('list', new Collection([Todo]));
    const leave = controller.view(all, {}).retain();
    await controller.setResponse(all, {}, [row]);
    void controller.fetch(w.mutation('DELETE', new Delete(Todo)), { id: 1 });
    void controller.fetch(w.mutation('POST', Todo), { id: 1 });
    for (const name of order) await w.calls.find((call) => call.name === name)?.answer(row);
    const reads = w.calls.filter(({ name }) => name === 'list');
    expect(reads).toHaveLength(1);
    await reads[0]?.answer([row]);
    expect(controller.getResponse(all, {}).data).toEqual([row]);
    leave();
  },
);
