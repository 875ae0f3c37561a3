import type { PersistOptions } from 'signalbox/persist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled, StoppedClock, Todo, User, wholeTodo } from '../setup/world.ts';
import { copyOf, freshDisk, isHead, rowsOn, storeOf } from './disks.ts';
import * as kept from './keptTabs.ts';
import { A_MINUTE, get, getList, rows, titles, TodoResource, warnings } from './keptTabs.ts';
import type { Tab, TabOptions } from './keptTabs.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

const open = (disk: string, options?: TabOptions) => kept.open(disk, clock, options);
const opened = (disk: string, options?: TabOptions) => kept.opened(disk, clock, options);
const written = (more?: (tab: Tab) => unknown) => kept.written(clock, more);

/** How a reader of one todo stands. */
const state = ({ controller }: Tab, id: number) =>
  controller.view(get, { id }).result.peek().status;

/** How often each of these was called on the disk. */
function counted(): { put: number; delete: number } {
  const count = { put: 0, delete: 0 };
  for (const name of ['put', 'delete'] as const) {
    const real = IDBObjectStore.prototype[name] as (...args: unknown[]) => never;
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
      this: IDBObjectStore,
      ...args: unknown[]
    ) {
      if (!isHead(String(args.at(-1)))) count[name]++;
      return real.apply(this, args);
    });
  }
  return count;
}

test('[P1] a fresh answer is there without a request after a reload, by key and by inference', async () => {
  const tab = await opened(await written());
  expect(await tab.controller.fetchIfStale(getList, {})).toMatchObject(rows);
  expect(await tab.controller.fetchIfStale(get, { id: 1 })).toMatchObject(rows[0]!);
  expect(tab.controller.get(User, { id: 3 })?.name).toBe('Ada');
  expect(tab.controller.get(Todo, { id: 1 })).toBeInstanceOf(Todo);
  expect(tab.controller.get(Todo, { id: 1 })?.upper).toBe('ONE');
  expect(tab.asked).toEqual([]);
});

test('[P1] what has expired meanwhile is shown and asked again', async () => {
  const disk = await written();
  clock.advance(A_MINUTE + 1);
  const tab = await opened(disk);
  tab.answers.set(getList.key({}), [{ id: 2, title: 'new' }]);
  const view = tab.controller.view(getList, {});
  expect(view.result.peek()).toMatchObject({ status: 'success', data: rows });
  expect(await tab.controller.fetchIfStale(getList, {})).toMatchObject([{ id: 2, title: 'new' }]);
  expect(tab.asked).toEqual([getList.key({})]);
});

test('[P1] what is older than maxAge is dropped', async () => {
  const disk = await written();
  clock.advance(A_MINUTE);
  const tab = await opened(disk, { maxAge: A_MINUTE - 1 });
  expect(titles(tab)).toBe(undefined);
  await tab.kept.flush();
  expect([...(await rowsOn(disk)).keys()]).toEqual([]);
});

test('[P1] what the page has written before its disk was read is newer', async () => {
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

test('[P1] rows that enter or leave a list that is shown before its disk was read are in it, or not', async () => {
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

test('[P1] an answer that comes before the disk was read stays, and brings nothing down that is on it', async () => {
  const disk = await written();
  const tab = open(disk);
  tab.answers.set(getList.key({}), [{ id: 2, title: 'newer' }]);
  await tab.controller.fetch(getList, {});
  await tab.kept.ready;
  expect(titles(tab)).toEqual(['newer']);
  expect(tab.controller.get(Todo, { id: 1 })?.title).toBe('one');
});

test('[P1] what is expected of a mutation does not reach the disk, its answer does', async () => {
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

test('[P1] a reset leaves nothing, also when the tab dies directly after it', async () => {
  const disk = await written();
  const tab = await opened(disk);
  await tab.controller.set(Todo, { id: 1 }, { title: 'secret' });
  tab.controller.reset();
  // nothing is awaited between: what comes after it on the same disk finds it done
  const left = rowsOn(disk);
  expect([...(await left)]).toEqual([]);
  await tab.controller.set(Todo, { id: 5 }, { title: 'next user' });
  await tab.kept.flush();
  const next = await opened(await copyOf(disk));
  expect(next.controller.get(Todo, { id: 1 })).toBe(undefined);
  expect(next.controller.get(Todo, { id: 5 })?.title).toBe('next user');
});

test('[P1] a reset before the disk was read keeps what is on it from being shown', async () => {
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
  '[P1] a write that %s half-way leaves the state before, and is made up for',
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

test('[P1] without a disk the page goes on', async () => {
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

test('[P1] another version drops what is there with a warning, and leaves what is not its own', async () => {
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

test('[P1] batches follow a commit by themselves, and go at once when the page is left', async () => {
  const disk = freshDisk();
  let leave = () => {};
  const leaving: PersistOptions['leaving'] = (tell) => {
    leave = tell;
    return () => (leave = () => {});
  };
  const tab = await opened(disk, { leaving });
  const count = counted();
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

test('[P1] a write costs what changed', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  const many = Array.from({ length: 500 }, (_, id) => wholeTodo({ id, title: `row ${id}` }));
  const count = counted();
  const cost = async (work: () => unknown) => {
    Object.assign(count, { put: 0, delete: 0 });
    await work();
    await tab.kept.flush();
    return [count.put, count.delete];
  };
  const { controller } = tab;
  // the request, the list
  expect(await cost(() => controller.setResponse(getList, {}, many))).toEqual([502, 0]);
  expect(await cost(() => controller.set(Todo, { id: 7 }, { title: 'new' }))).toEqual([1, 0]);
  clock.advance(1000);
  const again = many.map((row, id) => (id === 7 ? { ...row, title: 'new' } : row));
  expect(await cost(() => controller.setResponse(getList, {}, again))).toEqual([2, 0]);
  const size = (await rowsOn(disk)).size;
  expect(await cost(() => controller.set(getList.push.schema, {}, { id: 900 }))).toEqual([2, 0]);
  expect(await cost(() => controller.set(TodoResource.delete.schema, { id: 900 }, {}))).toEqual([
    1, 1,
  ]);
  expect((await rowsOn(disk)).size).toBe(size);
  // brought again as it was, a row is as fresh as its list
  expect((await opened(await copyOf(disk))).controller.getResponse(get, { id: 3 }).expiresAt).toBe(
    clock.now() + A_MINUTE,
  );
});
