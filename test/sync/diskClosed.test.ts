// The platform closes a database's connection: in the background, in the page cache, after site data are cleared.
import { All } from 'signalbox';
import { indexedDbStorage, persist } from 'signalbox/persist';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refused, StoppedClock, Todo } from '../setup/world.ts';
import { offlineServer, Task, until } from '../offline/OfflineServer.ts';
import * as kept from '../persist/persistedPages.ts';
import { warnings, written } from '../persist/persistedPages.ts';

afterEach(() => void vi.restoreAllMocks());

/** The connections that are opened from now on. */
function connections(): readonly IDBDatabase[] {
  const all: IDBDatabase[] = [];
  const open = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
    const request = open(...args);
    request.addEventListener('success', () => all.push(request.result));
    return request;
  });
  return all;
}

/** Closes each connection after a write of the next transaction, before the confirmation: nothing is written. */
function closeDuringWrite(all: readonly IDBDatabase[]): void {
  for (const database of all) {
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      const transaction = begin(...args);
      transaction.commit = () => {
        database.close();
        // as a platform does: with an error
        (transaction as unknown as { _abort(name: string): void })._abort('AbortError');
      };
      return transaction;
    };
  }
}

/** Closes each connection just after the next transaction has begun; the transaction is aborted. */
function closeDuringNext(all: readonly IDBDatabase[]): void {
  for (const database of all) {
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      const transaction = begin(...args);
      database.close();
      queueMicrotask(() => transaction.abort());
      return transaction;
    };
  }
}

/**
 * Closes each connection just after the next transaction has begun, and sends no event to the transaction: Firefox does
 * so while the data of a site are cleared.
 */
function closeUnheard(all: readonly IDBDatabase[]): void {
  for (const database of all)
    database.transaction = () => {
      database.close();
      queueMicrotask(() => tellClosed(database));
      const silent = () => new EventTarget();
      const transaction = Object.assign(new EventTarget(), {
        db: database,
        abort() {},
        commit() {},
      });
      const store = { transaction, get: silent, getAll: silent, getAllKeys: silent, put: silent };
      return Object.assign(transaction, { objectStore: () => store }) as never;
    };
}

/** Sends the event of a connection that the platform has closed, in the form of fake-indexeddb. */
function tellClosed(database: IDBDatabase): void {
  const phases = { CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };
  const event = { type: 'close', initialized: true, eventPath: [], ...phases };
  database.dispatchEvent(event as never);
}

/** The ways in which platforms close connections. */
const closings = {
  'with an event': (all: readonly IDBDatabase[]) => {
    for (const database of all) {
      database.close();
      tellClosed(database);
    }
  },
  'with an event, and none of a transaction': closeUnheard,
  'without an event': (all: readonly IDBDatabase[]) => {
    for (const database of all) database.close();
  },
  'in a transaction': closeDuringNext,
  'in a write': closeDuringWrite,
};

function deleted(name: string): Promise<string> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    for (const type of ['success', 'error', 'blocked'])
      request.addEventListener(type, () => resolve(type));
  });
}

/** A server with the tasks 5 and 6, and a page without a network that has logged an edit of task 5. */
async function setUp(options = {}) {
  const all = await offlineServer();
  const clock = new StoppedClock();
  const opened = connections();
  for (const id of [5, 6]) all.rows.set(id, { id, title: 'a' });
  const open = () => {
    const tab = all.page(options, { clock });
    tab.page.offline = true;
    const edit = (id: number, title: string) =>
      tab.controller.fetch(all.tasks.partialUpdate, { id }, { title });
    const waiting = () => tab.queue.pending.value.map(({ args }) => (args.at(-1) as Task).title);
    return { ...tab, edit, waiting };
  };
  const tab = open();
  const first = tab.edit(5, 'first');
  await until(() => tab.waiting().length === 1);
  const sent = () => all.asked.map(({ body }) => (body as Task).title);
  return { ...all, ...tab, clock, opened, open, first, sent };
}

describe('a queue', () => {
  test.each(Object.entries(closings))(
    '[P8] a queue logs and sends mutations after its connection was closed %s',
    async (_, close) => {
      const said = warnings();
      const { opened, edit, waiting, page, first, sent, open } = await setUp();
      close(opened);
      const second = edit(6, 'second');
      await until(() => waiting().length === 2);
      const other = open();
      await until(() => other.waiting().join() === 'first,second');
      other.queue.stop();
      for (const database of opened) database.close();
      page.comeBack('reconnect');
      expect([(await first).title, (await second).title]).toEqual(['first', 'second']);
      expect(sent().sort()).toEqual(['first', 'second']);
      await until(() => waiting().length === 0);
      expect(said).toEqual([]);
    },
  );
});

describe('a log that is deleted with the data of the site', () => {
  test('[P8] a deleted log is written again with all its mutations, and sends nothing twice', async () => {
    const said = warnings();
    const { name, edit, waiting, page, first, sent, open, queue } = await setUp();
    const other = open();
    await until(() => other.waiting().length === 1);
    const third = other.edit(5, 'third');
    await until(() => other.waiting().length === 2);
    expect(await deleted(name)).toBe('success');
    const second = edit(6, 'second');
    await until(() => waiting().includes('second'));
    await other.queue.retry();
    const next = open();
    await until(() => next.waiting().join() === 'first,third,second');
    next.queue.stop();
    other.page.comeBack('reconnect');
    page.comeBack('reconnect');
    const all = await Promise.all([first, second, third]);
    expect(all.map(({ title }) => title)).toEqual(['first', 'second', 'third']);
    expect(sent().sort()).toEqual(['first', 'second', 'third']);
    await until(() => queue.pending.value.length === 0);
    expect(said).toEqual([]);
  });

  test('[P8] a deleted log joins the log of a new page that uses the same ids', async () => {
    const said = warnings();
    const { name, page, first, sent, open, waiting, queue, edit } = await setUp();
    expect(await deleted(name)).toBe('success');
    const next = open();
    const third = next.edit(6, 'third');
    await until(() => next.waiting().length === 1);
    expect(next.queue.pending.value).toMatchObject([{ id: 1 }]);
    const second = edit(5, 'second');
    await until(() => waiting().length === 2);
    expect(queue.pending.value.map(({ id }) => id)).toEqual([2, 3]);
    page.comeBack('reconnect');
    next.page.comeBack('reconnect');
    await Promise.all([first, second, third]);
    expect(sent().filter((title) => title !== 'third')).toEqual(['first', 'second']);
    expect(sent()).toHaveLength(3);
    await until(() => queue.pending.value.length + next.queue.pending.value.length === 0);
    expect(said).toEqual([]);
  });

  test('[P8] a deleted log still sends a creation and the update of the created row in order', async () => {
    const said = warnings();
    const { name, tasks, page, controller, waiting, open, first, asked } = await setUp();
    const made = controller.fetch(tasks.create, { title: 'made' });
    await until(() => waiting().length === 1 + 1);
    const key =
      controller
        .get(new All(Task))
        ?.find(({ title }) => title === 'made')
        ?.pk() ?? '';
    const changed = controller.fetch(
      tasks.partialUpdate,
      { id: key as never },
      { title: 'changed' },
    );
    await until(() => waiting().length === 3);
    expect(await deleted(name)).toBe('success');
    const next = open();
    const third = next.edit(6, 'third');
    await until(() => next.waiting().length === 1);
    page.comeBack('reconnect');
    next.page.comeBack('reconnect');
    await Promise.all([first, third, made, changed]);
    const [, ...lines] = asked.filter(({ path }) => !/[56]$/.test(path)).map(({ body }) => body);
    expect(lines).toEqual([{ title: 'changed' }]);
    expect(said).toEqual([]);
  });
});

test('[P8] a storage shared by persist and offline writes rows and mutations after its connection was closed', async () => {
  const said = warnings();
  const shared = indexedDbStorage('shared by both', new StoppedClock());
  const { controller, edit, waiting, opened } = await setUp({ storage: () => shared });
  const persisted = () =>
    persist(controller, { names: { Task }, name: 'shared by both', storage: () => shared });
  const rows = persisted();
  await rows.ready;
  for (const database of opened) database.close();
  await controller.set(Task, { id: 7 }, { title: 'row' });
  void edit(6, 'second').catch(() => {});
  await Promise.all([rows.flush(), until(() => waiting().length === 2)]);
  const keys = [...(await shared.read('')).keys()].map((key) => key.split(':')[0]);
  expect(new Set(keys)).toEqual(new Set(['log', 'signalbox']));
  rows.stop();
  expect(said).toEqual([]);
});

test('[P8] if the disk cannot be reopened, a warning says so, a new edit fails, and logged edits are sent later', async () => {
  const said = warnings();
  const { opened, edit, waiting, page, first, sent, clock, troubles } = await setUp();
  for (const database of opened) database.close();
  const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
  });
  troubles.push('lost before');
  expect(await refused(edit(6, 'second'))).toMatchObject({ code: 'R8' });
  expect(said.join()).toMatch(/signalbox O2.*Connection to Indexed Database server lost/);
  opening.mockRestore();
  page.comeBack('reconnect');
  await until(() => (clock.advance(1_000), sent().includes('first')));
  expect((await first).title).toBe('first');
  await until(() => waiting().length === 0);
});

describe('persisted rows', () => {
  test.each(Object.entries(closings))(
    '[P8] persisted rows are written after the connection was closed %s',
    async (_, close) => {
      const said = warnings();
      const clock = new StoppedClock();
      const disk = await written(clock);
      const opened = connections();
      const tab = await kept.opened(disk, clock);
      close(opened);
      await tab.controller.set(Todo, { id: 1 }, { title: 'new' });
      await tab.kept.flush();
      expect(kept.titles(await kept.opened(disk, clock))).toEqual(['new', 'two']);
      expect(said).toEqual([]);
    },
  );
});
