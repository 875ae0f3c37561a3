/** Callers with separate signals: each caller can abort alone; the last abort aborts the request. */
import { RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refused, settled, world } from '../setup/world.ts';

const params = { id: 1 };

function start() {
  const w = world();
  return { w, get: w.read('get', Todo) };
}

test('[O10] the promise of an aborted caller rejects at once, with an AbortError', async () => {
  const { w, get } = start();
  const abort = new AbortController();
  const caught = refused(w.controller.fetch(get.extend({ signal: abort.signal }), params));
  abort.abort();
  expect(await caught).toMatchObject({ name: 'AbortError' });
  expect(w.controller.getError(get, params)).toBeUndefined();
});

test('[F3] an abort by some of several callers does not abort the request of the others', async () => {
  const { w, get } = start();
  const one = new AbortController();
  const two = new AbortController();
  const first = refused(w.controller.fetch(get.extend({ signal: one.signal }), params));
  const second = w.controller.fetch(get.extend({ signal: two.signal }), params);
  const third = w.controller.fetch(get, params);
  one.abort();
  expect(await first).toMatchObject({ name: 'AbortError' });
  two.abort();
  await refused(second);
  expect([w.calls.length, w.call().signal?.aborted]).toEqual([1, false]);
  await w.call().answer({ id: 1, title: 'a' });
  expect((await third).title).toBe('a');
});

test('[F3] the abort of the last caller aborts the request, and a later fetch sends a new request', async () => {
  const { w, get } = start();
  const callers = [new AbortController(), new AbortController()];
  const all = callers.map(({ signal }) =>
    refused(w.controller.fetch(get.extend({ signal }), params)),
  );
  callers[0]?.abort();
  expect(w.call().signal?.aborted).toBe(false);
  callers[1]?.abort('of my own');
  expect(w.call().signal?.aborted).toBe(true);
  void w.controller.fetch(get, params);
  expect(w.calls).toHaveLength(2);
  expect(await all[1]).toBe('of my own');
});

test('[F3] a fetch with an aborted signal sends no request and emits no request event', async () => {
  const { w, get } = start();
  const sent: unknown[] = [];
  w.controller.on('request', ({ key }) => sent.push(key));
  const signal = AbortSignal.abort();
  await refused(w.controller.fetch(get.extend({ signal }), params));
  await refused(w.controller.fetch(w.mutation('add', Todo).extend({ signal }), {}));
  expect([sent, w.calls]).toEqual([[], []]);
});

test('[O10] a mutation that is aborted after its response arrived, but before it is stored, writes nothing', async () => {
  const { w } = start();
  const abort = new AbortController();
  const update = w.mutation('update', Todo).extend({ signal: abort.signal });
  const caught = refused(w.controller.fetch(update, params, { title: 'a' }));
  // the response has arrived and is not yet stored
  const answered = w.call().answer({ id: 1, title: 'a' });
  abort.abort();
  await answered;
  expect(await caught).toMatchObject({ name: 'AbortError' });
  expect(w.controller.entity(Todo, 1).value).toBeUndefined();
});

/** Runs the job after this number of microtasks. */
async function soon(turns: number, job: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  job();
}

test('[O8] a response that has arrived but is not stored is dropped by a reset', async () => {
  const { w, get } = start();
  let last = '';
  w.controller.on('commit', ({ cause }) => (last = cause));
  for (const ask of [get, w.mutation('update', Todo)]) {
    for (let turns = 0; turns < 16; turns++) {
      const settling = w.controller.fetch(ask, params).catch(() => {});
      // queued before the response: the reset runs between the steps of the response
      const reset = soon(turns, () => w.controller.reset());
      void w.call().answer({ id: 1, title: 'old' });
      await Promise.all([settling, reset]);
      await settled();
      expect([last, w.controller.entity(Todo, 1).value]).toEqual(['reset', undefined]);
    }
  }
});

test('[O8] a reset in a listener of `request` rejects the fetch with F3 before the request is sent', async () => {
  const { w, get } = start();
  w.controller.on('request', () => w.controller.reset());
  for (const ask of [get, w.mutation('update', Todo)]) {
    expect(await refused(w.controller.fetch(ask, params))).toMatchObject({ code: 'F3' });
  }
  expect(w.calls).toEqual([]);
});

test.each(['with data', 'without data'])(
  '[F3] an AbortError thrown by the endpoint emits `abort` and stores no error for the key, %s',
  async (known) => {
    const { w, get } = start();
    const said: string[] = [];
    w.controller.on('abort', () => said.push('abort'));
    w.controller.on('error', () => said.push('error'));
    if (known === 'with data') await w.controller.setResponse(get, params, { id: 1, title: 'a' });
    const mine = AbortSignal.abort();
    const caught = refused(w.controller.fetch(get, params));
    await w.call().fail(mine.reason);
    expect(await caught).toBe(mine.reason);
    expect(w.controller.getError(get, params)).toBeUndefined();
    const { status } = w.controller.view(get, params).result.value;
    expect([status, said]).toEqual([known === 'with data' ? 'success' : 'pending', ['abort']]);
  },
);

/** A mounted reader of an endpoint without a signal. */
async function mounted() {
  const { w, get } = start();
  const view = w.controller.view(get, params);
  view.retain();
  void view.ensure(true);
  await w.call().answer({ id: 1, title: 'a' });
  const abort = new AbortController();
  return { w, get, view, abort, leaving: get.extend({ signal: abort.signal }) };
}

test('[F3] an aborted signal of a caller does not affect the refetches of a mounted reader', async () => {
  const { w, get, view, abort, leaving } = await mounted();
  await w.controller.fetchIfStale(leaving, params);
  w.controller.getResponse(leaving, params);
  abort.abort();
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
  await w.call().answer({ id: 1, title: 'b' });
  for (let turn = 0; turn < 12; turn++) {
    w.clock.advance(60_001);
    w.page.comeBack('focus');
    await w.call().answer({ id: 1, title: 'b' });
  }
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'b' } });
  expect(w.calls).toHaveLength(14);
});

test('[F3] an aborted signal of one reader does not affect other readers of the key, in either order of mounting', async () => {
  const { w, get, abort, leaving } = await mounted();
  const other = w.controller.view(leaving, params);
  const release = other.retain();
  other.revalidate();
  abort.abort();
  w.controller.expireAll(get);
  expect(w.calls).toHaveLength(2);
  release();
  const late = { id: 2 };
  w.controller.view(leaving, late).retain();
  void w.controller.view(get, late).ensure(true);
  expect(w.log.at(-1)).toBe('get {"id":2}');
});

test('[F3] a reader that aborts its signal aborts the request if no other reader waits for the request', async () => {
  const { w, get } = start();
  const abort = new AbortController();
  const ready = w.controller.view(get.extend({ signal: abort.signal }), params).ensure(true);
  await settled();
  abort.abort();
  expect(w.call().signal?.aborted).toBe(true);
  await ready;
});

test('[F3] a reader that joined the request of a reader with a signal keeps the request when that signal aborts', async () => {
  const { w, get } = start();
  const abort = new AbortController();
  void w.controller.view(get.extend({ signal: abort.signal }), params).ensure(true);
  const other = w.controller.view(get, params);
  const ready = other.ensure(true);
  other.retain();
  await settled();
  abort.abort();
  await ready;
  const next = other.ensure(false);
  expect([w.calls.length, w.call().signal?.aborted]).toEqual([1, false]);
  await w.call().answer({ id: 1, title: 'a' });
  await next;
  expect(other.result.value.status).toBe('success');
});

test('[E2] each read of an endpoint subclass has its own signal and private fields, and shares the public objects', async () => {
  class Counted extends RestEndpoint {
    readonly #secret = 'told';
    #own = 0;
    readonly sent = { times: 0 };
    readonly seen: unknown[] = [];
    override async fetch(params: object) {
      await Promise.resolve();
      this.seen.push([this.#secret, ++this.#own, ++this.sent.times, this.signal?.aborted]);
      return this.#answer(params);
    }
    #answer(params: object) {
      return { ...params, title: this.#secret };
    }
  }
  const w = world();
  const counted = new Counted({ path: '/counted/:id', schema: Todo });
  const left = new AbortController();
  const lost = w.controller.fetch(counted.extend({ signal: left.signal }), { id: 1 });
  left.abort();
  expect(await refused(lost)).toMatchObject({ name: 'AbortError' });
  await Promise.all([2, 3].map((id) => w.controller.fetch(counted, { id })));
  expect(w.controller.get(Todo, { id: 3 })?.title).toBe('told');
  expect(counted.seen).toEqual([
    ['told', 1, 1, true],
    ['told', 1, 2, false],
    ['told', 1, 3, false],
  ]);
});
