/** Forms of Data Client that compile with imports of `signalbox/data-client` alone. */
import { Component, useContext, useSyncExternalStore } from 'react';
import { expectTypeOf, test } from 'vitest';
import {
  applyManager,
  AsyncBoundary,
  Collection,
  ControllerContext,
  createFetch,
  createPersistedStore,
  createReducer,
  createServerDataComponent,
  createSet,
  createSetResponse,
  DataProvider,
  DefaultConnectionListener,
  Endpoint,
  Entity,
  GQLEndpoint,
  getDefaultManagers,
  initialState,
  initManager,
  NetworkError,
  NetworkManager,
  PollingSubscription,
  Query,
  resource,
  RestEndpoint,
  schema,
  StateContext,
  StoreContext,
  SubscriptionManager,
  useDLE,
  useFetch,
  useLive,
  usePromisifiedDispatch,
  useQuery,
  useResource,
  useSuspense,
} from 'signalbox/data-client';
import type {
  ActionMeta,
  ConnectionListener,
  ContentType,
  Controller,
  CustomResource,
  Defaults,
  DenormalizeNullable,
  EndpointInstance,
  EndpointInterface,
  ErrorTypes,
  ExtendedResource,
  FetchFunction,
  FetchingMeta,
  GetEndpoint,
  GQLError,
  HookableEndpointInterface,
  IDenormalizeDelegate,
  Manager,
  Middleware,
  MoveEndpoint,
  MutateEndpoint,
  OptionsToFunction,
  ParamToArgs,
  Queryable,
  ReadEndpoint,
  RemoveEndpoint,
  ResolveType,
  ResourceInterface,
  RestExtendedEndpoint,
  RestFetch,
  RestGenerics,
  RestInstance,
  RestInstanceBase,
  RestTypeNoBody,
  Schema,
  SchemaArgs,
  SetMeta,
  SnapshotInterface,
  State,
  SubscribeAction,
  UnsubscribeAction,
} from 'signalbox/data-client';
import { MockResolver } from 'signalbox/data-client/test';
import type { Fixture, Interceptor } from 'signalbox/data-client/test';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
}

const TodoResource = resource({
  path: '/todos/:id',
  searchParams: {} as { userId?: number } | undefined,
  schema: Todo,
});
declare const controller: Controller;

test('[T5] endpoints with and without sideEffect are accepted by generic hooks over ReadEndpoint and EndpointInterface', () => {
  const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id }), { schema: Todo });
  const useKey = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): string =>
    endpoint.key(...args);
  const fetchAny = <E extends EndpointInterface>(_endpoint: E, ..._args: Parameters<E>) =>
    undefined as unknown as ResolveType<E>;
  expectTypeOf(useKey(getTodo, { id: 5 })).toEqualTypeOf<string>();
  expectTypeOf(useKey(TodoResource.get, { id: 5 })).toEqualTypeOf<string>();
  expectTypeOf(fetchAny(getTodo, { id: 5 })).toEqualTypeOf<{ id: number }>();
  // @ts-expect-error -- a mutation is no read
  useKey(TodoResource.update, { id: 5 }, {});
  const own: EndpointInstance<(id: number) => Promise<number>, undefined, undefined> = new Endpoint(
    async (id: number) => id,
  );
  expectTypeOf(own(5)).resolves.toEqualTypeOf<number>();
});

test('[T5] endpoint classes may override options that are functions as methods', () => {
  class Optimistic<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getOptimisticResponse(_: unknown, ...args: any[]): any {
      return args.at(-1);
    }
    override update(id: string) {
      return { list: (ids: string[] = []) => [...ids, id] };
    }
  }
  const put = new Optimistic({ path: '/todos/:id', method: 'PUT', schema: Todo, body: {} as Todo });
  expectTypeOf(put).toBeCallableWith({ id: 5 }, Todo.fromJS({}));
  class Authd<
    F extends FetchFunction = FetchFunction,
    S extends Schema | undefined = any,
    M extends true | undefined = any,
  > extends Endpoint<F, S, M> {
    token = '';
    override getOptimisticResponse(...args: any[]): any {
      return args[1];
    }
  }
  const authd = new Authd(async (id: string) => id.length, { schema: Todo });
  expectTypeOf(authd('a')).resolves.toEqualTypeOf<number>();
  expectTypeOf(authd.token).toEqualTypeOf<string>();
});

test('[T5] a PUT endpoint is assignable to MutateEndpoint', () => {
  type Body = {
    readonly body: Partial<Todo>;
    readonly path: '/todos/:id';
    readonly schema: typeof Todo;
  };
  const put: MutateEndpoint<Body> = new RestEndpoint({
    path: '/todos/:id',
    method: 'PUT',
    schema: Todo,
    body: {} as Partial<Todo>,
  });
  expectTypeOf(put).toBeCallableWith({ id: 5 }, { title: 'a' });
});

test('[T5] `fetch` of `delete` resolves with an instance of the entity', () => {
  expectTypeOf(controller.fetch(TodoResource.delete, { id: 5 })).resolves.toExtend<Todo>();
});

test('[T5] getResponse, getError and getResponseMeta take a state as the last argument, also if all others are optional', () => {
  expectTypeOf(controller.getResponse(TodoResource.getList, initialState).data).toExtend<
    readonly Todo[] | undefined
  >();
  const state = controller.getState();
  controller.getError(TodoResource.getList, state);
  const { data, expiryStatus } = controller.getResponseMeta(TodoResource.get, { id: 5 }, state);
  expectTypeOf(data?.title).toEqualTypeOf<string | undefined>();
  expectTypeOf(expiryStatus).toEqualTypeOf<1 | 2 | 3>();
  const { title } = controller.getQueryMeta(Todo, { id: 5 }, state).data ?? {};
  expectTypeOf(title).toEqualTypeOf<string | undefined>();
  controller.snapshot(state, 5).getResponseMeta(TodoResource.get, { id: 5 });
});

test('[T5] a param of a union of strings keeps the data of a read defined', () => {
  const getFeed = new RestEndpoint({
    path: '/feed/:group',
    searchParams: {} as { sort: 'new' | 'top'; tags?: string[]; within?: { days: 1 | 7 } },
    schema: { todos: new Collection([Todo]), next: '' },
  });
  const Feed = ({ sort, group }: { sort: 'new' | 'top'; group?: string }) => {
    const { todos, next } = useSuspense(getFeed, { group: 'a', sort: 'new', tags: ['b'] });
    expectTypeOf(todos).toExtend<readonly Todo[]>();
    expectTypeOf(next).toEqualTypeOf<string>();
    const params = { group: 'a', sort, within: { days: 7 } } as const;
    expectTypeOf(useLive(getFeed, params).next).toEqualTypeOf<string>();
    expectTypeOf(useResource(getFeed, { group: 'a', sort: 'top' }).next).toEqualTypeOf<string>();
    expectTypeOf(useFetch(getFeed, { group: 'a', sort: 'top' })).resolves.toExtend<object>();
    const { data, loading, error } = useDLE(getFeed, { group: 'a', sort: 'top' });
    if (!loading && error === undefined) expectTypeOf(data.next).toEqualTypeOf<string>();
    const found = useSuspense(getFeed, group === undefined ? null : { group, sort: 'new' });
    expectTypeOf(found.next).toEqualTypeOf<string>();
    expectTypeOf(found.todos).toExtend<readonly Todo[] | undefined>();
    // @ts-expect-error -- no such order
    useSuspense(getFeed, { group: 'a', sort: 'old' });
    // @ts-expect-error -- the group is missing
    useDLE(getFeed, { sort: 'new' });
    return null;
  };
  expectTypeOf(Feed).toBeFunction();
});

test('[T5] a collection of an array has the rows of the array', () => {
  class Note extends Entity {
    id = '';
    text = '';
  }
  const todos = new RestEndpoint({ path: '/a', schema: new Collection(new schema.Array(Todo)) });
  const mixed = new RestEndpoint({
    path: '/b',
    schema: new Collection(new schema.Array({ todo: Todo, note: Note }, 'type')),
  });
  const Lists = () => {
    expectTypeOf(useSuspense(todos)).toExtend<readonly Todo[]>();
    expectTypeOf(useSuspense(mixed)).toExtend<readonly (Todo | Note)[]>();
    expectTypeOf(controller.fetch(todos.push, { title: 'a' })).resolves.toExtend<Todo>();
    expectTypeOf(controller.fetch(mixed.push, { text: 'a' })).resolves.toExtend<Todo | Note>();
    return null;
  };
  expectTypeOf(useSuspense(todos)).not.toBeAny();
  expectTypeOf(useSuspense(mixed)).not.toBeAny();
  expectTypeOf(Lists).toBeFunction();
});

test('[T5] useQuery of a Query over a Collection needs no arguments', () => {
  const total = new Query(new Collection([Todo]), (todos) => todos.length);
  const byUser = new Query(new Collection([Todo]), (todos, { userId }: { userId?: number } = {}) =>
    todos.filter((todo) => todo.userId === userId),
  );
  const typed = new Collection([Todo], {
    argsKey: ({ userId }: { userId: number }) => ({ userId }),
  });
  const Total = () => {
    expectTypeOf(useQuery(total)).toEqualTypeOf<number | undefined>();
    expectTypeOf(useQuery(total, { userId: 1 })).toEqualTypeOf<number | undefined>();
    expectTypeOf(useQuery(byUser)).toExtend<readonly Todo[] | undefined>();
    expectTypeOf(useQuery(new Collection([Todo]))).toExtend<readonly Todo[] | undefined>();
    // @ts-expect-error -- this collection declares its argument
    useQuery(typed);
    return null;
  };
  expectTypeOf(controller.get(total)).toEqualTypeOf<number | undefined>();
  expectTypeOf(Total).toBeFunction();
});

test('[T5] createFetch, createSet and createSetResponse return actions for dispatch and reducers', () => {
  const fetching = createFetch(TodoResource.get, { args: [{ id: 5 }] });
  void fetching.meta.promise.then(() => controller.dispatch(fetching));
  const response = createSet(TodoResource.get, { args: [{ id: 5 }], response: { id: 5 } });
  expectTypeOf(response.meta).toEqualTypeOf<SetMeta>();
  const failed = createSetResponse(TodoResource.get, {
    args: [{ id: 5 }],
    response: new Error('no'),
    error: true,
  });
  const value = createSet(Todo, { args: [{ id: 5 }], value: { id: 5 } });
  const reducer = createReducer(controller);
  const states = [response, failed, value].map((action) => reducer(undefined, action));
  expectTypeOf(states).toEqualTypeOf<State<unknown>[]>();
  // @ts-expect-error -- arguments are those of the endpoint
  createFetch(TodoResource.get, { args: [{ name: 5 }] });
});

test('[T5] managers written for older versions compile', () => {
  class Listener implements ConnectionListener {
    isOnline = () => true;
    addOnlineListener() {}
    removeOnlineListener() {}
    addOfflineListener() {}
    removeOfflineListener() {}
  }
  class Polling extends PollingSubscription {
    constructor(action: Omit<SubscribeAction, 'type'>, own: Controller) {
      super(action, own, action.args.length > 0 ? new Listener() : new DefaultConnectionListener());
    }
  }
  class Subscriptions extends SubscriptionManager<typeof Polling> {
    protected override handleSubscribe(action: SubscribeAction): void {
      super.handleSubscribe(action);
    }
    protected override handleUnsubscribe(action: UnsubscribeAction): void {
      super.handleUnsubscribe(action);
    }
  }
  const managers = [new NetworkManager(60_000, 1000), new Subscriptions(Polling)];
  const [middleware] = applyManager(managers, controller);
  middleware?.(controller)(controller.dispatch);
  expectTypeOf(initManager(managers, controller)()).toEqualTypeOf<() => void>();
});

test('[T5] StoreContext and ControllerContext have the store and the controller', () => {
  const useEntities = () => {
    const { subscribe, getState } = useContext(StoreContext);
    void useContext(ControllerContext).fetch(TodoResource.get, { id: 5 });
    return useSyncExternalStore(subscribe, getState).entities;
  };
  expectTypeOf(useEntities).returns.toEqualTypeOf<State<unknown>['entities']>();
});

test('[T5] `response` of a NetworkError has headers', () => {
  const describe = (error: ErrorTypes) =>
    error instanceof NetworkError ? error.response.headers.get('date') : error.message;
  expectTypeOf(describe).returns.toEqualTypeOf<string | null>();
});

test('[T5] generic classes extend GQLEndpoint', () => {
  class Authd<V, S extends Schema | undefined = undefined> extends GQLEndpoint<V, S> {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, token: 'a' };
    }
  }
  const gql = new Authd('https://api.test/graphql');
  const getTodo = gql.query((variables: { id: string }) => `{ todo(id: ${variables.id}) { id } }`, {
    todo: Todo,
  });
  expectTypeOf(getTodo).toBeCallableWith({ id: 'a' });
  const operation: GQLEndpoint<{ id: string }> = getTodo;
  expectTypeOf(operation.schema).toBeAny();
  expectTypeOf(new Collection([Todo])).not.toBeAny();
});

test('[T5] an entity may override `denormalize` with the parameters of older versions', () => {
  class Old extends Todo {
    static override denormalize(input: any, args: any, unvisit: any): any {
      return super.denormalize(input, args, unvisit);
    }
  }
  expectTypeOf(Old.fromJS({})).toExtend<Todo>();
});

test('[T5] type annotations accept resources, extended endpoints and extended resources', () => {
  const { get }: ResourceInterface = TodoResource;
  expectTypeOf(get).toBeCallableWith({ id: 5 });
  const endpoints: RestInstanceBase[] = [TodoResource.update, TodoResource.getList.push];
  const one: RestInstance = TodoResource.get;
  expectTypeOf([...endpoints, one]).items.toHaveProperty('path');
  type Extended = ExtendedResource<typeof TodoResource, { ping: typeof TodoResource.get }>;
  expectTypeOf<Extended['ping']>().toBeCallableWith({ id: 5 });
  type Custom = CustomResource<typeof TodoResource, unknown, { path: '/todos/by/:slug' }>;
  expectTypeOf<Custom['get']>().toBeCallableWith({ slug: 'a' });
  expectTypeOf<Custom['getList']>().toBeCallableWith();
  expectTypeOf<RestExtendedEndpoint<{ path: '/z/:z' }, typeof TodoResource.get>>().toBeCallableWith(
    { z: 5 },
  );
  expectTypeOf<OptionsToFunction<{ path: '/z/:z' }, typeof TodoResource.get>>().toBeCallableWith({
    z: 5,
  });
  expectTypeOf<
    RestFetch<{ id: number }, { a: string }, Todo>
  >().returns.resolves.toEqualTypeOf<Todo>();
  expectTypeOf<RestTypeNoBody<{ id: number }, typeof Todo>>().toBeCallableWith({ id: 5 });
  expectTypeOf<Defaults<{ a?: string }, { b: number }>>().toExtend<{ b: number }>();
  expectTypeOf<HookableEndpointInterface>().toHaveProperty('extend');
});

test('[T5] managers of each version compile: protected middleware, public middleware, and objects in the prop `managers`', () => {
  class Older implements Manager {
    declare protected middleware: Middleware;
    #isOpen = false;
    constructor() {
      this.middleware = (controller) => {
        this.#isOpen = controller.getState().lastReset === 0;
        return (next) => async (action) => (this.#isOpen ? next(action) : undefined);
      };
    }
    getMiddleware() {
      return this.middleware;
    }
    cleanup() {}
  }
  class Newer implements Manager {
    middleware: Middleware = () => (next) => async (action) => next(action);
    init(state: State) {
      expectTypeOf(state.lastReset).toBeNumber();
    }
    cleanup() {}
  }
  const managers: Manager[] = [new Older(), new Newer()];
  const inList = (
    <DataProvider
      managers={[
        ...managers,
        {
          middleware: (controller) => (next) => (action) =>
            controller.getState().lastReset > 0 ? Promise.resolve() : next(action),
          cleanup() {},
        },
      ]}
    />
  );
  expectTypeOf(inList).toBeObject();
  // @ts-expect-error -- a manager has `cleanup`
  class Incomplete implements Manager {}
  expectTypeOf(new Incomplete()).toBeObject();
});

test('[T5] entities of older versions may override `infer` and `useIncoming`', () => {
  class Versioned extends Todo {
    version = 0;
    static override useIncoming(_em: object, _im: object, existing: any, incoming: any): boolean {
      return (
        incoming.version >= existing.version && super.useIncoming(_em, _im, existing, incoming)
      );
    }
    static override infer(args: any, indexes: any, recurse: any, entities: any): any {
      return super.infer(args, indexes, recurse, entities);
    }
  }
  expectTypeOf(new Versioned().version).toBeNumber();
});

test('[T5] an entity may call `super.process` with the arguments of each version', () => {
  class Old extends Todo {
    static override process(input: any, parent: any, key: string | undefined): any {
      return { ...super.process(input, parent, key), userId: 1 };
    }
  }
  class New extends Todo {
    static override process(input: any, parent: any, key: string | undefined, args: any[]): any {
      return super.process({ ...input, page: args[0] }, parent, key);
    }
  }
  expectTypeOf([Old.fromJS({}), New.fromJS({})]).items.toExtend<Todo>();
});

test('[T5] a mutation whose body is `any` takes every body', () => {
  type Options = { readonly path: '/todos/:id'; readonly schema: typeof Todo; readonly body: any };
  const mutation = {} as MutateEndpoint<Options>;
  expectTypeOf(mutation).toBeCallableWith({ id: 5 }, 'text');
  expectTypeOf(mutation({ id: 5 }, new FormData())).resolves.toExtend<Todo>();
  const post = new RestEndpoint({ path: '/todos/:id', method: 'POST', body: {} as any });
  expectTypeOf(post).toBeCallableWith({ id: 5 }, [1]);
  const { update, getList } = resource({ path: '/todos/:id', schema: Todo, body: {} as any });
  expectTypeOf(update).toBeCallableWith({ id: 5 }, 'text');
  expectTypeOf(getList.push).toBeCallableWith('text');
  // @ts-expect-error -- the params are those of the path
  void mutation({ name: 5 }, {});
});

test('[T5] interceptors and fixtures are typed by their endpoint', () => {
  const count: Interceptor<{ count: number }, typeof TodoResource.partialUpdate> = {
    endpoint: TodoResource.partialUpdate,
    response({ id }, body) {
      this.count++;
      expectTypeOf(id).toEqualTypeOf<string | number>();
      return { id, ...body };
    },
  };
  const fetched: Interceptor<unknown, typeof TodoResource.get> = {
    endpoint: TodoResource.get,
    fetchResponse: (input, { method }) => ({ id: input.length, title: method }),
  };
  const first: Fixture<typeof TodoResource.get> = {
    endpoint: TodoResource.get,
    args: [{ id: 5 }],
    response: { id: 5 },
  };
  const all: (Fixture | Interceptor)[] = [first, count, fetched];
  expectTypeOf(<MockResolver fixtures={all}>{null}</MockResolver>).toBeObject();
  const other: Interceptor<unknown, typeof TodoResource.get> = {
    // @ts-expect-error -- another endpoint
    endpoint: TodoResource.update,
    response: ({ id }) => ({ id }),
  };
  expectTypeOf(other).toBeObject();
});

test('[T5] the component of createServerDataComponent takes a nonce', () => {
  const [, useReadyCacheState] = createPersistedStore();
  const Data = createServerDataComponent(useReadyCacheState);
  expectTypeOf(<Data nonce="abc" />).toBeObject();
  expectTypeOf(<Data />).toBeObject();
});

test('[T5] StateContext is typed as the state, and usePromisifiedDispatch returns a dispatch with a promise', () => {
  const State = () => {
    const state = useContext(StateContext);
    expectTypeOf(state).toEqualTypeOf<State<unknown>>();
    const add = usePromisifiedDispatch<(count: number, step: number) => number>(() => {}, 5);
    expectTypeOf(add).toEqualTypeOf<(step: number) => Promise<void>>();
    return null;
  };
  expectTypeOf(State).toBeFunction();
});

test('[T5] RestEndpoint without type parameters is the type of every rest endpoint', () => {
  const withToken = (endpoint: RestEndpoint) => endpoint.extend({ accessToken: 'abc' });
  const useTagged = <E extends RestEndpoint>(endpoint: E): E => endpoint;
  class Paged extends RestEndpoint<{ path: '/pages/:page' }> {}
  const all: RestEndpoint[] = [
    TodoResource.get,
    TodoResource.getList,
    TodoResource.getList.push,
    TodoResource.update,
    TodoResource.delete,
    new Paged({ path: '/pages/:page' }),
    new RestEndpoint({ path: '/todos', method: 'PUT', schema: [Todo] }),
  ];
  for (const endpoint of all) void controller.fetch(withToken(endpoint), {}, new FormData());
  expectTypeOf(useTagged(TodoResource.update)).toEqualTypeOf(TodoResource.update);
  expectTypeOf(controller.fetch(useTagged(TodoResource.get), { id: 5 })).resolves.toExtend<Todo>();
  const useTitle = (endpoint: RestEndpoint): string => useSuspense(endpoint, { id: 5 }).title;
  expectTypeOf(useTitle).toBeFunction();
  const pathOf = <O extends RestGenerics>(endpoint: RestEndpoint<O>): string => endpoint.path;
  expectTypeOf(pathOf(new RestEndpoint({ path: '/todos/:id' }))).toBeString();
  // @ts-expect-error -- no rest endpoint
  withToken(new Endpoint(async (id: number) => id));
});

test('[T5] GetEndpoint of any path and schema accepts each endpoint that reads', () => {
  const read = (endpoint: GetEndpoint<{ path: string; schema: any }>) =>
    controller.getResponse(endpoint, { id: 5 }).data;
  expectTypeOf(read(TodoResource.get)).toBeAny();
  expectTypeOf(read(TodoResource.getList)).toBeAny();
  const list: GetEndpoint = TodoResource.getList;
  expectTypeOf(list).toBeFunction();
  // @ts-expect-error -- another path
  const other: GetEndpoint<{ path: '/users/:name'; schema: typeof Todo }> = TodoResource.get;
  expectTypeOf(other).toBeFunction();
});

test('[T5] remove of the list of a resource takes the params of the list, also after extend', () => {
  const { getList } = TodoResource;
  const pages = { items: new Collection([Todo]), total: 0 };
  expectTypeOf(getList.remove).toBeCallableWith({ userId: 5 }, { id: 1 });
  expectTypeOf(getList.extend({ schema: pages }).remove).toBeCallableWith({ userId: 5 }, {});
  const Paged = TodoResource.extend('getList', { schema: pages });
  expectTypeOf(Paged.getList.remove).toBeCallableWith({ userId: 5 }, { id: 1 });
  expectTypeOf(Paged.getList.move).toBeCallableWith({ id: 5 }, { userId: 1 });
  const Grouped = TodoResource.extend({ getList: { path: '/groups/:group/todos' } });
  expectTypeOf(Grouped.getList.remove).toBeCallableWith({ group: 5, userId: 1 }, { id: 1 });
  // @ts-expect-error -- no param of the list
  void getList.remove({ id: 1 }, {});
});

test('[T5] further types of the Data Client packages accept the values that have these types in Data Client', () => {
  const failure: GQLError = { message: 'no', path: ['user', 0], extensions: { code: 5 } };
  const times: ActionMeta = { fetchedAt: 0, date: 0, expiresAt: 1 };
  const fetching: FetchingMeta = createFetch(TodoResource.get, { args: [{ id: 5 }] }).meta;
  const content: ContentType = 'blob';
  expectTypeOf([failure.message, content]).toEqualTypeOf<string[]>();
  expectTypeOf(times.fetchedAt).toEqualTypeOf(fetching.fetchedAt);
  expectTypeOf<ParamToArgs<{ id: number }>>().toEqualTypeOf<[{ id: number }]>();
  expectTypeOf<ParamToArgs<undefined>>().toEqualTypeOf<[]>();
  type Rest = { readonly path: '/todos/:id'; readonly body: Partial<Todo> };
  const move = {} as MoveEndpoint<FetchFunction, typeof Todo, Rest>;
  expectTypeOf(move).toBeCallableWith({ id: 5 }, { title: 'a' });
  expectTypeOf(move({ id: 5 }, {})).resolves.toExtend<object>();
  const remove = {} as RemoveEndpoint<FetchFunction, typeof Todo, Rest>;
  expectTypeOf(remove).toBeCallableWith({ id: 5 }, { title: 'a' });
  const titleIn = (snapshot: SnapshotInterface) =>
    snapshot.getResponse(TodoResource.get, { id: 5 }).data?.title;
  expectTypeOf(titleIn).returns.toEqualTypeOf<string | undefined>();
  const title = (id: string, delegate: IDenormalizeDelegate): string =>
    delegate.unvisit(Todo, delegate.args[0] ?? id).title;
  expectTypeOf(title).toBeFunction();
});

test('[T5] the managers of a provider are a list or a function', () => {
  const managers = () => [new NetworkManager(), ...getDefaultManagers()];
  expectTypeOf(<DataProvider managers={managers} />).toBeObject();
  expectTypeOf(<DataProvider managers={managers()} />).toBeObject();
  // @ts-expect-error -- managers, not their classes
  expectTypeOf(<DataProvider managers={() => [NetworkManager]} />).toBeObject();
});

test('[T5] errorComponent is a function of any props of the fallback, or a class that reads a part of these', () => {
  class Failed extends Component<{ error: NetworkError }> {
    override render() {
      return this.props.error.status;
    }
  }
  expectTypeOf(<AsyncBoundary errorComponent={Failed} />).toBeObject();
  const inline = (
    <AsyncBoundary
      errorComponent={({ error, resetErrorBoundary, className }) => {
        expectTypeOf(resetErrorBoundary).toEqualTypeOf<() => void>();
        expectTypeOf(className).toEqualTypeOf<string | undefined>();
        return <p>{error.message}</p>;
      }}
    />
  );
  expectTypeOf(inline).toBeObject();
  // @ts-expect-error -- a prop that no boundary passes
  expectTypeOf(<AsyncBoundary errorComponent={({ code }: { code: 5 }) => code} />).toBeObject();
});

test('[T5] functions in the options of an Endpoint read options of the application from this', () => {
  const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id }), {
    base: 'todo',
    key({ id }) {
      return `${this.base}/${id}`;
    },
  });
  expectTypeOf(getTodo.base).toEqualTypeOf<string>();
  expectTypeOf(getTodo.key({ id: 5 })).toEqualTypeOf<string>();
});

test('[T5] the response of an endpoint of unknown type is any', () => {
  const titleOf = async <E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>) =>
    ((await endpoint(...args)).title as string).trim();
  expectTypeOf(titleOf(TodoResource.get, { id: 5 })).resolves.toEqualTypeOf<string>();
  expectTypeOf<ResolveType<EndpointInterface>>().toBeAny();
  expectTypeOf<ReturnType<FetchFunction<[number], string>>>().toEqualTypeOf<Promise<string>>();
});

test('[T5] a snapshot of the controller has the status of expiry, and the list of optimistic writes can be replaced', () => {
  const response = controller.snapshot(controller.getState()).getResponse(TodoResource.getList);
  expectTypeOf(response.expiryStatus).toEqualTypeOf<1 | 2 | 3>();
  expectTypeOf(response.data).toEqualTypeOf<Todo[] | undefined>();
  const saved: State<unknown> = { ...controller.getState(), optimistic: [] };
  expectTypeOf(saved.optimistic.push).toBeFunction();
});

test('[T5] generic functions return the data of a query as DenormalizeNullable', () => {
  const useRow = <S extends Queryable>(
    one: S,
    ...args: SchemaArgs<S>
  ): DenormalizeNullable<S> | undefined => {
    const state = useContext(StateContext);
    return controller.get(one, ...args, state);
  };
  const useOther = <S extends Queryable>(
    one: S,
    ...args: SchemaArgs<S>
  ): DenormalizeNullable<S> | undefined => useQuery(one, ...args);
  expectTypeOf(useRow(Todo, { id: 5 })).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useOther(new Collection([Todo]), {})).toEqualTypeOf<Todo[] | undefined>();
  const page = {} as DenormalizeNullable<{ rows: (typeof Todo)[]; next: string }>;
  expectTypeOf(page.rows).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(page.next).toEqualTypeOf<string>();
});

test('[T5] the parameters of predicate, an option of the Redux DevTools, need no types', () => {
  const managers = getDefaultManagers({
    devToolsManager: { predicate: (state, action) => state !== action.schema[0], trace: true },
  });
  expectTypeOf(managers).toEqualTypeOf<Manager[]>();
  // @ts-expect-error -- no boolean
  getDefaultManagers({ devToolsManager: { predicate: () => 'yes' } });
});
