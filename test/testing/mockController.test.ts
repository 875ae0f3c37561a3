/** Fixtures: which fixture answers, with which response, and when. */
import { Controller, createResource } from 'signalbox';
import { mockController, fakeClock } from 'signalbox/testing';
import type { Fixture } from 'signalbox/testing';
import { expect, test, vi } from 'vitest';
import { Todo } from '../setup/samples.ts';

const TodoResource = createResource({
  urlPrefix: 'http://api.test',
  path: '/todos/:id',
  schema: Todo,
});
const { get, getList, partialUpdate } = TodoResource;
const titled = (title: string) => ({ id: 1, title });

test('[T1] the last matching fixture responds, and a fixture without args matches all arguments', async () => {
  const controller = mockController({
    fixtures: [
      { endpoint: get, response: ({ id }: { id: number }) => ({ id, title: 'any' }) },
      { endpoint: get, args: [{ id: 1 }], response: titled('first') },
      { endpoint: get, args: [{ id: 1 }], response: titled('last') },
      { endpoint: getList, response: [] },
    ],
  });
  expect((await controller.fetch(get, { id: 1 })).title).toBe('last');
  expect((await controller.fetch(get, { id: 2 })).title).toBe('any');
  await expect(controller.fetch(partialUpdate, { id: 1 }, {})).rejects.toMatchObject({
    code: 'T1',
    status: 404,
  });
});

test('[T1] functions of fixtures share the data of their controller', async () => {
  const fixtures: Fixture<{ count: number }>[] = [
    {
      endpoint: get,
      response({ id }: { id: number }) {
        return { id, title: `asked ${++this.count}` };
      },
    },
    {
      endpoint: getList,
      response() {
        return [{ id: this.count, title: 'of the list' }];
      },
    },
  ];
  const getInitialInterceptorData = vi.fn(() => ({ count: 0 }));
  const controller = mockController({ fixtures, getInitialInterceptorData });
  await controller.fetch(get, { id: 7 });
  expect((await controller.fetch(get, { id: 7 })).title).toBe('asked 2');
  expect((await controller.fetch(getList))[0]?.id).toBe(2);
  expect(getInitialInterceptorData).toHaveBeenCalledTimes(1);
  const other = mockController({ fixtures, getInitialInterceptorData });
  expect((await other.fetch(get, { id: 7 })).title).toBe('asked 1');
});

test.each([
  { delayCollapse: false, title: 'as sent' },
  { delayCollapse: true, title: 'as answered' },
])(
  '[T1] a fixture responds after `delay`, with the state at the request or then: delayCollapse $delayCollapse',
  async ({ delayCollapse, title }) => {
    const clock = fakeClock();
    let now = 'as sent';
    const delay = vi.fn(({ id }: { id: number }) => id * 100);
    const fixture = { endpoint: get, response: () => titled(now), delay, delayCollapse };
    const controller = mockController({ clock, fixtures: [fixture] });
    const answer = controller.fetch(get, { id: 1 });
    await Promise.resolve();
    now = 'as answered';
    clock.advance(99);
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    clock.advance(1);
    expect((await answer).title).toBe(title);
    expect(delay).toHaveBeenCalledWith({ id: 1 });
  },
);

test('[T1] with `fetchResponse`, a fixture replaces only the network of an endpoint', async () => {
  const Server = { seen: [] as string[] };
  const controller = mockController({
    getInitialInterceptorData: () => Server,
    fixtures: [
      {
        endpoint: partialUpdate,
        fetchResponse(input, init) {
          this.seen.push(`${init.method} ${input}`);
          return { id: 1, ...JSON.parse(init.body as string) };
        },
      },
    ],
  });
  const todo = await controller.fetch(partialUpdate, { id: 1 }, { title: 'sent' });
  expect(todo.title).toBe('sent');
  expect(Server.seen).toEqual(['PATCH http://api.test/todos/1']);
});

test('[T1] a `Response` that the `fetchResponse` of a fixture returns is read as one of the network', async () => {
  const controller = mockController({
    fixtures: [
      { endpoint: get, args: [{ id: 1 }], fetchResponse: () => Response.json(titled('read')) },
      {
        endpoint: get,
        args: [{ id: 2 }],
        fetchResponse: () => Response.json({ reason: 'gone' }, { status: 410 }),
      },
      { endpoint: get, args: [{ id: 3 }], fetchResponse: () => new Response('<p>') },
    ],
  });
  expect((await controller.fetch(get, { id: 1 })).title).toBe('read');
  await expect(controller.fetch(get, { id: 2 })).rejects.toMatchObject({
    code: 'R7',
    status: 410,
    body: { reason: 'gone' },
    url: 'http://api.test/todos/2',
  });
  await expect(controller.fetch(get, { id: 3 })).rejects.toMatchObject({ code: 'R5' });
});

test('[T1] a fixture rejects with its `error`, or with its `response` if `error` is true', async () => {
  const error = Object.assign(new Error('broken'), { status: 503 });
  const refusal = { message: 'Not found', status: 404 };
  const controller = mockController({
    fixtures: [
      { endpoint: get, error },
      { endpoint: getList, args: [], response: refusal, error: true },
    ],
  });
  await expect(controller.fetch(get, { id: 1 })).rejects.toBe(error);
  const refused = controller.fetch(getList);
  await expect(refused).rejects.toBeInstanceOf(Error);
  await expect(refused).rejects.toMatchObject(refusal);
});

test('[T1] initialFixtures are stored before the first read, errors included', () => {
  const error = new Error('gone');
  const controller = mockController({
    getInitialInterceptorData: () => ({ title: 'computed' }),
    initialFixtures: [
      { endpoint: get, args: [{ id: 1 }], response: titled('stored') },
      {
        endpoint: get,
        args: [{ id: 2 }],
        response({ id }: { id: number }) {
          return { id, title: this.title };
        },
      },
      { endpoint: get, args: [{ id: 3 }], error },
    ],
  });
  expect(controller).toBeInstanceOf(Controller);
  expect(controller.getResponse(get, { id: 1 }).data?.title).toBe('stored');
  expect(controller.getResponse(get, { id: 2 }).data?.title).toBe('computed');
  expect(controller.getError(get, { id: 3 })).toBe(error);
});

test('[T1] initialFixtures with asynchronous responses or of mutations are not stored, and respond to requests', async () => {
  const rejected: unknown[] = [];
  const note = (reason: unknown) => rejected.push(reason);
  process.on('unhandledRejection', note);
  const controller = mockController({
    initialFixtures: [
      { endpoint: get, args: [{ id: 1 }], response: async () => ({ id: 1, title: 'later' }) },
      { endpoint: get, args: [{ id: 2 }], fetchResponse: () => ({ id: 2, title: 'fetched' }) },
      { endpoint: get, args: [{ id: 3 }], response: { id: 3, title: 'stored' } },
      {
        endpoint: partialUpdate,
        args: [{ id: 3 }, { title: 'written' }],
        response: { id: 3, title: 'written' },
      },
      {
        endpoint: get,
        args: [{ id: 4 }],
        response: async () => Promise.reject(new Error('none')),
      },
    ],
  });
  const titles = () => [1, 2, 3].map((id) => controller.get(Todo, { id })?.title);
  expect(titles()).toEqual([undefined, undefined, 'stored']);
  await controller.fetch(get, { id: 1 });
  await controller.fetch(get, { id: 2 });
  await controller.fetch(partialUpdate, { id: 3 }, { title: 'written' });
  expect(titles()).toEqual(['later', 'fetched', 'written']);
  await expect(controller.fetch(get, { id: 4 })).rejects.toThrow('none');
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off('unhandledRejection', note);
  expect(rejected).toEqual([]);
});
