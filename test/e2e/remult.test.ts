// A server that answers deletions with 204 and rejects with 400, with a real SQLite database.
import { Controller, createResource } from 'signalbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Birthday, Comment, Todo } from '../servers/entities.ts';
import { startRemultServer, type RemultServer } from '../servers/remultServer.ts';

const rows = [
  { id: 1, title: 'oil the points', done: false, userId: 1 },
  { id: 2, title: 'trim the lamp', done: true, userId: 1 },
  { id: 3, title: 'log the goods', done: false, userId: 2 },
];

let server: RemultServer;
let controller: Controller;
beforeEach(async () => {
  server = await startRemultServer();
  await server.fill('todos', rows);
  controller = new Controller();
});
afterEach(() => server?.close());

/** This server knows no PATCH: a PUT with some fields changes only these. */
const todos = () =>
  createResource({
    path: '/todos/:id',
    schema: Todo,
    urlPrefix: server.url,
    paginationField: '_page',
  }).extend({ partialUpdate: { method: 'PUT' } });

test('[M1] the list in the store equals the database after create, update, partialUpdate and delete', async () => {
  const { getList, create, update, partialUpdate, delete: remove } = todos();
  expect(await controller.fetch(getList)).toEqual(await server.stored('todos'));
  const { id } = await controller.fetch(create, { title: 'ring Ashdown', userId: 2 });
  await controller.fetch(partialUpdate, { id }, { done: true });
  await controller.fetch(update, { id: 1 }, { ...rows[0], title: 'oil again' });
  await controller.fetch(remove, { id: 2 });
  const stored = await server.stored('todos');
  expect(stored).toHaveLength(3);
  expect(controller.getResponse(getList).data).toEqual(stored);
});

test('[M4] a deletion answered with 204 resolves with the params, and the row leaves each list', async () => {
  const { getList, delete: remove } = todos();
  await controller.fetch(getList);
  await controller.fetch(getList, { userId: 1 });
  await expect(controller.fetch(remove, { id: 1 })).resolves.toEqual({ id: 1 });
  expect(controller.getResponse(getList).data).toEqual([rows[1], rows[2]]);
  expect(controller.getResponse(getList, { userId: 1 }).data).toEqual([rows[1]]);
});

test('[R8] data changed by a mutation answered with 204 are shown until the next read refetches them', async () => {
  const { get, getList, delete: remove } = todos();
  const archive = remove.extend({ schema: Todo, process: (value: unknown) => value });
  await controller.fetch(getList);
  await controller.fetch(get, { id: 2 });
  await expect(controller.fetch(archive, { id: 1 })).resolves.toBe(null);
  expect(controller.getResponse(getList).data).toEqual(rows);
  expect(await controller.fetchIfStale(getList)).toEqual([rows[1], rows[2]]);
  await expect(controller.fetchIfStale(get, { id: 1 })).rejects.toMatchObject({ status: 404 });
});

test('[R6] a rejected mutation has the message of the server, and changes nothing', async () => {
  const { getList, create, partialUpdate } = todos();
  const before = await controller.fetch(getList);
  const title = 'x'.repeat(41);
  const refusal = { status: 400, body: { modelState: { title: expect.any(String) as string } } };
  await expect(controller.fetch(partialUpdate, { id: 1 }, { title })).rejects.toMatchObject(
    refusal,
  );
  await expect(controller.fetch(create, { title: '' })).rejects.toMatchObject(refusal);
  expect(controller.getResponse(getList).data).toBe(before);
  expect(await server.stored('todos')).toEqual(rows);
});

test('[M6] pages of a plain list are appended, in the order of the server', async () => {
  const { getList } = todos();
  const params = { _limit: 1, _sort: 'title' };
  await controller.fetch(getList, params);
  for (const _page of [2, 3, 4]) await controller.fetch(getList.getPage, { ...params, _page });
  const shown = controller.getResponse(getList, params).data;
  expect(shown?.map(({ title }) => title)).toEqual([
    'log the goods',
    'oil the points',
    'trim the lamp',
  ]);
});

test('[N5] a date is a Date in the entity, and ISO text on the server', async () => {
  const date = new Date('1815-12-10T00:00:00.000Z');
  await server.fill('birthdays', [{ id: 1, name: 'Ada', date }]);
  const birthdays = createResource({
    path: '/birthdays/:id',
    schema: Birthday,
    urlPrefix: server.url,
  }).extend({ partialUpdate: { method: 'PUT' } });
  const [ada] = await controller.fetch(birthdays.getList);
  expect(ada?.date).toEqual(date);
  const moved = new Date('1815-12-11T00:00:00.000Z');
  const changed = await controller.fetch(birthdays.partialUpdate, { id: 1 }, { date: moved });
  expect(changed.date).toEqual(moved);
  expect(await server.stored('birthdays')).toMatchObject([{ date: moved.toISOString() }]);
});

test('[R4] a body of several lines is stored as sent, and the comment joins the list of its post', async () => {
  await server.fill('comments', [{ id: 1, postId: 5, name: 'Ada', body: 'first' }]);
  const comments = createResource({
    path: '/comments/:id',
    schema: Comment,
    urlPrefix: server.url,
    searchParams: {} as { postId: number },
  });
  await controller.fetch(comments.getList, { postId: 5 });
  const body = 'one\r\ntwo\n\n\tthree \u2028 "four" \\ 线路';
  await controller.fetch(comments.create, { postId: 5 }, { postId: 5, name: 'Olu', body });
  expect(controller.getResponse(comments.getList, { postId: 5 }).data?.[1]?.body).toBe(body);
  expect(await server.stored('comments')).toMatchObject([{ body: 'first' }, { body }]);
});
