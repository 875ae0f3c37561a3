/** Programs of Data Client's guides for REST compile with imports of this entry alone. */
import {
  All,
  Collection,
  createResource,
  Endpoint,
  Entity,
  EntityMixin,
  Invalidate,
  Query,
  resource,
  RestEndpoint,
  schema,
  Union,
  validateRequired,
  Values,
} from 'signalbox/data-client';
import type {
  CollectionOptions,
  Denormalize,
  EndpointInterface,
  FetchFunction,
  GetEndpoint,
  MutateEndpoint,
  PolymorphicInterface,
  Resource,
  ResourceGenerics,
  ResourceOptions,
  RestGenerics,
  Schema,
} from 'signalbox/data-client';

class User extends Entity {
  id = '';
  name = '';
  username = '';
  isAdmin = false;
  static key = 'User';
}

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  user = User.fromJS();
  createdAt = new Date(0);

  pk() {
    return `${this.id}`;
  }

  get shortTitle(): string {
    return this.title.slice(0, 10);
  }

  static key = 'Todo';
  static schema = { user: User, createdAt: (iso: string) => new Date(iso) };
}

class AuthdEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = 'https://api.example.com';
  getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': 'token' };
  }
  getRequestInit(body: any): any {
    return { ...super.getRequestInit(body), credentials: 'same-origin' };
  }
  async fetchResponse(input: RequestInfo, init: RequestInit) {
    const response = await super.fetchResponse(input, init);
    return response;
  }
  parseResponse(response: Response) {
    return super.parseResponse(response);
  }
  process(value: any, ...args: any) {
    return value.data;
  }
}

export async function resourcesAndTheirExtensionsPrograms() {
  const TodoResource = resource({
    urlPrefix: 'https://api.example.com',
    path: '/todos/:id',
    searchParams: {} as { userId?: string | number } | undefined,
    schema: Todo,
    optimistic: true,
  });
  const todo = await TodoResource.get({ id: 5 });
  const list = await TodoResource.getList({ userId: 1 });
  await TodoResource.getList.push({ title: 'x' });
  await TodoResource.getList.unshift({ userId: 1 }, { title: 'x' });
  await TodoResource.partialUpdate({ id: 5 }, { completed: true });
  await TodoResource.update({ id: 5 }, { title: 'x' });
  await TodoResource.delete({ id: 5 });
  await TodoResource.create({ title: 'x' });
  void [todo, list];

  const Base = createResource({ path: '/users/:id', schema: User, Endpoint: AuthdEndpoint });
  const UserResource = Base.extend('current', { path: '/user' })
    .extend('getByName', { path: '/users/by/:username', schema: User })
    .extend({
      getList: { path: '/users', searchParams: {} as { group?: string } | undefined },
    })
    .extend((base) => ({
      invite: base.get.extend({ method: 'POST', path: '/invite', body: {} as { email: string } }),
    }));
  await UserResource.current();
  await UserResource.getByName({ username: 'ada' });
  await UserResource.getList({ group: 'a' });
  await UserResource.invite({ email: 'x' });

  const Custom = {
    ...Base,
    get: Base.get.extend({ path: '/user/:id', searchParams: {} as { full?: boolean } }),
    vote: new AuthdEndpoint({
      path: '/users/:id/vote',
      method: 'POST',
      body: undefined,
      schema: User,
    }),
  };
  await Custom.vote({ id: '5' });
  await Custom.get({ id: '5', full: true });
}

export function aFactoryOfResourcesPrograms() {
  function api<O extends ResourceGenerics = any>(
    options: Readonly<O> & ResourceOptions,
  ): Resource<O> {
    return resource({ ...options, urlPrefix: '/api' } as O) as any;
  }
  const Todos = api({ path: '/todos/:id', schema: Todo });
  void Todos.get({ id: 5 });

  function withAuth<O extends ResourceGenerics>({
    path,
    schema,
    ...rest
  }: Readonly<O> & ResourceOptions) {
    return createResource({ path, schema, Endpoint: AuthdEndpoint, ...rest });
  }
  void withAuth({ path: '/todos/:id', schema: Todo });

  function createMyResource<O extends ResourceGenerics = any>({
    schema: rowSchema,
    Endpoint = AuthdEndpoint,
    ...extraOptions
  }: Readonly<O> & ResourceOptions): Resource<O> {
    const Base = resource({ Endpoint, schema: rowSchema, ...extraOptions }) as any as Resource<O>;
    return Base.extend((Base) => ({
      getList: Base.getList.extend({
        schema: { results: new schema.Collection([rowSchema]), total: 0 },
      }),
    })) as any;
  }
  void createMyResource({ path: '/x/:id', schema: Todo });
}

export function bodiesOfOptionFunctionsPrograms() {
  const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
  const create = TodoResource.create.extend({
    getRequestInit(body) {
      const sent = body ? { createdBy: 'web', ...body } : body;
      return RestEndpoint.prototype.getRequestInit.call(this, sent);
    },
  });
  void create({ title: 'a' });
  const rename = new RestEndpoint({
    path: '/todos/:id',
    method: 'PATCH',
    body: {} as { title: string },
    getRequestInit(body) {
      if (!body) return {};
      const { title, ...rest } = body;
      return { body: JSON.stringify({ ...rest, name: title }) };
    },
  });
  void rename({ id: 5 }, { title: 'a' });
}

export function genericsOfEndpointsPrograms() {
  const get: GetEndpoint<{ path: '/todos/:id'; schema: typeof Todo }> = new RestEndpoint({
    path: '/todos/:id',
    schema: Todo,
  });
  void get({ id: 1 });
  const list: GetEndpoint<{
    path: '/todos';
    schema: Collection<[typeof Todo]>;
    searchParams: { userId?: number };
  }> = new RestEndpoint({
    path: '/todos',
    schema: new Collection([Todo]),
    searchParams: {} as { userId?: number },
  });
  void list({ userId: 1 });
  const update: MutateEndpoint<{
    path: '/todos/:id';
    schema: typeof Todo;
    body: { title: string };
  }> = new RestEndpoint({
    path: '/todos/:id',
    method: 'POST',
    schema: Todo,
    body: {} as { title: string },
  });
  void update({ id: 1 }, { title: '' });

  function useIt<E extends EndpointInterface<FetchFunction, Schema | undefined, undefined>>(e: E) {
    return e.key(...([{}] as any));
  }
  useIt(get);
  function mutate<E extends EndpointInterface<FetchFunction, Schema | undefined, true>>(e: E) {
    return e;
  }
  mutate(update);
}

export function optionsOfAnApplicationPrograms() {
  const getTicker = new RestEndpoint({
    urlPrefix: 'https://api.exchange.coinbase.com',
    path: '/products/:product_id/ticker',
    schema: Todo,
    pollFrequency: 2000,
    channel: 'ticker',
  });
  const other = getTicker.extend({ channel: 'other' });
  void other.channel;
  const Todos = resource({ path: '/todos/:id', schema: Todo });
  const live = Todos.get.extend({ channel: 'todo' });
  void live.channel;
  const More = Todos.extend({ get: { channel: 'x' } });
  void More;
}

export function schemasPrograms() {
  class Feed extends Entity {
    id = '';
    type = '';
    get isLink() {
      return this.type === 'link';
    }
  }
  class Link extends Feed {
    type = 'link' as const;
    url = '';
  }
  class Post extends Feed {
    type = 'post' as const;
    content = '';
  }
  const union = new schema.Union({ link: Link, post: Post }, 'type');
  const byFunction = new Union({ link: Link, post: Post }, (value: any) => value.type);
  const FeedResource = resource({ path: '/feed/:id', schema: union });
  void FeedResource.get({ id: '5' });
  void new RestEndpoint({
    path: '/feed',
    schema: new schema.Array({ link: Link, post: Post }, 'type'),
  });
  void new RestEndpoint({ path: '/feed', schema: [union] });
  void new RestEndpoint({
    path: '/feed',
    schema: new schema.Values({ link: Link, post: Post }, (v: any) => v.type),
  });
  void new RestEndpoint({ path: '/rates', schema: new Values(Todo) });
  void new RestEndpoint({ path: '/rates', schema: new Collection(new Values(Todo)) });
  void new RestEndpoint({ path: '/feed/:id', method: 'DELETE', schema: new Invalidate(Link) });
  void new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: new Invalidate({ link: Link, post: Post }, 'type'),
  });
  void new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: new schema.Invalidate(union),
  });
  void new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: [new schema.Invalidate(Link)],
  });
  void new RestEndpoint({
    path: '/all',
    schema: { users: [User], todos: new schema.Array(Todo), next: '', n: 0 },
  });
  void new RestEndpoint({ path: '/all', schema: new schema.Object({ users: [User] }) });
  void byFunction;

  const TodoResource = resource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { userId?: number } | undefined,
  });
  const queryRemaining = new Query(
    TodoResource.getList.schema,
    (entries) => entries.filter((todo) => !todo.completed).length,
  );
  const sorted = new Query(new All(Todo), (todos, { asc }: { asc: boolean } = { asc: false }) => {
    const copy = [...todos].sort((a, b) => a.title.localeCompare(b.title));
    return asc ? copy : copy.reverse();
  });
  const grouped = new schema.Query(
    TodoResource.getList.schema,
    (todos, { userId }: { userId?: number }) =>
      Object.groupBy(
        todos.filter((t) => t.userId === userId),
        (todo) => todo.userId,
      ),
  );
  const one = new Query(User, (user) => user.name);
  void [queryRemaining, sorted, grouped, one];
}

export function entitiesPrograms() {
  class Article extends Entity {
    readonly id: number | undefined = undefined;
    readonly slug: string = '';
    readonly author: User = User.fromJS();
    readonly tags: string[] = [];
    readonly publishedAt: Date | undefined = undefined;

    pk(parent?: any, key?: string, args?: readonly any[]) {
      return this.id ?? args?.[0]?.id;
    }

    static key = 'Article';
    static schema = { author: User, publishedAt: Date };
    static indexes = ['slug'] as const;

    static process(value: any, parent: any, key: any, args: any[]) {
      return { ...value, slug: value.slug ?? args[0]?.slug };
    }
    static merge(existing: any, incoming: any) {
      return { ...existing, ...incoming };
    }
    static shouldReorder(
      existingMeta: { date: number; fetchedAt: number },
      incomingMeta: { date: number; fetchedAt: number },
      existing: { updatedAt: number },
      incoming: { updatedAt: number },
    ) {
      return incoming.updatedAt < existing.updatedAt;
    }
    static shouldUpdate(existingMeta: any, incomingMeta: any, existing: any, incoming: any) {
      return true;
    }
    static mergeWithStore(
      existingMeta: { expiresAt: number; date: number; fetchedAt: number },
      incomingMeta: { expiresAt: number; date: number; fetchedAt: number },
      existing: any,
      incoming: any,
    ) {
      return super.mergeWithStore(existingMeta, incomingMeta, existing, incoming);
    }
    static mergeMetaWithStore(
      existingMeta: { expiresAt: number; date: number; fetchedAt: number },
      incomingMeta: { expiresAt: number; date: number; fetchedAt: number },
      existing: any,
      incoming: any,
    ) {
      return super.mergeMetaWithStore(existingMeta, incomingMeta, existing, incoming);
    }
    static validate(processedEntity: any) {
      return validateRequired(processedEntity, this.defaults) || super.validate(processedEntity);
    }
    static queryKey(args: any, queryKey: any, getEntity: any, getIndex: any) {
      if (args[0]?.slug) return getIndex(this.key, 'slug', args[0].slug)[args[0].slug];
      return super.queryKey(args, queryKey, getEntity, getIndex);
    }
  }
  class ArticleSummary extends Article {
    static schema = { ...super.schema, editor: User };
  }
  void ArticleSummary;
  class Stream extends Entity {
    username = '';
    title = '';
    pk() {
      return this.username;
    }
    static key = 'Stream';
  }
  void Stream;
  class TodoData {
    id = '';
    title = '';
    readonly completed: boolean = false;
  }
  class MixedTodo extends EntityMixin(TodoData, { key: 'Todo' }) {}
  class SlugTodo extends schema.Entity(TodoData, { pk: 'title', schema: { title: String } }) {}
  class FnTodo extends EntityMixin(TodoData, { pk: (value: any) => `${value.id},x` }) {}
  void [MixedTodo, SlugTodo, FnTodo];
  class ExchangePrice extends Entity {
    currency_from = '';
    pk(): string {
      return this.currency_from;
    }
    static override key = 'x';
  }
  void ExchangePrice;
  abstract class Base extends Entity {
    readonly id: string = '';
    static urlRoot = '';
  }
  class Concrete extends Base {
    name = '';
  }
  void resource({ path: '/c/:id', schema: Concrete });
}

export function collectionsPrograms() {
  const options: CollectionOptions<[{ userId?: string }], { id: string }> = {
    nestKey: (parent, key) => ({ userId: parent.id }),
  };
  const todos = new Collection([Todo], options);
  const typed = new schema.Collection([Todo], {
    argsKey: (urlParams: { userId?: string }) => ({ ...urlParams }),
  });
  const filtered = new Collection([Todo], {
    nonFilterArgumentKeys: (key) => key === 'orderBy',
    createCollectionFilter:
      (...args) =>
      (collectionKey) =>
        Object.entries(collectionKey).every(([k, v]) => args[0]?.[k] === v),
  });
  const merged = todos.addWith((existing: any, incoming: any) => [...incoming, ...existing]);
  class MyCollection<
    S extends any[] | PolymorphicInterface = any,
    Args extends any[] = [urlParams: any, body?: any],
    Parent = any,
  > extends Collection<S, Args, Parent> {
    nonFilterArgumentKeys(key: string) {
      return super.nonFilterArgumentKeys?.(key) || key === 'since' || key === 'until';
    }
  }
  void resource({ path: '/todos/:id', schema: Todo, Collection: MyCollection });
  const C: Collection<[typeof Todo], [{ userId: string }], User> = new Collection([Todo], {
    argsKey: ({ userId }: { userId: string }) => ({ userId }),
  });
  class Author extends Entity {
    id = '';
    todos: Todo[] = [];
    static schema = {
      todos: new schema.Collection([Todo], { nestKey: (parent, key) => ({ userId: parent.id }) }),
    };
  }
  void [typed, filtered, merged, C, Author, MyCollection];
  const getPosts = new RestEndpoint({
    path: '/posts',
    searchParams: {} as { cursor?: string | number; author: string },
    schema: { posts: new schema.Collection([Todo]), cursor: '' },
    paginationField: 'cursor',
  });
  void getPosts.getPage({ author: 'x', cursor: 5 });
  const nextPage = getPosts.paginated(
    ({ cursor, ...rest }: { cursor: string | number; author: string }) => [rest],
  );
  const nextPage2 = getPosts.paginated('cursor');
  void nextPage({ author: '', cursor: 1 });
  void nextPage2({ author: '', cursor: 1 });
}

export async function endpointsPrograms() {
  const getTodo = new Endpoint(
    (params: { id: string }): Promise<{ id: string; title: string }> =>
      fetch(`/todos/${params.id}`).then((res) => res.json()),
    { schema: Todo, name: 'getTodo' },
  );
  void getTodo({ id: '5' });
  class MyEndpoint<F extends FetchFunction = FetchFunction> extends Endpoint<F> {
    dataExpiryLength = 5000;
    errorPolicy(error: any) {
      return error.status >= 500 ? ('soft' as const) : undefined;
    }
  }
  void new MyEndpoint(async () => 5);
  const mutation = new Endpoint(async (body: { id: number }) => body, {
    sideEffect: true,
    name: 'x',
    schema: Todo,
    update: (newId: string) => ({
      [getTodo.key({ id: '1' })]: (ids: string[] = []) => [...ids, newId],
    }),
    getOptimisticResponse(snap, body) {
      const { data } = snap.getResponse(getTodo, { id: '5' });
      if (!data) throw snap.abort;
      return { ...data, ...body };
    },
  });
  void mutation;
  const increment = new RestEndpoint({
    path: '/count/:id',
    method: 'POST',
    body: undefined,
    name: 'increment',
    schema: Todo,
    getOptimisticResponse(snap, { id }) {
      const data = snap.get(Todo, { id });
      if (!data) throw snap.abort;
      return { id, userId: data.userId + 1 };
    },
  });
  void increment({ id: 5 });
  const upload = new RestEndpoint({ path: '/photo/:id', method: 'POST', body: {} as FormData });
  void upload({ id: 1 }, new FormData());
  const getPhoto = new RestEndpoint({
    path: '/photos/:userId',
    dataExpiryLength: 1000,
    fetch: async function (this: any, ...args) {
      return 'x';
    },
  });
  void getPhoto({ userId: '' });
  const blob = new RestEndpoint({
    path: '/photos/:userId/photo',
    parseResponse(response) {
      return response.blob();
    },
    process(blob): { blob: Blob; url: string } {
      return { blob, url: '' };
    },
  });
  (await blob({ userId: '1' })).url;
  const withHeaders = new RestEndpoint({
    path: '/x/:id',
    async parseResponse(response) {
      return {
        results: await RestEndpoint.prototype.parseResponse.call(this, response),
        link: response.headers.get('link'),
      };
    },
    schema: { results: [Todo], link: '' },
    process(value, { id }: any) {
      return value;
    },
    searchToString(searchParams) {
      return `${new URLSearchParams(searchParams)}`;
    },
    key(...args) {
      return 'x';
    },
    getHeaders: async (headers) => ({ ...headers, x: 'y' }),
    requestInit: { credentials: 'include' },
  });
  void withHeaders({ id: 1 });
}

/** The resource, with a partial update whose body is the optimistic response. */
export function withOptimisticUpdate<R extends { get: GetEndpoint; partialUpdate: MutateEndpoint }>(
  base: R,
) {
  return {
    ...base,
    partialUpdate: base.partialUpdate.extend({
      getOptimisticResponse: (snap: unknown, params: object, body: object) => ({
        ...params,
        ...body,
      }),
    }),
  };
}
export const optimisticTodos = withOptimisticUpdate(resource({ path: '/todos/:id', schema: Todo }));

/** The schema of an endpoint is defined, also where generic functions read it. */
const listedUsers = new Endpoint(async (filter?: { name?: string }) => [{ id: '5' }], {
  name: 'listedUsers',
  schema: new Collection([User]),
});
const addUser = new Endpoint(async (user: { id: string }) => user, {
  name: 'addUser',
  schema: listedUsers.schema.push,
  sideEffect: true,
});
export const addedUser = async () => (await addUser({ id: '6' })).id;
export const nameOfUser = (users: Denormalize<typeof listedUsers.schema>) => users[0]?.name;
