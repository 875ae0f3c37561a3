// `await queue.retry()` resolves when nothing more can be sent now: for a service worker, or a button.
import { createResource, NetworkError, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, test } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import { offlineServer, sharedLocks, Task, turns, until } from './OfflineServer.ts';

/** A log with an edit of each of `count` rows, left by a page without a network. */
async function setUp(count: number) {
  const all = await offlineServer();
  const { tasks, rows } = all;
  const before = all.page();
  before.page.offline = true;
  for (let id = 1; id <= count; id++) {
    rows.set(id, { id, title: 'a' });
    void before.controller.fetch(tasks.partialUpdate, { id }, { title: 'b' });
  }
  await until(() => before.queue.pending.value.length === count);
  before.queue.stop();
  return all;
}

test('[P2] retry() resolves when all mutations of the log are confirmed, also with many queues', async () => {
  const { page, asked } = await setUp(20);
  const { queue } = page();
  await queue.retry();
  expect([queue.pending.value, asked.length]).toEqual([[], 20]);
});

test('[P2] retry() resolves after a failed attempt, when the other requests have ended', async () => {
  const { page, asked, applied, troubles } = await setUp(4);
  troubles.push('lost before');
  // the clock is stopped: the random pause before the next attempt may be a few ms, and retry() would wait that long
  const { queue } = page({}, { clock: new StoppedClock() });
  await queue.retry();
  const [left, ...others] = queue.pending.value;
  expect([left?.attempts, others]).toEqual([1, []]);
  expect(left?.error).toBeInstanceOf(NetworkError);
  expect([asked.length, applied.length]).toEqual([4, 3]);
});

test.each([
  ['before the response', (send: () => Promise<Response>) => void send().catch(() => {})],
  ['while the response is read', async (send: () => Promise<Response>) => void (await send())],
])('[P2] a mutation that the platform aborts %s is sent again', async (_, attempt) => {
  const { page, tasks, asked, applied, rows } = await offlineServer();
  rows.set(1, { id: 1, title: 'a' });
  let aborts = true;
  // Firefox aborts all requests of a page that is left or stopped
  class LeftPage<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
      if (!aborts) return super.fetchResponse(input, init);
      aborts = false;
      await attempt(() => super.fetchResponse(input, init));
      throw new DOMException('The operation was aborted.', 'AbortError');
    }
  }
  const { urlPrefix } = tasks.get;
  const left = createResource({ path: '/tasks/:id', urlPrefix, schema: Task, Endpoint: LeftPage });
  const { controller, queue } = page({ names: { left } }, { clock: new StoppedClock() });
  const sent = controller.fetch(left.partialUpdate, { id: 1 }, { title: 'b' });
  await until(() => queue.pending.value[0]?.error !== undefined);
  await queue.retry();
  expect((await sent).title).toBe('b');
  expect(queue.pending.value).toEqual([]);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  expect(applied).toHaveLength(1);
});

test('[P2] retry() waits for a request in flight', async () => {
  const { page, asked, state, release } = await setUp(2);
  state.holds = true;
  const { queue } = page();
  let hasResolved = false;
  const retried = queue.retry().then(() => (hasResolved = true));
  await until(() => asked.length === 2);
  await turns(50);
  expect(hasResolved).toBe(false);
  release();
  await retried;
  expect(queue.pending.value).toEqual([]);
});

test('[P7] retry() resolves after status 401, and all mutations are held', async () => {
  const { page, asked, state } = await setUp(20);
  state.refusal = { status: 401 };
  const { queue } = page();
  await queue.retry();
  expect(queue.pending.value.filter(({ held }) => held)).toHaveLength(20);
  expect(asked).toHaveLength(1);
});

test('[P2] retry() resolves when another page has sent the mutations', async () => {
  const { page, asked, state, release } = await setUp(20);
  const locks = sharedLocks();
  state.holds = true;
  const { queue: first } = page({ locks });
  await until(() => asked.length > 0);
  const { queue } = page({ locks });
  await queue.ready;
  const retried = queue.retry().then(() => queue.pending.value);
  await turns(20);
  release();
  expect(await retried).toEqual([]);
  await first.retry();
  expect([first.pending.value, asked.length]).toEqual([[], 20]);
});

test('[P2] retry() without a network resolves, and the mutations stay in the log', async () => {
  const { page, asked } = await setUp(2);
  const { queue, page: surroundings } = page();
  surroundings.offline = true;
  await queue.retry();
  expect([queue.pending.value.length, asked.length]).toEqual([2, 0]);
});
