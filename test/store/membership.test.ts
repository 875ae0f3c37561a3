/** The members of a list: creations, deletions and reads of the list in every order. */
import { Collection, Delete } from 'signalbox';
import type { CollectionOptions } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, watch, world } from '../setup/world.ts';

/** A list of todos with endpoints that create and delete; `start` has the first rows. */
async function lists(start: readonly number[] | null = [1, 2], options?: CollectionOptions) {
  const w = world();
  const collection = new Collection([Todo], options);
  const list = w.read('list', collection);
  const push = w.mutation('push', collection.push);
  const unshift = w.mutation('unshift', collection.unshift);
  const remove = w.mutation('remove', new Delete(Todo));
  const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, title: `t${id}` }));
  /** Sends a request; returns the unanswered call. */
  const send = (endpoint: typeof list | typeof push | typeof remove, ...args: unknown[]) => {
    w.controller.fetch(endpoint as typeof list, ...args).catch(() => {});
    return w.call();
  };
  const read = (params: object = {}) => {
    // an endpoint with another name has another key, so that no read joins
    return send(list.extend({ name: `list ${w.calls.length}` }) as typeof list, params);
  };
  const ids = (params: object = {}) => w.controller.get(collection, params)?.map(({ id }) => id);
  if (start !== null) {
    send(list, {});
    await w.call().answer(rows(...start));
  }
  return { w, list, push, unshift, remove, rows, send, read, ids };
}

test('[N15] push adds a created row at the end of a list, unshift at the front', async () => {
  const { push, unshift, send, ids } = await lists();
  await send(push, { title: 'x' }).answer({ id: 9 });
  await send(unshift, { title: 'x' }).answer({ id: 8 });
  expect(ids()).toEqual([8, 1, 2, 9]);
});

test('[N15] a creation of several rows adds each row to the list, and returns the rows', async () => {
  const { w, push, rows, ids } = await lists();
  const created = w.controller.fetch(push, [{ title: 'x' }, { title: 'y' }]);
  await w.call().answer(rows(8, 9));
  expect(ids()).toEqual([1, 2, 8, 9]);
  expect(await created).toEqual([
    w.controller.entity(Todo, 8).value,
    w.controller.entity(Todo, 9).value,
  ]);
});

test('[N15] a creation of a listed row does not add the row again', async () => {
  const { push, send, ids } = await lists();
  await send(push, {}).answer({ id: 1, title: 'changed' });
  expect(ids()).toEqual([1, 2]);
});

test('[N15] a creation is added to exactly the lists whose filter arguments match it', async () => {
  const { push, send, read, rows, ids } = await lists();
  await read({ userId: 1 }).answer(rows(1));
  await read({ userId: 2 }).answer(rows(2));
  await read({ userId: 1, done: true }).answer([]);
  await read({ userId: 1, sort: 'title' }).answer(rows(1));
  await read({ nobody: 1 }).answer([]);
  await send(push, { title: 'x' }).answer({ id: 9, userId: 1, done: false });
  expect(ids()).toEqual([1, 2, 9]);
  expect(ids({ userId: 1 })).toEqual([1, 9]);
  expect(ids({ userId: 2 })).toEqual([2]);
  expect(ids({ userId: 1, done: true })).toEqual([]);
  expect(ids({ userId: 1, sort: 'title' })).toEqual([1, 9]);
  expect(ids({ nobody: 1 })).toEqual([]);
});

test('[N15] fields of the body that the response leaves out decide the lists of a created row', async () => {
  const { push, send, read, ids } = await lists();
  await read({ userId: 1 }).answer([]);
  await send(push, { title: 'x', userId: 1 }).answer({ id: 9 });
  expect(ids({ userId: 1 })).toEqual([9]);
});

test('[N15] a row that is pushed again after a deletion is added at the end', async () => {
  const { push, remove, send, ids } = await lists([1, 2, 3]);
  await send(remove, { id: 1 }).answer({});
  await send(push, {}).answer({ id: 1, title: 'again' });
  expect(ids()).toEqual([2, 3, 1]);
});

test('[N15] a creation notifies only readers of lists that get the row, once', async () => {
  const { w, list, push, send, read, rows } = await lists();
  await read({ userId: 2 }).answer(rows(2));
  const entered = watch(w.controller.signal(list, {}));
  const other = watch(() => w.controller.signal(list, { userId: 2 }).value?.length);
  await send(push, {}).answer({ id: 9, userId: 1 });
  expect([entered.runs, other.runs]).toEqual([2, 1]);
});

test('[N14] a list is identified by its arguments, in any order, as values or as text', async () => {
  const { w, list, rows, send, ids } = await lists();
  await send(list, { userId: 1, done: false }).answer(rows(7));
  expect(ids({ done: 'false', userId: '1' })).toEqual([7]);
  expect(w.controller.view(list, { done: false, userId: 1 }).result.value.status).toBe('success');
});

test('[N14] argsKey selects the arguments that identify a list', async () => {
  const argsKey = ({ group }: { group?: string }) => ({ group });
  const { push, send, read, rows, ids } = await lists(null, { argsKey });
  await read({ group: 'a', cursor: 1 }).answer(rows(1));
  expect(ids({ group: 'a', cursor: 2 })).toEqual([1]);
  await send(push, {}).answer({ id: 2, group: 'a' });
  expect(ids({ group: 'a' })).toEqual([1, 2]);
});

test('[N14] nonFilterArgumentKeys names arguments that do not filter rows', async () => {
  const options = { nonFilterArgumentKeys: ['view'] };
  const { push, send, read, ids } = await lists(null, options);
  await read({ view: 'small' }).answer([]);
  await read({ sort: 'x' }).answer([]);
  await send(push, {}).answer({ id: 1 });
  expect(ids({ view: 'small' })).toEqual([1]);
  expect(ids({ sort: 'x' })).toEqual([]);
});

test('[O4] a list read issued before a creation was confirmed does not drop its row', async () => {
  const { push, rows, send, read, ids } = await lists();
  const created = send(push, {});
  const older = read();
  await created.answer({ id: 9 });
  await older.answer(rows(1, 2));
  expect(ids()).toEqual([1, 2, 9]);
});

test('[O4] a list read issued after a creation was confirmed replaces the list', async () => {
  const { push, rows, send, read, ids } = await lists();
  await send(push, {}).answer({ id: 9 });
  await read().answer(rows(1, 2));
  expect(ids()).toEqual([1, 2]);
});

test('[O4] a list read issued before a deletion was confirmed does not restore the row', async () => {
  const { remove, rows, send, read, ids } = await lists();
  const removal = send(remove, { id: 1 });
  const older = read();
  await removal.answer({});
  await older.answer(rows(1, 2, 3));
  expect(ids()).toEqual([2, 3]);
});

test('[O4] a list read issued after a deletion was confirmed restores the row that the response contains', async () => {
  const { remove, rows, send, read, ids } = await lists();
  await send(remove, { id: 1 }).answer({});
  await read().answer(rows(1, 2));
  expect(ids()).toEqual([1, 2]);
});

test('[O4] a row created during the first read of a list is in the list', async () => {
  const { push, rows, send, read, ids } = await lists(null);
  const first = read();
  await send(push, {}).answer({ id: 9 });
  await first.answer(rows(1, 2));
  expect(ids()).toEqual([1, 2, 9]);
});

test('[O4] a row deleted during the first read of a list is not in the list', async () => {
  const { push, remove, rows, send, read, ids } = await lists(null);
  const first = read();
  await send(remove, { id: 1 }).answer({});
  await first.answer(rows(1, 2));
  expect(ids()).toEqual([2]);
  await send(push, {}).answer({ id: 1 });
  expect(ids()).toEqual([2, 1]);
});

test('[O4] a row in the responses to a creation and a read is listed once', async () => {
  const { push, rows, send, read, ids } = await lists();
  const created = send(push, {});
  const older = read();
  await created.answer({ id: 9 });
  await older.answer(rows(9, 1, 2, 9));
  expect(ids()).toEqual([9, 1, 2]);
});

test('[O4] the response of an older list read does not replace a newer response', async () => {
  const { rows, read, ids } = await lists();
  const [older, newer] = [read(), read()];
  await newer.answer(rows(3));
  await older.answer(rows(1, 2));
  expect(ids()).toEqual([3]);
});

test('[O4] creations and deletions confirmed after a list read was issued are kept by the response', async () => {
  const { push, unshift, remove, rows, send, read, ids } = await lists([1, 2, 3]);
  const older = read();
  await send(push, {}).answer({ id: 8 });
  await send(unshift, {}).answer({ id: 7 });
  await send(remove, { id: 2 }).answer({});
  await send(push, {}).answer({ id: 9 });
  await send(remove, { id: 8 }).answer({});
  await older.answer(rows(1, 2, 3, 4));
  expect(ids()).toEqual([7, 1, 3, 4, 9]);
});

test('[O4] a deleted row leaves a plain list in an object response', async () => {
  const { w, remove, send, rows } = await lists();
  const plain = w.read('plain', { all: [Todo] }, { reply: () => ({ all: rows(1, 2) }) });
  await w.controller.fetch(plain, {});
  await send(remove, { id: 1 }).answer({});
  expect(w.controller.signal(plain, {}).value?.all.map(({ id }) => id)).toEqual([2]);
});

test('[O4] a deletion notifies the reader of a list once', async () => {
  const { w, list, remove, send, read, rows } = await lists();
  await read({ userId: 1 }).answer(rows(1));
  const all = watch(w.controller.signal(list, {}));
  const mine = watch(() => w.controller.get(list.schema, { userId: 1 }));
  await send(remove, { id: 1 }).answer({});
  expect(all.runs).toBe(2);
  expect(all.last?.map(({ id }) => id)).toEqual([2]);
  expect(mine.runs).toBe(1);
});
