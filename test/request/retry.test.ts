/** The failures that are sent again, the number of attempts and their delays. */
import { Endpoint, RestEndpoint, TimeoutError, transaction } from 'signalbox';
import type { EndpointOptions } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refusal, refused, settled, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const params = { id: 1 };
/** The world of the tests sends once; here the default number of retries applies. */
const patient = (options: object = {}): World => world({ retry: undefined, ...options });

/** An error of `fetch` with this header. */
function told(status: number, header: string): Error {
  return Object.assign(refusal(status), {
    response: { headers: new Headers({ 'retry-after': header }) },
  });
}

/** Advances the clock, and runs the due timers. */
async function pass(w: World, ms: number): Promise<void> {
  w.clock.advance(ms);
  await settled();
}

/** Fails every attempt at once; returns the number of attempts. */
async function attempts(w: World, error: unknown, options: object = {}): Promise<number> {
  const get = w.read('get', Todo, { reply: () => Promise.reject(error as Error), ...options });
  const caught = refused(w.controller.fetch(get, params));
  for (let turn = 0; turn < 20; turn++) {
    await settled();
    w.clock.advance(100_000);
  }
  await caught;
  return w.calls.length;
}

test.each([undefined, 408, 425, 429, 500, 502, 503, 599])(
  '[F4] a read that fails with status %s is sent three times more',
  async (status) => {
    expect(await attempts(patient(), refusal(status))).toBe(4);
  },
);

test.each([400, 401, 403, 404, 409, 410, 422, 451])(
  '[F4] a read that fails with status %s is not sent again',
  async (status) => {
    expect(await attempts(patient(), refusal(status))).toBe(1);
  },
);

test('[F4] a read that rejects with its own AbortError is not sent again', async () => {
  expect(await attempts(patient(), new DOMException('no more', 'AbortError'))).toBe(1);
});

test('[F4] an unreadable response is not sent again', async () => {
  const w = patient();
  const get = w.read('get', [Todo], { reply: () => 'no list' });
  expect(await refused(w.controller.fetch(get, {}))).toMatchObject({ code: 'S3' });
  expect([w.calls.length, w.clock.waiting]).toEqual([1, 0]);
});

test.each<[string, EndpointOptions['retry'], number]>([
  ['a number', 1, 2],
  ['true', true, 4],
  ['false', false, 1],
  ['0', 0, 1],
  ['a function', (_error: unknown, attempt: number) => attempt < 6, 6],
])('[F4] retry may be %s', async (_, retry, times) => {
  expect(await attempts(patient(), refusal(500), { retry })).toBe(times);
});

test('[F4] a retry function decides by the error, also for status 404', async () => {
  const retry = (error: unknown, attempt: number): boolean =>
    (error as { status?: number }).status === 404 && attempt < 2;
  expect(await attempts(patient(), refusal(404), { retry })).toBe(2);
});

test('[F4] `retry` of the endpoint takes precedence over the resource and the controller', async () => {
  expect(await attempts(world({ retry: 1 }), refusal(500))).toBe(2);
  expect(await attempts(world({ retry: 1 }), refusal(500), { retry: 2 })).toBe(3);
});

test('[F4] mutations ignore `retry` of the controller, and apply `retry` of their endpoint', async () => {
  const w = patient({ retry: 5 });
  const create = w.mutation('create', Todo);
  const once = refused(w.controller.fetch(create, {}));
  await w.call().fail(refusal(503));
  await once;
  expect([w.calls.length, w.clock.waiting]).toEqual([1, 0]);
  const again = w.controller.fetch(create.extend({ retry: 1 }), { title: 'a' });
  await w.call().fail(refusal(503));
  await pass(w, 500);
  await w.call().answer({ id: 1, title: 'a' });
  expect((await again).title).toBe('a');
  expect(w.calls).toHaveLength(3);
});

test('[F4] retry delays double up to 30 s, each multiplied by a random factor', async () => {
  const w = patient();
  const delays: number[] = [];
  w.controller.on('retry', ({ delay }) => delays.push(delay));
  w.clock.chance = 0.999_999;
  await attempts(w, refusal(500), { retry: 8 });
  const most = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
  expect(delays).toEqual(most.map((ms) => ms - 1));
  w.clock.chance = 0.25;
  await attempts(w, refusal(500), { retry: 2 });
  expect(delays.slice(8)).toEqual([250, 500]);
});

test('[F4] a retry is not sent before its delay is over', async () => {
  const w = patient();
  void w.controller.fetch(w.read('get', Todo), params).catch(() => {});
  await w.call().fail(refusal(503));
  await pass(w, 499);
  expect(w.calls).toHaveLength(1);
  await pass(w, 1);
  expect(w.calls).toHaveLength(2);
});

test.each<[string, number]>([
  ['7', 7_000],
  ['Thu, 01 Jan 1970 00:16:47 GMT', 7_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
])('[F4] a retry is sent after the time of Retry-After: %s', async (header, ms) => {
  const w = patient();
  w.clock.chance = 0;
  void w.controller.fetch(w.read('get', Todo), params).catch(() => {});
  await w.call().fail(told(429, header));
  await pass(w, ms - 1);
  expect(w.calls).toHaveLength(1);
  await pass(w, 1);
  expect(w.calls).toHaveLength(2);
});

test('[F4] a failure with a Retry-After of more than one minute is not sent again', async () => {
  expect(await attempts(patient(), told(503, '61'))).toBe(1);
  expect(await attempts(patient(), told(503, '60'))).toBe(4);
});

test('[F4] all attempts of a read are one request: one event and one promise, which later fetches join', async () => {
  const w = patient();
  const events: unknown[] = [];
  w.controller.on('request', ({ key }) => events.push(['request', key]));
  w.controller.on('retry', ({ key, attempt, error }) =>
    events.push(['retry', key, attempt, error]),
  );
  const get = w.read('get', Todo);
  const first = w.controller.fetch(get, params);
  const error = refusal(500);
  await w.call().fail(error);
  expect(w.controller.fetch(get, params)).toBe(first);
  expect(w.controller.getError(get, params)).toBeUndefined();
  await pass(w, 1_000);
  expect(w.controller.fetch(get, params)).toBe(first);
  await w.call().answer({ id: 1, title: 'a' });
  expect((await first).title).toBe('a');
  const key = get.key(params);
  expect(events).toEqual([
    ['request', key],
    ['retry', key, 2, error],
  ]);
});

test('[O2] data of a retried read have the time of the first attempt', async () => {
  const w = patient();
  const get = w.read('get', Todo);
  const read = w.controller.fetch(get, params);
  await w.call().fail(refusal(500));
  await w.controller.set(Todo, params, { title: 'pushed' });
  await pass(w, 1_000);
  await w.call().answer({ id: 1, title: 'read' });
  expect((await read).title).toBe('pushed');
});

test('[O7] a retry of a read issued before an invalidation is not joined, and leaves the key invalid', async () => {
  const w = patient();
  const get = w.read('get', Todo);
  const older = w.controller.fetch(get, params);
  await w.call().fail(refusal(500));
  w.controller.invalidate(get, params);
  await pass(w, 1_000);
  const newer = w.controller.fetch(get, params);
  expect(newer).not.toBe(older);
  expect(w.calls).toHaveLength(3);
  await w.call(1).answer({ id: 1, title: 'old' });
  await older;
  expect(w.controller.view(get, params).result.value.status).toBe('pending');
  await w.call(2).answer({ id: 1, title: 'new' });
  expect((await newer).title).toBe('new');
});

test('[O8] a reset while a read waits for its retry rejects with F3, and clears the timer', async () => {
  const w = patient();
  const caught = refused(w.controller.fetch(w.read('get', Todo), params));
  await w.call().fail(refusal(500));
  w.controller.reset();
  expect(await caught).toMatchObject({ code: 'F3' });
  expect(w.clock.waiting).toBe(0);
});

test.each(['fails', 'waits for its next attempt', 'is a step of a transaction'])(
  '[O8] a reset cancels the retries of a mutation that %s',
  async (when) => {
    const w = world();
    const { controller } = w;
    const add = w.mutation('add', Todo, { retry: 2 });
    const attempts: unknown[] = [];
    controller.on('retry', ({ attempt }) => attempts.push(attempt));
    const joint = when === 'is a step of a transaction';
    const caught = refused(
      joint
        ? transaction(controller, ({ fetch }) => fetch(add, { title: 'a' }))
        : controller.fetch(add, { title: 'a' }),
    );
    const early = when === 'fails';
    if (!early) await w.call().fail(refusal(503));
    controller.reset();
    if (early) await w.call().fail(refusal(503));
    expect(await caught).toMatchObject({ code: 'F3' });
    w.clock.advance(60_000);
    await settled();
    expect([w.calls.length, attempts]).toEqual([1, early ? [] : [2]]);
  },
);

test('[F4] an attempt that exceeds its timeout is aborted, and sent again', async () => {
  const w = patient();
  const get = w.read('get', Todo, { timeout: 2_000 });
  const read = w.controller.fetch(get, params);
  await pass(w, 1_999);
  expect(w.call().signal?.aborted).toBe(false);
  await pass(w, 1);
  expect(w.call(0).signal?.aborted).toBe(true);
  await settled();
  await pass(w, 500);
  expect(w.call(1).signal?.aborted).toBe(false);
  await w.call(1).answer({ id: 1, title: 'a' });
  expect((await read).title).toBe('a');
  await settled();
  expect([w.calls.length, w.clock.waiting]).toEqual([2, 0]);
});

test('[F4] a timeout without retries rejects with TimeoutError, and keeps the stored data', async () => {
  const w = world();
  const get = w.read('get', Todo, { timeout: 10 });
  await w.controller.setResponse(get, params, { id: 1, title: 'a' });
  const caught = refused(w.controller.fetch(get, params));
  await pass(w, 10);
  const error = await caught;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'F4', name: 'TimeoutError', endpoint: 'get' });
  expect((error as Error).message).toMatch(/10 ms/);
  expect(w.controller.view(get, params).result.value).toMatchObject({ data: { title: 'a' } });
  // a later response has no effect
  await w.call().answer({ id: 1, title: 'late' });
  expect(w.controller.entity(Todo, 1).value?.title).toBe('a');
});

test.each([0, -1, undefined, NaN])('[F4] a timeout of %s means no timeout', async (timeout) => {
  const w = world();
  const read = w.controller.fetch(w.read('get', Todo, { timeout }), params);
  expect(w.clock.waiting).toBe(0);
  await w.call().answer({ id: 1 });
  expect(await read).toBeInstanceOf(Todo);
});

test('[F4] `timeout` of the controller applies to mutations', async () => {
  const w = world({ timeout: 10 });
  const caught = refused(w.controller.fetch(w.mutation('create', Todo), {}));
  await pass(w, 10);
  expect(await caught).toMatchObject({ code: 'F4' });
});

test('[E2] extend with policies keeps the schema', () => {
  const policies = { pollFrequency: 1_000, retry: 2, timeout: 5, refetchOnFocus: false };
  const plain = new Endpoint(async () => 1, { schema: Todo, name: 'plain' }).extend(policies);
  const rest = new RestEndpoint({ path: '/todos/:id', schema: Todo }).extend(policies);
  for (const endpoint of [plain, rest, plain.extend({}), rest.extend({ dataExpiryLength: 1 })]) {
    expect(endpoint.schema).toBe(Todo);
    expect({ ...endpoint }).toMatchObject(policies);
  }
});
