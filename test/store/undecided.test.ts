/** Arguments of lists that decide on the members, and arguments that leave the decision to the server. */
import { Collection, Delete, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { User, world } from '../setup/world.ts';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  assignee: number | null = null;
  points = 0;
  tags: string[] = [];
  author: User | null = null;
  due = new Date(0);
  static override schema = { author: User, due: Date };
}

type Args = Readonly<Record<string, unknown>>;

async function issues(args: Args, rows: readonly object[] = []) {
  const w = world();
  const collection = new Collection([Issue]);
  const list = w.read('list', collection);
  await w.controller.setResponse(list, args, rows);
  const ids = () => w.controller.get(collection, args)?.map(({ id }) => id);
  const isFresh = () => w.controller.getResponse(list, args).expiresAt > w.clock.now();
  /** Confirms a creation; gives the ids in the list, and whether the list is fresh. */
  const create = async (fields: object) => {
    void w.controller.fetch(w.mutation('create', collection.push), fields);
    await w.call().answer({ id: 9, ...fields });
    return { ids: ids(), isFresh: isFresh() };
  };
  return { w, collection, list, ids, isFresh, create };
}

const expired = (...ids: number[]) => ({ ids, isFresh: false });
const fresh = (...ids: number[]) => ({ ids, isFresh: true });

test.each([
  ['one of the values', { status: ['open', 'new'] }, { status: 'new' }, expired(9)],
  ['another value', { status: ['open', 'new'] }, { status: 'closed' }, expired()],
  ['a number of several', { assignee: [1, 2] }, { assignee: 2 }, expired(9)],
  ['null beside numbers', { assignee: [1, 2] }, { assignee: null }, expired()],
  ['null among the values', { assignee: [1, null] }, { assignee: null }, expired(9)],
  ['null for null', { assignee: null }, { assignee: null }, fresh(9)],
  ['a number for null', { assignee: null }, { assignee: 1 }, fresh()],
  ['an array where the class has null', { assignee: 1 }, { assignee: [1, 2] }, expired()],
  ['an array field, asked by a value', { tags: 'a' }, { tags: ['a', 'b'] }, expired()],
  ['an array field, asked by an array', { tags: ['a'] }, { tags: ['a'] }, expired()],
  ['a nested entity', { author: 'ada' }, { author: { id: 1, name: 'ada' } }, expired()],
  ['a nested entity under its key', { author: 1 }, { author: { id: 1 } }, expired()],
  ['a day against a Date', { due: '2026-01-01' }, { due: '2026-01-01T10:00:00Z' }, expired()],
  ['a range', { points: '1..5' }, { points: 3 }, expired()],
  ['an object', { points: { gte: 1 } }, { points: 3 }, expired()],
  ['a name that no row has', { label: ['x', 'y'] }, { title: 'new' }, expired()],
  ['several values of a field that the class lacks', { label: ['x'] }, { label: 'x' }, expired()],
  ['a search text', { q: 'text' }, { title: 'text' }, expired()],
  ['a value excluded beside a search', { q: 'x', status: 'open' }, { status: 'closed' }, fresh()],
])(
  '[N20] a creation with %s: filter %j and row %j leave the list as %j',
  async (_, args, fields, outcome) => {
    const { create } = await issues(args);
    expect(await create(fields)).toEqual(outcome);
  },
);

test('[N20] an optimistic creation joins a list of several values, and the list expires on confirmation', async () => {
  const { w, collection, ids, isFresh } = await issues({ status: ['open', 'new'] });
  const create = w.mutation('create', collection.push, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  void w.controller.fetch(create, { status: 'open' });
  expect([ids()?.length, isFresh()]).toEqual([1, true]);
  await w.call().answer({ id: 9, status: 'open' });
  expect([ids(), isFresh()]).toEqual([[9], false]);
});

test('[N20] a move keeps a row with another of several values, and removes a row with none of the values', async () => {
  const rows = [{ id: 1, status: 'open' }];
  const { w, collection, ids } = await issues({ status: ['open', 'new'] }, rows);
  await w.controller.set(collection.move, {}, { id: 1, status: 'new' });
  expect(ids()).toEqual([1]);
  await w.controller.set(collection.move, {}, { id: 1, status: 'closed' });
  expect(ids()).toEqual([]);
});

test('[N20] a move keeps a row in a list filtered by an array field, and the list expires', async () => {
  const { w, collection, ids, isFresh } = await issues({ tags: 'a' }, [{ id: 1, tags: ['a'] }]);
  await w.controller.set(collection.move, {}, { id: 1, tags: ['b'] });
  expect([ids(), isFresh()]).toEqual([[1], false]);
});

test.each<[string, Args]>([
  ['several values', { status: ['open', 'new'] }],
  ['an array field', { tags: ['a'] }],
  ['a nested entity', { author: 'ada' }],
])('[N20] a removal takes the row out of a list with %s', async (_, args) => {
  const row = { id: 1, status: 'open', tags: ['a'], author: { id: 1, name: 'ada' } };
  const { w, collection, ids } = await issues(args, [row]);
  await w.controller.set(collection.remove, {}, row);
  expect(ids()).toEqual([]);
});

test('[N20] a list expires after a creation if createCollectionFilter returns undefined', async () => {
  const w = world();
  const collection = new Collection([Issue], {
    createCollectionFilter: (body: { status: string }) => (key: Readonly<Record<string, string>>) =>
      key['status'] === 'any' ? undefined : key['status'] === body.status,
  });
  const list = w.read('list', collection);
  const shown = (status: string) => ({
    ids: w.controller.get(collection, { status })?.map(({ id }) => id),
    isFresh: w.controller.getResponse(list, { status }).expiresAt > w.clock.now(),
  });
  for (const status of ['any', 'open', 'closed'])
    await w.controller.setResponse(list, { status }, []);
  void w.controller.fetch(w.mutation('create', collection.push), { status: 'open' });
  await w.call().answer({ id: 9, status: 'open' });
  expect(['any', 'open', 'closed'].map(shown)).toEqual([expired(), fresh(9), fresh()]);
});

test('[N20] a confirmed change of an array field expires lists filtered by one of its values', async () => {
  const { w, ids, isFresh } = await issues({ tags: 'a' }, [{ id: 1, tags: ['a'] }]);
  void w.controller.fetch(w.mutation('patch', Issue), { id: 1 }, { tags: ['b'] });
  await w.call().answer({ id: 1, tags: ['b'] });
  expect([ids(), isFresh()]).toEqual([[1], false]);
});

test('[N20] a confirmed change of any field expires a search, unless a filter excludes the row', async () => {
  const { w, list, isFresh } = await issues({ q: 'x' }, [{ id: 1, title: 'x', status: 'open' }]);
  const closed = { q: 'x', status: 'closed' };
  await w.controller.setResponse(list, closed, []);
  void w.controller.fetch(w.mutation('patch', Issue), { id: 1 }, { title: 'y' });
  await w.call().answer({ id: 1, title: 'y' });
  expect(isFresh()).toBe(false);
  expect(w.controller.getResponse(list, closed).expiresAt > w.clock.now()).toBe(true);
});

test('[N20] a confirmed deletion expires a list filtered by an array field, not a list of several values', async () => {
  const row = { id: 1, status: 'open', tags: ['a'] };
  const { w, list, ids, isFresh } = await issues({ tags: 'a' }, [row]);
  const several = { status: ['open', 'new'] };
  await w.controller.setResponse(list, several, [row]);
  void w.controller.fetch(w.mutation('delete', new Delete(Issue)), { id: 1 });
  await w.call().answer({});
  expect([ids(), isFresh()]).toEqual([[], false]);
  const { data, expiresAt } = w.controller.getResponse(list, several);
  expect([data, expiresAt > w.clock.now()]).toEqual([[], true]);
});

test('[N21] a changed field of several values refetches a list that overlapped the read with the change', async () => {
  const { w, list } = await issues({}, [{ id: 2, tags: ['b'] }]);
  await w.controller.set(Issue, { id: 2 }, { id: 2, tags: ['b'] });
  void w.controller.fetch(w.read('get', Issue), { id: 2 });
  w.controller.view(list, { tags: 'a' }).retain();
  void w.controller.fetch(list, { tags: 'a' });
  // the server has read the list before the change, and the row after the change
  await w.call(1).answer([]);
  const changed = { id: 2, tags: ['a', 'b'] };
  await w.call(0).answer(changed);
  expect(w.log.slice(2)).toEqual(['list {"tags":"a"}']);
  await w.call(2).answer([changed]);
  await w.controller.set(Issue, { id: 2 }, changed);
  expect(w.log).toHaveLength(3);
});
