/** A request without readers and callers is aborted, and leaves no error and no data. */
import { liveResult } from 'signalbox';
import { expect, onTestFinished, test } from 'vitest';
import { Todo, refusal, settled, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const params = { id: 1 };
// longer than a remount takes
const GONE = 100;
// how often the readers are counted
const ROUND = 5_000;
// how long a suspended render counts as present
const PATIENCE = 60_000;

async function pass(w: World, ms: number): Promise<void> {
  w.clock.advance(ms);
  await settled();
}

function start() {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(async () => {
    await settled();
    process.off('unhandledRejection', note);
    // eslint-disable-next-line vitest/no-standalone-expect
    expect(rejections).toEqual([]);
  });
  const w = world();
  const get = w.read('get', Todo);
  return { w, get, view: w.controller.view(get, params) };
}

/** A reader that is mounted on stale data, with a request in flight. */
async function mounted() {
  const all = start();
  const { w, get, view } = all;
  await w.controller.setResponse(get, params, { id: 1, title: 'a' });
  w.clock.advance(60_001);
  const release = view.retain();
  view.revalidate();
  expect(w.calls).toHaveLength(1);
  return { ...all, release, aborted: () => w.call(0).signal?.aborted };
}

test('[F3] the last reader that is unmounted aborts the request', async () => {
  const { w, view, get, release, aborted } = await mounted();
  const other = view.retain();
  const errors = watch(view.result);
  errors.stop();
  release();
  await pass(w, GONE);
  expect(aborted()).toBe(false);
  other();
  await pass(w, GONE - 1);
  expect(aborted()).toBe(false);
  await pass(w, 1);
  expect(aborted()).toBe(true);
  expect(view.fetching.value).toBe(false);
  expect(w.controller.getError(get, params)).toBeUndefined();
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
  expect(w.clock.waiting).toBe(0);
});

test('[F3] the late response of an aborted request is dropped, and the next reader sends a new request', async () => {
  const { w, view, release } = await mounted();
  release();
  await pass(w, GONE);
  await w.call(0).answer({ id: 1, title: 'late' });
  expect(view.result.value).toMatchObject({ data: { title: 'a' } });
  view.retain();
  view.revalidate();
  expect(w.calls).toHaveLength(2);
  await w.call(1).answer({ id: 1, title: 'b' });
  expect(view.result.value).toMatchObject({ data: { title: 'b' } });
});

test('[F3] an abort by unmounting emits no error, commit or retry event', async () => {
  const { w, release } = await mounted();
  const events: unknown[] = [];
  for (const event of ['error', 'commit', 'retry'] as const) {
    w.controller.on(event, (detail) => events.push(detail));
  }
  release();
  await pass(w, GONE);
  await w.call(0).fail(refusal(500));
  expect(events).toEqual([]);
});

test('[F3] a reader that unmounts and mounts again at once does not abort the request', async () => {
  const { w, view, release, aborted } = await mounted();
  release();
  const again = view.retain();
  view.revalidate();
  await pass(w, GONE);
  expect([aborted(), w.calls.length]).toEqual([false, 1]);
  again();
});

test('[F3] a reader that changes to other arguments aborts the request of the former arguments', async () => {
  const { w, get, release, aborted } = await mounted();
  const other = w.controller.view(get, { id: 2 });
  void other.ensure(true);
  release();
  other.retain();
  await pass(w, GONE);
  expect([aborted(), w.call(1).signal?.aborted]).toEqual([true, false]);
});

test.each(['fetch', 'fetchIfStale', 'prefetch'] as const)(
  '[F3] a caller that joined the request by %s keeps the request when the last reader unmounts',
  async (verb) => {
    const { w, get, release, aborted } = await mounted();
    void w.controller[verb](get, params);
    release();
    await pass(w, 10 * ROUND);
    expect(aborted()).toBe(false);
    await w.call(0).answer({ id: 1, title: 'b' });
    expect(w.controller.entity(Todo, 1).value?.title).toBe('b');
  },
);

test('[F3] a subscriber of a signal keeps the request of unmounted readers until the subscription ends', async () => {
  const { w, get, release, aborted } = await mounted();
  const watcher = watch(w.controller.signal(get, params));
  release();
  await pass(w, 3 * ROUND);
  expect(aborted()).toBe(false);
  watcher.stop();
  await pass(w, ROUND);
  expect(aborted()).toBe(true);
});

test('[F3] a live result, a watched result and a listener keep the request of unmounted readers until each stops', async () => {
  for (const keep of ['live', 'result', 'listen'] as const) {
    const { w, view, release, aborted } = await mounted();
    const signal = keep === 'live' ? liveResult(view) : view.result;
    const stop = keep === 'listen' ? view.listen(() => {}) : watch(signal).stop;
    release();
    await pass(w, 3 * ROUND);
    expect([keep, aborted()]).toEqual([keep, false]);
    stop();
    await pass(w, ROUND);
    expect([keep, aborted()]).toEqual([keep, true]);
  }
});

test('[F3] the promise of a suspended render resolves every 60 s, and renders that retry share one request', async () => {
  const { w, view } = start();
  let waits = view.ensure(true);
  for (let turn = 0; turn < 20; turn++) {
    await pass(w, PATIENCE);
    // as a framework does with a fulfilled promise
    expect(waits?.status).toBe('fulfilled');
    waits = view.ensure(true);
  }
  expect([w.calls.length, w.call().signal?.aborted]).toEqual([1, false]);
  await w.call().answer({ id: 1, title: 'a' });
  await waits;
  expect(view.result.value).toMatchObject({ data: { title: 'a' } });
  expect(w.clock.waiting).toBe(0);
});

test('[F3] the request of a discarded render is aborted after 120 s, and the next render sends a new request', async () => {
  const { w, view } = start();
  void view.ensure(true);
  await pass(w, PATIENCE);
  expect(w.call().signal?.aborted).toBe(false);
  await pass(w, PATIENCE);
  expect(w.call().signal?.aborted).toBe(true);
  expect([w.clock.waiting, view.result.value.status]).toEqual([0, 'pending']);
  expect(view.ensure(true)).toBeInstanceOf(Promise);
  expect(w.calls).toHaveLength(2);
});

test('[F3] the request of a suspended reader that unmounts is aborted after about 10 s', async () => {
  const { w, view, release, aborted } = await mounted();
  w.controller.invalidate(w.read('get', Todo), params);
  void view.ensure(false);
  release();
  await pass(w, GONE);
  // the promise is fulfilled
  await pass(w, ROUND);
  expect(aborted()).toBe(false);
  expect(w.call(1).signal?.aborted).toBe(false);
  await pass(w, ROUND);
  expect(w.call(1).signal?.aborted).toBe(true);
});

test('[C2] a reader suspends again on expired data, in the same request, if the promise resolves without a response', async () => {
  const { w, get, view } = start();
  await w.controller.setResponse(get.extend({ dataExpiryLength: 10 }), params, { id: 1 });
  w.controller.view(get.extend({ invalidIfStale: true }), params);
  w.clock.advance(11);
  const release = view.retain();
  const waits = view.ensure(true);
  release();
  await pass(w, GONE);
  await pass(w, ROUND);
  expect(waits?.status).toBe('fulfilled');
  expect(view.ensure(true)?.status).toBe('pending');
  expect(w.calls).toHaveLength(1);
});

test('[F3] unmounting the last reader cancels the pending retry of its request', async () => {
  const w = world({ retry: 3 });
  const view = w.controller.view(w.read('get', Todo), params);
  void view.ensure(true);
  const release = view.retain();
  await w.call().fail(refusal(500));
  release();
  await pass(w, GONE);
  expect(w.clock.waiting).toBe(0);
  await pass(w, 60_000);
  expect(w.calls).toHaveLength(1);
});

test('[C8] 40 mounts and unmounts of readers in a row leave the key pending, without a loop error', async () => {
  const { w, view } = start();
  for (let turn = 0; turn < 40; turn++) {
    void view.ensure(true);
    view.retain()();
    w.clock.advance(ROUND);
    await settled();
    w.clock.advance(-ROUND + 1);
  }
  expect(view.result.value.status).toBe('pending');
});
