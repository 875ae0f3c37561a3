// Rows that leave lists while older reads of these lists are in flight.
import { createResource } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, Todo, world } from '../setup/world.ts';

const row = (userId: number) => ({ id: 1, userId });
const other = { id: 2, userId: 1 };

/** The list of user 1 with the rows `start`, and a read of the list or of a page in flight. */
async function inFlight({
  start,
  page = false,
}: { start?: readonly object[]; page?: boolean } = {}) {
  const { controller } = world();
  const { getList, create } = createResource({
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'cursor',
  });
  const body = async (...args: readonly object[]) => ({ id: 1, ...args.at(-1) });
  const mutations = {
    create: create.extend({ fetch: body }),
    move: getList.move.extend({ fetch: body }),
    remove: getList.remove.extend({ fetch: body }),
  };
  if (start !== undefined) await controller.setResponse(getList, { userId: 1 }, start);
  let resolve: (rows: readonly object[]) => void = () => {};
  const response = new Promise<readonly object[]>((done) => void (resolve = done));
  const fetch = () => response;
  if (page) void controller.fetch(getList.getPage.extend({ fetch }), { userId: 1, cursor: 2 });
  else void controller.fetch(getList.extend({ fetch }), { userId: 1 });
  const answer = (rows: readonly object[]) => (resolve(rows), settled());
  const ids = () => controller.getResponse(getList, { userId: 1 }).data?.map(({ id }) => id);
  return { controller, answer, ids, ...mutations };
}

test.each([
  ['that no response has filled', {}],
  ['that does not contain the row', { start: [other] }],
  ['of which a page is requested', { start: [other], page: true }],
])('[O4] a read issued before a move does not restore the row in a list %s', async (_, how) => {
  const { controller, answer, move, ids } = await inFlight(how);
  await controller.set(Todo, row(1));
  await controller.fetch(move, { id: 1 }, { userId: 2 });
  await answer([row(1), other]);
  expect(ids()).toEqual([2]);
});

test('[O4] a read issued before a removal does not restore the row', async () => {
  const { controller, answer, remove, ids } = await inFlight();
  await controller.fetch(remove, { id: 1 }, {});
  await answer([row(1)]);
  expect(ids()).toEqual([]);
});

test('[O4] the response of a read issued before a row was created and moved does not add the row to the old list', async () => {
  const { controller, answer, create, move, ids } = await inFlight();
  await controller.fetch(create, row(1));
  await controller.fetch(move, { id: 1 }, { userId: 2 });
  await answer([]);
  expect(ids()).toEqual([]);
});

test('[O4] a row that moved away and back after a read was issued stays in the list', async () => {
  const { controller, answer, move, ids } = await inFlight();
  await controller.fetch(move, { id: 1 }, { userId: 2 });
  await controller.fetch(move, { id: 1 }, { userId: 1 });
  await answer([]);
  expect(ids()).toEqual([1]);
});

test('[O4] a read issued after a move decides the members of the list', async () => {
  const { controller, ids, answer, move } = await inFlight();
  await controller.fetch(move, { id: 1 }, { userId: 2 });
  await answer([]);
  const { getList } = createResource({ path: '/todos/:id', schema: Todo });
  await controller.fetch(getList.extend({ fetch: async () => [row(1)] }), { userId: 1 });
  expect(ids()).toEqual([1]);
});
