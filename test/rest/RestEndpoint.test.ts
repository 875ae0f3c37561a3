/** Overriding, extending and naming of rest endpoints. */
import { Collection, Controller, Entity, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../setup/server.ts';

class Todo extends Entity {
  id = 0;
}

describe('identity', () => {
  const user = new RestEndpoint({ path: '/users/:id', urlPrefix: 'http://h' });
  const posts = user.extend({ path: '/users/:id/posts', method: 'POST', name: 'posts' });

  test('[E1] the key of a read is its method and url', () => {
    const search = new RestEndpoint({
      path: '/users',
      searchParams: {} as { a: number; b: number },
    });
    expect(user.key({ id: 1 })).toBe('GET http://h/users/1');
    expect(search.key({ b: 1, a: 2 })).toBe(search.key({ a: 2, b: 1 }));
  });

  test('[E1] the key of a read with a body contains the body', () => {
    const search = new RestEndpoint({ path: '/s', method: 'POST', sideEffect: false });
    expect(search.key({ b: 1, a: 2 })).toBe('POST /s {"a":2,"b":1}');
    expect(search.testKey(search.key({ q: '/?&' }))).toBe(true);
  });

  test.each([
    ['GET http://h/users/1', true],
    ['GET http://h/users/a%2Fb?x=1', true],
    ['GET http://h/users/1/posts', false],
    ['GET http://h/users', false],
    ['POST http://h/users/1', false],
    ['GET http://other/users/1', false],
  ])('[E1] testKey of %s is %s', (key, expected) => {
    expect(user.testKey(key)).toBe(expected);
  });

  class Slash extends RestEndpoint {
    override url(...args: readonly unknown[]): string {
      return `${super.url(...args)}/`;
    }
  }
  test.each([
    new Slash({ path: '/users/:id', urlPrefix: 'http://h' }),
    user.extend({ url: ({ id }: { id: string }) => `http://h/users/of/${id}?expand=1` }),
  ])(
    '[E1] testKey of an endpoint with a custom `url` compares the path before the params',
    (endpoint) => {
      expect(endpoint.testKey(endpoint.key({ id: 1 }))).toBe(true);
      expect(endpoint.testKey(endpoint.key({ id: 'a/b' }))).toBe(true);
      for (const key of ['GET http://h/posts/1', 'POST http://h/users/1', 'GET http://h/users']) {
        expect(endpoint.testKey(key)).toBe(false);
      }
      const all = endpoint.extend({ path: '/:id', testKey: (key: string) => key === 'mine' });
      expect([all.testKey('mine'), all.testKey('GET http://h/users/1')]).toEqual([true, false]);
    },
  );

  test('[E1] an endpoint is named by the option `name`, else by its path', () => {
    expect(user.name).toBe('http://h/users/:id');
    expect(user.extend({ path: '/x/:id' }).name).toBe('http://h/x/:id');
    expect(posts.extend({ path: '/x/:id' }).name).toBe('posts');
    expect(posts.title).toBe('POST /users/:id/posts');
  });

  test('[R3] the constructor with an invalid path throws R3', () => {
    expect(() => new RestEndpoint({ path: '/users{/:id' })).toThrow(/R3/);
  });

  test.each([
    ['GET', undefined],
    ['HEAD', undefined],
    ['QUERY', undefined],
    ['POST', true],
    ['PUT', true],
    ['PATCH', true],
    ['DELETE', true],
  ])(
    '[E2] extend with the method %s sets sideEffect to %s, unless sideEffect is passed',
    (method, expected) => {
      expect(user.extend({ method }).sideEffect).toBe(expected);
      expect(posts.extend({ method }).sideEffect).toBe(expected);
      expect(user.extend({ method, sideEffect: true }).sideEffect).toBe(true);
    },
  );

  test('[E1] `sideEffect: true` without a method is a POST', () => {
    const path = '/users';
    const create = new RestEndpoint({ path, sideEffect: true });
    expect([create.method, create.sideEffect]).toEqual(['POST', true]);
    expect(new RestEndpoint({ path, sideEffect: undefined }).method).toBe('GET');
    expect(new RestEndpoint({ path, sideEffect: false }).method).toBe('GET');
    expect(new RestEndpoint({ path, sideEffect: true, method: 'GET' }).method).toBe('GET');
    expect(user.extend({ sideEffect: true }).method).toBe('POST');
    expect(user.extend({ method: 'GET' }).extend({ sideEffect: true }).method).toBe('POST');
    expect(user.extend({ method: 'PUT' }).extend({ sideEffect: true }).method).toBe('PUT');
    expect(create.extend({ sideEffect: undefined }).method).toBe('GET');
    class Own extends RestEndpoint {
      override readonly sideEffect = true as never;
    }
    expect(new Own({ path }).method).toBe('POST');
  });

  test('[E2] extend with a method sets sideEffect by the method, also after an earlier sideEffect', () => {
    const search = posts.extend({ sideEffect: undefined });
    expect(search.extend({ path: '/users/:id', method: 'PUT' }).sideEffect).toBe(true);
    expect(search.extend({ path: '/users/:id' }).sideEffect).toBe(undefined);
    expect(user.extend({ sideEffect: true }).extend({ method: 'GET' }).sideEffect).toBe(undefined);
    expect(search.extend({ method: 'PUT', sideEffect: false }).sideEffect).toBe(false);
  });

  test.each([
    [500, 'soft'],
    [503, 'soft'],
    [undefined, 'soft'],
    [404, 'hard'],
    [400, 'hard'],
  ])('[C7] the default errorPolicy for status %s is %s', (status, expected) => {
    expect(user.errorPolicy({ status })).toBe(expected);
    // a shared function, so that a policy of the controller can replace the default
    expect(Reflect.get(user, 'errorPolicy')).toBe(Reflect.get(posts, 'errorPolicy'));
  });
});

class Authorized<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'http://nowhere';
  override async getHeaders(headers: HeadersInit) {
    return { ...headers, authorization: 'me', 'CONTENT-TYPE': 'application/vnd.x' };
  }
  override async getRequestInit(body?: unknown) {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' as const };
  }
  override process(value: any) {
    return { ...value, by: 'class' };
  }
}

describe('overriding', () => {
  test('[R5] a subclass can add headers and init, and its headers replace the defaults', async () => {
    const { address, asked } = await serve();
    const fetch = vi.spyOn(globalThis, 'fetch');
    const create = new Authorized({ path: '/users', method: 'POST' }).extend({
      urlPrefix: address,
    });
    expect(await create({ a: 1 })).toEqual({ by: 'class' });
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'me',
      'content-type': 'application/vnd.x',
    });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ credentials: 'same-origin' });
  });

  test('[R5] the init of a request contains only the method and headers by default, and no credentials', async () => {
    const { address } = await serve();
    const fetch = vi.spyOn(globalThis, 'fetch');
    await new RestEndpoint({ path: '/', urlPrefix: address })();
    expect(Object.keys(fetch.mock.calls[0]?.[1] ?? {})).toEqual(['method', 'headers']);
  });

  test('[R5] the result of super.getRequestInit can be spread without await', async () => {
    class Plain<O extends RestGenerics = any> extends RestEndpoint<O> {
      override getRequestInit(body?: unknown): RequestInit {
        return { ...(super.getRequestInit(body) as RequestInit), cache: 'no-store' };
      }
    }
    const { address, asked } = await serve();
    await new Plain({ path: '/', method: 'POST', urlPrefix: address })({ a: 1 });
    expect(asked[0]).toMatchObject({ method: 'POST', text: '{"a":1}' });
  });

  test.each([
    ['url', { url: () => '/replaced' }, '/replaced', '{}'],
    ['fetchResponse', { fetchResponse: async () => Response.json([1]) }, undefined, '[1]'],
    ['parseResponse', { parseResponse: async () => 'parsed' }, '/users/1', '"parsed"'],
    ['process', { process: (_: unknown, { id }: { id: number }) => id }, '/users/1', '1'],
    ['fetch', { fetch: async () => 'fetched' }, undefined, '"fetched"'],
    ['searchToString', { searchToString: () => 'all' }, '/users/1?all', '{}'],
  ])('[R7] an option replaces only the step %s', async (_, option, url, value) => {
    const { address, asked } = await serve();
    const params = { id: 1, q: 1 };
    const user = new RestEndpoint<any>({ path: '/users/:id', urlPrefix: address, ...option });
    const absolute = 'url' in option ? { url: () => `${address}/replaced` } : {};
    const result = await user.extend(absolute)(params);
    expect(JSON.stringify(result)).toBe(value);
    expect(asked[0]?.url.replace('?q=1', '')).toBe(url);
  });

  test('[E2] a function passed to extend has the endpoint as `this`, and can call the former function', async () => {
    const { address, asked } = await serve({ body: { a: 1 } });
    const base = new RestEndpoint({ path: '/users/:id', urlPrefix: address });
    const user = base.extend({
      getHeaders(headers) {
        return { ...(base.getHeaders.call(this, headers) as object), 'x-path': this.path };
      },
      async fetch(...args) {
        return { ...(await base.fetch.call(this, ...args)), more: true };
      },
    });
    expect(await user({ id: 1 })).toEqual({ a: 1, more: true });
    expect(asked[0]?.headers['x-path']).toBe('/users/:id');
  });

  test('[E2] extend keeps the class, options override its fields, and undefined restores the fields', async () => {
    const mine = new Authorized({ path: '/a/:id' });
    const other = mine.extend({ urlPrefix: 'http://h', process: () => 'option' });
    expect(mine.url({ id: 1 })).toBe('http://nowhere/a/1');
    expect(other).toBeInstanceOf(Authorized);
    expect(other.extend({ path: '/b/:id' }).url({ id: 1 })).toBe('http://h/b/1');
    expect(other.extend({ dataExpiryLength: 5 }).process({})).toBe('option');
    expect(other.extend({ process: undefined as never }).process({})).toEqual({ by: 'class' });
  });
});

describe('changes to lists', () => {
  const todos = new RestEndpoint({
    path: '/todos',
    name: 'todos',
    schema: { results: new Collection([Todo]), next: '' },
  });

  test('[M2] push and unshift of a list endpoint are POST mutations at the path of the list', () => {
    const { results } = todos.schema;
    const { method, sideEffect, path } = todos.push;
    expect({ method, sideEffect, path }).toEqual({
      method: 'POST',
      sideEffect: true,
      path: '/todos',
    });
    expect(todos.push.schema).toMatchObject({ collection: results, op: 'end' });
    expect(todos.unshift.schema).toMatchObject({ collection: results, op: 'start' });
    expect(todos.push.name).toBe('todos.push');
  });

  test('[M2] push, unshift, remove and move of a list read by POST are mutations, and getPage is a read', () => {
    const search = new RestEndpoint({
      path: '/users/search',
      method: 'POST',
      sideEffect: undefined,
      schema: new Collection([Todo]),
      paginationField: 'page',
    });
    const { push, unshift, remove, move, getPage } = search;
    for (const change of [push, unshift, remove, move]) expect(change.sideEffect).toBe(true);
    expect(getPage.sideEffect).toBe(undefined);
  });

  test('[N14] searches by POST with different bodies are separate lists', async () => {
    const search = new RestEndpoint({
      path: '/users/:id/search',
      method: 'POST',
      sideEffect: undefined,
      body: {} as { where: object },
      schema: { hits: new Collection([Todo]) },
      paginationField: 'page',
    });
    const controller = new Controller();
    const first = [{ id: 1 }, { where: { done: true } }] as const;
    const second = [{ id: 1 }, { where: { done: false } }] as const;
    await controller.setResponse(search, ...first, { hits: [{ id: 1 }] });
    await controller.setResponse(search, ...second, { hits: [{ id: 2 }] });
    const more = search.getPage.extend({ fetch: async () => ({ hits: [{ id: 3 }] }) });
    await controller.fetch(more, { id: 1, page: 2 }, second[1]);
    const ids = (args: typeof first | typeof second) =>
      controller.getResponse(search, ...args).data?.hits.map(({ id }) => id);
    expect([ids(first), ids(second)]).toEqual([[1], [2, 3]]);
  });

  const hits = { path: '/users/:id/hits', schema: new Collection([Todo]) } as const;
  const body: { id?: number; ids?: number[] } = {};
  const getHits = new RestEndpoint(hits);
  const searchHits = getHits.extend({ method: 'POST', sideEffect: undefined, body });

  test.each([
    { what: 'different bodies', of: [1, 1], bodies: [{ ids: [1] }, { ids: [2] }] },
    { what: 'bodies with a member named like a param', of: [1, 2], bodies: [{ id: 3 }, { id: 3 }] },
    {
      what: 'bodies that differ in a member named like a param',
      of: [1, 1],
      bodies: [{ id: 3 }, { id: 4 }],
    },
    { what: 'a body and an empty body', of: [1, 1], bodies: [{ id: 1 }, {}] },
  ])(
    '[N14] searches by POST at the path of a list are separate lists: $what',
    async ({ of, bodies }) => {
      const controller = new Controller();
      const calls = of.map((id, at) => [{ id }, bodies[at] ?? {}] as const);
      for (const [at, call] of calls.entries())
        await controller.setResponse(searchHits, ...call, [{ id: at }]);
      const shown = calls.map((call) => controller.getResponse(searchHits, ...call).data?.[0]?.id);
      expect(shown).toEqual([0, 1]);
    },
  );

  test('[N14] a search by POST with an array as body is a list of that array', async () => {
    const controller = new Controller();
    const search = searchHits.extend({ body: [] as number[] });
    await controller.setResponse(search, { id: 1 }, [1, 2], [{ id: 1 }]);
    await controller.setResponse(search, { id: 1 }, [3], [{ id: 3 }]);
    expect(controller.getResponse(search, { id: 1 }, [1, 2]).data?.[0]?.id).toBe(1);
  });

  test('[N14] a PUT at the path of a list whose response is the list replaces the list of its params', async () => {
    const controller = new Controller();
    await controller.setResponse(getHits, { id: 1 }, [{ id: 1 }, { id: 2 }]);
    const replace = getHits.extend({ method: 'PUT', fetch: async () => [{ id: 2 }, { id: 3 }] });
    await controller.fetch(replace, { id: 1 }, { ids: [2, 3] });
    const { data } = controller.getResponse(getHits, { id: 1 });
    expect(data?.map(({ id }) => id)).toEqual([2, 3]);
  });

  test('[M6] pages of a search by POST, with the page in the body, are added to the list of the remaining body', async () => {
    const controller = new Controller();
    const search = searchHits.extend({
      body: {} as { text: string; page?: number },
      paginationField: 'page',
      fetch: async (_: { id: number }, { page = 1 }) => [{ id: page }],
    });
    const { getPage } = search;
    const idsOf = (text: string) =>
      controller.getResponse(search, { id: 1 }, { text }).data?.map(({ id }) => id);
    for (const text of ['a', 'b']) await controller.fetch(search, { id: 1 }, { text });
    await controller.fetch(getPage, { id: 1 }, { text: 'a', page: 2 });
    await controller.fetch(getPage, { id: 1 }, { text: 'b', page: 3 });
    await controller.fetch(getPage, { id: 1 }, { text: 'a', page: 4 });
    expect([idsOf('a'), idsOf('b')]).toEqual([
      [1, 2, 4],
      [1, 3],
    ]);
  });

  test('[M2] push of a list endpoint is created once, and again for an extended endpoint', () => {
    expect(todos.push).toBe(todos.push);
    expect(todos.extend({ path: '/x' }).push.path).toBe('/x');
  });

  test('[M2] reading push of an endpoint without a list throws R15', () => {
    const plain = new RestEndpoint({ path: '/a', schema: Todo });
    expect(() => plain.push).toThrow(/R15.*has no "push"/);
  });
});
