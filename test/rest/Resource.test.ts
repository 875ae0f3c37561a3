/** The older class Resource: endpoints are static methods of an entity class. */
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { Collection, Controller, Entity, Resource } from 'signalbox';
import type { ResourceEndpoint, RestEndpoint } from 'signalbox';
import { serve } from '../setup/server.ts';

class Article extends Resource {
  id: number | undefined = undefined;
  title = '';
  tags: string[] = [];
  static override urlRoot = 'http://x/article/';
}

class Slugged extends Resource {
  slug = '';
  static override urlRoot = 'http://x/page';
  override pk(): string {
    return this.slug;
  }
}

const NAMES = ['detail', 'list', 'create', 'update', 'partialUpdate', 'delete'] as const;

/** Calls the static of that name on the class. */
function made(Class: typeof Article, name: (typeof NAMES)[number]): ResourceEndpoint {
  return (Class[name] as () => ResourceEndpoint).call(Class);
}

/** An article class with a server. */
async function onServer(reply?: Parameters<typeof serve>[0]) {
  const server = await serve(reply);
  class Served extends Article {
    static override urlRoot = `${server.address}/article/`;
    static override key = 'Article';
  }
  return { ...server, Served, asked: server.asked };
}

describe('endpoints', () => {
  test.each([
    ['detail', 'GET', undefined],
    ['list', 'GET', undefined],
    ['create', 'POST', true],
    ['update', 'PUT', true],
    ['partialUpdate', 'PATCH', true],
    ['delete', 'DELETE', true],
  ] as const)(
    '[L1] the static %s() is a %s with the name of the class',
    (name, method, sideEffect) => {
      const endpoint = made(Article, name);
      expect([endpoint.method, endpoint.sideEffect]).toEqual([method, sideEffect]);
      expect(endpoint.name).toBe(`Article.${name}`);
    },
  );

  test.each(NAMES)('[L1] the static %s() returns one endpoint per subclass', (name) => {
    class Other extends Article {}
    expect(made(Article, name)).toBe(made(Article, name));
    expect(made(Other, name)).toBe(made(Other, name));
    expect(made(Other, name)).not.toBe(made(Article, name));
  });

  test('[L1] `this` in a static endpoint is the subclass, which is an entity', () => {
    class Other extends Article {}
    expect(Article.detail().schema).toBe(Article);
    expect(Other.detail().schema).toBe(Other);
    expect(Other.list().schema).toEqual([Other]);
    expect(Article.fromJS({ id: 5 })).toBeInstanceOf(Entity);
  });

  test('[L1] each static endpoint sends the request of its method', async () => {
    const { Served, asked } = await onServer(({ url }) => ({
      body: url === '/article/' ? [{ id: 5 }] : { id: 5 },
    }));
    await Served.detail()({ id: 5 });
    await Served.list()();
    await Served.update()({ id: 5 }, { title: 'u' });
    await Served.partialUpdate()({ id: 5 }, { title: 'p' });
    await Served.delete()({ id: 5 });
    expect(asked.map(({ method, url, text }) => `${method} ${url} ${text}`)).toEqual([
      'GET /article/5 ',
      'GET /article/ ',
      'PUT /article/5 {"title":"u"}',
      'PATCH /article/5 {"title":"p"}',
      'DELETE /article/5 ',
    ]);
    expect(asked.map(({ headers }) => headers['content-type'])).toEqual([
      undefined,
      undefined,
      'application/json',
      'application/json',
      undefined,
    ]);
  });

  test('[L1] a controller stores a response as an entity of the class, and an empty deletion deletes by the params', async () => {
    const { Served } = await onServer(({ method }) =>
      method === 'DELETE' ? { status: 204 } : { body: { id: 5, title: 'stored' } },
    );
    const controller = new Controller();
    const article = await controller.fetch(Served.detail(), { id: 5 });
    expect(article).toBeInstanceOf(Served);
    expect(article).toBe(controller.get(Served, { id: 5 }));
    expect(article).toMatchObject({ title: 'stored', tags: [] });
    expect(await controller.fetch(Served.delete(), { id: 5 })).toEqual({ id: 5 });
    expect(controller.get(Served, { id: 5 })).toBeUndefined();
  });

  test('[L1] keys are the method and the address, and testKey matches only keys of its endpoint', () => {
    const detail = Article.detail().key({ id: 5 });
    const list = Article.list().key({ page: 'abcd' });
    expect(detail).toBe('GET http://x/article/5');
    expect(list).toBe('GET http://x/article/?page=abcd');
    const own = NAMES.filter((name) => made(Article, name).testKey(detail));
    expect(own).toEqual(['detail']);
    expect(NAMES.filter((name) => made(Article, name).testKey(list))).toEqual(['list']);
    expect(Slugged.detail().testKey('GET http://x/page/5')).toBe(true);
    expect(Slugged.list().testKey('GET http://x/page/5')).toBe(false);
  });
});

test('[I1] invalidateAll of an endpoint with an overridden url invalidates all its keys', async () => {
  const { Served, asked } = await onServer(({ url }) => ({
    body: url.includes('all') ? [{ id: 5 }] : { id: 5 },
  }));
  class Expanded extends Served {
    static override url(params: Record<string, unknown>): string {
      return `${super.url(params)}?expand=1`;
    }
    static override listUrl(params: Record<string, unknown> = {}): string {
      return super.listUrl(params).replace('article/', 'article/all/');
    }
  }
  class Derived extends Expanded {}
  const controller = new Controller();
  const ask = async () => {
    await controller.fetchIfStale(Derived.detail(), { id: 5 });
    await controller.fetchIfStale(Derived.list(), { page: 1 });
    return asked.length;
  };
  expect([await ask(), await ask()]).toEqual([2, 2]);
  controller.invalidateAll(Derived.detail());
  controller.invalidateAll(Derived.list());
  expect([await ask(), await ask()]).toEqual([4, 4]);
  expect(Derived.update().testKey(Derived.update().key({ id: 5 }))).toBe(true);
  expect(Derived.detail().testKey('GET http://other/article/5')).toBe(false);
});

describe('a list that is a Collection', () => {
  const collected = () =>
    onServer(({ method, text }) => {
      if (method === 'GET') return { body: { rows: [{ id: 1 }], next: '' } };
      return { body: { id: 9, ...(JSON.parse(text) as object) } };
    }).then(({ Served, asked }) => {
      class Listed extends Served {
        static override list() {
          return super.list().extend({ schema: { rows: new Collection([this]), next: '' } });
        }
      }
      return { Listed, asked };
    });

  test('[L1] a Collection in the list of a Resource gets the rows that create() creates', async () => {
    const { Listed } = await collected();
    const controller = new Controller();
    await controller.fetch(Listed.list());
    await controller.fetch(Listed.list(), { title: 'other' });
    const made = await controller.fetch(Listed.create(), { title: 'new' });
    expectTypeOf(made).toEqualTypeOf<InstanceType<typeof Listed>>();
    expect(made).toBeInstanceOf(Listed);
    const ids = (params = {}) =>
      controller.getResponse(Listed.list(), params).data?.rows.map(({ id }) => id);
    expect([ids(), ids({ title: 'other' })]).toEqual([[1, 9], [1]]);
    expect(Listed.create()).toBe(Listed.create());
  });

  test('[L2] push and unshift of a list post to the list, remove and move patch the row; one argument is the body', async () => {
    const { Listed, asked } = await collected();
    const { push, unshift, remove, move } = Listed.list() as unknown as RestEndpoint;
    await push({ title: 'a' });
    await unshift({ draft: true }, { title: 'b' });
    await remove({ id: 1 }, { title: 'c' });
    await move({ id: 1 }, { title: 'd' });
    expect(asked.map(({ method, url, text }) => `${method} ${url} ${text}`)).toEqual([
      'POST /article/ {"title":"a"}',
      'POST /article/?draft=true {"title":"b"}',
      'PATCH /article/1 {"title":"c"}',
      'PATCH /article/1 {"title":"d"}',
    ]);
  });
});

describe('overrides', () => {
  class Wrapped extends Article {
    static override detail() {
      return super.detail().extend({ schema: { data: this } });
    }
    static override list() {
      return super.list().extend({ schema: { data: [this] }, dataExpiryLength: 7 });
    }
  }

  test('[L1] super.detail().extend() in a subclass changes the given options and keeps the others', () => {
    expect(Wrapped.detail().schema).toEqual({ data: Wrapped });
    expect(Wrapped.detail().key({ id: 1 })).toBe('GET http://x/article/1');
    expect(Wrapped.list().dataExpiryLength).toBe(7);
    expect(Wrapped.create().schema).toBe(Wrapped);
  });

  test('[L2] envelopes {data: this} and {data: [this]} are read as entities of the class', async () => {
    const { address } = await serve(({ url }) => ({
      body: { data: url.endsWith('/5') ? { id: 5, title: 'one' } : [{ id: 6 }, { id: 7 }] },
    }));
    class Here extends Wrapped {
      static override urlRoot = `${address}/article/`;
    }
    const controller = new Controller();
    const { data } = await controller.fetch(Here.detail(), { id: 5 });
    expectTypeOf(data.title).toEqualTypeOf<string>();
    expect(data).toBeInstanceOf(Here);
    expect(data.title).toBe('one');
    const list = await controller.fetch(Here.list());
    expect(list.data.map(({ id }) => id)).toEqual([6, 7]);
  });

  test('[L1] an endpoint without arguments, stored by `memo`, has its own address and key', async () => {
    const { address, asked } = await serve({ body: { id: 1, title: 'me' } });
    class User extends Article {
      static override urlRoot = `${address}/user/`;
      static current() {
        return this.memo('current', () =>
          this.detail().extend({ url: () => `${address}/current_user/`, schema: this }),
        );
      }
    }
    const controller = new Controller();
    expect(await controller.fetch(User.current())).toBeInstanceOf(User);
    expect(asked.map(({ url }) => url)).toEqual(['/current_user/']);
    expect(User.current()).toBe(User.current());
    expect(User.current().testKey(User.current().key())).toBe(true);
    expect(User.current().testKey(`GET ${address}/other/`)).toBe(false);
    expectTypeOf(User.current()).parameters.toEqualTypeOf<[]>();
  });

  test('[L1] a custom url and the method POST make a mutation without a body', async () => {
    const { address, asked } = await serve({ body: { id: 3 } });
    class User extends Article {
      static override urlRoot = `${address}/user/`;
      static makeManager() {
        const url = ({ id }: { id: number }) => `${this.urlRoot}${id}/make_manager`;
        return this.detail().extend({ url, method: 'POST', schema: this });
      }
    }
    expect(User.makeManager().sideEffect).toBe(true);
    await User.makeManager()({ id: 3 });
    expect(asked.map(({ method, url, text }) => `${method} ${url} ${text}`)).toEqual([
      'POST /user/3/make_manager ',
    ]);
    expect(asked[0]?.headers['content-type']).toBeUndefined();
  });

  test('[L1] a custom fetch can call the former fetch, also without arguments', async () => {
    const { Served, asked } = await onServer({ body: { id: 9, title: 'sent' } });
    const former = Served.detail();
    const nine = former.extend({
      url: () => former.url({ id: 9 }),
      async fetch() {
        return { ...(await former.fetch.call(this as never, { id: 9 })), more: true };
      },
    });
    expect(await nine()).toEqual({ id: 9, title: 'sent', more: true });
    expect(asked.map(({ url }) => url)).toEqual(['/article/9']);
    const own = former.extend({ fetch: async () => Served.fetch(`${Served.urlRoot}other`) });
    expect(await own()).toMatchObject({ id: 9 });
    expect(asked[1]?.url).toBe('/article/other');
  });

  test('[L1] each endpoint applies getHeaders, getRequestInit, getFetchInit and fetch of its class', async () => {
    const server = await serve({ body: { id: 5 } });
    const sent = vi.spyOn(globalThis, 'fetch');
    class Mine extends Article {
      static override urlRoot = `${server.address}/article/`;
      static override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
        return { ...headers, 'Access-Token': 't' };
      }
      static override async getRequestInit(body?: unknown): Promise<RequestInit> {
        return { ...(await super.getRequestInit(body)), credentials: 'same-origin' };
      }
      static override getFetchInit(init: RequestInit): RequestInit {
        return { ...init, redirect: 'manual' };
      }
      static override async fetch(...args: Parameters<typeof Article.fetch>): Promise<unknown> {
        return { ...(await super.fetch(...args)), through: true };
      }
    }
    for (const name of NAMES) {
      const answer: unknown = await made(Mine, name)({ id: 5 }, { title: 'x' });
      expect(answer).toEqual({ id: 5, through: true });
    }
    expect(server.asked.map(({ headers }) => headers['access-token'])).toEqual(
      NAMES.map(() => 't'),
    );
    for (const [, init] of sent.mock.calls) {
      expect(init).toMatchObject({ credentials: 'same-origin', redirect: 'manual' });
    }
  });

  test('[L1] extend with headers and init overrides the methods of the class for one endpoint', async () => {
    const { Served, asked } = await onServer({ body: {} });
    const former = Served.update();
    const own = former.extend({
      getHeaders: (headers) => ({ ...headers, 'X-Own': 'yes' }),
      async getRequestInit(body) {
        return { ...(await former.getRequestInit.call(this, body)), method: 'PATCH' };
      },
    });
    await own({ id: 1 }, { title: 'x' });
    await former.extend({ body: undefined })({ id: 1 }, { title: 'x' });
    expect(asked.map(({ method, headers }) => [method, headers['x-own']])).toEqual([
      ['PATCH', 'yes'],
      ['PUT', undefined],
    ]);
    expect(asked.map(({ text }) => text)).toEqual(['{"title":"x"}', '']);
  });

  test('[L1] getEndpointExtra sets the policies of each endpoint of the class', () => {
    class Mine extends Article {
      static override getEndpointExtra() {
        return { dataExpiryLength: 5, errorPolicy: () => 'soft' as const };
      }
    }
    for (const name of NAMES) expect(made(Mine, name).dataExpiryLength).toBe(5);
    expect(Mine.detail().errorPolicy({ status: 404 })).toBe('soft');
  });

  test('[L1] errors of an overridden static fetch name the endpoint and the method', async () => {
    const answers = [
      { body: '<html>', headers: { 'content-type': 'text/html' } },
      { status: 500, body: {} },
      { status: 500, body: {} },
    ];
    const { Served } = await onServer(() => answers.shift());
    class Mine extends Served {
      static override async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<unknown> {
        return super.fetch(input, { ...init, cache: 'no-store' });
      }
    }
    const sent = vi.spyOn(globalThis, 'fetch');
    const controller = new Controller({ retry: false });
    const detail = controller.fetch(Mine.detail(), { id: 5 });
    await expect(detail).rejects.toMatchObject({ code: 'R5', status: 404 });
    const update = Mine.update()({ id: 5 }, { title: 'x' });
    await expect(update).rejects.toMatchObject({ endpoint: 'PUT Article.update', method: 'PUT' });
    expect(Object.getOwnPropertySymbols(sent.mock.calls[0]?.[1] ?? {})).toEqual([]);
    const direct = Mine.fetch(`${Mine.urlRoot}5`, { method: 'PUT' });
    await expect(direct).rejects.toMatchObject({ endpoint: 'PUT Article.fetch', method: 'PUT' });
  });

  test('[L1] a response with status 403 rejects with a NetworkError that names the endpoint', async () => {
    const { Served } = await onServer({ status: 403, body: { detail: 'no' } });
    await expect(Served.detail()({ id: 5 })).rejects.toMatchObject({
      status: 403,
      endpoint: 'GET Article.detail',
      body: { detail: 'no' },
    });
  });
});
