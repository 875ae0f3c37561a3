/** Hooks, components, test kit in the forms of Data Client's pages. */
import { Suspense, useState, useTransition, Component, lazy, createElement, use } from 'react';
import type { ContextType, FormEvent, ReactNode } from 'react';
import {
  AsyncBoundary,
  Controller,
  ControllerContext,
  DataProvider,
  ErrorBoundary,
  getDefaultManagers,
  IdlingNetworkManager,
  NetworkErrorBoundary,
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
  EndpointInterface,
  FetchFunction,
  Schema,
  DenormalizeNullable,
  Denormalize,
} from 'signalbox/data-client';
import { Img, getImage } from 'signalbox/data-client';
import { GQLEndpoint, GQLEntity, GQLNetworkError } from 'signalbox/data-client';
import {
  All,
  Collection,
  Entity,
  NetworkError,
  Query,
  resource,
  RestEndpoint,
  schema,
} from 'signalbox/data-client';
import {
  useLoading as useOldLoading,
  useDebounce as useOldDebounce,
  useCancelling as useOldCancelling,
} from 'signalbox/data-client';
import {
  makeRenderDataHook,
  makeRenderDataClient,
  mockInitialState,
  MockResolver,
  renderDataHook,
  renderHook,
  act,
} from 'signalbox/data-client/test';
import type {
  Fixture,
  Interceptor,
  SuccessFixture,
  ErrorFixture,
} from 'signalbox/data-client/test';

class Profile extends Entity {
  id: number | undefined = undefined;
  fullName = '';
  createdAt = new Date(0);
  static schema = { createdAt: (iso: string) => new Date(iso) };
  static key = 'Profile';
}
const ProfileResource = resource({
  path: '/profiles/:id',
  schema: Profile,
  searchParams: {} as { q?: string; page?: number } | undefined,
});
const getPrice = new RestEndpoint({
  path: '/price/:symbol',
  pollFrequency: 10000,
  process: (value): { price: number } => value,
});
const getFirst = new RestEndpoint({
  path: '/first',
  schema: { user: Profile, others: [Profile], count: 0, meta: { next: '' } },
});

export function Detail({ id }: { id?: number }) {
  const profile = useSuspense(ProfileResource.get, { id: 5 });
  const maybe = useSuspense(ProfileResource.get, id !== undefined ? { id } : null);
  const price = useSuspense(getPrice, { symbol: 'x' });
  const live = useLive(getPrice, { symbol: 'x' });
  const liveMaybe = useLive(getPrice, id ? { symbol: 'x' } : null);
  const first = useSuspense(getFirst);
  const cached = useCache(ProfileResource.get, { id: id ?? 5 });
  const cachedFirst = useCache(getFirst);
  const cachedPrice = useCache(getPrice, { symbol: 'x' });
  const current = useCache(ProfileResource.get, null as null | { id: number });
  useSubscription(getPrice, { symbol: 'x' });
  useSubscription(getPrice, id ? { symbol: 'x' } : null);
  const error = useError(ProfileResource.get, { id: 5 });
  const promise = useFetch(ProfileResource.get, { id: 5 });
  useFetch(ProfileResource.getList);
  useFetch(ProfileResource.get, id ? { id } : null);
  const loaded = use(promise);
  loaded.fullName;
  return (
    <div>
      {profile.fullName} {profile.createdAt.toISOString()} {maybe?.fullName} {price.price}{' '}
      {live.price} {liveMaybe?.price}
      {first.user.fullName} {first.others.map((one) => one.fullName)} {first.meta.next.length}{' '}
      {cached?.fullName}
      {cachedFirst.user?.fullName} {cachedFirst.others?.length} {cachedPrice?.price}{' '}
      {current?.fullName} {error?.message}
    </div>
  );
}
export function Loaded({ id }: { id: string }) {
  const { data, error, loading } = useDLE(ProfileResource.get, { id });
  const { data: list, ...rest } = useDLE(ProfileResource.getList, { page: 5 });
  const { data: skipped } = useDLE(ProfileResource.get, id ? { id } : null);
  const { data: first, loading: l2 } = useDLE(getFirst);
  const { data: price, error: e2 } = useDLE(getPrice, { symbol: 'x' });
  if (error) return <p>{`${error.status}`}</p>;
  if (loading) return <p />;
  if (e2 && 'response' in e2) return null;
  return (
    <p>
      {data.fullName} {list?.map((one) => one.fullName)} {rest.loading} {skipped?.fullName}{' '}
      {first.meta.next} {l2} {price?.price}
    </p>
  );
}
export function Search({ query }: { query: string }) {
  const [debounced, isPending] = useDebounce(query, 200);
  const [q2] = useDebounce({ query }, 200, query !== '');
  const [isTransition, startTransition] = useTransition();
  const list = useSuspense(ProfileResource.getList, { q: debounced });
  const cancelling = useCancelling(ProfileResource.getList, { q: q2.query });
  const cancelled = useSuspense(cancelling, { q: q2.query });
  const ctrl = useController();
  const [create, loading, error] = useLoading(async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return ctrl.fetch(ProfileResource.getList.push, new FormData(event.currentTarget));
  });
  const [remove, removing] = useLoading(
    (id: number) => ctrl.fetch(ProfileResource.delete, { id }),
    [],
  );
  const handle = async (e) => {
    await remove(e.id);
    await ctrl.fetch(ProfileResource.partialUpdate, { id: 5 }, { fullName: e.currentTarget.value });
  };
  void [useOldLoading, useOldDebounce, useOldCancelling];
  return (
    <form onSubmit={create} onClick={() => startTransition(() => {})}>
      {isPending} {isTransition} {loading && error?.message} {list.length}{' '}
      {cancelled.map((one) => one.fullName)} {removing}
      <button onClick={handle} />
    </form>
  );
}
export class Classy extends Component<{ id: number }> {
  static contextType = ControllerContext;
  declare context: ContextType<typeof ControllerContext>;
  render() {
    return (
      <ControllerContext.Consumer>
        {(controller) => <p>{typeof controller}</p>}
      </ControllerContext.Consumer>
    );
  }
}
function Failure({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) {
  return <button onClick={resetErrorBoundary}>{error.message}</button>;
}
const managers = getDefaultManagers();
export function App({ children }: { children: ReactNode }) {
  return (
    <DataProvider
      managers={managers}
      initialState={mockInitialState([])}
      Controller={Controller}
      devButton="top-right"
    >
      <AsyncBoundary fallback={<p />}>{children}</AsyncBoundary>
      <AsyncBoundary fallback={<p />} errorComponent={Failure} listen={(reset) => () => reset()}>
        <Suspense>
          <Img src="x" component="img" />
          <Img src="x" alt="y" className="z" />
        </Suspense>
      </AsyncBoundary>
      <ErrorBoundary
        fallbackComponent={({ error, className }) => (
          <pre className={className}>{error.message}</pre>
        )}
        className="x"
      >
        {children}
      </ErrorBoundary>
      <ErrorBoundary>{children}</ErrorBoundary>
      <NetworkErrorBoundary
        fallbackComponent={({ error }: { error: NetworkError }) => <i>{error.status}</i>}
      >
        {children}
      </NetworkErrorBoundary>
    </DataProvider>
  );
}
export const idle = getDefaultManagers({ networkManager: new IdlingNetworkManager() });
export const prefetch = (ctrl: Controller, src: string) => ctrl.fetchIfStale(getImage, { src });

export function useMine<
  E extends EndpointInterface<FetchFunction, Schema | undefined, undefined | false>,
>(endpoint: E, ...args: readonly [...Parameters<E>]): Denormalize<E['schema']> {
  return useSuspense(endpoint, ...args) as any;
}
export function useEither<
  E extends EndpointInterface<FetchFunction, Schema | undefined, undefined | false>,
>(
  endpoint: E,
  ...args: readonly [...Parameters<E>] | readonly [null]
): DenormalizeNullable<E['schema']> {
  return useCache(endpoint, ...args) as any;
}

export async function graphqlPrograms(ctrl: Controller) {
  class User extends GQLEntity {
    name = '';
    email: string | null = null;
    readonly age: number = 0;
  }
  const gql = new GQLEndpoint('https://x/graphql', {
    getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, Authorization: 'x' };
    },
  });
  const getUser = gql.query(
    (v: { name: string }) =>
      `query getUser($name: String!) { user(name: $name) { id name email } }`,
    { user: User },
  );
  const getUsers = gql.query(`{ users { id name } }`, { users: new Collection([User]) });
  const update = gql.mutation(
    (v: { user: { id: string; name: string } }) =>
      `mutation m($user: User!) { updateUser(user: $user) { id name } }`,
    { updateUser: User },
  );
  const add = gql.mutation(`mutation m($name: String!) { addUser(name: $name) { id name } }`, {
    addUser: new schema.Collection([User]).push,
  }) as any;
  useSuspense(getUser, { name: 'Fong' }).user.name;
  useSuspense(getUsers).users.map((user) => user.id);
  (await ctrl.fetch(update, { user: { id: '5', name: 'x' } })).updateUser.name;
  await ctrl.fetch(add, { name: 'x' });
  class AuthGQL extends GQLEndpoint {
    getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, a: 'b' };
    }
  }
  const auth = new AuthGQL('https://x');
  useSuspense(auth.query(`{ user { id } }`, { user: User })).user.id;
  const failure = useError(auth.query(`{ user { id } }`, { user: User }));
  if (failure instanceof GQLNetworkError)
    failure.errors.map(({ message, path }) => message + path?.join());
  const user = useQuery(User, { id: '5' });
  const all = useQuery(new Query(new All(User), (users) => users.length));
  user?.name;
  all?.toFixed();
}

const success: SuccessFixture = {
  endpoint: ProfileResource.getList,
  args: [{ page: 5 }],
  response: [{ id: 5 }],
};
const failure: ErrorFixture = {
  endpoint: ProfileResource.get,
  args: [{ id: 5 }],
  response: { message: 'x', status: 404, name: 'Not Found' },
  error: true,
};
const interceptors: Interceptor<{ entities: Record<string, any>; count: number }>[] = [
  {
    endpoint: ProfileResource.get,
    response({ id }) {
      return this.entities[id];
    },
    delay: 500,
  },
  {
    endpoint: ProfileResource.partialUpdate,
    response({ id }, body) {
      this.entities[id] = {
        ...this.entities[id],
        ...(body instanceof FormData ? Object.fromEntries(body) : body),
      };
      return this.entities[id];
    },
    delay: () => 500 + Math.random() * 4500,
    delayCollapse: true,
  },
  {
    endpoint: ProfileResource.getList.push,
    fetchResponse(input, init) {
      this.count++;
      return { id: 5, ...JSON.parse(init.body as string) };
    },
  },
  {
    endpoint: new RestEndpoint({ path: '/:any', method: 'DELETE' }),
    response: ({ any }) => ({ id: any }),
  },
];
const options: { [key: string]: Fixture[] } = {
  full: [success, failure],
  error: [failure],
  loading: [],
};
export const Story = {
  decorators: [
    (Inner: any) => (
      <MockResolver fixtures={options.full}>
        <Inner />
      </MockResolver>
    ),
  ],
};
export async function testPrograms() {
  const { result, waitFor, waitForNextUpdate, rerender, unmount, controller, cleanup, allSettled } =
    renderDataHook(({ id }: { id: number }) => useSuspense(ProfileResource.get, { id }), {
      initialProps: { id: 5 },
      initialFixtures: options.full,
      resolverFixtures: interceptors,
      getInitialInterceptorData: () => ({ entities: {}, count: 0 }),
      wrapper: ({ children }: { children: ReactNode }) => <>{children}</>,
    });
  result.current.fullName;
  result.error?.message;
  await waitFor(() => result.current.fullName === 'x');
  await waitForNextUpdate();
  rerender({ id: 6 });
  await act(async () => {
    await controller.fetch(ProfileResource.partialUpdate, { id: 5 }, {});
  });
  unmount();
  cleanup();
  await allSettled();
  renderDataHook.cleanup?.();
  const render = makeRenderDataHook(DataProvider);
  const other = makeRenderDataClient(DataProvider);
  render(() => 5);
  other(() => useSuspense(ProfileResource.getList), { initialFixtures: [success] }).result.current
    .length;
  renderHook(() => useState(5)).result.current[0].toFixed();
}
void [lazy, createElement];

/** Boundaries as base classes. */
class Reporting extends ErrorBoundary<Error & { status?: number }> {
  componentDidCatch(error: Error) {
    console.log(error, this.props.className);
  }
  render() {
    const { error } = this.state;
    return error?.status === 404 ? <i>none</i> : super.render();
  }
}
class Quiet extends NetworkErrorBoundary {
  render() {
    return this.state.error ? null : this.props.children;
  }
}
export const reported = (
  <Reporting className="a" fallbackComponent={({ error }) => <b>{error.message}</b>}>
    <Quiet>
      <ErrorBoundary<Error> fallbackComponent={Failure}>text</ErrorBoundary>
    </Quiet>
  </Reporting>
);

/** Controllers whose `fetch` notes its calls. */
class Noting extends Controller {
  readonly noted: string[] = [];
  constructor(options?: any) {
    super(options);
    const fetch = this.fetch;
    this.fetch = ((endpoint: any, ...args: any) => {
      this.noted.push(endpoint.key(...args));
      return fetch(endpoint, ...args);
    }) as any;
  }
}
class Refusing extends Controller {
  fetch = <E extends EndpointInterface>(
    endpoint: E,
    ...args: readonly [...Parameters<E>]
  ): Promise<any> => Promise.reject(new Error(endpoint.key(...args)));
}
export const noting = (
  <DataProvider Controller={Noting}>
    <DataProvider Controller={Refusing}>text</DataProvider>
  </DataProvider>
);
