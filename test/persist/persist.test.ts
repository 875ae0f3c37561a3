import { All, Collection, createResource, Delete, Endpoint, Entity, Query } from 'signalbox';
import type { PersistOptions } from 'signalbox/persist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled, StoppedClock, Todo, User, wholeTodo } from '../setup/world.ts';
import { chunkSizes, copyOf, freshDisk, isHead, rowsOn, storeOf } from '../sync/disks.ts';
import * as kept from './persistedPages.ts';
import { A_MINUTE, get, getList, rows, titles, TodoResource, warnings } from './persistedPages.ts';
import type { Tab, TabOptions } from './persistedPages.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

const open = (disk: string, options?: TabOptions) => kept.open(disk, clock, options);
const opened = (disk: string, options?: TabOptions) => kept.opened(disk, clock, options);
const written = (more?: (tab: Tab) => unknown) => kept.written(clock, more);

/** The state of a reader of a todo. */
const state = ({ controller }: Tab, id: number) =>
  controller.view(get, { id }).result.peek().status;

/** Until transactions that have begun are over. */
const pause = () => new Promise<void>((done) => void setTimeout(done, 20));

/** The characters that are put on this disk, without the head, and in how many records. */
function counted(disk: string): { put: number; size: number } {
  const count = { put: 0, size: 0 };
  const real = Reflect.get(IDBObjectStore.prototype, 'put');
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...args
  ) {
    if (this.transaction.db.name === disk && !isHead(String(args.at(-1)))) {
      count.put++;
      count.size += (args[0] as string).length;
    }
    return real.apply(this, args);
  });
  return count;
}

test('[P1] after a reload, fresh data are read without a request, by key and by inference', async () => {
  const tab = await opened(await written());
  expect(await tab.controller.fetchIfStale(getList, {})).toMatchObject(rows);
  expect(await tab.controller.fetchIfStale(get, { id: 1 })).toMatchObject(rows[0]!);
  expect(tab.controller.get(User, { id: 3 })?.name).toBe('Ada');
  expect(tab.controller.get(Todo, { id: 1 })).toBeInstanceOf(Todo);
  expect(tab.controller.get(Todo, { id: 1 })?.upper).toBe('ONE');
  expect(tab.asked).toEqual([]);
});

test('[P1] after a reload, expired data are shown and refetched', async () => {
  const disk = await written();
  clock.advance(A_MINUTE + 1);
  const tab = await opened(disk);
  tab.answers.set(getList.key({}), [{ id: 2, title: 'new' }]);
  const view = tab.controller.view(getList, {});
  expect(view.result.peek()).toMatchObject({ status: 'success', data: rows });
  expect(await tab.controller.fetchIfStale(getList, {})).toMatchObject([{ id: 2, title: 'new' }]);
  expect(tab.asked).toEqual([getList.key({})]);
});

test('[P1] data with a time in the future, after the clock was set back, are shown and refetched once', async () => {
  const disk = await written();
  const earlier = new StoppedClock(clock.now() - 10 * A_MINUTE);
  for (const refetches of [true, false]) {
    const tab = await kept.opened(disk, earlier);
    tab.answers.set(getList.key({}), rows);
    tab.answers.set(get.key({ id: 1 }), rows[0]);
    expect(titles(tab)).toEqual(['one', 'two']);
    // by the entity alone, then by its list
    await tab.controller.fetchIfStale(get, { id: 1 });
    await tab.controller.fetchIfStale(getList, {});
    const keys = [get.key({ id: 1 }), getList.key({})];
    expect(tab.asked).toEqual(refetches ? keys : []);
    await tab.kept.flush();
    tab.kept.stop();
  }
});

test('[P1] data that never expire stay fresh when the clock is set back', async () => {
  const disk = await kept.written(clock, undefined, { dataExpiryLength: Infinity });
  const tab = await kept.opened(disk, new StoppedClock(clock.now() - 10 * A_MINUTE));
  expect(await tab.controller.fetchIfStale(getList, {})).toMatchObject(rows);
  expect(tab.asked).toEqual([]);
});

test('[P1] a list that a created row may belong to is expired in the next page as well, for each endpoint', async () => {
  const done = { done: true };
  const todos = new Collection([Todo]);
  const echo = (given: object) => Promise.resolve([given]);
  const list = new Endpoint(echo, { name: 'list', schema: todos });
  const other = new Endpoint(echo, { name: 'other', schema: new Query(todos, {}) });
  const names = { list, Todo };
  const disk = freshDisk();
  const tab = await opened(disk, { names });
  await tab.controller.setResponse(list, done, []);
  await tab.kept.flush();
  expect(tab.controller.getResponse(other, done).expiresAt).toBeGreaterThan(0);
  // nothing says whether the new row is done
  await tab.controller.set(todos.push, {}, { id: 9 });
  await tab.kept.flush();
  expect(tab.controller.getResponse(other, done).expiresAt).toBe(0);
  const next = await opened(await copyOf(disk), { names });
  expect(next.controller.getResponse(other, done)).toMatchObject({ data: [], expiresAt: 0 });
});

test('[N21] a changed row expires a filtered list that is on disk and not loaded yet', async () => {
  const todos = new Collection([Todo]);
  const echo = (given: object) => Promise.resolve([given]);
  const list = new Endpoint(echo, { name: 'list', schema: todos });
  const all = new Endpoint(echo, { name: 'all', schema: todos });
  const names = { list, all, Todo };
  const disk = freshDisk();
  const tab = await opened(disk, { names });
  await tab.controller.setResponse(all, {}, [wholeTodo()]);
  await tab.controller.setResponse(list, { done: false }, [wholeTodo()]);
  await tab.controller.setResponse(list, { title: 'a' }, [wholeTodo()]);
  await tab.kept.flush();
  const next = await opened(await copyOf(disk), { names });
  expect(next.controller.getResponse(list, { title: 'a' }).expiresAt).toBeGreaterThan(0);
  await next.controller.set(Todo, { id: 1 }, { done: true });
  expect(next.controller.getResponse(list, { done: false }).expiresAt).toBe(0);
});

test.each(['list', 'row'])(
  '[O7] a %s pushed again after its invalidation is valid in the next page',
  async (what) => {
    const todos = new Collection([Todo]);
    const echo = (given: object) => Promise.resolve(given);
    const list = new Endpoint(echo, { name: 'list', schema: todos });
    const row = new Endpoint(echo, { name: 'row', schema: Todo });
    const [read, value] = what === 'list' ? [list, [wholeTodo()]] : [row, wholeTodo()];
    const names = { list, row, Todo };
    const disk = freshDisk();
    const { controller, kept } = await opened(disk, { names });
    await controller.setResponse(read, { id: 1 }, value);
    controller.invalidate(read, { id: 1 });
    await kept.flush();
    if (what === 'list') await controller.set(todos, { id: 1 }, [wholeTodo()]);
    else await controller.set(Todo, { id: 1 }, wholeTodo());
    await kept.flush();
    const { data } = controller.getResponse(read, { id: 1 });
    expect(data).toBeDefined();
    const next = await opened(await copyOf(disk), { names });
    expect(next.controller.getResponse(read, { id: 1 }).data).toEqual(data);
  },
);

test('[P1] a list that a mutation expired before the first reader is expired in the next page', async () => {
  const todos = new Collection([Todo]);
  const echo = (given: object) => Promise.resolve(given);
  const list = new Endpoint(echo, { name: 'list', schema: todos });
  const create = new Endpoint(echo, { name: 'create', schema: todos.push, sideEffect: true });
  const names = { list, Todo };
  const disk = freshDisk();
  const { controller, kept, answers } = await opened(disk, { names });
  let confirm!: (row: object) => void;
  answers.set(create.key({}), new Promise<object>((resolve) => (confirm = resolve)));
  const creating = controller.fetch(create, {});
  await controller.set(todos, {}, []);
  await kept.flush();
  await controller.set(new Delete(Todo), {}, { id: 1 });
  // the created row was deleted meanwhile, so that only the server knows whether the list has the row
  confirm({ id: 1 });
  await creating;
  await kept.flush();
  expect(controller.getResponse(list, {}).expiresAt).toBe(0);
  const next = await opened(await copyOf(disk), { names });
  expect(next.controller.getResponse(list, {})).toMatchObject({ data: [], expiresAt: 0 });
});

test('[P1] data older than maxAge are dropped', async () => {
  const disk = await written();
  clock.advance(A_MINUTE);
  const tab = await opened(disk, { maxAge: A_MINUTE - 1 });
  expect(titles(tab)).toBe(undefined);
  await tab.kept.flush();
  expect([...(await rowsOn(disk)).keys()]).toEqual([]);
});

test('[P1] writes before the disk is read are kept over the data on the disk', async () => {
  const disk = await written(({ controller }) => controller.setResponse(get, { id: 7 }, { id: 7 }));
  const tab = open(disk);
  const { controller } = tab;
  await controller.set(Todo, { id: 1 }, { title: 'mine' });
  controller.invalidate(get, { id: 7 });
  await controller.set(getList.push.schema, {}, { id: 9, title: 'pushed' });
  await controller.set(TodoResource.delete.schema, { id: 2 }, {});
  await tab.kept.ready;
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'mine', author: { name: 'Ada' } });
  expect(state(tab, 2)).toBe('pending');
  expect(state(tab, 7)).toBe('pending');
  // only the server knows whether the new row is in a list that the page did not know of
  expect(titles(tab)).toEqual(['mine']);
  expect(controller.getResponse(getList, {}).expiresAt).toBe(0);
});

test('[P1] a list that is read before the disk has the created row, and lacks the deleted row, afterwards', async () => {
  const disk = await written();
  const tab = open(disk);
  const { controller } = tab;
  const list = controller.view(getList, {});
  await controller.set(getList.push.schema, {}, { id: 9, title: 'pushed' });
  await controller.set(TodoResource.delete.schema, { id: 2 }, {});
  await tab.kept.ready;
  expect(list.result.peek().data?.map(({ title }) => title)).toEqual(['one', 'pushed']);
  await tab.kept.flush();
  expect(titles(await opened(await copyOf(disk)))).toEqual(['one', 'pushed']);
});

test('[P1] a response received before the disk is read is kept, and other rows are restored from the disk', async () => {
  const disk = await written();
  const tab = open(disk);
  tab.answers.set(getList.key({}), [{ id: 2, title: 'newer' }]);
  await tab.controller.fetch(getList, {});
  await tab.kept.ready;
  expect(titles(tab)).toEqual(['newer']);
  expect(tab.controller.get(Todo, { id: 1 })?.title).toBe('one');
});

test('[P1] the optimistic value of a mutation is not written to disk, and the response is', async () => {
  const disk = await written();
  const tab = await opened(disk);
  const update = TodoResource.partialUpdate.extend({
    getOptimisticResponse: (_: unknown, own: object, body: object) => ({ ...own, ...body }),
  } as never);
  let answer: (value: unknown) => void = () => {};
  tab.answers.set(
    update.key({ id: 1 }, { title: 'expected' }),
    new Promise((resolve) => (answer = resolve)),
  );
  const sent = tab.controller.fetch(update, { id: 1 }, { title: 'expected' });
  expect(titles(tab)).toEqual(['expected', 'two']);
  await tab.kept.flush();
  expect(titles(await opened(await copyOf(disk)))).toEqual(['one', 'two']);
  answer({ id: 1, title: 'expected' });
  await sent;
  await tab.kept.flush();
  expect(titles(await opened(await copyOf(disk)))).toEqual(['expected', 'two']);
});

test('[P1] a reset deletes everything on the disk, also if the tab ends directly afterwards', async () => {
  const disk = await written();
  const tab = await opened(disk);
  await tab.controller.set(Todo, { id: 1 }, { title: 'secret' });
  tab.controller.reset();
  // no await between: later operations on the same disk find the write done
  const left = rowsOn(disk);
  expect([...(await left)]).toEqual([]);
  await tab.controller.set(Todo, { id: 5 }, { title: 'next user' });
  await tab.kept.flush();
  const next = await opened(await copyOf(disk));
  expect(next.controller.get(Todo, { id: 1 })).toBe(undefined);
  expect(next.controller.get(Todo, { id: 5 })?.title).toBe('next user');
});

test('[P1] a reset before the disk is read hides and deletes the data on the disk', async () => {
  const disk = await written();
  const tab = open(disk);
  tab.controller.reset();
  await tab.kept.ready;
  expect(titles(tab)).toBe(undefined);
  expect((await rowsOn(disk)).size).toBe(0);
});

test.each<[string, (at: number) => void]>([
  [
    'throws',
    (at) => {
      if (at === 2) throw new Error('disk gone');
    },
  ],
  ['fails', () => {}],
])(
  '[P1] a write that %s halfway leaves the previous state on the disk, and the next write repeats it',
  async (how, fail) => {
    const said = warnings();
    const disk = await written();
    const tab = await opened(disk);
    await tab.controller.setResponse(getList, {}, [{ id: 1, title: 'half' }, { id: 4 }, { id: 5 }]);
    const real = Reflect.get(IDBObjectStore.prototype, 'put');
    let puts = 0;
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      // a tab of another test may still write
      if (this.transaction.db.name !== disk) return real.apply(this, args);
      fail(++puts);
      const request = real.apply(this, args);
      if (how === 'fails' && puts === 2)
        request.addEventListener('success', () => this.transaction.abort());
      return request;
    });
    // an explicit commit may not be aborted any more
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(() => {});
    await tab.kept.flush();
    spy.mockRestore();
    commit.mockRestore();
    expect(puts).toBeGreaterThanOrEqual(2);
    expect(said.join()).toContain('signalbox P3');
    expect(titles(await opened(await copyOf(disk)))).toEqual(['one', 'two']);
    await tab.controller.set(Todo, { id: 4 }, { title: 'four' });
    await tab.kept.flush();
    expect(titles(await opened(await copyOf(disk)))).toEqual(['half', 'four', '']);
  },
);

test('[P1] without IndexedDB nothing throws, and a single warning is printed', async () => {
  const said = warnings();
  const { indexedDB } = globalThis;
  Reflect.deleteProperty(globalThis, 'indexedDB');
  try {
    const tab = await opened(freshDisk());
    await tab.controller.setResponse(getList, {}, rows);
    await tab.kept.flush();
    await tab.kept.clear();
    tab.controller.reset();
    tab.kept.stop();
    expect(titles(tab)).toBe(undefined);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('signalbox P3');
  } finally {
    globalThis.indexedDB = indexedDB;
  }
});

test('[P1] another version drops the data with a warning, and keeps records of other programs', async () => {
  const said = warnings();
  const disk = await written();
  await storeOf(disk)('readwrite', async (store) => void store.put('theirs', 'their key'));
  const tab = await opened(disk, { version: 'b' });
  expect(titles(tab)).toBe(undefined);
  expect(said.join()).toMatch(/signalbox P1.*version 0.*"b"/);
  await tab.controller.set(Todo, { id: 5 }, { title: 'five' });
  await tab.kept.flush();
  await tab.kept.clear();
  expect([...(await rowsOn(disk))]).toEqual([['their key', 'theirs']]);
});

test('[P1] commits are written as one batch after a delay, and at once when the user leaves the page', async () => {
  const disk = freshDisk();
  let leave = () => {};
  const leaving: PersistOptions['leaving'] = (tell) => {
    leave = tell;
    return () => (leave = () => {});
  };
  const tab = await opened(disk, { leaving });
  const count = counted(disk);
  await tab.controller.set(Todo, { id: 1 }, { title: 'a' });
  await tab.controller.set(Todo, { id: 1 }, { title: 'b' });
  clock.advance(50);
  await tab.kept.flush();
  expect(count.put).toBe(1);
  await tab.controller.set(Todo, { id: 1 }, { title: 'c' });
  leave();
  expect((await opened(await copyOf(disk))).controller.get(Todo, { id: 1 })?.title).toBe('c');
  tab.kept.stop();
  await tab.controller.set(Todo, { id: 1 }, { title: 'd' });
  clock.advance(50);
  await settled();
  expect((await opened(await copyOf(disk))).controller.get(Todo, { id: 1 })?.title).toBe('c');
});

test('[P1] a changed row among 5,000 writes only its chunk, and a created row at most four chunks', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  const many = Array.from({ length: 5_000 }, (_, id) => wholeTodo({ id, title: `row ${id}` }));
  const count = counted(disk);
  const cost = async (work: () => unknown) => {
    Object.assign(count, { put: 0, size: 0 });
    await work();
    await tab.kept.flush();
    return { ...count };
  };
  const { controller } = tab;
  const first = await cost(() => controller.setResponse(getList, {}, many));
  const chunk = Math.max(...(await chunkSizes(disk)));
  expect(first.put).toBeLessThan(50);
  expect(first.size).toBeGreaterThan(10 * chunk);
  const changed = await cost(() => controller.set(Todo, { id: 7 }, { title: 'new' }));
  expect(changed.size).toBeLessThan(2 * chunk);
  // the row, a part of the list, and the record that names the parts of the list
  const pushed = await cost(() => controller.set(getList.push.schema, {}, { id: 9_000 }));
  expect(pushed.size).toBeLessThan(4 * chunk);
  const { size } = await rowsOn(disk);
  await cost(() => controller.set(TodoResource.delete.schema, { id: 9_000 }, {}));
  // the deleted row, and a part of the list
  expect(Math.abs((await rowsOn(disk)).size - size)).toBeLessThanOrEqual(2);
  expect(JSON.stringify([...(await rowsOn(disk))])).not.toContain('9000');
  const next = await opened(await copyOf(disk));
  expect(titles(next)).toEqual(many.map((_, id) => (id === 7 ? 'new' : `row ${id}`)));
});

test('[P1] an unchanged refetch writes nothing until a flush, which writes no rows', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  const many = Array.from({ length: 500 }, (_, id) => wholeTodo({ id, title: `row ${id}` }));
  await tab.controller.setResponse(getList, {}, many);
  await tab.kept.flush();
  const rowsBefore = await rowsOn(disk);
  const count = counted(disk);
  for (let times = 0; times < 3; times++) {
    clock.advance(1_000);
    await tab.controller.setResponse(getList, {}, many);
    clock.advance(50);
    await settled();
    await pause();
  }
  expect(count).toEqual({ put: 0, size: 0 });
  await tab.kept.flush();
  expect(count.put).toBe(1);
  const isRow = ([key]: [string, unknown]) =>
    key.startsWith('["entity"') || key.startsWith('["part"');
  expect([...(await rowsOn(disk))].filter(isRow)).toEqual([...rowsBefore].filter(isRow));
  // received again unchanged, a row is as fresh as the list: alone, and in the list
  const expiresAt = clock.now() - 50 + A_MINUTE;
  const alone = await opened(await copyOf(disk));
  expect(alone.controller.getResponse(get, { id: 3 }).expiresAt).toBe(expiresAt);
  const whole = await opened(await copyOf(disk));
  expect(titles(whole)).toHaveLength(500);
  expect(whole.controller.getResponse(get, { id: 3 }).expiresAt).toBe(expiresAt);
});

test('[P1] after a reload, only data that are read are decoded', async () => {
  const disk = await written(async ({ controller }) => {
    const many = Array.from({ length: 1_000 }, (_, id) => wholeTodo({ id: id + 100 }));
    await controller.setResponse(getList, { userId: 5 }, many);
  });
  const parse = vi.spyOn(JSON, 'parse');
  const tab = await opened(disk);
  expect(titles(tab)).toEqual(['one', 'two']);
  expect(tab.controller.get(Todo, { id: 500 })?.id).toBe(500);
  expect(parse.mock.calls.length).toBeLessThan(50);
  const list = tab.controller.getResponse(getList, { userId: 5 });
  expect(list.data).toHaveLength(1_000);
});

test('[P1] a restored row is found by an indexed field before it is read by its key', async () => {
  class City extends Entity {
    id = 0;
    code = '';
    static override indexes = ['code'] as const;
  }
  const names = { city: createResource({ path: '/cities/:id', schema: City }) };
  const options = { names };
  const cities = [1, 2, 3].map((id) => ({ id, code: `c${id}` }));
  const disk = await kept.written(
    clock,
    ({ controller }) => controller.setResponse(names.city.getList, {}, cities),
    options,
  );
  expect((await opened(disk, options)).controller.get(City, { code: 'c2' })?.id).toBe(2);
});

test('[P1] pushes, deletions, expiries and All find rows on disk that were not read before', async () => {
  const disk = await written(async ({ controller }) => {
    await controller.setResponse(getList, { userId: 1 }, rows);
    await controller.setResponse(get, { id: 1 }, rows[0]);
  });
  const pushed = await opened(await copyOf(disk));
  await pushed.controller.set(getList.push.schema, {}, { id: 9, title: 'nine', userId: 1 });
  expect(titles(pushed)).toEqual(['one', 'two', 'nine']);
  expect(pushed.controller.getResponse(getList, { userId: 1 }).data).toHaveLength(3);
  const deleted = await opened(await copyOf(disk));
  await deleted.controller.set(TodoResource.delete.schema, { id: 1 }, {});
  expect(titles(deleted)).toEqual(['two']);
  await deleted.kept.flush();
  expect(titles(await opened(await copyOf(disk)))).toEqual(['one', 'two']);
  const expired = await opened(await copyOf(disk));
  expired.controller.expireAll(getList);
  expect(expired.controller.getResponse(getList, {}).expiresAt).toBe(0);
  const whole = await opened(await copyOf(disk));
  expect(whole.controller.get(new All(Todo))?.map(({ id }) => id)).toEqual([1, 2]);
  // a log out ends the logs as well
  const left = await opened(await copyOf(disk));
  left.controller.reset();
  expect(titles(left)).toBeUndefined();
});

test('[P1] after a reload, a request that expired before its first response returns the data of its arguments', async () => {
  const disk = await written(({ controller }) =>
    controller.set(getList.schema, { userId: 1 }, rows),
  );
  const { controller, kept } = await opened(disk);
  controller.getResponse(getList, { userId: 1 });
  controller.getResponse(get, { id: 2 });
  controller.expireAll(getList);
  controller.expireAll(get);
  await kept.flush();
  const next = await opened(await copyOf(disk));
  expect(next.controller.getResponse(getList, { userId: 1 }).data).toHaveLength(2);
  expect(next.controller.getResponse(get, { id: 2 }).data?.title).toBe('two');
});
