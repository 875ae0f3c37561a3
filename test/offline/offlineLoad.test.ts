// Many queued mutations and a server that is down: a single pause for the origin, a single request that tries.
import { createResource, Endpoint } from 'signalbox';
import { offline } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';
import { settled, StoppedClock } from '../setup/world.ts';
import { offlineServer, pass, sharedLocks, Task, turns, until } from './OfflineServer.ts';

const DOWN: Answer = { status: 503 };

/** A page without a network, and edits of `count` rows in the log. */
async function setUp(count: number, options: object = {}) {
  const all = await offlineServer();
  const clock = new StoppedClock();
  for (let id = 1; id <= count; id++) all.rows.set(id, { id, title: 'a' });
  const tab = all.page({ locks: sharedLocks() }, { clock, ...options });
  const { controller, page, queue } = tab;
  await queue.ready;
  const edit = (id: number) =>
    void controller.fetch(all.tasks.partialUpdate, { id }, { title: 'b' }).catch(() => {});
  page.offline = true;
  for (let id = 1; id <= count; id++) edit(id);
  await until(() => queue.pending.value.length === count, `${count} edits`);
  return { ...all, ...tab, clock, edit };
}

describe('a server that is down', () => {
  test('[P2] a server that is down gets few requests for 120 waiting rows, and later each mutation once', async () => {
    const { page, clock, queue, asked, applied, state } = await setUp(120);
    state.refusal = DOWN;
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    await pass(clock, 20_000, { step: 500, between: 60 });
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(12);
    // each attempt is of another row: a row that cannot be sent does not delay the others
    expect(new Set(asked.map(({ path }) => path)).size).toBe(asked.length);
    state.refusal = undefined;
    clock.advance(30_000);
    await until(() => queue.pending.value.length === 0, 'all sent');
    expect(applied).toHaveLength(120);
    expect(new Set(applied.map(({ key }) => key)).size).toBe(120);
  });

  test('[P2] Retry-After of a server for one row delays the mutations of all other rows', async () => {
    const { page, clock, queue, asked, state } = await setUp(20);
    state.refusal = { status: 503, headers: { 'retry-after': '10' } };
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    state.refusal = undefined;
    await pass(clock, 9_500);
    expect(asked).toHaveLength(1);
    await until(() => (clock.advance(500), queue.pending.value.length === 0), 'all sent');
    expect(asked).toHaveLength(21);
  });

  test('[P2] retry() sends one request at once to a server that is down', async () => {
    const { page, clock, queue, asked, state } = await setUp(20);
    state.refusal = { status: 503, headers: { 'retry-after': '60' } };
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    await pass(clock, 2_000);
    void queue.retry();
    await until(() => asked.length === 2);
    await pass(clock, 2_000);
    expect(asked).toHaveLength(2);
    state.refusal = undefined;
    void queue.retry();
    await until(() => queue.pending.value.length === 0);
    expect(asked).toHaveLength(22);
  });

  test('[P2] a server that is down does not delay mutations for another server', async () => {
    const { page, controller, queue, tasks, asked, state, clock, name } = await setUp(0);
    const other = await serve(({ text }) => ({ body: { id: 2, ...(JSON.parse(text) as object) } }));
    queue.stop();
    const others = createResource({
      path: '/others/:id',
      urlPrefix: other.address,
      schema: Task,
    });
    const both = offline(controller, { names: { tasks, others }, name: `${name} both` });
    state.refusal = DOWN;
    page.comeBack('reconnect');
    controller.fetch(tasks.partialUpdate, { id: 1 }, { title: 'b' }).catch(() => {});
    await until(() => asked.length === 1);
    await controller.fetch(others.partialUpdate, { id: 2 }, { title: 'c' });
    expect(other.asked).toHaveLength(1);
    expect(both.pending.value).toHaveLength(1);
    expect(clock.now()).toBe(1_000_000);
    both.stop();
  });
});

test('[P2] a failing endpoint function does not delay mutations of another function', async () => {
  const calls: string[] = [];
  const make = (name: string, isDown: boolean) =>
    new Endpoint(
      ({ text }: { text: string }) => {
        calls.push(`${name} ${text}`);
        return isDown ? Promise.reject(new TypeError('down')) : Promise.resolve(text);
      },
      { name, sideEffect: true },
    );
  const names = { broken: make('broken', true), well: make('well', false) };
  const { page: open } = await offlineServer();
  const clock = new StoppedClock();
  const { controller, queue } = open({ names, locks: sharedLocks() }, { clock });
  await queue.ready;
  await turns(50);
  controller.fetch(names.broken, { text: 'a' }).catch(() => {});
  await until(() => queue.pending.value[0]?.error !== undefined);
  expect(await controller.fetch(names.well, { text: 'b' })).toBe('b');
  expect(calls).toEqual(['broken a', 'well b']);
});

/** Advances time only while no request is in flight: on a busy machine a minute of the clock would end the request. */
function afterResponses(clock: StoppedClock): (ms: number) => void {
  let underway = 0;
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((...args) => {
    underway++;
    return send(...args).finally(() => underway--);
  });
  return (ms) => {
    if (underway === 0) clock.advance(ms);
  };
}

test('[P2] a row that always gets status 500 does not keep the other rows from being sent', async () => {
  const broken: string[] = [];
  const server = await serve(({ url, text }) => {
    if (url !== '/tasks/1') return { body: { id: Number(url.slice(7)), ...JSON.parse(text) } };
    broken.push(url);
    return { status: 500 };
  });
  const { page: open } = await offlineServer();
  const clock = new StoppedClock();
  const tasks = createResource({ path: '/tasks/:id', urlPrefix: server.address, schema: Task });
  const { controller, page, queue } = open({ names: { tasks } }, { clock });
  await queue.ready;
  page.offline = true;
  for (let id = 1; id <= 30; id++)
    controller.fetch(tasks.partialUpdate, { id }, { title: 'b' }).catch(() => {});
  await until(() => queue.pending.value.length === 30);
  const passTime = afterResponses(clock);
  page.comeBack('reconnect');
  await pass(clock, 2_000);
  await until(() => (passTime(100), queue.pending.value.length === 1), 'the others');
  expect(queue.pending.value).toMatchObject([{ args: [{ id: 1 }, {}] }]);
  // pauses of the row grow, though the server works
  await pass(clock, 60_000, { step: 500 });
  expect(broken.length).toBeLessThan(12);
});

test('[P2] at most six requests are sent to a server at once, and only one before the first response', async () => {
  const { page, queue, asked, state, release } = await setUp(40);
  state.holds = true;
  page.comeBack('reconnect');
  await until(() => asked.length === 1);
  await turns(200);
  // of many mutations, the first is sent alone: the server may be down
  expect(asked).toHaveLength(1);
  release();
  state.holds = true;
  await until(() => asked.length === 7);
  await turns(200);
  expect(asked).toHaveLength(7);
  release();
  await until(() => queue.pending.value.length === 0);
  expect(asked).toHaveLength(40);
});

describe('a server that never responds', () => {
  test('[P2] a request without a response is aborted after 60 s, and sent again under the same key', async () => {
    const { page, clock, queue, asked, applied, state, release } = await setUp(1);
    state.holds = true;
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    await pass(clock, 59_500);
    expect(asked).toHaveLength(1);
    await pass(clock, 3_000);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.key).toBe(asked[0]?.key);
    release();
    await until(() => queue.pending.value.length === 0);
    expect(applied).toHaveLength(1);
  });

  test('[P2] with timeout 0 a request without a response is not aborted', async () => {
    const { page, clock, asked, state } = await setUp(1, { timeout: 0 });
    state.holds = true;
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    await pass(clock, 200_000, { step: 2_000 });
    await settled();
    expect(asked).toHaveLength(1);
  });
});

test('[P2] each of 60 edits of one row is sent once, in order, and the waiting edits keep their objects', async () => {
  const all = await offlineServer();
  all.rows.set(1, { id: 1, title: 'a' });
  const { controller, page, queue } = all.page({ locks: sharedLocks() });
  await queue.ready;
  page.offline = true;
  const titles = Array.from({ length: 60 }, (_, at) => `t${at}`);
  for (const title of titles)
    void controller.fetch(all.tasks.partialUpdate, { id: 1 }, { title }).catch(() => {});
  await until(() => queue.pending.value.length === titles.length, 'all logged');
  const last = queue.pending.value.at(-1);
  const kept: boolean[] = [];
  const stop = queue.pending.subscribe((pending) => {
    if (pending.length > 1) kept.push(pending.at(-1) === last);
  });
  page.comeBack('reconnect');
  await until(() => queue.pending.value.length === 0, 'all sent');
  stop();
  expect(all.applied.map(({ body }) => (body as { title: string }).title)).toEqual(titles);
  expect(kept.length).toBeGreaterThanOrEqual(titles.length - 1);
  expect(kept).not.toContain(false);
});
