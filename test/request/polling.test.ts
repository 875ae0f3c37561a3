/** Keys that are refetched at an interval while there are subscriptions. */
import { createResource, Endpoint, Query, subscribe, unsubscribe } from 'signalbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Todo, refusal, settled, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const params = { id: 1 };

async function pass(w: World, ms: number): Promise<void> {
  w.clock.advance(ms);
  await settled();
}

/** An endpoint that is polled every second; each answer has another title. */
function start(options: object = {}) {
  const w = world();
  const reply = () => ({ id: 1, title: `${w.calls.length}` });
  const get = w.read('get', Todo, { reply, pollFrequency: 1_000, ...options });
  return { w, get, every: (pollFrequency: number) => get.extend({ pollFrequency }) };
}

test('[F4] a subscribed key is refetched at its interval, counted from the last response', async () => {
  const { w, get } = start();
  await w.controller.fetch(get, params);
  const title = watch(() => w.controller.signal(get, params).value?.title);
  w.clock.advance(400);
  subscribe(w.controller, get, params);
  expect(w.calls).toHaveLength(1);
  await pass(w, 599);
  expect(w.calls).toHaveLength(1);
  await pass(w, 1);
  await pass(w, 1_000);
  expect(title.seen).toEqual(['1', '2', '3']);
});

test('[F5] a subscription fetches at once if data are missing or older than the interval', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  expect(w.log).toEqual(['get {"id":1}']);
  await settled();
  const other = { id: 2 };
  await w.controller.setResponse(get, other, { id: 2 });
  w.clock.advance(1_000);
  await settled();
  subscribe(w.controller, get, other);
  expect(w.log.at(-1)).toBe('get {"id":2}');
});

test('[F5] after unsubscribe no request is sent, and no timer is left', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await settled();
  await pass(w, 1_000);
  unsubscribe(w.controller, get, params);
  expect(w.clock.waiting).toBe(0);
  await pass(w, 10_000);
  expect([w.calls.length, w.page.listeners]).toEqual([2, 0]);
});

test('[F5] the function that subscribe returns ends only its own subscription, also if called twice', async () => {
  const { w, get } = start();
  const stops = [subscribe(w.controller, get, params), subscribe(w.controller, get, params)];
  await settled();
  stops[0]?.();
  stops[0]?.();
  expect(w.clock.waiting).toBe(1);
  stops[1]?.();
  expect(w.clock.waiting).toBe(0);
});

test('[F4] all subscribers of a key share one timer, at the shortest interval', async () => {
  const { w, get, every } = start();
  await w.controller.fetch(get, params);
  subscribe(w.controller, every(3_000), params);
  const stop = subscribe(w.controller, every(500), params);
  subscribe(w.controller, every(2_000), params);
  expect(w.clock.waiting).toBe(1);
  await pass(w, 500);
  await pass(w, 500);
  expect(w.calls).toHaveLength(3);
  stop();
  await pass(w, 1_999);
  expect(w.calls).toHaveLength(3);
  await pass(w, 1);
  expect(w.calls).toHaveLength(4);
  expect(w.clock.waiting).toBe(1);
});

test('[F4] the response of an explicit fetch postpones the next poll by a whole interval', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await pass(w, 700);
  await w.controller.fetch(get, params);
  await pass(w, 300);
  expect(w.calls).toHaveLength(2);
  await pass(w, 700);
  expect(w.calls).toHaveLength(3);
});

test('[F4] polling continues after a failure with status 500, and the error is stored', async () => {
  const { w, get } = start({ reply: () => Promise.reject(refusal(500)) });
  subscribe(w.controller, get, params);
  await settled();
  await pass(w, 1_000);
  await pass(w, 1_000);
  expect(w.calls).toHaveLength(3);
  expect(w.controller.getError(get, params)).toBeInstanceOf(Error);
});

test('[F4] a poll in flight is not sent again at the next interval', async () => {
  const { w, get } = start({ reply: undefined });
  subscribe(w.controller, get, params);
  await pass(w, 1_000);
  await pass(w, 1_000);
  expect(w.calls).toHaveLength(1);
});

test.each([
  ['hidden', 'focus'],
  ['offline', 'reconnect'],
] as const)(
  '[F4] polling pauses while the page is %s, and continues at once when the page returns',
  async (away, back) => {
    const { w, get } = start();
    subscribe(w.controller, get, params);
    await settled();
    w.page[away] = true;
    await pass(w, 60_000);
    expect([w.calls.length, w.clock.waiting]).toEqual([1, 0]);
    w.page.comeBack(back);
    expect(w.calls).toHaveLength(2);
    await settled();
    await pass(w, 1_000);
    expect(w.calls).toHaveLength(3);
  },
);

test('[F4] a page that returns before a poll is due sends no request until the poll is due', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await settled();
  w.page.hidden = true;
  await pass(w, 900);
  w.page.comeBack('focus');
  expect([w.calls.length, w.clock.waiting]).toEqual([1, 1]);
  await pass(w, 100);
  expect(w.calls).toHaveLength(2);
});

test('[F3] the last unsubscribe aborts a poll without other callers', async () => {
  const { w, get } = start({ reply: undefined });
  const stop = subscribe(w.controller, get, params);
  stop();
  // as StrictMode does: gone and there again
  const again = subscribe(w.controller, get, params);
  await settled();
  expect([w.calls.length, w.call().signal?.aborted]).toEqual([1, false]);
  again();
  await settled();
  expect(w.call().signal?.aborted).toBe(true);
});

test('[O8] a reset ends all subscriptions', async () => {
  const { w, get } = start();
  const stop = subscribe(w.controller, get, params);
  await settled();
  w.controller.reset();
  expect([w.clock.waiting, w.page.listeners]).toEqual([0, 0]);
  const again = subscribe(w.controller, get, params);
  // the ended subscription has no further effect
  stop();
  const more = subscribe(w.controller, get, params);
  expect(w.clock.waiting).toBe(1);
  more();
  unsubscribe(w.controller, get, { id: 9 });
  await settled();
  await pass(w, 1_000);
  expect(w.calls).toHaveLength(3);
  again();
});

test('[C5] expireAll refetches keys that are only subscribed', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await settled();
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
});

test.each([undefined, 0, -1, NaN])(
  '[F5] with a pollFrequency of %s nothing is polled',
  async (pollFrequency) => {
    const { w, get } = start({ pollFrequency });
    subscribe(w.controller, get, params)();
    subscribe(w.controller, get, params);
    unsubscribe(w.controller, get, params);
    expect([w.calls.length, w.clock.waiting]).toEqual([0, 0]);
  },
);

test('[C4] null arguments subscribe to nothing', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, null)();
  unsubscribe(w.controller, get, null);
  expect([w.calls.length, w.clock.waiting]).toEqual([0, 0]);
});

test('[E3] pollFrequency may be set on a resource and on the controller', () => {
  const todos = createResource({ path: '/todos/:id', schema: Todo, pollFrequency: 7 });
  expect(todos.get.pollFrequency).toBe(7);
  const w = world({ pollFrequency: 1_000, send: async () => ({ id: 1 }) });
  const plain = new Endpoint(async () => ({ id: 1 }), { name: 'plain', schema: Todo });
  subscribe(w.controller, plain);
  expect(w.clock.waiting).toBe(1);
});

test('[F4] a poll uses the endpoint of the latest subscriber, and ignores the aborted signal of that endpoint', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await settled();
  const abort = new AbortController();
  const leaving = w.read('late', Todo, { pollFrequency: 1_000, key: () => get.key(params) });
  const stop = subscribe(w.controller, leaving.extend({ signal: abort.signal }), params);
  abort.abort();
  await pass(w, 1_000);
  await w.call().answer({ id: 1, title: 'late' });
  stop();
  await pass(w, 1_000);
  expect(w.log.map((line) => line.split(' ')[0])).toEqual(['get', 'late', 'get']);
});

test('[F4] polling continues after the wall clock is set back', async () => {
  const { w, get } = start();
  subscribe(w.controller, get, params);
  await settled();
  const { clock } = w;
  const now = clock.now.bind(clock);
  // timers go on
  clock.now = () => now() - 600_000;
  for (let turn = 0; turn < 4; turn++) await pass(w, 1_000);
  expect(w.calls).toHaveLength(5);
});

test('[F4] a pollFrequency function gets the last data, and ends the poll by returning false', async () => {
  const { w, get } = start();
  const frequency = (todo: Todo | undefined) => (todo?.title === '3' ? false : 1_000);
  subscribe(w.controller, get.extend({ pollFrequency: frequency }), params);
  await settled();
  for (let count = 0; count < 5; count++) await pass(w, 1_000);
  expect(w.calls).toHaveLength(3);
  expect(w.clock.waiting).toBe(0);
});

test('[C11] a pollFrequency function that throws is reported on the console, and ends the poll', async () => {
  const { w, get } = start();
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => reported.mockRestore());
  const frequency = (todo: Todo) => (todo.title === '3' ? todo.author!.id : 1_000);
  // there are no data before the first response
  subscribe(w.controller, get.extend({ pollFrequency: frequency }), params);
  await settled();
  for (let count = 0; count < 5; count++) await pass(w, 1_000);
  expect(w.calls).toHaveLength(3);
  expect(reported.mock.calls.map(([error]) => (error as Error).name)).toEqual([
    'TypeError',
    'TypeError',
  ]);
});

test.each([1_000, (labels?: string[]) => (labels ? 0 : 1_000)])(
  '[C11] polling continues while a Query throws on the data, and a later response shows data again',
  async (pollFrequency) => {
    const names = (todo: Todo) => todo.tags.map(({ label }) => label.trim());
    const reply = () => ({ id: 1, tags: w.calls.length < 3 ? [{ id: 1, label: 0 }] : [] });
    const w = world();
    const get = w.read('get', new Query(Todo, names), { reply, pollFrequency });
    subscribe(w.controller, get, params);
    await settled();
    await pass(w, 1_000);
    expect(w.controller.getResponse(get, params).data).toBeUndefined();
    await pass(w, 1_000);
    expect(w.calls).toHaveLength(3);
    expect(w.controller.getResponse(get, params).data).toEqual([]);
  },
);

test('[F4] a client error ends a poll until the next subscription', async () => {
  let status = 404;
  const reply = () => {
    if (status > 0) throw refusal(status);
    return { id: 1, title: 'back' };
  };
  const { w, get } = start({ reply, retry: 0 });
  const stop = subscribe(w.controller, get, params);
  await settled();
  await pass(w, 5_000);
  expect(w.calls).toHaveLength(1);
  stop();
  status = 0;
  subscribe(w.controller, get, params);
  await settled();
  await pass(w, 1_000);
  expect(w.calls).toHaveLength(3);
});

test('[F4] polling continues after status 500 and 429', async () => {
  for (const status of [500, 429]) {
    const { w, get } = start({ reply: () => Promise.reject(refusal(status)), retry: 0 });
    subscribe(w.controller, get, params);
    await settled();
    await pass(w, 1_000);
    await pass(w, 1_000);
    expect(w.calls).toHaveLength(3);
  }
});
