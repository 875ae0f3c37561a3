/** The six endpoints of a resource: calls, options and replacement. */
import {
  Collection,
  Controller,
  Delete,
  Entity,
  RestEndpoint,
  createResource,
  optimistic,
  resource,
} from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { Todo } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';

const Todos = createResource({ path: '/todos/:id', schema: Todo });
const NAMES = ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'] as const;

describe('members', () => {
  test.each([
    ['get', 'GET', '/todos/:id', undefined],
    ['getList', 'GET', '/todos', undefined],
    ['create', 'POST', '/todos', true],
    ['update', 'PUT', '/todos/:id', true],
    ['partialUpdate', 'PATCH', '/todos/:id', true],
    ['delete', 'DELETE', '/todos/:id', true],
  ] as const)('[M1] the endpoint %s of a resource is %s %s', (name, method, path, sideEffect) => {
    expect(Object.keys(Todos)).toContain(name);
    const member = Todos[name] as RestEndpoint;
    expect([member.method, member.path, member.sideEffect]).toEqual([method, path, sideEffect]);
    expect(member.name).toBe(`Todo.${name}`);
  });

  test('[M1] `resource` is an alias of createResource', () => {
    expect(resource).toBe(createResource);
  });

  test('[M1] further options and the Endpoint class apply to each endpoint of a resource, over fields of the class', async () => {
    class Mine extends RestEndpoint {
      override urlPrefix = 'http://class';
      override getRequestInit(body?: unknown): RequestInit {
        return { ...(super.getRequestInit(body) as RequestInit), credentials: 'same-origin' };
      }
    }
    const { address, asked } = await serve();
    const fetch = vi.spyOn(globalThis, 'fetch');
    const mine = createResource({
      path: '/todos/:id',
      schema: Todo,
      Endpoint: Mine,
      urlPrefix: address,
      dataExpiryLength: 5,
    });
    for (const name of NAMES) {
      expect(mine[name]).toBeInstanceOf(Mine);
      expect(mine[name].dataExpiryLength).toBe(5);
      await (mine[name] as RestEndpoint)({ id: 1 }, {});
    }
    expect(asked.map(({ method }) => method)).toEqual([
      'GET',
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
    ]);
    for (const [, init] of fetch.mock.calls)
      expect(init).toMatchObject({ credentials: 'same-origin' });
  });

  const path = '/todos/:id';
  class Unfiltered extends Collection<[typeof Todo]> {
    constructor(schema: [typeof Todo], options: object) {
      super(schema, { ...options, nonFilterArgumentKeys: () => true });
    }
  }
  class Overriding extends Collection<[typeof Todo]> {
    readonly ordering = ['title'];
    override nonFilterArgumentKeys(name: string) {
      return this.ordering.includes(name);
    }
  }

  test.each([
    ['a Collection class without filter arguments', { path, schema: Todo, Collection: Unfiltered }],
    [
      'a Collection class that overrides nonFilterArgumentKeys',
      { path, schema: Todo, Collection: Overriding },
    ],
    ['the option nonFilterArgumentKeys', { path, schema: Todo, nonFilterArgumentKeys: ['title'] }],
  ])('[M2] getList with %s adds a created row that the argument would exclude', (_, told) => {
    const { getList, create } = createResource(told);
    const { Collection: Class = Collection } = told as { Collection?: typeof Unfiltered };
    expect(getList.schema).toBeInstanceOf(Class);
    for (const name of ['Collection', 'nonFilterArgumentKeys']) expect(name in getList).toBe(false);
    const controller = new Controller({ optimistic });
    void controller.setResponse(getList, { title: 'other' }, [{ id: 1 }]);
    void controller.setResponse(create, {}, { id: 3 });
    const { data } = controller.getResponse(getList, { title: 'other' });
    expect(data?.map(({ id }) => id)).toEqual([1, 3]);
  });

  test('[M2] getList has a Collection, create and push add to its end, and delete has a Delete schema', () => {
    expect(Todos.getList.schema).toBeInstanceOf(Collection);
    expect(Todos.create.schema).toMatchObject({
      collection: Todos.getList.schema,
      op: 'end',
    });
    expect(Todos.getList.push.schema).toMatchObject({ collection: Todos.getList.schema });
    expect(Todos.delete.schema).toBeInstanceOf(Delete);
  });

  test('[R4] a resource with `body: undefined` sends create and update without a body', async () => {
    const { address, asked } = await serve();
    const bare = createResource({
      path: '/t/:id',
      schema: Todo,
      urlPrefix: address,
      body: undefined,
    });
    await bare.update({ id: 1 });
    await bare.create({ q: 1 });
    expect(asked.map(({ url, text }) => url + text)).toEqual(['/t/1', '/t?q=1']);
  });

  test.each([
    ['/todos/:id/', '/todos/', '/todos/5/'],
    ['/todos/:id.json', '/todos.json', '/todos/5.json'],
    ['/v1/todos/:id.tar.gz', '/v1/todos.tar.gz', '/v1/todos/5.tar.gz'],
    ['/todos/:id', '/todos', '/todos/5'],
    ['/todos/:id/details', '/todos', '/todos/5/details'],
  ] as const)('[M8] the resource at %s has its list and its creation at %s', (path, list, item) => {
    const resource = createResource({ path, schema: Todo });
    expect([resource.getList.path, resource.create.path]).toEqual([list, list]);
    expect([resource.getList.url(), resource.create.url({}), resource.get.url({ id: 5 })]).toEqual([
      list,
      list,
      item,
    ]);
  });

  test('[M8] a row created at a path that ends in a slash is added to the list of the resource', async () => {
    const { getList, create } = createResource({ path: '/todos/:id/', schema: Todo });
    const controller = new Controller();
    await controller.setResponse(getList, {}, [{ id: 1 }]);
    await controller.fetch(create.extend({ fetch: async () => ({ id: 2 }) }), {
      title: 'b',
    });
    expect(controller.getResponse(getList, {}).data?.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('[M3] createResource with a path without an argument throws R4', () => {
    expect(() => createResource({ path: '/todos', schema: Todo })).toThrow(/R4.*\/todos/);
  });
});

describe('delete', () => {
  const json = (body: string): Answer => ({
    headers: { 'content-type': 'application/json' },
    body,
  });
  test.each([
    ['an object', json('{"id":"1","x":2}'), { id: '1', x: 2 }],
    ['{ok: true}', json('{"ok":true}'), { ok: true }],
    ['{}', json('{}'), { id: 1 }],
    ['[]', json('[]'), { id: 1 }],
    ['a JSON string', json('"deleted"'), { id: 1 }],
    ['text', { body: 'deleted', headers: { 'content-type': 'text/plain' } }, { id: 1 }],
    ['204', { status: 204 }, { id: 1 }],
  ])(
    '[M4] a deletion answered with %s resolves with the response or the params',
    async (_, answer: Answer, expected) => {
      const { address } = await serve(answer);
      const { delete: remove } = createResource({
        path: '/t/:id',
        schema: Todo,
        urlPrefix: address,
      });
      expect(await remove({ id: 1 })).toEqual(expected);
    },
  );

  test('[M4] a deletion applies `process` of the resource to the response', async () => {
    const { address } = await serve({ body: { data: { id: 7 } } });
    const process = ({ data }: { data: unknown }) => data;
    const wrapped = createResource({ path: '/t/:id', schema: Todo, urlPrefix: address, process });
    expect(await wrapped.delete({ id: 1 })).toEqual({ id: 7 });
  });

  test('[M4] an empty response to a deletion deletes the entity, without a call of `process` of the class', async () => {
    const { address } = await serve({ status: 204 });
    class Wrapped<O extends RestGenerics = any> extends RestEndpoint<O> {
      override process(value: { data: unknown }): unknown {
        return value.data;
      }
    }
    const wrapped = createResource({
      path: '/t/:id',
      schema: Todo,
      urlPrefix: address,
      Endpoint: Wrapped,
    });
    const controller = new Controller();
    await controller.set(Todo, { id: 1, title: 'a' });
    expect(await controller.fetch(wrapped.delete, { id: 1 })).toEqual({ id: 1 });
    expect(controller.get(Todo, { id: 1 })).toBe(undefined);
  });
});

describe('extend', () => {
  test('[M1] extend by a name changes one endpoint, and keeps the others and the original resource', () => {
    const other = Todos.extend('get', { path: '/x/:id/:part' });
    expect(other.get.url({ id: 1, part: 2 })).toBe('/x/1/2');
    expect(other.getList).toBe(Todos.getList);
    expect(Todos.get.path).toBe('/todos/:id');
  });

  test('[M7] extend by a name adds an endpoint: POST with params and no body', async () => {
    const { address, asked } = await serve();
    const users = createResource({ path: '/users/:id', schema: Todo, urlPrefix: address }).extend(
      'makeManager',
      { path: '/users/:id/make_manager', method: 'POST', body: undefined },
    );
    await users.makeManager({ id: 7 });
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/users/7/make_manager', text: '' });
    expect(users.makeManager.name).toBe('Todo.makeManager');
    expect(users.makeManager.schema).toBe(Todo);
  });

  test('[M7] extend by a name adds an endpoint: GET without arguments', () => {
    const users = Todos.extend('current', { path: '/current_user/' });
    expect(users.current.url()).toBe('/current_user/');
    expect(users.current.key()).toBe('GET /current_user/');
  });

  test('[M1] extend by an object changes several endpoints and adds others', () => {
    const other = Todos.extend({
      get: { dataExpiryLength: 1 },
      stats: { path: '/stats/:year', schema: undefined },
    });
    expect([other.get.dataExpiryLength, other.get.path]).toEqual([1, '/todos/:id']);
    expect(other.stats.url({ year: 1 })).toBe('/stats/1');
    expect(other.stats.schema).toBe(undefined);
  });

  test('[M1] extend by a function adds the returned endpoints', () => {
    const other = Todos.extend((base) => ({ again: base.get.extend({ path: '/again/:id' }) }));
    expect(other.again.url({ id: 1 })).toBe('/again/1');
    expect(other.get).toBe(Todos.get);
  });

  test('[M1] a resource can be spread with a replaced endpoint and extended', () => {
    const get = Todos.get.extend({ path: '/replaced/:id' });
    const other = { ...Todos, get }.extend('more', { dataExpiryLength: 1 });
    expect(other.more.path).toBe('/replaced/:id');
    expect(other.update).toBe(Todos.update);
  });
});

describe('optimistic', () => {
  const fast = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
  const controller = new Controller({ optimistic });
  void controller.set(Todo, { id: 1 }, { id: 1, title: 'old' });
  const snapshot = controller.snapshot();

  test('[M5] the optimistic response of update and partialUpdate has the body and the params of the path', () => {
    const expected = { id: 1, title: 'new' };
    for (const { getOptimisticResponse } of [fast.update, fast.partialUpdate]) {
      expect(getOptimisticResponse?.(snapshot, { id: '1', q: 2 }, { title: 'new' })).toEqual(
        expected,
      );
    }
  });

  test.each(['update', 'partialUpdate', 'delete'] as const)(
    '[R1] an optimistic %s without its path param rejects with R1, and changes no list',
    async (name) => {
      const controller = new Controller({ optimistic });
      void controller.setResponse(fast.getList, {}, [{ id: 1, title: 'a' }]);
      const shown: unknown[] = [];
      const stop = controller.signal(fast.getList, {}).subscribe((list) => void shown.push(list));
      const warned = vi.spyOn(console, 'warn');
      const endpoint = fast[name] as RestEndpoint;
      await expect(controller.fetch(endpoint, {}, { title: 'x' })).rejects.toThrow(/R1.*"id"/);
      expect(shown).toHaveLength(1);
      stop();
      expect(warned).not.toHaveBeenCalled();
      warned.mockRestore();
    },
  );

  test('[M5] the optimistic response of create has the params and the body, and of delete the params', () => {
    const form = new FormData();
    form.set('title', 'x');
    expect(fast.create.getOptimisticResponse?.(snapshot, form)).toEqual({ title: 'x' });
    expect(fast.create.getOptimisticResponse?.(snapshot, {}, { a: 1 })).toEqual({ a: 1 });
    expect(fast.create.getOptimisticResponse?.(snapshot, { a: 1, b: 2 }, { a: 3 })).toEqual({
      a: 3,
      b: 2,
    });
    expect(fast.delete.getOptimisticResponse?.(snapshot, { id: 1 })).toEqual({ id: 1 });
  });

  test('[M5] push, unshift, remove and move change the lists before the response, and roll back failures', async () => {
    const controller = new Controller({ optimistic });
    const { getList } = fast;
    void controller.setResponse(getList, { done: true }, [{ id: 9, title: 'z' }]);
    void controller.setResponse(getList, {}, [{ id: 1, title: 'a' }]);
    const titles = (search: object) =>
      controller.getResponse(getList, search).data?.map(({ title }) => title);
    let refuse = (_reason: Error): void => {};
    const fetch = () => new Promise<never>((_, reject) => (refuse = reject));
    const { push, unshift, remove, move } = getList;
    const cases = [
      [push, [{ title: 'new' }], ['a', 'new'], ['z']],
      [push, [[{ title: 'b' }, { title: 'c' }]], ['a', 'b', 'c'], ['z']],
      [unshift, [{}, { title: 'new' }], ['new', 'a'], ['z']],
      [remove, [{ id: 1 }, { title: 'b' }], [], ['z']],
      [move, [{ id: 1 }, { done: true }], ['a'], ['z', 'a']],
    ] as const;
    for (const [endpoint, args, all, done] of cases) {
      const sending = (endpoint as RestEndpoint).extend({ fetch }) as RestEndpoint;
      const sent = controller.fetch(sending, ...args);
      expect([titles({}), titles({ done: true })]).toEqual([all, done]);
      refuse(new Error('refused'));
      await expect(sent).rejects.toThrow('refused');
      expect([titles({}), titles({ done: true })]).toEqual([['a'], ['z']]);
    }
  });

  test.each(['remove', 'move', 'update', 'partialUpdate'] as const)(
    '[M5] an optimistic %s under a parent in the path leaves a stored field of the name of that param as it is',
    async (name) => {
      class Post extends Entity {
        id = 0;
        title = '';
        userId = 0;
      }
      const posts = createResource({ path: '/posts/:id', schema: Post });
      const favourites = createResource({
        path: '/users/:userId/favourites/:id',
        schema: Post,
        optimistic: true,
      });
      const controller = new Controller({ optimistic });
      const row = { id: 8, title: 'a', userId: 3 };
      void controller.setResponse(posts.getList, { userId: 1 }, []);
      void controller.setResponse(favourites.getList, { userId: 1 }, [row]);
      const endpoint = (
        name === 'remove' || name === 'move' ? favourites.getList[name] : favourites[name]
      ) as RestEndpoint;
      const sending = endpoint.extend({ fetch: () => new Promise<never>(() => {}) });
      void controller.fetch(sending as RestEndpoint, { userId: 1, id: '8' }, { title: 'new' });
      expect(controller.get(Post, { id: 8 })).toEqual({ ...row, title: 'new' });
      expect(controller.getResponse(posts.getList, { userId: 1 }).data).toEqual([]);
      const shown = controller.getResponse(favourites.getList, { userId: 1 }).data;
      expect(shown).toHaveLength(name === 'remove' ? 0 : 1);
    },
  );

  test('[M5] getList has no getOptimisticResponse, and one passed to extend applies to its changes', () => {
    const mine = () => ({ id: 5 });
    const { getList } = fast;
    expect(getList.getOptimisticResponse).toBe(undefined);
    expect(Todos.getList.push.getOptimisticResponse).toBe(undefined);
    expect(getList.extend({ path: '/mine' }).push.getOptimisticResponse).toBe(
      getList.push.getOptimisticResponse,
    );
    const told = getList.extend({ getOptimisticResponse: mine });
    expect(told.unshift.getOptimisticResponse).toBe(mine);
  });

  test('[M5] no endpoint has getOptimisticResponse without `optimistic: true`, and `get` has none with the option', () => {
    for (const name of NAMES) expect(Todos[name].getOptimisticResponse).toBe(undefined);
    expect(fast.get.getOptimisticResponse).toBe(undefined);
  });
});

test('[N15] a move with another value of a path param in the body moves the row to the list of that value', async () => {
  class Member extends Entity {
    id = 0;
    team = '';
  }
  const members = createResource({ path: '/teams/:team/members/:id', schema: Member });
  const { getList } = members;
  const controller = new Controller({ optimistic });
  await controller.setResponse(getList, { team: 'red' }, [{ id: 1, team: 'red' }]);
  await controller.setResponse(getList, { team: 'blue' }, []);
  const move = getList.move.extend({ fetch: async (_params, body) => ({ id: 1, ...body }) });
  await controller.fetch(move, { team: 'red', id: 1 }, { team: 'blue' });
  const ids = (team: string) => controller.getResponse(getList, { team }).data?.map(({ id }) => id);
  expect([ids('red'), ids('blue')]).toEqual([[], [1]]);
});
