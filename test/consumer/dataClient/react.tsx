/** Programs of Data Client's guides for React compile with imports of this entry alone. */
import { Suspense, useTransition, type ReactNode } from 'react';
import {
  actionTypes,
  AsyncBoundary,
  CacheProvider,
  Controller,
  DataProvider,
  DevToolsManager,
  Endpoint,
  Entity,
  ErrorBoundary,
  getDefaultManagers,
  getImage,
  GQLEndpoint,
  GQLEntity,
  hookifyResource,
  Img,
  LogoutManager,
  NetworkError,
  NetworkErrorBoundary,
  NetworkManager,
  PollingSubscription,
  Query,
  resource,
  ResetError,
  RestEndpoint,
  schema,
  SubscriptionManager,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useLive,
  useLoading,
  useQuery,
  useSubscription,
  useSuspense,
} from 'signalbox/data-client';
import type {
  ActionTypes,
  Denormalize,
  DenormalizeNullable,
  EndpointInterface,
  EntityInterface,
  FetchFunction,
  Manager,
  Middleware,
  MiddlewareAPI,
  ProviderProps,
  ResolveType,
  Schema,
  State,
} from 'signalbox/data-client';

class User extends Entity {
  id = '';
  name = '';
  profileImage = '';
}
class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  user = User.fromJS();
  static schema = { user: User };
}
const TodoResource = resource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: string | number; q?: string } | undefined,
  optimistic: true,
  paginationField: 'cursor',
});
const queryRemaining = new Query(
  TodoResource.getList.schema,
  (entries) => entries.filter((todo) => !todo.completed).length,
);
const getFeed = new RestEndpoint({
  path: '/feed',
  searchParams: {} as { cursor?: string } | undefined,
  schema: { results: new schema.Collection([Todo]), nextPage: '' },
  pollFrequency: 5000,
});

export function managersPrograms() {
  class LoggingManager implements Manager {
    middleware: Middleware = (controller) => (next) => async (action) => {
      console.log('before', action, controller.getState());
      await next(action);
      console.log('after', action, controller.getState());
    };
    cleanup() {}
  }
  class StreamManager implements Manager {
    declare middleware: Middleware;
    declare evtSource: WebSocket;
    protected entities: Record<string, EntityInterface>;
    constructor(getSource: () => WebSocket, entities: Record<string, EntityInterface>) {
      this.entities = entities;
      this.middleware = (controller) => {
        this.evtSource = getSource();
        this.evtSource.onmessage = (event) => {
          try {
            const msg = JSON.parse(event.data);
            if (msg.type in this.entities)
              controller.set(this.entities[msg.type], ...msg.args, msg.data);
          } catch (e) {
            console.error('Failed to handle message', e);
          }
        };
        return (next) => async (action) => next(action);
      };
    }
    cleanup() {
      this.evtSource.close();
    }
  }
  class SubsManager implements Manager {
    protected channels = new Set<string>();
    middleware: Middleware = (controller) => (next) => async (action) => {
      switch (action.type) {
        case actionTypes.SUBSCRIBE:
        case actionTypes.UNSUBSCRIBE: {
          const { schema } = action.endpoint;
          if (action.endpoint.channel) {
            this.channels.add(action.endpoint.channel + action.args[0].product_id);
            return Promise.resolve();
          }
          void schema;
          break;
        }
        case actionTypes.SET_RESPONSE:
          if (action.error && action.response.status === 401) await controller.resetEntireStore();
          if (action.endpoint.sideEffect)
            console.log(action.endpoint.name, action.response, action.key);
          break;
        case actionTypes.FETCH:
          console.log(action.endpoint.name, action.args, action.meta.fetchedAt);
          return action.meta.resolve(5);
      }
      return next(action);
    };
    init = (state: State<any>) => {
      console.log(state.entities);
    };
    cleanup() {}
  }
  class OldManager implements Manager {
    getMiddleware = (): Middleware => (controller) => (next) => async (action) => {
      if (action.type === actionTypes.FETCH_TYPE) console.log(action.endpoint.name);
      await next(action);
      controller.invalidateAll({ testKey: (key) => key.startsWith('GET /x') });
    };
    cleanup() {}
  }
  class TimeManager implements Manager {
    declare protected intervalID?: ReturnType<typeof setInterval>;
    middleware: Middleware = (controller) => {
      this.intervalID = setInterval(() => {
        controller.set(Todo, { id: 5 }, { id: 5, title: 'x' });
      }, 1000);
      return (next) => async (action) => next(action);
    };
    cleanup() {
      clearInterval(this.intervalID);
    }
  }
  function loggerFor(api: MiddlewareAPI) {
    return (action: ActionTypes) => console.log(action.type, api.getState());
  }
  const managers: Manager[] = [
    new LogoutManager({
      handleLogout(controller) {
        controller.invalidateAll(TodoResource.getList);
        controller.resetEntireStore();
      },
      shouldLogout(error) {
        return error.status === 401 && error.message !== '';
      },
    }),
    new LoggingManager(),
    new StreamManager(() => new WebSocket('wss://x'), { Todo, User }),
    new SubsManager(),
    new OldManager(),
    new TimeManager(),
    new DevToolsManager(
      { latency: 1000, maxAge: 5 },
      (action) => action.type !== actionTypes.SET_RESPONSE,
    ),
    new NetworkManager({ dataExpiryLength: 60000, errorExpiryLength: 1000 }),
    new SubscriptionManager(PollingSubscription),
    ...getDefaultManagers({
      devToolsManager: { predicate: (state: any, action: any) => true },
      networkManager: { dataExpiryLength: 1000 },
      subscriptionManager: PollingSubscription,
    }),
    ...getDefaultManagers({ devToolsManager: null, subscriptionManager: null }),
  ];
  const defaultManagers = getDefaultManagers();
  const app = (
    <DataProvider managers={[...managers, ...defaultManagers]} devButton="bottom-right">
      <CacheProvider devButton={null} Controller={Controller} managers={() => getDefaultManagers()}>
        <p />
      </CacheProvider>
    </DataProvider>
  );
  void [app, loggerFor];
  class CustomController extends Controller {
    override fetch: any = (...args: any) => (super.fetch as any)(...args);
  }
  void CustomController;
}

export function hooksPrograms() {
  function TodoDetail({ id }: { id?: number }) {
    const todo = useSuspense(TodoResource.get, id ? { id } : null);
    const known = useSuspense(TodoResource.get, { id: 5 });
    known.title.length;
    return <p>{todo?.title}</p>;
  }
  function TodoList({ userId }: { userId?: number }) {
    const todos = useSuspense(TodoResource.getList, { userId });
    const all = useSuspense(TodoResource.getList);
    const remaining = useQuery(queryRemaining, { userId });
    const one = useQuery(Todo, { id: 5 });
    const feed = useSuspense(getFeed);
    const live = useLive(getFeed, { cursor: '5' });
    useSubscription(getFeed);
    useSubscription(getFeed, userId ? { cursor: `${userId}` } : null);
    const cached = useCache(TodoResource.get, { id: 5 });
    const { data, loading, error } = useDLE(getFeed);
    const { data: todo } = useDLE(TodoResource.get, { id: 5 });
    if (error)
      return (
        <p>
          {error.status}
          {error.message}
        </p>
      );
    if (loading || !data.results) return <p>{data.nextPage}</p>;
    const cachedFeed = useCache(getFeed);
    useError(TodoResource.get, { id: 5 });
    const promise = useFetch(TodoResource.get, { id: 5 });
    if (!promise?.resolved) return null;
    const [query, isPending] = useDebounce('x', 200);
    const [q] = useDebounce({ a: 1 }, 200);
    q.a;
    useSuspense(useCancelling(TodoResource.getList, { q: query }), { q: query });
    return (
      <ul>
        {todos.map((todo) => (
          <TodoItem key={todo.pk()} todo={todo} />
        ))}
        {all.length} {remaining} {one?.title} {feed.results.length} {live.nextPage} {cached?.title}
        {data.results.map((t) => t.title)} {todo?.title} {isPending} {cachedFeed.results?.length}
      </ul>
    );
  }
  function TodoItem({ todo }: { todo: Todo }) {
    const ctrl = useController();
    const { fetch } = useController();
    const [create, loading, error] = useLoading(
      async (title: string) => ctrl.fetch(TodoResource.getList.push, { title }),
      [ctrl],
    );
    const handleChange = async (e: React.ChangeEvent<HTMLInputElement>) => {
      const response = await ctrl.fetch(
        TodoResource.partialUpdate,
        { id: todo.id },
        { completed: e.currentTarget.checked },
      );
      response.title;
      await ctrl.fetch(TodoResource.delete, { id: todo.id });
      await ctrl.fetch(TodoResource.getList.unshift, { userId: '5' }, { title: 'x' });
      await ctrl.fetchIfStale(TodoResource.get, { id: 5 });
      await ctrl.invalidate(TodoResource.get, { id: todo.id });
      await ctrl.invalidateAll(TodoResource.getList);
      await ctrl.expireAll({ testKey: (key) => key.includes('x') });
      await ctrl.expireAll(TodoResource.get);
      await ctrl.resetEntireStore();
      await ctrl.set(Todo, { id: 5 }, { id: 5, title: 'tea' });
      await ctrl.set(Todo, { id: 5 }, (todo) => ({ ...todo, title: 'x' }));
      await ctrl.set(TodoResource.getList.schema.push, { userId: 5 }, { id: 5 });
      await ctrl.setResponse(TodoResource.get, { id: 5 }, { id: 5 });
      await ctrl.setError(TodoResource.get, { id: 5 }, new Error('x'));
      await ctrl.subscribe(getFeed);
      await ctrl.unsubscribe(getFeed);
      const snapshot = ctrl.snapshot(ctrl.getState());
      const { data } = snapshot.getResponse(TodoResource.get, { id: 5 });
      snapshot.get(Todo, { id: 5 })?.title;
      const {
        data: d2,
        expiryStatus,
        expiresAt,
      } = ctrl.getResponse(TodoResource.get, { id: 5 }, ctrl.getState());
      ctrl.getError(TodoResource.get, { id: 5 }, ctrl.getState());
      ctrl.dispatch({ type: actionTypes.RESET, date: 0 });
      void [data, d2, expiryStatus, expiresAt];
      await ctrl.fetch(TodoResource.getList.getPage, { cursor: 5, userId: 1 });
      try {
        await fetch(TodoResource.get, { id: 5 });
      } catch (e) {
        if (e instanceof ResetError || e instanceof NetworkError) return;
      }
    };
    return (
      <form onSubmit={() => create('x')}>
        <input checked={todo.completed} onChange={handleChange} disabled={loading} />
        {error?.message}
      </form>
    );
  }
  function ErrorFallback({
    error,
    resetErrorBoundary,
  }: {
    error: NetworkError;
    resetErrorBoundary: () => void;
  }) {
    return (
      <button onClick={resetErrorBoundary}>
        {error.status} {error.response?.statusText}
      </button>
    );
  }
  const history = { listen: (fn: () => void) => () => {} };
  const tree = (
    <AsyncBoundary
      fallback={<p />}
      errorComponent={ErrorFallback}
      listen={history.listen}
      errorClassName="x"
    >
      <ErrorBoundary fallbackComponent={({ error }) => <p>{error.message}</p>}>
        <NetworkErrorBoundary
          fallbackComponent={({
            error,
            className,
          }: {
            error: Error & { status?: number };
            className?: string;
          }) => <p className={className}>{error.status}</p>}
        >
          <Suspense fallback={null}>
            <TodoDetail id={5} />
            <TodoList />
            <Img src="x.png" alt="" style={{ height: 32 }} />
          </Suspense>
        </NetworkErrorBoundary>
      </ErrorBoundary>
    </AsyncBoundary>
  );
  void [tree, getImage, useTransition];
}

export function wrappersAroundHooksAndTypesPrograms() {
  function useMine<E extends EndpointInterface<FetchFunction, Schema | undefined, undefined>>(
    endpoint: E,
    ...args: Parameters<E>
  ) {
    return useSuspense(endpoint, ...args);
  }
  function useMaybe<
    E extends EndpointInterface<FetchFunction, Schema | undefined, undefined>,
    Args extends readonly [...Parameters<E>] | readonly [null],
  >(endpoint: E, ...args: Args) {
    return useSuspense(endpoint, ...args);
  }
  function useTodo() {
    return [useMine(TodoResource.get, { id: 5 }).title, useMaybe(TodoResource.get, { id: 5 })];
  }
  type A = Denormalize<typeof Todo>;
  type B = DenormalizeNullable<(typeof getFeed)['schema']>;
  type C = ResolveType<typeof TodoResource.get>;
  const a = {} as A;
  a.title;
  const b = {} as B;
  b.results?.length;
  void ({} as C);
  function MyProvider({ children, ...props }: ProviderProps) {
    return <DataProvider {...props}>{children}</DataProvider>;
  }
  function Wrapper({ children }: { children: ReactNode }) {
    return <MyProvider>{children}</MyProvider>;
  }
  void [useTodo, Wrapper];
  const Hooks = hookifyResource(TodoResource, () => ({ credentials: 'same-origin' as const }));
  function useIt() {
    return useSuspense(Hooks.useGet(), { id: 5 });
  }
  void useIt;
}

export async function graphqlPrograms() {
  class Film extends GQLEntity {
    title = '';
    readonly age: number = 0;
  }
  const gql = new GQLEndpoint('https://x/graphql');
  const getFilm = gql.query(
    (v: { id: string }) => `query Film($id: ID!) { film(id: $id) { id title } }`,
    { film: Film },
  );
  const getFilms = gql.query(`{ films { id } }`, { films: [Film] });
  const rename = gql.mutation((v: { id: string; title: string }) => `mutation x { x }`, {
    film: Film,
  });
  class AuthdGQL extends GQLEndpoint {
    getHeaders(headers: HeadersInit) {
      return { ...headers, Authorization: 'x' };
    }
  }
  const mine = new AuthdGQL('x', { getHeaders: (h) => h, dataExpiryLength: 5 });
  function useFilm() {
    const { film } = useSuspense(getFilm, { id: '5' });
    const { films } = useSuspense(getFilms);
    const { films: other } = useSuspense(getFilms, {});
    return [film.title, film.pk(), films[0]?.id, other];
  }
  void [useFilm, mine];
  await rename({ id: '5', title: 'x' });
}

export function endpointsOfFetchFunctionsPrograms() {
  const getUser = new Endpoint(
    (params: { id: string }) => fetch(`/${params.id}`).then((r) => r.json()),
    { schema: User },
  );
  const getUserTyped = new Endpoint(
    ({ id }: { id: string }): Promise<{ id: string; name: string }> =>
      fetch(id).then((r) => r.json()),
  );
  const list = getUser.extend({ schema: [User], dataExpiryLength: 5 });
  function useUsers() {
    const user = useSuspense(getUser, { id: '5' });
    const raw = useSuspense(getUserTyped, { id: '5' });
    const users = useSuspense(list, { id: '1' });
    const { data } = useDLE(getUserTyped, { id: '5' });
    return [user.name, raw.name, users[0]?.name, data?.name];
  }
  void useUsers;
}
