/** What goes over the wire, seen by a real server. */
import { RestEndpoint } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

// any: arguments of all kinds are tried
const get = (path: string, options = {}): RestEndpoint =>
  new RestEndpoint<any>({ path, ...options });

describe('url', () => {
  test.each([
    [{ b: 2, a: 1 }, '?a=1&b=2'],
    [{ a: undefined }, ''],
    [{ a: [2, 1] }, '?a=2&a=1'],
    [{ a: [] }, ''],
    [{ a: null }, '?a='],
    [{ a: new Date(0) }, '?a=1970-01-01T00%3A00%3A00.000Z'],
    [{ a: true, b: 10n, c: 'x y&z' }, '?a=true&b=10&c=x+y%26z'],
    [{ a: new URL('http://h/') }, '?a=http%3A%2F%2Fh%2F'],
  ])('[R2] writes the search params %s as %s', (params, expected) => {
    expect(get('/list').url(params)).toBe(`/list${expected}`);
  });

  test.each([
    [{ b: 1 }],
    [[[1]]],
    [new Map()],
    [new Date(Number.NaN)],
    [() => 1],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [[1, Number.NEGATIVE_INFINITY]],
  ])('[R2] refuses what the query has no text for: %s', async (a) => {
    const { address, asked } = await serve();
    const list = get('/list', { urlPrefix: address });
    const problem = { code: 'R2', status: 400, endpoint: 'GET /list' };
    expect(() => list.url({ a })).toThrow(expect.objectContaining(problem));
    expect(() => list.url({ a })).toThrow(/GET \/list: the search parameter "a" is /);
    await expect(list({ a })).rejects.toMatchObject(problem);
    expect(asked).toEqual([]);
  });

  test('[R2] names NaN and Infinity in its message', () => {
    expect(() => get('/list').url({ a: Number.NaN })).toThrow('parameter "a" is NaN;');
    expect(() => get('/list').url({ a: -1 / 0 })).toThrow('parameter "a" is -Infinity;');
    expect(() => get('/list/:a').url({ a: 1 / 0 })).toThrow('parameter "a" is Infinity;');
  });

  test('[R2] lets searchToString write nested values', () => {
    const nested = get('/list', { searchToString: (params: object) => JSON.stringify(params) });
    expect(nested.url({ a: { b: 1 } })).toBe('/list?{"a":{"b":1}}');
  });

  test('[R2] gives params that are not in the path to the query', () => {
    expect(get('/users/:id').url({ id: 1, full: true })).toBe('/users/1?full=true');
  });

  test.each([
    ['/post?page=:page', '/post?page=1&q=2'],
    ['/post\\?page=:page', '/post?page=1&q=2'],
    ['/post/:page#top', '/post/1?q=2#top'],
  ])('[R3] adds search params to %s as %s', (path, expected) => {
    expect(get(path).url({ page: 1, q: 2 })).toBe(expected);
  });

  test.each([
    ['http://host/', '/users/', 'http://host//users/'],
    ['http://host', 'users', 'http://hostusers'],
  ])('[R3] adds and removes no slash: %s and %s', (urlPrefix, path, expected) => {
    expect(get(path, { urlPrefix }).url()).toBe(expected);
  });

  test('[R1] sends no request without a path param', async () => {
    const server = await serve();
    const user = get('/users/:id', { urlPrefix: server.address });
    await expect(user({ id: '' })).rejects.toThrow('GET /users/:id: the path parameter "id" is ""');
    await expect(user()).rejects.toMatchObject({ code: 'R1', status: 400 });
    expect(server.asked).toEqual([]);
  });
});

class Point {
  x = 1;
  get double() {
    return 2;
  }
}

describe('body', () => {
  const send = async (body: unknown, method = 'POST') => {
    const server = await serve();
    const create = get('/users', { method, urlPrefix: server.address });
    await create({}, body);
    const { text, headers } = server.last;
    return { text, type: headers['content-type'] };
  };

  test.each([
    ['a plain object', { a: 1 }, '{"a":1}'],
    ['an array', [1], '[1]'],
    ['a class instance', new Point(), '{"x":1}'],
    ['a number', 5, '5'],
  ])('[R4] sends %s as JSON', async (_, body, text) => {
    expect(await send(body)).toEqual({ text, type: 'application/json' });
  });

  test.each([
    ['a string', 'raw', 'raw', 'text/plain;charset=UTF-8'],
    [
      'URLSearchParams',
      new URLSearchParams({ a: '1' }),
      'a=1',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['a blob', new Blob(['b'], { type: 'text/x' }), 'b', 'text/x'],
    ['a buffer', new TextEncoder().encode('c').buffer, 'c', undefined],
    ['a view', new TextEncoder().encode('d'), 'd', undefined],
    ['a stream', new Blob(['e']).stream(), 'e', undefined],
  ])('[R4] sends %s as it is', async (_, body, text, type) => {
    expect(await send(body)).toEqual({ text, type });
  });

  test('[R4] sends FormData with the boundary that fetch chose', async () => {
    const form = new FormData();
    form.set('a', '1');
    expect(await send(form)).toMatchObject({
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
  });

  test.each(['GET', 'DELETE'])('[R4] sends %s without a content type', async (method) => {
    const server = await serve();
    await get('/users/:id', { method, urlPrefix: server.address })({ id: 1 });
    expect(server.last).toMatchObject({ method, url: '/users/1', text: '' });
    expect(server.last.headers).not.toHaveProperty('content-type');
  });

  test.each([
    [
      'a cycle',
      () => {
        const a: Record<string, unknown> = {};
        a['a'] = a;
        return a;
      },
    ],
    ['a bigint', () => ({ a: 1n })],
    ['a symbol', () => Symbol('s')],
  ])('[R4] refuses %s as a body', async (_, make) => {
    await expect(get('/users', { method: 'POST' })(make())).rejects.toMatchObject({
      code: 'R9',
      status: 400,
    });
  });
});

describe('call forms', () => {
  test.each([
    ['one argument is the body', {}, [{ a: 1 }], '/users', '{"a":1}'],
    ['two are params and body', {}, [{ q: 1 }, { a: 1 }], '/users?q=1', '{"a":1}'],
    [
      'one is params where the path needs them',
      { path: '/users/:id/promote' },
      [{ id: 1 }],
      '/users/1/promote',
      '',
    ],
    [
      'one is the body where all params are optional',
      { path: '/users/:id?' },
      [{ id: 1 }],
      '/users',
      '{"id":1}',
    ],
    ['one is params where there is no body', { body: undefined }, [{ q: 1 }], '/users?q=1', ''],
    ['null is no body', {}, [{}, null], '/users', ''],
    ['none is nothing', {}, [], '/users', ''],
    ['DELETE takes params', { method: 'DELETE' }, [{ q: 1 }], '/users?q=1', ''],
    ['DELETE takes a body second', { method: 'DELETE' }, [{}, { a: 1 }], '/users', '{"a":1}'],
    [
      'DELETE with a declared body takes it',
      { method: 'DELETE', body: {} },
      [{ a: 1 }],
      '/users',
      '{"a":1}',
    ],
  ])('[R4] %s', async (_, options, args, url, text) => {
    const server = await serve();
    const post = get('/users', { method: 'POST', urlPrefix: server.address, ...options });
    await post(...args);
    expect(server.last).toMatchObject({ url, text });
  });

  test('[R4] the one argument of a QUERY is its params, and its body where one is declared', () => {
    const query = get('/q', { method: 'QUERY' });
    expect(query.key({ q: 'x' })).toBe('QUERY /q?q=x');
    expect(query.key({ q: 'x' }, { a: 1 })).toBe('QUERY /q?q=x {"a":1}');
    expect(get('/q', { method: 'QUERY', body: {} }).key({ a: 1 })).toBe('QUERY /q {"a":1}');
  });
});
