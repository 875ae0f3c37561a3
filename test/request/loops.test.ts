/** Endless repetitions end with an error that names the cause. */
import { Collection, createResource, Entity } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { Article, Todo, refusal, settled, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

/** A component that suspends and renders again; returns the number of requests within a second. */
async function render(
  w: World,
  endpoint: ReturnType<World['read']>,
  first = false,
): Promise<number> {
  const before = w.calls.length;
  const view = w.controller.view(endpoint, { id: 1 });
  for (let turn = 0; turn < 50; turn++) {
    const ready = view.ensure(first || turn === 0);
    if (ready !== undefined) await ready;
    else view.revalidate();
    await settled();
    w.clock.advance(10);
  }
  return w.calls.length - before;
}

/** The cause in the error of a loop. */
function cause(w: World, endpoint: ReturnType<World['read']>): string {
  const { error } = w.controller.view(endpoint, { id: 1 }).result.value;
  expect(error).toMatchObject({ code: 'F1' });
  return String(error?.message);
}

const ok = () => ({ id: 1, title: 'a' });

test('[C8] data that expire at once are requested once per mount', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: ok, dataExpiryLength: 0 });
  const view = w.controller.view(get, { id: 1 });
  await view.ensure(true);
  for (let turn = 0; turn < 20; turn++) {
    w.clock.advance(1);
    expect(view.ensure(false)).toBeUndefined();
  }
  expect(w.calls).toHaveLength(1);
});

test('[C8] a loop of data that expire at once, with invalidIfStale, ends with an error that names the expiry', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: ok, dataExpiryLength: 0, invalidIfStale: true });
  // the first response counts as useful
  expect(await render(w, get, true)).toBeLessThanOrEqual(11);
  expect(cause(w, get)).toMatch(/had expired when it was read \(dataExpiryLength/);
});

test('[C8] a loop of invalidations before each response ends with an error that names the invalidation', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: ok });
  const view = w.controller.view(get, { id: 1 });
  for (let turn = 0; turn < 11; turn++) {
    void view.ensure(false);
    w.controller.invalidate(get, { id: 1 });
    await settled();
  }
  void view.ensure(false);
  await settled();
  expect(w.calls.length).toBeLessThanOrEqual(11);
  expect(cause(w, get)).toMatch(/invalidated again before each response/);
});

test.each<[string, () => unknown, unknown, RegExp]>([
  ['a response without the required member', ok, Article, /required entity is missing/],
  ['a soft error that expires at once', () => Promise.reject(refusal(500)), Todo, /refused 500/],
  ['a hard error that expires at once', () => Promise.reject(refusal(404)), Todo, /refused 404/],
  ['a response of undefined', () => undefined, Todo, /returned undefined/],
])(
  '[C8] a loop of %s ends after 10 requests at most, with an error that names the cause',
  async (_, reply, schema, says) => {
    const w = world();
    const get = w.read('get', schema, { reply, errorExpiryLength: 0 });
    expect(await render(w, get, true)).toBeLessThanOrEqual(10);
    expect(cause(w, get)).toMatch(says);
  },
);

test('[C8] a loop of failures ends with an error that names the failure if errorPolicy throws', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const w = world();
  const errorPolicy = () => {
    throw new Error('of the policy');
  };
  const reply = () => Promise.reject(refusal(404));
  const get = w.read('unjudged', Todo, { reply, errorPolicy, errorExpiryLength: 0 });
  expect(await render(w, get, true)).toBeLessThanOrEqual(10);
  expect(cause(w, get)).toMatch(/refused 404/);
  warn.mockRestore();
});

test('[C8] a loop of undefined results of process() ends with an error that names process()', async () => {
  class Gone extends Entity {
    id = 0;
    static override process() {
      return undefined;
    }
  }
  const w = world();
  const get = w.read('get', Gone, { reply: ok, errorExpiryLength: 0 });
  expect(await render(w, get, true)).toBeLessThanOrEqual(10);
  expect(cause(w, get)).toMatch(/process\(\) returned undefined/);
});

test('[C8] a loop of responses that validate() rejects ends with an error that quotes validate()', async () => {
  class Never extends Entity {
    id = 0;
    static override validate() {
      return 'never good enough';
    }
  }
  const w = world();
  const get = w.read('get', Never, { reply: ok, errorExpiryLength: 0 });
  expect(await render(w, get, true)).toBeLessThanOrEqual(10);
  expect(cause(w, get)).toMatch(/rejected by validate\(\): never good enough/);
});

test('[C8] a loop of requests with an aborted signal ends with an error that names the abort', async () => {
  const w = world();
  const get = w.read('get', Todo).extend({ signal: AbortSignal.abort() });
  expect(await render(w, get as never, true)).toBeLessThanOrEqual(10);
  expect(cause(w, get as never)).toMatch(/each request was aborted/);
});

test('[C8] a loop of requests that reject with an AbortError ends with an error that names the abort', async () => {
  const w = world();
  const reply = () => Promise.reject(new DOMException('mine', 'AbortError'));
  const get = w.read('get', Todo, { reply });
  expect(await render(w, get, true)).toBeLessThanOrEqual(10);
  expect(cause(w, get)).toMatch(/each request was aborted/);
});

test('[C8] 30 refetches with different responses in one second cause no loop error', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1, title: `${w.calls.length}` }) });
  const view = w.controller.view(get, { id: 1 });
  const release = view.retain();
  await view.ensure(true);
  for (let turn = 0; turn < 30; turn++) {
    w.controller.expireAll(get);
    await settled();
  }
  release();
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: '31' } });
  expect(w.calls).toHaveLength(31);
});

test('[C8] the error of a loop names the key, the number of requests and the cause', async () => {
  const w = world();
  const options = { reply: () => Promise.reject(refusal(503)), errorExpiryLength: 0 };
  const get = w.read('getTodo', Todo, options);
  await render(w, get, true);
  expect(w.controller.view(get, { id: 1 }).result.value.error).toMatchObject({
    code: 'F1',
    endpoint: 'getTodo',
    message: expect.stringMatching(/getTodo.* 10 .*refused 503/) as string,
  });
});

test('[C8] a key that failed in a loop is requested again after the error has expired', async () => {
  const w = world();
  let fine = false;
  const reply = () => (fine ? ok() : Promise.reject(refusal(503)));
  const get = w.read('get', Todo, { reply, errorExpiryLength: 1 });
  await render(w, get, true);
  fine = true;
  w.clock.advance(2_000);
  await w.controller.view(get, { id: 1 }).ensure(true);
  expect(w.controller.view(get, { id: 1 }).result.value.status).toBe('success');
});

test('[C8] background refetches with equal responses for a mounted reader cause no loop error', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: ok });
  const view = w.controller.view(get, { id: 1 });
  view.retain();
  await view.ensure(true);
  for (let turn = 0; turn < 12; turn++) {
    w.controller.expireAll(get);
    w.clock.advance(20);
    await settled();
  }
  expect(w.calls).toHaveLength(13);
  expect(view.result.value.status).toBe('success');
});

test('[C8] 13 mounts in a row of a reader of data that expire at once cause no loop error', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: ok, dataExpiryLength: 0 });
  const view = w.controller.view(get, { id: 1 });
  for (let turn = 0; turn < 13; turn++) {
    await view.ensure(true);
    const release = view.retain();
    view.revalidate();
    await settled();
    release();
    w.clock.advance(10);
  }
  expect(view.result.value.status).toBe('success');
});

test('[C8] one request per minute after the clock was set back causes no loop error', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => Promise.reject(refusal(404)) });
  const view = w.controller.view(get, { id: 1 });
  await view.ensure(true);
  w.clock.advance(-3_600_000);
  for (let turn = 0; turn < 14; turn++) {
    w.clock.advance(60_000);
    w.controller.invalidate(get, { id: 1 });
    await view.ensure(false);
  }
  expect(view.result.value.error).toMatchObject({ status: 404 });
  expect(w.calls).toHaveLength(15);
});

test('[C8] a reader of data that expire at once that unmounts during each request gets a loop error after 11 requests', async () => {
  const w = world();
  const get = w.read('get', Todo, { dataExpiryLength: 0 });
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'a' });
  const view = w.controller.view(get, { id: 1 });
  let asked = 0;
  for (let turn = 0; turn < 50 && view.result.value.status === 'success'; turn++) {
    w.clock.advance(10);
    const release = view.retain();
    view.revalidate();
    release();
    asked = w.calls.length;
    if (asked > turn) await w.call().answer({ id: 1, title: 'a' });
    await settled();
  }
  expect(asked).toBe(11);
  expect(cause(w, get)).toMatch(/had expired when it was read \(dataExpiryLength/);
});

test('[C8] responses that differ cause no loop error if the readers unmount before each response', async () => {
  const w = world();
  const get = w.read('get', Todo, { dataExpiryLength: 0 });
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'a' });
  const view = w.controller.view(get, { id: 1 });
  for (let turn = 0; turn < 30; turn++) {
    w.clock.advance(10);
    const release = view.retain();
    view.revalidate();
    release();
    await w.call().answer({ id: 1, title: `${turn}` });
  }
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: '29' } });
});

class Card extends Entity {
  id = 0;
  column = '';
}

/** Two mounted lists of a server that names each card's column by the list; the requests after each turn. */
async function contradicted(w: World, turns: number): Promise<number[]> {
  const { getList } = createResource({ path: '/cards/:id', schema: Card });
  let requests = 0;
  const list = getList.extend({
    fetch: async ({ column }: { readonly column: string }) => {
      requests++;
      return Promise.resolve([{ id: 1, column }]);
    },
  } as never);
  const views = ['todo', 'done'].map((column) => w.controller.view(list, { column }));
  for (const view of views) {
    view.retain();
    view.revalidate();
  }
  const counts: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await settled();
    counts.push(requests);
  }
  return counts;
}

test('[C8] two mounted lists with contradicting responses stop refetching each other after 12 requests at most', async () => {
  const counts = await contradicted(world(), 40);
  expect(counts.at(-1)).toBeLessThanOrEqual(12);
  expect(counts.slice(20)).toEqual(counts.slice(20).fill(counts.at(-1) as number));
});

test.each(['mounted', 'rendered'])(
  '[C8] a %s list that loads while 15 creations are confirmed is shown after its last response',
  async (how) => {
    const w = world();
    const todos = new Collection([Todo]);
    const list = w.read('list', todos);
    const create = w.mutation('create', todos.push);
    const view = w.controller.view(list, {});
    const last = (wanted: string) => w.calls.filter(({ name }) => name === wanted).at(-1);
    const leave = view.retain();
    view.revalidate();
    const rows = Array.from({ length: 15 }, (_, at) => ({ id: at + 1, title: `t${at}` }));
    for (const row of rows) {
      const creating = w.controller.fetch(create, row);
      await last('create')?.answer(row);
      await creating;
      await settled();
      if (how === 'mounted') view.revalidate();
      else void view.ensure(true);
      w.clock.advance(10);
    }
    await last('list')?.answer(rows);
    await settled();
    expect(view.result.value).toMatchObject({ status: 'success', data: rows });
    leave();
  },
);
