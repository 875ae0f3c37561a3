// The queue while the user has to log in again.
import { RestEndpoint, createResource, NetworkError } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { offline } from 'signalbox/offline';
import type { OfflineOptions } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import { refused, StoppedClock } from '../setup/world.ts';
import { offlineServer, pass, sharedLocks, Task, turns, until } from './OfflineServer.ts';

/** Rows, and a page with edits of three rows that wait for the network. */
async function setUp(options: Partial<OfflineOptions> = {}) {
  const all = await offlineServer();
  const clock = new StoppedClock();
  for (const id of [1, 2, 3]) all.rows.set(id, { id, title: 'a' });
  const locks = sharedLocks();
  const open = (more: Partial<OfflineOptions> = {}) =>
    all.page({ locks, ...options, ...more }, { clock });
  const tab = open();
  const { controller, page, queue } = tab;
  await queue.ready;
  await controller.fetch(all.tasks.getList);
  page.offline = true;
  const events: unknown[] = [];
  for (const event of ['hold', 'resume'] as const)
    queue.on(event, ({ mutation: { args } }) => events.push([event, args[0]]));
  controller.on('error', ({ error }) => events.push(error.message));
  const edit = (id: number, title: string) =>
    controller.fetch(all.tasks.partialUpdate, { id }, { title });
  const sent = [edit(1, 'b'), edit(1, 'c'), edit(2, 'b'), edit(3, 'b')];
  for (const one of sent) one.catch(() => {});
  await until(() => queue.pending.value.length === 4);
  const titles = () => [1, 2, 3].map((id) => controller.get(Task, { id })?.title);
  return { ...all, ...tab, clock, open, edit, sent, events, titles };
}

test('[R5] headers of getRequestInit in a Map are sent beside the Idempotency-Key', async () => {
  const server = await serve({ body: { id: 5, title: 'b' } });
  class MapEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async getRequestInit(body: unknown): Promise<RequestInit> {
      const init = await super.getRequestInit(body);
      const entries = Object.entries(init.headers ?? {});
      return { ...init, headers: new Map([...entries, ['authorization', 'Bearer x']]) as never };
    }
  }
  const { address: urlPrefix } = server;
  const tasks = createResource({
    path: '/tasks/:id',
    urlPrefix,
    schema: Task,
    Endpoint: MapEndpoint,
  });
  const { page } = await offlineServer();
  const { controller } = page({ names: { tasks }, name: 'map' });
  await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
  expect(server.last.headers).toMatchObject({
    authorization: 'Bearer x',
    'content-type': 'application/json',
    'idempotency-key': expect.stringMatching(/^"/),
  });
});

describe('an expired session', () => {
  test.each([401, 403])(
    '[P7] status %i holds the queue without a loss, and retry() after the log in sends each mutation once',
    async (status) => {
      const { queue, page, clock, state, asked, applied, sent, events, titles } = await setUp();
      state.refusal = { status };
      page.comeBack('reconnect');
      await until(() => queue.pending.value.every(({ held }) => held));
      await turns(50);
      // the requests that were in flight together
      const first = asked.length;
      expect(first).toBeLessThanOrEqual(3);
      expect(events).toEqual([['hold', { id: expect.any(Number) }]]);
      const errors = queue.pending.value.flatMap(({ error }) => error ?? []);
      expect(errors).toMatchObject(asked.map(() => ({ code: 'R7', status })));
      expect(titles()).toEqual(['c', 'b', 'b']);
      await pass(clock, 120_000, { step: 5_000 });
      expect(asked).toHaveLength(first);
      // still not logged in: a single request finds that out
      void queue.retry();
      await until(() => asked.length === first + 1);
      await turns(50);
      expect([asked.length, events.length]).toEqual([first + 1, 1]);
      state.refusal = undefined;
      void queue.retry();
      // callers get the value that readers see: the second edit of row 1 is applied over the first
      expect((await Promise.all(sent)).map(({ title }) => title)).toEqual(['c', 'c', 'b', 'b']);
      await until(() => queue.pending.value.length === 0);
      expect(applied).toHaveLength(4);
      expect(events.slice(1)).toEqual([['resume', { id: expect.any(Number) }]]);
    },
  );

  test.each([
    ['302', 302, 405],
    ['303', 303, 200],
  ])(
    '[P7] a redirect (%s) to the page of a log in holds the queue without a loss',
    async (_, status, then) => {
      const { queue, page, state, applied, sent, events, titles } = await setUp();
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      const { address } = await serve({ status: then, headers, body: '<h1>Log in</h1>' });
      state.refusal = { status, headers: { location: `${address}/login` } };
      page.comeBack('reconnect');
      await until(() => queue.pending.value.every(({ held }) => held));
      expect(events).toEqual([['hold', { id: expect.any(Number) }]]);
      expect(titles()).toEqual(['c', 'b', 'b']);
      state.refusal = undefined;
      void queue.retry();
      await Promise.all(sent);
      expect(applied).toHaveLength(4);
    },
  );

  test.each([
    ['to JSON', 'application/json', true],
    ['of HTML without a redirect', 'text/html', false],
  ])('[P7] a refusal %s rejects the mutation, and holds nothing', async (_, type, redirects) => {
    const { queue, page, state, sent, events } = await setUp();
    const refusal = { status: 422, headers: { 'content-type': type }, body: '{}' };
    const { address } = await serve(refusal);
    state.refusal = redirects ? { status: 307, headers: { location: `${address}/v2` } } : refusal;
    page.comeBack('reconnect');
    for (const each of sent) expect(await refused(each)).toMatchObject({ status: 422 });
    expect(queue.pending.value).toEqual([]);
    expect(events.filter((event) => Array.isArray(event))).toEqual([]);
  });

  test('[P7] a mutation issued while the queue is held waits with the others', async () => {
    const { queue, page, state, asked, edit, titles } = await setUp();
    state.refusal = { status: 401 };
    page.comeBack('reconnect');
    await until(() => queue.pending.value.every(({ held }) => held));
    await turns(50);
    const first = asked.length;
    const later = edit(2, 'd');
    await until(() => queue.pending.value.length === 5);
    await turns(50);
    expect([asked.length, titles()]).toEqual([first, ['c', 'd', 'b']]);
    expect(queue.pending.value[4]).toMatchObject({ held: true, attempts: 0 });
    state.refusal = undefined;
    void queue.retry();
    expect((await later).title).toBe('d');
  });

  test('[P7] a held queue is tried with one request when the page gets the focus', async () => {
    const { queue, page, state, asked, applied } = await setUp();
    state.refusal = { status: 401 };
    page.comeBack('reconnect');
    await until(() => queue.pending.value.every(({ held }) => held));
    await turns(50);
    const first = asked.length;
    page.comeBack('focus');
    await until(() => asked.length > first);
    await turns(50);
    expect(asked).toHaveLength(first + 1);
    state.refusal = undefined;
    page.comeBack('focus');
    await until(() => queue.pending.value.length === 0);
    expect(applied).toHaveLength(4);
  });

  test('[P7] a held queue is held in the next page, which sends the mutations after the log in', async () => {
    const { queue, page, open, state, applied } = await setUp();
    state.refusal = { status: 401 };
    page.comeBack('reconnect');
    await until(() => queue.pending.value.every(({ held }) => held));
    queue.stop();
    const next = open();
    await until(() => next.queue.pending.value.filter(({ held }) => held).length === 4);
    state.refusal = undefined;
    void next.queue.retry();
    await until(() => next.queue.pending.value.length === 0);
    expect(applied).toHaveLength(4);
  });

  test('[P7] after stop() and reset() of a held queue the same user gets the mutations, and another user none', async () => {
    const { queue, page, controller, state, asked, applied, sent, titles, name, tasks } =
      await setUp();
    state.refusal = { status: 401 };
    page.comeBack('reconnect');
    await until(() => queue.pending.value.every(({ held }) => held));
    await turns(50);
    const first = asked.length;
    queue.stop();
    controller.reset();
    expect(await refused(sent[0] as Promise<unknown>)).toMatchObject({ name: 'ResetError' });
    expect(titles()).toEqual([undefined, undefined, undefined]);
    state.refusal = undefined;

    const other = offline(controller, { names: { tasks }, name: `${name} of another user` });
    await other.ready;
    await controller.fetch(tasks.partialUpdate, { id: 3 }, { title: 'z' });
    await turns(50);
    expect([applied.length, other.pending.value]).toEqual([1, []]);
    other.stop();
    controller.reset();

    const again = offline(controller, { names: { tasks }, name });
    await again.ready;
    expect(again.pending.value).toHaveLength(4);
    await until(() => again.pending.value.length === 0);
    again.stop();
    expect(applied.slice(1).map(({ body }) => body)).toEqual(
      expect.arrayContaining([{ title: 'b' }, { title: 'c' }, { title: 'b' }, { title: 'b' }]),
    );
    expect([applied.length, asked.length]).toEqual([5, first + 5]);
  });

  test('[P7] hold() decides which errors hold the queue: 403 rejects, 402 holds', async () => {
    const hold = (error: unknown) => [401, 402].includes((error as NetworkError).status);
    const { queue, page, state, troubles, sent, events, titles, edit } = await setUp({ hold });
    troubles.push(403);
    page.comeBack('reconnect');
    await until(() => queue.pending.value.length === 0);
    await Promise.allSettled(sent);
    expect(titles().filter((title) => title === 'a' || title === 'c')).not.toEqual([]);
    expect(events).toEqual([expect.stringContaining('403')]);
    state.refusal = { status: 402 };
    edit(1, 'e').catch(() => {});
    await until(() => queue.pending.value.some(({ held }) => held));
    expect(events.slice(1)).toEqual([['hold', { id: 1 }]]);
  });

  test('[P7] if hold() throws, the queue is held with a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const hold = (error: unknown) => (error as { body: { code: string } }).body.code === 'login';
    const { queue, page, clock, asked, state } = await setUp({ hold });
    state.refusal = { status: 422, body: undefined };
    page.comeBack('reconnect');
    await until(() => queue.pending.value.every(({ held }) => held));
    await turns(50);
    const first = asked.length;
    await pass(clock, 30_000, { step: 1_000 });
    expect(asked).toHaveLength(first);
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('[signalbox O6]'));
    state.refusal = undefined;
    void queue.retry();
    await until(() => queue.pending.value.length === 0);
  });

  test('[P7] discard() of the refused mutation and retry() send the other mutations of a held queue', async () => {
    const { queue, page, state, troubles, applied, sent } = await setUp();
    troubles.push(403);
    page.comeBack('reconnect');
    await until(() => queue.pending.value.some(({ held }) => held));
    await turns(100);
    const culprit = queue.pending.value.find(({ error }) => error !== undefined);
    await queue.discard(culprit?.id as number);
    expect(state.refusal).toBeUndefined();
    void queue.retry();
    await until(() => queue.pending.value.length === 0);
    await Promise.allSettled(sent);
    expect(applied).toHaveLength(3);
  });
});

test.each([
  ['spreads the headers', (headers: HeadersInit) => ({ ...headers })],
  ['copies the headers into a Headers object', (headers: HeadersInit) => new Headers(headers)],
])(
  '[P7] a second attempt that refreshes the token and %s keeps Content-Type and Idempotency-Key',
  async (_, copy) => {
    const session = { token: 'first' };
    const server = await serve(({ headers, text }) => {
      if (headers.authorization !== 'Bearer second') return { status: 401 };
      return { body: { id: 5, ...(JSON.parse(text) as object) } };
    });
    class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
      override getHeaders(given: HeadersInit): HeadersInit {
        const headers = copy(given);
        const authorization = `Bearer ${session.token}`;
        if (!(headers instanceof Headers)) return { ...headers, authorization };
        headers.set('authorization', authorization);
        return headers;
      }
      override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
        try {
          return await super.fetchResponse(input, init);
        } catch (error) {
          if (!(error instanceof NetworkError) || error.status !== 401) throw error;
          session.token = 'second';
          const headers = this.getHeaders(init.headers ?? {});
          return super.fetchResponse(input, { ...init, headers });
        }
      }
    }
    const tasks = createResource({
      path: '/tasks/:id',
      urlPrefix: server.address,
      schema: Task,
      Endpoint: RefreshingEndpoint,
    });
    const { page } = await offlineServer();
    const { controller } = page({ names: { tasks }, name: `refresh ${_}` });
    await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    const sent = server.asked.map(({ headers }) => [
      headers['content-type'],
      headers['idempotency-key'],
    ]);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(['application/json', expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(sent[1]).toEqual(sent[0]);
  },
);
