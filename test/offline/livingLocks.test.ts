// The lock of a frozen page is taken over by another page; the lock of a running page never is.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled } from '../setup/world.ts';
import { BrowserLocks } from '../sync/BrowserLocks.ts';
import { offlineServer, until } from './OfflineServer.ts';

/** A frozen page sends no message and answers none. */
class Silent extends BroadcastChannel {
  override postMessage(): void {}
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['a frozen page is sent by the next page, under the same key', Silent, 2],
  ['a running page is sent by that page alone', BroadcastChannel, 1],
])('[P2] a mutation behind the lock of %s', async (_, Channel, sent) => {
  const locks = new BrowserLocks();
  vi.stubGlobal('navigator', { locks: locks.of('one') });
  vi.stubGlobal('BroadcastChannel', Channel);
  const it = await offlineServer();
  it.state.holds = true;
  const one = it.page({}, { timeout: 0 });
  await one.queue.ready;
  one.controller.fetch(it.tasks.create, { title: 'tea' }).catch(() => {});
  await until(() => it.asked.length === 1);
  vi.unstubAllGlobals();
  vi.stubGlobal('navigator', { locks: locks.of('other') });
  const other = it.page({}, { timeout: 0 });
  await other.queue.ready;
  it.state.holds = false;
  for (let times = 0; times < 40; times++) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (let turns = 0; turns < 5; turns++) await settled();
  }
  expect(it.asked.length).toBe(sent);
  expect(new Set(it.asked.map(({ key }) => key)).size).toBe(1);
  expect(it.applied).toHaveLength(1);
});

/** Lets wall time pass, in steps that timers and the disk follow. */
async function pass(seconds: number): Promise<void> {
  for (let times = 0; times < seconds; times++) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (let turns = 0; turns < 5; turns++) await settled();
  }
}

test('[P2] a page that thaws after its lock was taken over sends no mutation that another page sends', async () => {
  const locks = new BrowserLocks();
  const it = await offlineServer();
  it.rows.set(1, { id: 1, title: 'tea', done: false });
  it.state.holds = true;
  vi.stubGlobal('BroadcastChannel', Silent);
  vi.stubGlobal('navigator', { locks: locks.of('one') });
  const frozen = it.page({}, { timeout: 0 });
  await frozen.queue.ready;
  for (const title of ['a', 'b'])
    frozen.controller.fetch(it.tasks.partialUpdate, { id: 1 }, { title }).catch(() => {});
  await until(() => it.asked.length === 1);
  vi.stubGlobal('navigator', { locks: locks.of('other') });
  const other = it.page({}, { timeout: 0 });
  await other.queue.ready;
  await pass(20);
  expect(it.asked.map(({ body }) => body)).toEqual([{ title: 'a' }, { title: 'a' }]);
  // the response to the first page arrives, too, when that page continues
  it.release();
  await until(() => it.asked.length === 3);
  await pass(10);
  expect(it.asked.map(({ body }) => body)).toEqual([
    { title: 'a' },
    { title: 'a' },
    { title: 'b' },
  ]);
  expect(frozen.queue.pending.value).toEqual([]);
  expect(it.rows.get(1)?.title).toBe('b');
});

test('[P2] where the platform refuses locks, as in a sandboxed frame, two pages send each mutation once', async () => {
  const refuse = () => Promise.reject(new DOMException('denied', 'SecurityError'));
  vi.stubGlobal('navigator', { locks: { request: refuse, query: refuse } });
  const it = await offlineServer();
  const pages = [it.page(), it.page()];
  for (const { page } of pages) page.offline = true;
  for (const { controller } of pages)
    controller.fetch(it.tasks.create, { title: 'tea' }).catch(() => {});
  await until(() => pages.every(({ queue }) => queue.pending.value.length === 1));
  for (const { page } of pages) page.comeBack('reconnect');
  await pass(3);
  await until(() => pages.every(({ queue }) => queue.pending.value.length === 0));
  expect(it.asked).toHaveLength(2);
  expect(it.applied).toHaveLength(2);
});
