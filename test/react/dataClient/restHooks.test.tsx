// The names of Rest Hooks 3 to 6: hooks, classes and fixtures in their older forms.
import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import {
  BaseResource,
  Endpoint,
  HookableResource,
  Index,
  Query,
  Resource,
  schema,
  SimpleRecord,
  useCache,
  useFetchDispatcher,
  useFetcher,
  useInvalidateDispatcher,
  useInvalidator,
  useMeta,
  useResource,
} from 'signalbox/data-client';
import {
  act,
  makeRenderRestHook,
  makeCacheProvider,
  MockProvider,
  MockResolver,
} from 'signalbox/data-client/test';
import { afterEach, expect, test, vi } from 'vitest';

class User extends Resource {
  readonly id: number | undefined = undefined;
  readonly username: string = '';
  override pk() {
    return `${this.id}`;
  }
  static override urlRoot = 'http://api.test/user/';
  static override indexes = ['username'] as const;
}
const ada = { id: 1, username: 'ada' };
const renderRestHook = makeRenderRestHook(makeCacheProvider);
const results = [
  { request: User.detail(), params: { id: 1 }, result: ada },
  { request: User.list(), params: {}, result: [ada, { id: 2, username: 'bob' }] },
];

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('[T5] fixtures of Rest Hooks have a request, params and a result', () => {
  const { result } = renderRestHook(() => useResource(User.list(), {}), { results });
  expect(result.current.map(({ username }) => username)).toEqual(['ada', 'bob']);
  function Name() {
    return <p>{useResource(User.detail(), { id: 1 }).username}</p>;
  }
  render(
    <MockProvider results={results}>
      <Name />
    </MockProvider>,
  );
  expect(screen.getByText('ada')).toBeTruthy();
});

test('[T5] resolvers take fixtures of Rest Hooks, below a provider and without', async () => {
  function Name() {
    return <p>{useResource(User.detail(), { id: 1 }).username}</p>;
  }
  render(
    <MockResolver fixtures={results}>
      <Suspense>
        <Name />
      </Suspense>
    </MockResolver>,
  );
  expect(await screen.findByText('ada')).toBeTruthy();
  const { result, waitFor } = renderRestHook(() => useResource(User.list(), {}), {
    resolverFixtures: results,
  });
  await waitFor(() => expect(result.current).toHaveLength(2));
});

test('[T5] useResource takes params for an endpoint without params, and useFetcher an undefined body', async () => {
  const sent: unknown[] = [];
  const getNames = new Endpoint(async () => ['ada'], { name: 'getNames' });
  const getUser = new Endpoint(
    async (...args: [params: { id: number }]) => {
      sent.push(args);
      return ada;
    },
    { name: 'getUser', schema: User },
  );
  const { result, waitFor } = renderRestHook(() => ({
    fetchUser: useFetcher(getUser),
    names: useResource(getNames, {}),
  }));
  await waitFor(() => expect(result.current.names).toEqual(['ada']));
  await act(() => result.current.fetchUser({ id: 1 }, undefined));
  expect(sent).toEqual([[{ id: 1 }]]);
});

test('[T5] an endpoint of a class has the members of a shape, also after an extension', () => {
  expect(User.detailShape().type).toBe('read');
  expect(User.listShape().extend({ schema: { results: [User] } }).type).toBe('read');
  expect(User.createShape().type).toBe('mutate');
  expect(User.updateShape().type).toBe('mutate');
  expect(User.deleteShape().type).toBe('delete');
  expect(User.detailShape().getFetchKey({ id: 5 })).toBe('GET http://api.test/user/5');
  expect(User.listShape().getFetchKey({ a: 1 })).toBe('GET http://api.test/user/?a=1');
  const other = User.listShape().extend({ url: () => 'http://api.test/other' });
  expect(other.getFetchKey()).toBe('GET http://api.test/other');
  expect(other.schema).toEqual([User]);
});

test('[T5] hooks take a shape that is a plain object: reads, changes, deletions', async () => {
  const sent: unknown[] = [];
  const stored = new Map([['ada', { id: 1, username: 'ada' }]]);
  const byName = {
    type: 'read' as const,
    schema: User,
    options: { dataExpiryLength: 60_000 },
    getFetchKey: ({ name }: { name: string }) => `name ${name}`,
    fetch: async ({ name }: { name: string }) => {
      sent.push(`read ${name}`);
      return stored.get(name);
    },
  };
  const rename = {
    type: 'mutate' as const,
    schema: User,
    getFetchKey: ({ id }: { id: number }) => `rename ${id}`,
    fetch: async ({ id }: { id: number }, body?: { username: string }) => {
      sent.push(['rename', id, body]);
      return { id, ...body };
    },
  };
  const remove = {
    type: 'delete' as const,
    schema: User,
    getFetchKey: ({ id }: { id: number }) => `remove ${id}`,
    fetch: async ({ id }: { id: number }) => void sent.push(`remove ${id}`),
  };
  const { result, waitFor } = renderRestHook(() => ({
    user: useResource(byName, { name: 'ada' }),
    // a new object for each render
    cached: useCache({ ...byName }, { name: 'ada' }),
    renameUser: useFetcher(rename),
    removeUser: useFetcher(remove),
    entity: useCache(new Index(User), { username: 'ada' }),
    refetch: useFetchDispatcher(),
    invalidate: useInvalidator(byName),
  }));
  await waitFor(() => expect(result.current.user.username).toBe('ada'));
  expect(result.current.cached).toBe(result.current.user);
  await act(() => result.current.renameUser({ id: 1 }, { username: 'lovelace' }));
  expect(result.current.user.username).toBe('lovelace');
  await act(() => result.current.removeUser({ id: 1 }));
  expect(sent).toEqual(['read ada', ['rename', 1, { username: 'lovelace' }], 'remove 1']);
  expect(result.current.entity).toBeUndefined();
  const fixture: any = {
    request: byName,
    params: { name: 'bob' },
    result: { id: 2, username: 'bob' },
  };
  const { result: mocked } = renderRestHook(() => useResource({ ...byName }, { name: 'bob' }), {
    results: [fixture],
  });
  expect(mocked.current.username).toBe('bob');
});

test('[T5] hooks take a shape that spreads the shape of a class', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    sent.push(`${method} ${url}`);
    const body = url.endsWith('/1') ? { data: ada } : { results: [ada], next: 'b' };
    return Response.json(body);
  });
  class Wrapped extends User {
    static override key = 'Wrapped';
    static override detailShape(): any {
      return { ...super.detailShape(), schema: { data: this } };
    }
    static override listShape(): any {
      return {
        ...super.listShape(),
        schema: { results: [this], next: '' },
        options: { dataExpiryLength: 60_000 },
        getFetchKey: (params: object) => `page ${JSON.stringify(params)}`,
      };
    }
    static meShape(): any {
      return { ...this.detailShape(), fetch: async () => ({ data: { id: 9, username: 'me' } }) };
    }
  }
  const { result, waitFor } = renderRestHook(() => ({
    detail: useResource(Wrapped.detailShape(), { id: 1 }),
    page: useResource(Wrapped.listShape(), { after: 'a' }),
    me: useResource(Wrapped.meShape(), { id: 9 }),
  }));
  await waitFor(() => expect(result.current.page.next).toBe('b'));
  expect(result.current.detail.data).toBeInstanceOf(Wrapped);
  expect(result.current.page.results[0]).toBe(result.current.detail.data);
  expect(result.current.me.data.username).toBe('me');
  expect(Wrapped.listShape().getFetchKey({ after: 'a' })).toBe('page {"after":"a"}');
  expect(sent).toEqual(['GET http://api.test/user/1', 'GET http://api.test/user/?after=a']);
});

test('[T5] an index and a query are read by useCache', () => {
  const byName = new Index(User);
  const count = new Query(new schema.All(User), (users) => users.length);
  const { result } = renderRestHook(
    () => [useCache(byName, { username: 'bob' })?.id, useCache(byName, null), useCache(count)],
    { results },
  );
  expect(result.current).toEqual([2, undefined, 2]);
});

test('[T5] useMeta has the times of a response, and null without one', () => {
  const { result } = renderRestHook(
    () => [useMeta(User.detail(), { id: 1 }), useMeta(User.detail(), { id: 9 })] as const,
    { results },
  );
  const [known, unknown] = result.current;
  expect(known?.date).toBeGreaterThan(0);
  expect(known?.expiresAt).toBeGreaterThan(known?.date ?? Infinity);
  expect(unknown).toBeNull();
});

test('[T5] useFetchDispatcher fetches, and useInvalidateDispatcher invalidates', async () => {
  const { result } = renderRestHook(
    () => ({
      user: useCache(User.detail(), { id: 1 }),
      dispatchFetch: useFetchDispatcher(),
      invalidate: useInvalidateDispatcher(),
    }),
    {
      resolverFixtures: [
        { endpoint: User.partialUpdate(), response: (params, body) => ({ ...params, ...body }) },
      ],
    },
  );
  await act(() =>
    result.current.dispatchFetch(User.partialUpdate(), { id: 1 }, { username: 'eve' }),
  );
  expect(result.current.user?.username).toBe('eve');
  const { invalidate } = result.current;
  await act(() => invalidate(User.detail(), { id: 1 }));
  expect(result.current.user).toBeUndefined();
});

class Page extends SimpleRecord {
  readonly next: string = 'none';
  readonly users: User[] = [];
  static override schema = { users: [User] };
  get size() {
    return this.users.length;
  }
}

test('[T5] a SimpleRecord reads as an instance with the defaults of its class', () => {
  const getPage = User.list().extend({ schema: Page, key: (_params: object) => 'page' });
  const { result } = renderRestHook(() => useResource(getPage, {}), {
    initialFixtures: [{ endpoint: getPage, args: [{}], response: { users: [ada] } }],
  });
  const page = result.current;
  expect(page).toBeInstanceOf(Page);
  expect([page.next, page.size, page.users[0]?.username]).toEqual(['none', 1, 'ada']);
  expect(page.users[0]).toBeInstanceOf(User);
  expect(Page.fromJS({ next: 'x' }).next).toBe('x');
});

const sent: [string, RequestInit | undefined][] = [];
function mockNetwork() {
  sent.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    sent.push([input as string, init]);
    return Response.json({ id: 1, username: 'ada' });
  });
}

test('[T5] useFetchInit of a HookableResource changes the init of the requests', async () => {
  class Authed extends HookableResource {
    id = 0;
    static override urlRoot = 'http://api.test/authed/';
    static override useFetchInit = (init: RequestInit): RequestInit => ({
      ...init,
      credentials: 'include',
      headers: { 'X-Session': 'secret' },
    });
  }
  mockNetwork();
  await Authed.useDetail()({ id: 1 });
  await Authed.usePartialUpdate()({ id: 1 }, { a: 1 });
  expect(Authed.useList().key({})).toBe(Authed.list().key({}));
  expect(sent).toMatchObject([
    ['http://api.test/authed/1', { credentials: 'include', headers: { 'X-Session': 'secret' } }],
    [
      'http://api.test/authed/1',
      { method: 'PATCH', headers: { 'Content-Type': 'application/json', 'X-Session': 'secret' } },
    ],
  ]);
});

test('[T5] fetchResponse of a class sends the requests of its endpoints', async () => {
  const statuses: number[] = [];
  class Logged extends BaseResource {
    id = 0;
    static override urlRoot = 'http://api.test/logged/';
    static override async fetchResponse(input: RequestInfo, init: RequestInit) {
      const response = await super.fetchResponse(input, init);
      statuses.push(response.status);
      return response;
    }
  }
  mockNetwork();
  await Logged.detail()({ id: 1 });
  await Logged.create()({ a: 1 });
  expect(statuses).toEqual([200, 200]);
  expect(sent.map(([url]) => url)).toEqual(['http://api.test/logged/1', 'http://api.test/logged/']);
});

test('[T5] a resource sends params as texts, the content type of JSON, and requests from its base endpoints', async () => {
  const sent: unknown[] = [];
  abstract class Base extends Resource {
    static recent<T extends typeof Base>(this: T) {
      return this.memo('#recent', () =>
        this.endpoint().extend({ url: () => `${this.urlRoot}recent`, schema: [this] }),
      );
    }
    static override fetch(input: RequestInfo | URL, init: RequestInit = {}) {
      const type = new Headers(init.headers).get('content-type');
      sent.push([init.method, String(input), type, init.body]);
      return Promise.resolve([{ id: 7 }]);
    }
  }
  class Doc extends Base {
    readonly id: number | undefined = undefined;
    override pk() {
      return `${this.id}`;
    }
    static override urlRoot = '/docs/';
    static override detail<T extends typeof Resource>(this: T) {
      return this.endpoint().extend({ schema: this }) as never;
    }
  }
  await Doc.list()({ a: undefined, b: null, c: [1, 2] });
  await Doc.endpointMutate()({ id: 7 }, { title: 'x' });
  const rows = await Doc.recent()();
  const json = 'application/json';
  expect(sent).toEqual([
    ['GET', '/docs/?a=undefined&b=null&c=1%2C2', json, undefined],
    ['POST', '/docs/7', json, '{"title":"x"}'],
    ['GET', '/docs/recent', json, undefined],
  ]);
  expect(rows).toEqual([{ id: 7 }]);
  expect(Doc.endpoint()).toBe(Doc.endpoint());
  expect(Doc.recent().schema).toEqual([Doc]);
});

test('[T5] optimisticUpdate of an endpoint is shown before the response', async () => {
  let respond = (_response: Response) => {};
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    () => new Promise((resolve) => (respond = resolve)),
  );
  class Article extends Resource {
    readonly id: number | undefined = undefined;
    readonly title: string = '';
    override pk() {
      return `${this.id}`;
    }
    static override urlRoot = 'http://api.test/article/';
    static override partialUpdate<T extends typeof Resource>(this: T) {
      return super.partialUpdate().extend({
        optimisticUpdate: (params: any, body: any) => ({ id: params.id, ...body }),
        schema: this,
      });
    }
    static override delete<T extends typeof Resource>(this: T) {
      return super.delete().extend({ optimisticUpdate: (params: any) => params });
    }
  }
  const rename = new Endpoint(
    async (id: number) => fetch(`/rename/${id}`).then((response) => response.json()),
    {
      name: 'rename',
      schema: Article,
      sideEffect: true,
      optimisticUpdate: (id: number) => ({ id, title: 'renamed' }),
    },
  );
  const { result, controller } = renderRestHook(() => useCache(Article.list(), {}), {
    results: [{ request: Article.list(), params: {}, result: [{ id: 1, title: 'first' }] }],
  });
  const titles = () => result.current?.map(({ title }) => title);
  const answer = (value: object, status = 200) =>
    act(async () => respond(Response.json(value, { status })));
  let sent: Promise<unknown> = Promise.resolve();
  await act(async () => {
    sent = controller.fetch(Article.partialUpdate(), { id: 1 }, { title: 'changed' });
  });
  expect(titles()).toEqual(['changed']);
  await answer({ id: 1, title: 'by the server' });
  await sent;
  expect(titles()).toEqual(['by the server']);
  await act(async () => void (sent = controller.fetch(rename, 1)));
  expect(titles()).toEqual(['renamed']);
  await answer({ id: 1, title: 'renamed here' });
  await act(async () => void (sent = controller.fetch(Article.delete(), { id: 1 })));
  expect(titles()).toEqual([]);
  const failure = sent.catch(({ status }: { status: number }) => status);
  await answer({}, 500);
  expect(await failure).toBe(500);
  expect(titles()).toEqual(['renamed here']);
});
