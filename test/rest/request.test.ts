/** Requests as received by a real server. */
import { GQLEndpoint, Resource, RestEndpoint } from 'signalbox';
import { Headers as OtherHeaders } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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
    [{ a: [1, undefined, 2] }, '?a=1&a=2'],
    [{ a: [undefined], b: [undefined, null] }, '?b='],
    [{ a: new Date(0) }, '?a=1970-01-01T00%3A00%3A00.000Z'],
    [{ a: true, b: 10n, c: 'x y&z' }, '?a=true&b=10&c=x+y%26z'],
    [{ a: new URL('http://h/') }, '?a=http%3A%2F%2Fh%2F'],
  ])('[R2] the search params %s are written as %s', (params, expected) => {
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
  ])('[R2] a search param without a text throws R2, and no request is sent: %s', async (a) => {
    const { address, asked } = await serve();
    const list = get('/list', { urlPrefix: address });
    const problem = { code: 'R2', status: 400, endpoint: 'GET /list' };
    expect(() => list.url({ a })).toThrow(expect.objectContaining(problem));
    expect(() => list.url({ a })).toThrow(/GET \/list: the search parameter "a" is /);
    await expect(list({ a })).rejects.toMatchObject(problem);
    expect(asked).toEqual([]);
  });

  test('[R2] the error of a search param or path value names NaN and Infinity', () => {
    expect(() => get('/list').url({ a: Number.NaN })).toThrow('parameter "a" is NaN;');
    expect(() => get('/list').url({ a: -1 / 0 })).toThrow('parameter "a" is -Infinity;');
    expect(() => get('/list/:a').url({ a: 1 / 0 })).toThrow('parameter "a" is Infinity;');
  });

  test('[R2] searchToString of an endpoint can write nested values', () => {
    const nested = get('/list', { searchToString: (params: object) => JSON.stringify(params) });
    expect(nested.url({ a: { b: 1 } })).toBe('/list?{"a":{"b":1}}');
  });

  test('[R2] params that the path does not contain are search params', () => {
    expect(get('/users/:id').url({ id: 1, full: true })).toBe('/users/1?full=true');
  });

  test.each([
    ['/post?page=:page', '/post?page=1&q=2'],
    ['/post\\?page=:page', '/post?page=1&q=2'],
    ['/post/:page#top', '/post/1?q=2#top'],
  ])('[R3] search params are added to the path %s as %s', (path, expected) => {
    expect(get(path).url({ page: 1, q: 2 })).toBe(expected);
  });

  test.each([
    ['http://host/', '/users/', 'http://host//users/'],
    ['http://host', 'users', 'http://hostusers'],
  ])(
    '[R3] prefix and path are joined without adding or removing a slash: %s and %s',
    (urlPrefix, path, expected) => {
      expect(get(path, { urlPrefix }).url()).toBe(expected);
    },
  );

  const hosts = ['https://api.example.com', 'http://localhost:3000', '//api.example.com'];

  test.each(
    hosts.flatMap((urlPrefix) => [':id', '*id', 'v:id/x'].map((path) => [urlPrefix, path])),
  )(
    '[R1] a value that would be part of the host throws R18, and no request is sent: %s and the path %s',
    async (urlPrefix, path) => {
      const item = get(path, { urlPrefix });
      const problem = { code: 'R18', status: 400, endpoint: `GET ${path}` };
      expect(() => item.url({ id: '.evil.com' })).toThrow(expect.objectContaining(problem));
      expect(() => item.url({ id: 1 })).toThrow(`a value of "id" would become a part of the host`);
      await expect(item({ id: 1 })).rejects.toMatchObject(problem);
    },
  );

  test('[R1] production writes a value behind a prefix without a path as an encoded segment', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.resetModules();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.resetModules();
    });
    const built = await import('signalbox');
    for (const urlPrefix of hosts) {
      // any: arguments of all kinds are tried
      const item = new built.RestEndpoint<any>({ path: ':id', urlPrefix });
      expect(item.url({ id: '.evil.com' })).toBe(`${urlPrefix}/.evil.com`);
      expect(item.url({ id: '@evil.com/x' })).toBe(`${urlPrefix}/%40evil.com%2Fx`);
      expect(item.testKey(item.key({ id: 'a' }))).toBe(true);
    }
  });

  const slashes = [
    ['/', '/:id', 'evil.com'],
    ['/', '{/:id}', 'evil.com'],
    ['/', '/v:id', '.evil.com'],
    ['/', '*id', '/evil.com/x'],
    ['\\', '/:id', 'evil.com'],
    ['', '/*id', '/evil.com/x'],
  ] as const;

  test.each(['development', 'production'])(
    '[R1] a value that would be the host behind a slash throws R12 in %s',
    async (environment) => {
      vi.stubEnv('NODE_ENV', environment);
      vi.resetModules();
      onTestFinished(() => {
        vi.unstubAllEnvs();
        vi.resetModules();
      });
      const built = await import('signalbox');
      for (const [urlPrefix, path, id] of slashes) {
        // any: arguments of all kinds are tried
        const item = new built.RestEndpoint<any>({ path, urlPrefix });
        const problem = { code: 'R12', status: 400, endpoint: `GET ${path}` };
        expect(() => item.url({ id })).toThrow(expect.objectContaining(problem));
        await expect(item({ id })).rejects.toMatchObject(problem);
      }
    },
  );

  test.each([
    ['/', ':id', '/1'],
    ['', '//cdn.example.com/:id', '//cdn.example.com/1'],
    ['//cdn.example.com', '/:id', '//cdn.example.com/1'],
    ['https://api.example.com', '/:id', 'https://api.example.com/1'],
    ['https://api.example.com', '', 'https://api.example.com?id=1'],
    ['https://api.example.com/', ':id', 'https://api.example.com/1'],
    ['https://api.example.com/v1', ':id', 'https://api.example.com/v11'],
    ['https://api.example.com', '{/:id}', 'https://api.example.com/1'],
    ['https://api.example.com', '?id=:id', 'https://api.example.com?id=1'],
    ['http://localhost:', '8080/:id', 'http://localhost:8080/1'],
    ['', ':id', '1'],
  ])('[R3] the prefix %s and the path %s are written unchanged', (urlPrefix, path, expected) => {
    expect(get(path, { urlPrefix }).url({ id: 1 })).toBe(expected);
  });

  test('[R1] a request without a path param rejects with R1, and is not sent', async () => {
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
  ])('[R4] %s as a body is sent as JSON', async (_, body, text) => {
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
  ])('[R4] %s as a body is sent unchanged', async (_, body, text, type) => {
    expect(await send(body)).toEqual({ text, type });
  });

  test('[R4] FormData is sent with the boundary of fetch', async () => {
    const form = new FormData();
    form.set('a', '1');
    expect(await send(form)).toMatchObject({
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
  });

  const json = { 'Content-Type': 'application/json' };
  const ways = {
    'an object': (headers: HeadersInit) => ({ ...headers, ...json }),
    'an object in lower case': () => ({ 'content-type': 'application/json; charset=utf-8' }),
    'a list': () => [['Content-Type', 'application/json'] as [string, string]],
    Headers: () => new Headers(json),
    'Headers of another copy': () => new OtherHeaders(json) as Headers,
    'a map': () => new Map(Object.entries(json)) as never,
    'a promise': async () => json,
  };

  describe.each(Object.entries(ways))(
    'getHeaders with a default of JSON as %s',
    (_, getHeaders) => {
      const send = async (body: unknown, options: object = { getHeaders }) => {
        const server = await serve();
        await get('/users', { method: 'POST', urlPrefix: server.address, ...options })({}, body);
        return server.last;
      };

      test('[R4] a form is sent with its boundary, and development logs why the content type is dropped', async () => {
        const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
        onTestFinished(() => warned.mockRestore());
        const form = new FormData();
        form.set('a', '1');
        const { headers, text } = await send(form, { getHeaders, path: `/forms/${_}` });
        const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(
          headers['content-type'] ?? '',
        )?.[1];
        expect(text).toContain(`--${boundary}`);
        expect(warned.mock.calls.flat().join()).toMatch(
          /R16\] the header Content-Type "application\/json.*" of "POST \/forms.*" does not describe its "FormData"/,
        );
      });

      test('[R4] search params and a typed blob are sent with their own content type', async () => {
        vi.spyOn(console, 'warn').mockImplementation(() => {});
        const search = await send(new URLSearchParams({ a: '1' }));
        expect(search.headers['content-type']).toMatch('application/x-www-form-urlencoded');
        const picture = await send(new Blob(['b'], { type: 'image/png' }));
        expect(picture.headers['content-type']).toBe('image/png');
        vi.restoreAllMocks();
      });

      test('[R4] a text, an object, an untyped blob and bytes are sent with the JSON content type of getHeaders', async () => {
        for (const body of ['{}', { a: 1 }, new Blob(['{}']), new TextEncoder().encode('{}')]) {
          expect((await send(body)).headers['content-type']).toMatch('application/json');
        }
      });
    },
  );

  test.each(['', null, undefined, 'multipart/form-data', 'text/plain'])(
    '[R4] a form keeps its boundary beside the content type %j',
    async (type) => {
      const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
      onTestFinished(() => warned.mockRestore());
      const getHeaders = () => ({ 'Content-Type': type, 'X-A': 'a' }) as HeadersInit;
      const server = await serve();
      const options = { method: 'POST', urlPrefix: server.address, getHeaders } as const;
      await get('/users', options)({}, new FormData());
      expect(server.last.headers).toMatchObject({
        'x-a': 'a',
        'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
      });
    },
  );

  test('[R4] a form is sent with its boundary and the other headers of getRequestInit', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    class Mine extends RestEndpoint {
      override async getRequestInit(body?: unknown): Promise<RequestInit> {
        const init = await super.getRequestInit(body);
        return { ...init, headers: { 'X-A': 'a', 'Content-Type': 'multipart/form-data' } };
      }
    }
    const server = await serve();
    const upload = new Mine({ path: '/users', method: 'POST', urlPrefix: server.address });
    await upload(new FormData());
    expect(server.last.headers).toMatchObject({
      'x-a': 'a',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
  });

  const changed: [form: string, change: (entries: [string, string][]) => unknown][] = [
    ['an object', (entries) => Object.fromEntries(entries)],
    ['a list', (entries) => entries],
    ['a promise of a list', async (entries) => entries],
    ['a map', (entries) => new Map(entries)],
    ['a generator', (entries) => entries.values()],
  ];

  test.each(changed)(
    '[R5] the last content type in headers given as %s is sent',
    async (_, change) => {
      const getHeaders = (given: HeadersInit) =>
        change([
          ...Object.entries(given),
          ['content-type', 'application/vnd.api+json'],
          ['X-Tag', 'a'],
          ['Authorization', 'Bearer x'],
        ]);
      const server = await serve();
      await get('/users', { method: 'POST', urlPrefix: server.address, getHeaders })({}, { a: 1 });
      expect(server.last.headers).toMatchObject({
        'content-type': 'application/vnd.api+json',
        'x-tag': 'a',
        authorization: 'Bearer x',
      });
    },
  );

  test('[R5] repeated headers of a list are joined, and Headers of another implementation are sent', async () => {
    const server = await serve();
    const options = { method: 'POST', urlPrefix: server.address };
    const pairs = [
      ['accept', 'a/a'],
      ['Accept', 'b/b'],
      ['x', undefined],
    ];
    await get('/users', { ...options, getHeaders: () => pairs })({}, 'text');
    expect(server.last.headers['accept']).toBe('a/a, b/b');
    expect(server.last.headers).not.toHaveProperty('x');
    const getHeaders = (given: HeadersInit) => {
      const headers = new OtherHeaders(given as Record<string, string>);
      headers.set('Authorization', 'Bearer x');
      return headers;
    };
    await get('/users', { ...options, getHeaders })({}, { a: 1 });
    expect(server.last.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer x',
    });
  });

  test.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a promise of nothing', async () => undefined],
    ['text', () => 'Bearer x'],
  ])(
    '[R5] getHeaders that returns %s rejects with R17, which names the function, and nothing is sent',
    async (_, getHeaders) => {
      const server = await serve();
      const options = { method: 'POST', urlPrefix: server.address, getHeaders };
      const problem = { code: 'R17', status: 400, endpoint: 'POST /users' };
      const failed = get('/users', options)({}, { a: 1 });
      await expect(failed).rejects.toMatchObject(problem);
      await expect(failed).rejects.toThrow(/POST \/users: "getHeaders"\(\) returned/);
      expect(server.asked).toEqual([]);
    },
  );

  test('[R5] getRequestInit and static getHeaders of a Resource that return undefined reject with R17', async () => {
    const server = await serve();
    const urlPrefix = server.address;
    const nothing = get('/users', { method: 'POST', urlPrefix, getRequestInit: () => undefined });
    await expect(nothing({})).rejects.toThrow(/R17.*"getRequestInit"\(\) returned undefined/);
    class Article extends Resource {
      id = 0;
      static override urlRoot = `${server.address}/articles`;
      static override getHeaders(): HeadersInit {
        return undefined as never;
      }
    }
    await expect(Article.detail()({ id: 1 })).rejects.toThrow(/R17.*"getHeaders"/);
    expect(server.asked).toEqual([]);
  });

  describe('a class spreads the promise of its base class', () => {
    class Base extends RestEndpoint {
      override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
        return { ...headers, authorization: 'Bearer x' };
      }
    }
    class Spread extends Base {
      override getRequestInit(body?: unknown): RequestInit {
        return { ...(super.getRequestInit(body) as RequestInit), credentials: 'include' };
      }
    }
    class Awaited extends Base {
      override async getRequestInit(body?: unknown): Promise<RequestInit> {
        return { ...(await super.getRequestInit(body)), credentials: 'include' };
      }
    }

    test.each(['POST', 'DELETE', 'QUERY'])(
      '[R5] a %s whose init lacks the method rejects with R17, which suggests await, and is not sent',
      async (method) => {
        const server = await serve();
        const options = { path: '/users', method, urlPrefix: server.address } as const;
        const failed = new Spread(options)({}, { a: 1 });
        const problem = { code: 'R17', status: 400, endpoint: `${method} /users` };
        await expect(failed).rejects.toMatchObject(problem);
        await expect(failed).rejects.toThrow(/"getRequestInit"\(\) returned .*await/);
        expect(server.asked).toEqual([]);
        await new Awaited(options)({}, { a: 1 });
        expect(server.last).toMatchObject({ method, headers: { authorization: 'Bearer x' } });
      },
    );

    test('[R5] a GraphQL init without the method rejects with R17, and a GET without the method is sent', async () => {
      const server = await serve({ body: { data: 1 } });
      const getRequestInit = () => ({ ...(Promise.resolve({ method: 'POST' }) as object) });
      const query = new GQLEndpoint(server.address, { getRequestInit }).query('query Q { a }');
      await expect(query()).rejects.toMatchObject({ code: 'R17', endpoint: 'query Q' });
      expect(server.asked).toEqual([]);
      await get('/users', { urlPrefix: server.address, getRequestInit })();
      expect(server.last).toMatchObject({ method: 'GET', url: '/users' });
    });
  });

  test.each(['GET', 'DELETE'])('[R4] %s is sent without a content type', async (method) => {
    const server = await serve();
    await get('/users/:id', { method, urlPrefix: server.address })({ id: 1 });
    expect(server.last).toMatchObject({ method, url: '/users/1', text: '' });
    expect(server.last.headers).not.toHaveProperty('content-type');
  });

  const emptied: [name: string, body: object, tag: string][] = [
    ['a file', { title: 'a', picture: new File(['a'], 'a.png') }, 'File'],
    ['a blob in an array', { pictures: [new Blob(['a'])] }, 'Blob'],
    ['a form', { form: new FormData() }, 'FormData'],
    ['bytes', { bytes: new Uint8Array([1]) }, 'Uint8Array'],
    ['a map', { byName: new Map([['a', 1]]) }, 'Map'],
    ['a set', [new Set([1])], 'Set'],
  ];

  test.each(emptied)(
    '[R4] development refuses %s inside of a JSON body, which would arrive empty',
    async (_, body, tag) => {
      const server = await serve();
      const options = { method: 'POST', urlPrefix: server.address } as const;
      await expect(get('/users', options)({}, body)).rejects.toMatchObject({
        code: 'R9',
        status: 400,
        message: expect.stringContaining(`JSON has no ${tag}`),
      });
      const upload = new GQLEndpoint(server.address).mutation<[{ body: object }]>(
        'mutation M { a }',
      );
      await expect(upload({ body })).rejects.toMatchObject({ code: 'R9' });
      expect(server.asked).toEqual([]);
    },
  );

  test('[R4] values with a toJSON() of their own, and class instances, are sent as JSON', async () => {
    const server = await serve();
    class Point {
      x = 1;
      toJSON() {
        return { at: [...new Set([this.x])] };
      }
    }
    class Names extends Map<string, number> {
      toJSON() {
        return Object.fromEntries(this);
      }
    }
    const body = { point: new Point(), bytes: Buffer.from('a'), names: new Names([['a', 1]]) };
    const options = { method: 'POST', urlPrefix: server.address } as const;
    await get('/users', options)({}, body);
    expect(JSON.parse(server.last.text)).toEqual({
      point: { at: [1] },
      bytes: { type: 'Buffer', data: [97] },
      names: { a: 1 },
    });
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
  ])('[R4] %s as a body rejects with R9', async (_, make) => {
    await expect(get('/users', { method: 'POST' })(make())).rejects.toMatchObject({
      code: 'R9',
      status: 400,
    });
  });
});

describe('call forms', () => {
  test.each([
    ['the only argument of a mutation is the body', {}, [{ a: 1 }], '/users', '{"a":1}'],
    [
      'two arguments are the params and the body',
      {},
      [{ q: 1 }, { a: 1 }],
      '/users?q=1',
      '{"a":1}',
    ],
    [
      'the only argument is the params if the path has a required param',
      { path: '/users/:id/promote' },
      [{ id: 1 }],
      '/users/1/promote',
      '',
    ],
    [
      'the only argument is the body if all params are optional',
      { path: '/users/:id?' },
      [{ id: 1 }],
      '/users',
      '{"id":1}',
    ],
    [
      'the only argument is the params with the option `body: undefined`',
      { body: undefined },
      [{ q: 1 }],
      '/users?q=1',
      '',
    ],
    ['null as a body is not sent', {}, [{}, null], '/users', ''],
    ['without arguments no body is sent', {}, [], '/users', ''],
    [
      'the only argument of a DELETE is the params',
      { method: 'DELETE' },
      [{ q: 1 }],
      '/users?q=1',
      '',
    ],
    [
      'the second argument of a DELETE is the body',
      { method: 'DELETE' },
      [{}, { a: 1 }],
      '/users',
      '{"a":1}',
    ],
    [
      'the only argument of a DELETE with a declared body is the body',
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

  test('[R4] the only argument of a QUERY is the params, or the body if a body is declared', () => {
    const query = get('/q', { method: 'QUERY' });
    expect(query.key({ q: 'x' })).toBe('QUERY /q?q=x');
    expect(query.key({ q: 'x' }, { a: 1 })).toBe('QUERY /q?q=x {"a":1}');
    expect(get('/q', { method: 'QUERY', body: {} }).key({ a: 1 })).toBe('QUERY /q {"a":1}');
  });
});
