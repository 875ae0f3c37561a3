/** The address of the list of a resource. */
import { Controller, createResource, hookifyResource, RestEndpoint } from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';
import { expect, test } from 'vitest';
import { mock } from '../servers/mocked.ts';
import { Todo } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';

const at = (path: string, urlPrefix?: string, options: object = {}) =>
  createResource({ path, schema: Todo, ...(urlPrefix !== undefined && { urlPrefix }), ...options });

test.each([
  ['https://x.test/todos', '/:id', 'https://x.test/todos', 'https://x.test/todos/1'],
  ['https://x.test/todos/', ':id', 'https://x.test/todos/', 'https://x.test/todos/1'],
  ['https://x.test', '/:id', 'https://x.test', 'https://x.test/1'],
  ['https://x.test/', 'todos/:id', 'https://x.test/todos', 'https://x.test/todos/1'],
  [undefined, '/:id', '/', '/1'],
  ['', '/:id', '/', '/1'],
])('[M3] under the prefix %s the list of %s is at %s', (prefix, path, list, one) => {
  const todos = at(path, prefix);
  expect(todos.getList.url()).toBe(list);
  expect(todos.create.url({ title: 'x' })).toBe(list);
  expect(todos.getList.push.url({ title: 'x' })).toBe(list);
  expect(todos.getList.url({ q: 1 })).toBe(`${list}?q=1`);
  expect(todos.get.url({ id: 1 })).toBe(one);
  expect(todos.getList.move.url({ id: 1 }, { title: 'x' })).toBe(one);
  expect(todos.getList.testKey(todos.getList.key())).toBe(true);
  expect(todos.getList.testKey(todos.getList.key({ q: 1 }))).toBe(true);
  expect(todos.getList.testKey(todos.get.key({ id: 1 }))).toBe(false);
  expect(todos.get.testKey(todos.getList.key())).toBe(false);
});

test('[M3] urlPrefix computed by a class, or passed to extend, is applied on each request', () => {
  let host = '';
  class Moving extends RestEndpoint {
    override get urlPrefix() {
      return host;
    }
  }
  const todos = at('/:id', undefined, { Endpoint: Moving });
  expect(todos.getList.url()).toBe('/');
  host = 'https://x.test/todos';
  expect(todos.getList.url()).toBe('https://x.test/todos');
  const moved = at('/:id').getList.extend({ urlPrefix: 'https://y.test/todos' });
  expect(moved.url()).toBe('https://y.test/todos');
});

test('[M3] pages, hooks and the title of getList have the address of the list', async () => {
  const { address, asked } = await serve({ body: [{ id: 1, title: 'one' }] });
  const todos = at('/:id', `${address}/todos`);
  const controller = new Controller();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.getList.paginated('page'), { page: 2 });
  const hooks = hookifyResource(todos, () => ({ headers: { 'x-token': 'x' } }));
  await controller.fetch(hooks.useGetList().extend({ dataExpiryLength: 0 }), { q: 1 });
  expect(asked.map(({ url }) => url)).toEqual(['/todos', '/todos?page=2', '/todos?q=1']);
  expect(todos.getList.title).toBe(`GET ${address}/todos`);
  expect(at('/:id').getList.title).toBe('GET /');
});

test('[M3] the address of the list omits the slash of an optional group', () => {
  expect(at('{/:id}?', 'https://x.test/todos').getList.url()).toBe('https://x.test/todos');
});

test('[M3] the address of the list of a path with a wildcard omits the wildcard alone', async () => {
  const { address, asked } = await serve({ body: [] });
  const files = at('/repos/:owner/*path', address);
  await new Controller().fetch(files.getList, { owner: 'ada' });
  await files.get({ owner: 'ada', path: ['src', 'a b.ts'] });
  expect(asked.map(({ url }) => url)).toEqual(['/repos/ada', '/repos/ada/src/a%20b.ts']);
});

test.each([
  ['the prefix', 'http://api.test/todos', '/:id'],
  ['an origin', 'http://api.test', '/:id'],
  ['the root of any origin', '', 'http://api.test/:id'],
  ['a name in quotes', 'http://api.test', '/todos/:"id"'],
])(
  '[T1] createHandlers responds to the endpoints of a resource with a list at %s',
  async (_, prefix, path) => {
    const todos = at(path, prefix);
    const { controller } = mock(createHandlers(todos, [{ id: 1, title: 'one' }]));
    expect(await controller.fetch(todos.getList)).toMatchObject([{ title: 'one' }]);
    expect(await controller.fetch(todos.get, { id: 1 })).toMatchObject({ title: 'one' });
    await controller.fetch(todos.create, { title: 'two' });
    expect(controller.getResponse(todos.getList).data).toHaveLength(2);
  },
);
