/** hookifyResource: a hook for each endpoint of a resource. */
import { expect, test, vi } from 'vitest';
import { Controller, createResource, hookifyResource, RestEndpoint } from 'signalbox';
import { Headers as OtherHeaders } from 'undici';
import { Todo } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';

/** A hook without a framework: returns the value of the context. */
const context: { init: RequestInit } = { init: {} };
const useInit = (): RequestInit => context.init;

async function world(reply?: Parameters<typeof serve>[0]) {
  const server = await serve(reply);
  class Mine extends RestEndpoint {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, 'X-Mine': 'yes', 'X-Token': 'old' };
    }
  }
  const Todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    urlPrefix: server.address,
    Endpoint: Mine,
  }).extend('promote', { path: '/todos/:id/promote', method: 'POST', body: undefined });
  return { ...server, Todos, Hooks: hookifyResource(Todos, useInit) };
}

test('[M1] hookifyResource has a hook for each endpoint, and no other members', async () => {
  const { Hooks } = await world();
  expect(Object.keys(Hooks).sort()).toEqual(
    ['Create', 'Delete', 'Get', 'GetList', 'PartialUpdate', 'Promote', 'Update'].map(
      (name) => `use${name}`,
    ),
  );
});

test('[M1] a hook returns the endpoint with the same key and schema', async () => {
  const { Todos, Hooks } = await world();
  const get = Hooks.useGet();
  expect(get).toBeInstanceOf(RestEndpoint);
  expect(get.key({ id: 1 })).toBe(Todos.get.key({ id: 1 }));
  expect(Hooks.useGetList().schema).toBe(Todos.getList.schema);
  expect(Hooks.useCreate().sideEffect).toBe(true);
});

test('[R5] the init of the hook is sent, and its headers replace headers of the class regardless of case', async () => {
  const { Todos, Hooks, asked } = await world({ body: { id: 1 } });
  const fetch = vi.spyOn(globalThis, 'fetch');
  context.init = { headers: { 'x-token': 'new' }, credentials: 'same-origin' };
  await Hooks.useUpdate()({ id: 1 }, { title: 'x' });
  context.init = { headers: new Headers({ 'x-token': 'newer' }) };
  await Hooks.useGet()({ id: 1 });
  context.init = { headers: [['X-Token', 'newest']] };
  await Hooks.usePromote()({ id: 1 });
  await Todos.get({ id: 1 });
  expect(asked.map(({ headers }) => headers['x-token'])).toEqual(['new', 'newer', 'newest', 'old']);
  expect(asked.map(({ headers }) => headers['x-mine'])).toEqual(['yes', 'yes', 'yes', 'yes']);
  expect(fetch.mock.calls.map(([, init]) => init?.credentials)).toEqual([
    'same-origin',
    undefined,
    undefined,
    undefined,
  ]);
  expect(asked.map(({ url, text }) => url + text)).toEqual([
    '/todos/1{"title":"x"}',
    '/todos/1',
    '/todos/1/promote',
    '/todos/1',
  ]);
});

test('[R5] the headers of the hook can be a Map, or Headers of another implementation', async () => {
  const { Hooks, asked } = await world({ body: { id: 1 } });
  const token = { 'x-token': 'new' };
  for (const headers of [new Map(Object.entries(token)), new OtherHeaders(token)]) {
    context.init = { headers: headers as never };
    await Hooks.useUpdate()({ id: 1 }, { title: 'x' });
  }
  const expected = { ...token, 'x-mine': 'yes', 'content-type': 'application/json' };
  expect(asked.map(({ headers }) => headers)).toMatchObject([expected, expected]);
});

test('[R5] the init of the hook is read on each call of the hook', async () => {
  const { Hooks, asked } = await world({ body: { id: 1 } });
  for (const token of ['a', 'b']) {
    context.init = { headers: { 'x-token': token } };
    await Hooks.useGet()({ id: 1 });
  }
  expect(asked.map(({ headers }) => headers['x-token'])).toEqual(['a', 'b']);
});

test('[E4] endpoints that hooks create on each call share one response and one list', async () => {
  context.init = {};
  const { Todos, Hooks, asked } = await world(({ method }) => ({
    body: method === 'POST' ? { id: 2, title: 'made' } : [{ id: 1 }],
  }));
  const controller = new Controller();
  await controller.fetch(Hooks.useGetList());
  await controller.fetchIfStale(Hooks.useGetList());
  await controller.fetch(Hooks.useCreate(), { title: 'made' });
  expect(asked).toHaveLength(2);
  const { data } = controller.getResponse(Todos.getList);
  expect(data?.map(({ id }) => id)).toEqual([1, 2]);
});
