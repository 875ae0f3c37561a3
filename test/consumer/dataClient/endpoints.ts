/** Endpoints, resources and collections in the forms of Data Client's pages. */
import {
  Collection,
  Endpoint,
  Entity,
  Invalidate,
  resource,
  createResource,
  RestEndpoint,
  hookifyResource,
  schema,
  useController,
  useSuspense,
  Values,
} from 'signalbox/data-client';
import type {
  EndpointExtraOptions,
  EndpointInterface,
  GetEndpoint,
  MutateEndpoint,
  PathArgs,
  Resource,
  ResourceGenerics,
  ResourceOptions,
  RestGenerics,
  RestInstance,
  RestType,
  Schema,
  ShortenPath,
} from 'signalbox/data-client';

declare function getToken(): Promise<string>;
declare const stringify: (value: any) => string;

class Todo extends Entity {
  id = '';
  userId = 0;
  title = '';
  completed = false;
  static key = 'Todo';
}
interface TodoInterface {
  title: string;
  completed: boolean;
}

export class AuthdEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = 'https://api.test';

  async getRequestInit(body) {
    return { ...(await super.getRequestInit(body)), method: await getToken() };
  }
  async getHeaders(headers: HeadersInit) {
    return { ...headers, 'Access-Token': await getToken() };
  }
}
export class SyncEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = String(globalThis.location?.host);
  getRequestInit(body: any): any {
    const init = super.getRequestInit(body) as RequestInit;
    init.mode = 'cors';
    init.headers = { ...init.headers, Authorization: 'x' };
    return init;
  }
  getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': 'x' };
  }
  searchToString(searchParams) {
    return stringify(searchParams);
  }
  url(...args: any): string {
    return 'https://dynamic.test' + (super.url as any)(...args);
  }
  async fetchResponse(input: RequestInfo, init: RequestInit) {
    const response = await super.fetchResponse(input, init);
    if (!response.ok) throw new Error('no');
    return response;
  }
  async parseResponse(response: Response) {
    const results = await super.parseResponse(response);
    if (response.headers.has('link') || Array.isArray(results))
      return { link: response.headers.get('link'), results };
    return results;
  }
  process(value: any, ...args: any) {
    return Object.fromEntries(Object.entries(value));
  }
  errorPolicy(error: any) {
    return error.status > 500 ? ('soft' as const) : undefined;
  }
  dataExpiryLength = 60 * 60 * 1000;
}
export class CacheEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  get pollFrequency() {
    return 5000;
  }
  get dataExpiryLength() {
    return 1000;
  }
  getRequestInit(
    body?: RequestInit['body'] | Record<string, unknown>,
  ): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(body);
  }
}
export class SnakeEndpoint<O extends RestGenerics = any> extends AuthdEndpoint<O> {
  async getRequestInit(body) {
    if (body) return super.getRequestInit({ ...body });
    return super.getRequestInit(body);
  }
  async process(...args: any) {
    return { ...(super.process as any)(...args) };
  }
}

export async function callsPrograms() {
  const ctrl = useController();
  const getRoot = new RestEndpoint({ path: '/' });
  void getRoot();
  const getById = new RestEndpoint({ path: '/:id' });
  void [getById({ id: 5 }), getById({ id: '5' })];
  const update = new RestEndpoint({ path: '/:id', method: 'PUT' });
  void update({ id: 5 }, { title: 'updated', completed: true });
  const typed = new RestEndpoint({ path: '/:id', method: 'PUT', body: {} as TodoInterface });
  void typed({ id: 5 }, { title: 'updated', completed: true });
  const rpc = new RestEndpoint({ path: '/:id', method: 'PUT', body: undefined });
  void rpc({ id: 5 });
  const getUsers = new RestEndpoint({
    path: '/:group/user/:id',
    searchParams: {} as { isAdmin?: boolean; sort: 'asc' | 'desc' },
  });
  getUsers.url({ group: 'big', id: '5', sort: 'asc' }) === '/big/user/5?sort=asc';
  const optional = new RestEndpoint({ path: '/:group/things/:number?' });
  void [optional({ group: 'first' }), optional({ group: 'first', number: 'fifty' })];
  const braces = new RestEndpoint({ path: '/:group/things{/:number}' });
  void [braces({ group: 'first' }), braces({ group: 'first', number: 'fifty' })];
  const getSite = new RestEndpoint({
    path: 'https\\://site.com/:slug',
    searchParams: {} as { isReact: boolean },
  });
  void getSite({ slug: 'cool', isReact: true });
  const getProcessed = new RestEndpoint({
    path: '/',
    process(value): TodoInterface {
      return value;
    },
  });
  (await getProcessed()).title;
  (await ctrl.fetch(getProcessed)).completed;
  const withId = getById.extend({
    process(value, params) {
      return { ...value, id: `${params.id}` };
    },
  });
  void withId({ id: 5 });
  const dynamic = new RestEndpoint({
    path: '/todo/:id',
    url(...args) {
      return 'https://x' + RestEndpoint.prototype.url.apply(this, args as any);
    },
  });
  void dynamic({ id: 5 });
  const qs = new SyncEndpoint({ path: '/foo', searchParams: {} as { a: Record<string, string> } });
  void qs({ a: { b: 'c' } });
  const getTodo = new RestEndpoint({ urlPrefix: 'https://x', path: '/todos/:id', schema: Todo });
  const updateTodo = getTodo.extend({ method: 'PUT' });
  (await updateTodo({ id: 5 }, { title: 'x' })).title;
  const detail = getById.extend({
    schema: Todo,
    getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, 'Access-Token': 'x' };
    },
  });
  (await ctrl.fetch(detail, { id: 5 })).completed;
  const searched = getTodo.extend({
    path: '/search',
    searchParams: {} as { q: string },
    schema: [Todo],
  });
  (await searched({ q: 'x' })).length;
  const noSchema = getTodo.extend({ schema: undefined });
  void noSchema({ id: 5 });
  const signal = new AbortController().signal;
  void getTodo.extend({ signal })({ id: 5 });
  const abortable = new RestEndpoint({ path: '/todos/:id', signal, schema: Todo });
  void abortable({ id: 5 });
  const polled = getTodo.extend({
    pollFrequency: 1000,
    dataExpiryLength: 5,
    errorExpiryLength: 9,
    invalidIfStale: true,
  });
  void polled.key({ id: 5 });
  getTodo.testKey('GET x');
  const download = new RestEndpoint({
    path: '/files/:id',
    schema: undefined,
    dataExpiryLength: 0,
    async parseResponse(response) {
      return { blob: await response.blob(), filename: response.headers.get('x-name') ?? 'file' };
    },
    process(value): { blob: Blob; filename: string } {
      return value;
    },
  });
  URL.createObjectURL((await ctrl.fetch(download, { id: '5' })).blob);
  const named = new RestEndpoint({
    path: '/votes/:id',
    method: 'POST',
    body: undefined,
    name: 'vote',
    schema: Todo,
    sideEffect: true,
  });
  named.name.length;
  const getByPost = new RestEndpoint({
    path: '/s',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { q: string },
    schema: [Todo],
  });
  useSuspense(getByPost, { q: 'x' }).length;
  const graph = new RestEndpoint({
    path: '/g',
    method: 'POST',
    sideEffect: false,
    schema: [Todo],
    key: ({ q }: { q: string }) => q,
  } as any);
  void graph;
  const isolated = new RestEndpoint({
    path: '/todos/:id',
    schema: Todo,
    getOptimisticResponse(snap, { id }) {
      const { data } = snap.getResponse(getTodo, { id });
      if (!data) throw snap.abort;
      return { ...data, id, updatedAt: snap.fetchedAt };
    },
    method: 'PATCH',
  });
  void isolated({ id: '5' }, {});
}

export async function collectionsPrograms() {
  class Stats extends Entity {
    product_id = '';
    volume = 0;
    pk() {
      return this.product_id;
    }
    static key = 'Stats';
  }
  const ctrl = useController();
  const getTodos = new RestEndpoint({
    path: '/todos',
    searchParams: {} as { userId?: string },
    schema: new Collection([Todo]),
  });
  (await ctrl.fetch(getTodos.push, { userId: '1' }, { title: 'milk' })).title;
  (await ctrl.fetch(getTodos.push, { title: 'x', userId: '5' })).title;
  await ctrl.fetch(getTodos.unshift, { userId: '1' }, { title: 'bread' });
  const GroupResource = resource({ path: '/groups/:group/users/:id', schema: Todo });
  await ctrl.fetch(GroupResource.getList.push, { group: 'five' }, { title: 'x' });
  await ctrl.fetch(GroupResource.getList.push, { group: 'five' }, [
    { title: 'ana' },
    { title: 'bo' },
  ]);
  await ctrl.fetch(GroupResource.getList.remove, { group: 'five' }, { id: '2', group: 'new' });
  await ctrl.fetch(
    GroupResource.getList.move,
    { group: 'five', id: '2' },
    { id: '2', group: 'ten' },
  );
  const plain = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) });
  await ctrl.fetch(plain.remove, { id: '123', completed: true });
  await ctrl.fetch(getTodos.remove, {}, { id: '123', completed: true });
  const StatsResource = resource({ path: '/stats/:product_id', schema: Stats }).extend({
    getList: {
      path: '/stats',
      schema: new Collection(new Values(Stats)),
      process(value) {
        Object.keys(value).forEach((key) => {
          value[key] = { ...value[key].today, product_id: key };
        });
        return value;
      },
    },
  });
  await ctrl.fetch(StatsResource.getList.assign, { abc: { product_id: 'abc', volume: 1000 } });
  await ctrl.set(
    StatsResource.getList.schema.assign,
    {},
    { abc: { product_id: 'abc', volume: 1000 } },
  );
  Object.values(useSuspense(StatsResource.getList)).map((one) => one.volume);
  await ctrl.set(getTodos.schema.push, { userId: '1' }, { id: '999', title: 'tea' });
  await ctrl.set(getTodos.schema.unshift, { userId: '1' }, { id: '999', title: 'tea' });
  await ctrl.set(getTodos.schema.remove, { userId: '1' }, { id: '123' });
  await ctrl.set(getTodos.schema.remove, {}, { id: '123' });
  await ctrl.set(getTodos.schema.move, { id: '10', userId: '2' }, [{ id: '10' }, { userId: '2' }]);
  const TaskResource = resource({
    path: '/tasks/:id',
    searchParams: {} as { status: string },
    schema: Todo,
    optimistic: true,
  });
  await ctrl.fetch(TaskResource.getList.move, { id: '5' }, { id: '5', status: 'backlog' });
  const deleteAndRemove = GroupResource.delete.extend({
    schema: GroupResource.getList.schema.remove,
  });
  await ctrl.fetch(deleteAndRemove, { group: '5', id: '1' });
  const filtered = new RestEndpoint({
    path: '/:group/posts',
    searchParams: {} as { orderBy?: string; author?: string },
    schema: new Collection([Todo], {
      nonFilterArgumentKeys(key) {
        return key === 'orderBy';
      },
    }),
  });
  useSuspense(filtered, { group: 'react', author: 'bob' }).map((one) => one.title);
  await ctrl.fetch(filtered.push, { group: 'react' }, new FormData());
  void new Collection([Todo], { nonFilterArgumentKeys: /orderBy/ });
  void new Collection([Todo], { nonFilterArgumentKeys: ['orderBy'] });
  class MyCollection<
    S extends any[] = any,
    A extends any[] = any,
    P = any,
  > extends schema.Collection<S, A, P> {
    constructor(value: S, options?: any) {
      super(value, { ...options, argsKey: (...args: any) => ({ ...args[0] }) });
    }
    static shouldReorder = () => false;
  }
  void new MyCollection([Todo]);
  const paged = new RestEndpoint({
    path: '/paged',
    searchParams: {} as { group?: string } | undefined,
    schema: { results: new Collection([Todo]), nextPage: '', prev: '' },
    paginationField: 'page',
  });
  const { results, nextPage } = useSuspense(paged, { group: 'x' });
  results.map((one) => one.title);
  await ctrl.fetch(paged.getPage, { page: nextPage });
  await ctrl.fetch(paged.getPage, { group: 'x', page: 5 });
  await ctrl.fetch(paged.push, { group: 'x' }, { title: 'x' });
  const next = getTodos.paginated('cursor');
  await ctrl.fetch(next, { cursor: 'x' });
  const by = getTodos.paginated(
    ({ cursor, ...rest }: { cursor: string | number; userId?: string }) => [rest],
  );
  await ctrl.fetch(by, { cursor: 1, userId: '5' });
  const loose = getTodos.paginated(
    ({ cursor, ...rest }: { cursor: string | number }) =>
      (Object.keys(rest).length ? [rest] : []) as any,
  );
  await ctrl.fetch(loose, { cursor: 1 });
  const PagedResource = resource({
    path: '/p/:id',
    schema: Todo,
    paginationField: 'page',
    searchParams: {} as { q?: string } | undefined,
  });
  await ctrl.fetch(PagedResource.getList.getPage, { page: 5 });
  await ctrl.fetch(PagedResource.getList.getPage, { page: 5, q: 'x' });
  const linked = new RestEndpoint({
    path: '/linked',
    schema: { results: new Collection([Todo]), link: '' },
    async parseResponse(response: Response) {
      return { results: await response.json(), link: response.headers.get('link') };
    },
  }).extend({ paginationField: 'page' });
  await ctrl.fetch(linked.getPage, { page: 2 });
}

export async function resourcesPrograms() {
  const ctrl = useController();
  const PostResource = resource({ schema: Todo, path: '/posts/:id' }).extend('deleteMany', {
    path: '/posts',
    body: [] as string[],
    method: 'DELETE',
    schema: [new Invalidate(Todo)],
    process(value, body) {
      return body.map((id) => ({ id }));
    },
  });
  await PostResource.deleteMany(['1', '2']);
  const TodoResource = createResource({
    urlPrefix: 'https://x',
    path: '/todos/:id',
    searchParams: {} as { userId?: string | number } | undefined,
    schema: Todo,
    body: {} as Partial<Pick<Todo, 'title' | 'completed'>>,
    Endpoint: AuthdEndpoint,
    Collection,
    dataExpiryLength: 5000,
    pollFrequency: 90,
    errorPolicy: (error: any) => (error.status >= 500 ? ('soft' as const) : undefined),
  });
  await TodoResource.getList.push({ userId: '5' }, { title: 'x' });
  const Voted = TodoResource.extend('vote', {
    method: 'POST',
    path: '/todos/:id/vote',
    schema: Todo,
    body: undefined,
  })
    .extend({ getList: { schema: { items: new Collection([Todo]), total: 0 } } })
    .extend((base) => ({
      getStarred: base.getList.extend({ path: '/starred' }),
      create: base.getList.push.extend({ body: {} as { title: string } }),
      search: base.get.extend({
        path: '/search',
        searchParams: {} as { q: string },
        schema: [Todo],
      }),
    }));
  await ctrl.fetch(Voted.vote, { id: '5' });
  useSuspense(Voted.getList).items.map((one) => one.title);
  useSuspense(Voted.getStarred).items.length;
  useSuspense(Voted.search, { q: 'x' }).map((one) => one.title);
  await Voted.create({ title: 'x' });
  const Spread = {
    ...TodoResource,
    getList: TodoResource.getList.extend({ schema: [Todo], searchParams: {} as { q: string } }),
    partialUpdate: TodoResource.partialUpdate.extend({
      getOptimisticResponse(snap, params, body) {
        return { id: params.id, ...body } as any;
      },
    }),
    delete: TodoResource.delete.extend({
      getOptimisticResponse(snap, params) {
        return params;
      },
    }),
    create: TodoResource.getList.push.extend({
      schema: Todo,
      update: (id: string) => ({ [TodoResource.getList.key({})]: (ids = []) => [id, ...ids] }),
    }),
  };
  await ctrl.fetch(Spread.partialUpdate, { id: '5' }, { title: 'x' });
  await ctrl.fetch(Spread.delete, { id: '5' });
  const Optimistic = TodoResource.extend((base) => ({
    partialUpdate: base.partialUpdate.extend({
      getOptimisticResponse: (snap, { id }, body) => ({ id, ...body }),
    }),
    increment: new RestEndpoint({
      path: '/inc/:id',
      method: 'POST',
      body: undefined,
      schema: Todo,
      getOptimisticResponse(snap, { id }) {
        const todo = snap.get(Todo, { id });
        if (!todo) throw snap.abort;
        return { id, userId: todo.userId + 1 };
      },
    }),
  }));
  await ctrl.fetch(Optimistic.increment, { id: 5 });
  const CurrentResource = {
    ...TodoResource,
    current: TodoResource.get.extend({ path: '/current_user', schema: Todo }),
  };
  useSuspense(CurrentResource.current).title;
  const AuthResource = hookifyResource(
    resource({ path: '/a/:id', schema: Todo, Endpoint: AuthdEndpoint }),
    function useInit(): RequestInit {
      return { headers: { 'Access-Token': 'x' } };
    },
  );
  const get = AuthResource.useGet();
  useSuspense(get, { id: '5' }).title;
  useSuspense(AuthResource.useGetList()).length;
  const updateOne = AuthResource.usePartialUpdate();
  await ctrl.fetch(updateOne, { id: '5' }, { title: 'x' });
  void AuthResource.useDelete();
  await ctrl.fetch(TodoResource.create, { title: 'x' }).then((todo) => todo.title);
  await TodoResource.update({ id: '5' }, { title: 'x' });
}

export function apiResource<O extends ResourceGenerics = any>(
  options: Readonly<O> & ResourceOptions,
): Resource<O> {
  return resource({ Endpoint: AuthdEndpoint, urlPrefix: 'https://api', ...options } as O) as any;
}
export interface FactoryGenerics {
  readonly path: string;
  readonly schema: Schema;
  readonly Endpoint?: typeof AuthdEndpoint;
  urlPrefix?: string;
}
export function createPagedResource<O extends FactoryGenerics>({
  path,
  schema: one,
  Endpoint = AuthdEndpoint,
  ...options
}: Readonly<O> & EndpointExtraOptions): PagedResourceOf<O> {
  const base = resource({ Endpoint, path, schema: one, ...options });
  const getList = base.getList.extend({
    schema: { results: new schema.Collection([one as any]), link: '' },
  });
  return { ...base, getList } as any;
}
export interface PagedResourceOf<O extends { path: string; schema: any }> extends Omit<
  Resource<O>,
  'getList'
> {
  getList: GetEndpoint<{ path: ShortenPath<O['path']>; schema: { results: any; link: string } }>;
  getNextPage: GetEndpoint<{
    path: ShortenPath<O['path']>;
    schema: { results: O['schema'][]; link: string };
    searchParams: { page: string | number };
  }>;
}
export function typesPrograms() {
  const Repos = apiResource({ path: '/repos/:owner/:repo', schema: Todo }).extend((base) => ({
    getByUser: base.getList.extend({ path: '/users/:login/repos' }),
  }));
  useSuspense(Repos.get, { owner: 'a', repo: 'b' }).title;
  useSuspense(Repos.getByUser, { login: 'x' }).map((one) => one.title);
  const Paged = createPagedResource({ path: '/repos/:owner/:repo', schema: Todo });
  useSuspense(Paged.get, { owner: 'a', repo: 'b' });
  useSuspense(Paged.getNextPage, { owner: 'a', page: 5 }).link;
  const params: PathArgs<'/a/:id'> = { id: 5 };
  const a = {} as MutateEndpoint<{ path: '/x/:id'; schema: typeof Todo; body: { title: string } }>;
  void a({ id: 5 }, { title: 'x' });
  const b = {} as RestType<{ id: string }, undefined, typeof Todo>;
  const c: EndpointInterface = Repos.get;
  const d: RestInstance = Repos.get as any;
  void [params, b, c, d];
}

export async function plainEndpointsPrograms() {
  const getUser = new Endpoint(
    ({ id }: { id: string }) => fetch(`/users/${id}`).then((res) => res.json() as Promise<Todo>),
    {
      schema: Todo,
      key: ({ id }) => `user ${id}`,
      dataExpiryLength: 5,
      extra: { anything: 5 },
    },
  );
  (await getUser({ id: '5' })).title;
  useSuspense(getUser, { id: '5' }).title;
  const extended = getUser.extend({ schema: undefined, dataExpiryLength: 9 });
  void extended({ id: '5' });
  const mutation = getUser.extend({ sideEffect: true, fetch: async (body: { a: 5 }) => body });
  void mutation({ a: 5 });
  const withMembers = new Endpoint(
    async function (this: { base: string }, params: { id: string }) {
      return this.base + params.id;
    },
    { base: 'x', channel: 'y' },
  );
  withMembers.channel.length;
  class Timed<F extends (...args: any) => Promise<any>> extends Endpoint<F> {
    pollFrequency = 5;
    key(...args: Parameters<F>) {
      return `timed ${JSON.stringify(args)}`;
    }
  }
  void new Timed(async () => 5, { name: 'timed' });
  const bound = getUser.bind(undefined, { id: '5' });
  void bound();
  void getUser.call(undefined as any, { id: '5' });
  const noArgs = new Endpoint(() => Promise.resolve(5), { name: 'five' });
  useSuspense(noArgs).toFixed();
  const maybe = new Endpoint((params?: { page?: number }) => Promise.resolve([{ id: '5' }]), {
    schema: [Todo],
    name: 'maybe',
  });
  useSuspense(maybe).map((one) => one.title);
  useSuspense(maybe, { page: 5 });
  const two = new Endpoint((a: string, b: number) => Promise.resolve({ id: a }), {
    name: 'two',
    schema: Todo,
  });
  useSuspense(two, 'a', 5).title;
}
