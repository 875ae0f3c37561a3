/** Mutations that the server answers with an empty response. */
import { Controller, createResource, Delete, Entity, optimistic } from 'signalbox';
import { expect, test } from 'vitest';
import { User } from '../setup/samples.ts';
import { settled } from '../setup/world.ts';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  owner: User | null = null;
  static override schema = { owner: User };
}

const rows = [
  { id: 1, title: 'one', owner: { id: 7, name: 'Ada' } },
  { id: 2, title: 'two' },
];

/** Reads are answered with `rows`; every mutation with `answer`. */
async function setUp(answer: Answer = { status: 204 }) {
  const { address, asked } = await serve(({ method, url }) => {
    if (method !== 'GET') return answer;
    if (url.startsWith('/users')) return { body: { id: 7, name: 'Ada' } };
    const id = /\d+$/.exec(url)?.[0];
    return { body: id === undefined ? rows : rows.find((row) => String(row.id) === id) };
  });
  return {
    asked,
    controller: new Controller(),
    todos: createResource({ path: '/todos/:id', schema: Todo, urlPrefix: address }),
    users: createResource({ path: '/users/:id', schema: User, urlPrefix: address }),
  };
}

const json = (body: string): Answer => ({ headers: { 'content-type': 'application/json' }, body });

test.each([
  ['204', { status: 204 }],
  ['205', { status: 205 }],
  ['200 without a body', { status: 200 }],
  ['201 without a body', json('')],
  ['null', json('null')],
])(
  '[R8] a mutation answered with %s resolves with null, and the sent fields are confirmed',
  async (_, answer: Answer) => {
    const { controller, todos } = await setUp(answer);
    const list = await controller.fetch(todos.getList);
    await expect(controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'x' })).resolves.toBe(
      null,
    );
    await expect(controller.fetch(todos.update, { id: 1 }, { title: 'x' })).resolves.toBe(null);
    await expect(controller.fetch(todos.create, { title: 'x' })).resolves.toBe(null);
    expect(list.map(({ title }) => title)).toEqual(['one', 'two']);
    const titles = controller.getResponse(todos.getList).data?.map(({ title }) => title);
    expect(titles).toEqual(['x', 'two']);
    expect(controller.getError(todos.getList)).toBeUndefined();
  },
);

test('[R8] after an empty response, only results with the entity are refetched on the next read', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.get, { id: 1 });
  await controller.fetch(todos.get, { id: 2 });
  await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'x' });
  asked.length = 0;
  await controller.fetchIfStale(todos.get, { id: 2 });
  expect(asked).toHaveLength(0);
  await controller.fetchIfStale(todos.get, { id: 1 });
  await controller.fetchIfStale(todos.getList);
  expect(asked.map(({ url }) => url)).toEqual(['/todos/1', '/todos']);
  await controller.fetchIfStale(todos.get, { id: 1 });
  expect(asked).toHaveLength(2);
});

test('[R8] an empty response to an update of a user refetches the user and todos with the user, but no other todo', async () => {
  const { controller, todos, users, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(users.update, { id: 7 }, { name: 'x' });
  asked.length = 0;
  await controller.fetchIfStale(users.get, { id: 7 });
  await controller.fetchIfStale(todos.getList);
  await controller.fetchIfStale(todos.get, { id: 2 });
  expect(asked.map(({ url }) => url)).toEqual(['/users/7', '/todos']);
});

test('[R8] an empty response expires a list that was stored by setResponse and never mounted', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.setResponse(todos.getList, {}, rows);
  await controller.fetch(todos.update, { id: 1 }, { title: 'x' });
  asked.length = 0;
  await controller.fetchIfStale(todos.getList, {});
  expect(asked).toHaveLength(1);
});

test('[R8] after an empty response a mounted reader shows the sent value, and refetches at once', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.fetch(todos.get, { id: 1 });
  await controller.fetch(todos.get, { id: 2 });
  const release = [1, 2].map((id) => controller.view(todos.get, { id }).retain());
  asked.length = 0;
  await controller.fetch(todos.update, { id: 1 }, { title: 'x' });
  expect(controller.getResponse(todos.get, { id: 1 }).data).toMatchObject({ title: 'x' });
  while (asked.length < 2) await settled();
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PUT /todos/1',
    'GET /todos/1',
  ]);
  for (const stop of release) stop();
});

test('[R8] an empty response to a creation expires the lists of the class, but not the details', async () => {
  const { controller, todos, users, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.get, { id: 1 });
  await controller.fetch(users.getList.extend({ path: '/users/7', schema: User }));
  await controller.fetch(todos.create, { title: 'x' });
  asked.length = 0;
  await controller.fetchIfStale(todos.get, { id: 1 });
  await controller.fetchIfStale(todos.getList);
  expect(asked.map(({ url }) => url)).toEqual(['/todos']);
});

test('[R8] a read issued before an update with an empty response leaves the key stale', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.fetch(todos.get, { id: 1 });
  const early = controller.fetch(todos.get, { id: 1 });
  await controller.fetch(todos.update, { id: 1 }, { title: 'x' });
  await early;
  asked.length = 0;
  await controller.fetchIfStale(todos.get, { id: 1 });
  expect(asked).toHaveLength(1);
});

test('[R8] an empty response to a mutation without a primary key expires all results with entities of the class', async () => {
  const { controller, todos, users, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(users.get, { id: 7 });
  const rename = users.update.extend({ path: '/current_user', schema: [User] });
  await expect(controller.fetch(rename, { name: 'x' })).resolves.toBe(null);
  asked.length = 0;
  await controller.fetchIfStale(users.get, { id: 7 });
  await controller.fetchIfStale(todos.getList);
  await controller.fetchIfStale(todos.get, { id: 2 });
  expect(asked.map(({ url }) => url)).toEqual(['/users/7', '/todos']);
});

test('[R8] an empty response to a deletion deletes the row, and to a mutation without a schema expires no list', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.fetch(todos.getList);
  const ping = todos.create.extend({ schema: undefined });
  await expect(controller.fetch(ping, {})).resolves.toBe(null);
  await controller.fetchIfStale(todos.getList);
  expect(asked).toHaveLength(2);
  await controller.fetch(todos.delete, { id: 1 });
  expect(controller.getResponse(todos.getList).data).toHaveLength(1);
});

const ids = (list: unknown) => (list as { id: number }[] | undefined)?.map(({ id }) => id);

test('[R8] an empty response to a deletion of several rows expires the results with entities of the class', async () => {
  const { controller, todos, users, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(users.get, { id: 7 });
  const deleteAll = todos.create.extend({ path: '/todos/delete', schema: [new Delete(Todo)] });
  await expect(controller.fetch(deleteAll, { ids: [1] })).resolves.toBe(null);
  asked.length = 0;
  await controller.fetchIfStale(users.get, { id: 7 });
  await controller.fetchIfStale(todos.getList);
  expect(asked.map(({ url }) => url)).toEqual(['/todos']);
});

test.each([
  ['an array', [new Delete(Todo)], (pks: readonly number[]) => pks],
  ['an envelope', { gone: [new Delete(Todo)] }, (pks: readonly number[]) => ({ gone: pks })],
])(
  '[R8] an empty response confirms an optimistic deletion of several rows: %s',
  async (_, schema, expected) => {
    const { todos, asked } = await setUp();
    const controller = new Controller({ optimistic });
    await controller.fetch(todos.getList);
    const deleteAll = todos.create.extend({
      path: '/todos/delete',
      schema,
      getOptimisticResponse: (__: unknown, body: { ids: number[] }) => expected(body.ids),
    });
    const deleting = controller.fetch(deleteAll, { ids: [1] });
    expect(ids(controller.getResponse(todos.getList).data)).toEqual([2]);
    await deleting;
    expect(ids(controller.getResponse(todos.getList).data)).toEqual([2]);
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    asked.length = 0;
    await controller.fetchIfStale(todos.getList);
    expect(asked).toEqual([]);
  },
);

test('[R8] an empty response to a change of a list that is not stored expires the results with entities of the class', async () => {
  const { controller, todos, asked } = await setUp();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.get, { id: 1 });
  const changeAll = todos.getList.extend({ method: 'PATCH', body: {} });
  await controller.fetch(changeAll, { ids: [1, 2], title: 'x' });
  asked.length = 0;
  await controller.fetchIfStale(todos.get, { id: 1 });
  await controller.fetchIfStale(todos.getList);
  expect(asked.map(({ url }) => url)).toEqual(['/todos/1', '/todos']);
});

class Account extends Entity {
  name = '';
  email = '';
  override pk() {
    return 'me';
  }
}

test('[N23] the only argument of a change of an entity with a constant key is the body', async () => {
  const { controller, todos } = await setUp();
  const get = todos.get.extend({ path: '/me', schema: Account });
  await controller.setResponse(get, { name: 'Ada', email: 'a@b' });
  await controller.fetch(get.extend({ method: 'PATCH', body: {} }), { name: 'Bob' });
  expect({ ...controller.get(Account, {}) }).toEqual({ name: 'Bob', email: 'a@b' });
});

class Grant extends Entity {
  user = 0;
  role = '';
  until = '';
  override pk() {
    return `${this.user}/${this.role}`;
  }
}

test.each([
  ['a constant key', Account, 'me', { name: 'Ada', email: 'a@b' }, {}, { name: 'Bob' }],
  [
    'a key of several fields',
    Grant,
    '1/dev',
    { user: 1, role: 'dev', until: '' },
    { user: '1', role: 'dev' },
    { until: '2027' },
  ],
])(
  '[N23] params give an entity with its own pk() neither further fields nor other values: %s',
  async (_, schema, pk, row, params, body) => {
    const { controller, todos } = await setUp();
    const get = todos.get.extend({ path: '/row', schema });
    await controller.setResponse(get, row);
    const searchParams: Record<string, unknown> = {};
    const change = get.extend({ path: '/row', method: 'PATCH', body: {}, searchParams });
    await controller.fetch(change, { ...params, notify: 'no' }, body);
    expect({ ...controller.get(schema as typeof Account, pk) }).toEqual({ ...row, ...body });
  },
);

test.each([
  ['204', { status: 204 }],
  ['an object without a key', { body: { ok: true } }],
])(
  '[R8] a deletion without params, answered with %s, deletes the only entity',
  async (_, answer) => {
    const { controller, todos } = await setUp(answer);
    const get = todos.get.extend({ path: '/me', schema: Account });
    await controller.setResponse(get, { name: 'Ada', email: 'a@b' });
    await controller.fetch(get.extend({ method: 'DELETE', schema: new Delete(Account) }));
    expect(controller.get(Account, {})).toBeUndefined();
  },
);

test('[R8] a deletion without params of a class with a key of several fields is refused', async () => {
  class Pair extends Entity {
    a = '';
    b = '';
    override pk() {
      return `${this.a}/${this.b}`;
    }
  }
  const { controller, todos } = await setUp();
  const deletion = todos.get.extend({ path: '/me', method: 'DELETE', schema: new Delete(Pair) });
  await expect(controller.fetch(deletion)).rejects.toMatchObject({ code: 'S1' });
});
