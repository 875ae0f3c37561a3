// The test kit of Data Client: hooks under fixtures, resolvers below a provider, states of fixtures.
import { render, screen } from '@testing-library/react';
import { Suspense, useLayoutEffect } from 'react';
import type { ReactNode } from 'react';
import {
  DataProvider,
  resource,
  useCache,
  useController,
  useDLE,
  useLive,
  useSubscription,
  useSuspense,
} from 'signalbox/data-client';
import type { Controller } from 'signalbox/data-client';
import {
  act,
  makeRenderDataHook,
  mockInitialState,
  MockResolver,
  renderDataHook,
  renderHook,
} from 'signalbox/data-client/test';
import type { Fixture, Interceptor } from 'signalbox/data-client/test';
import { afterEach, expect, test, vi } from 'vitest';
import { Todo } from '../../setup/samples.ts';

const TodoResource = resource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });
const polled = TodoResource.get.extend({ pollFrequency: 1000 });

const fixtures: Fixture[] = [
  { endpoint: TodoResource.getList, args: [], response: [{ id: 1, title: 'milk' }] },
  {
    endpoint: TodoResource.get,
    args: [{ id: 9 }],
    response: { message: 'Gone', status: 410 },
    error: true,
  },
];
const interceptors: Interceptor<{ count: number }>[] = [
  {
    endpoint: TodoResource.get,
    response({ id }) {
      return { id, title: `read ${++this.count}` };
    },
  },
  {
    endpoint: TodoResource.partialUpdate,
    response: ({ id }, body) => ({ id, ...body }),
    delay: 10,
  },
];

afterEach(() => {
  vi.useRealTimers();
});

test('[T5] a hook reads initial fixtures at once, and resolver fixtures after a request', async () => {
  const { result, waitForNextUpdate, controller } = renderDataHook(
    ({ id }: { id: number }) => [
      useSuspense(TodoResource.getList)[0]?.title,
      useDLE(TodoResource.get, { id }),
    ],
    {
      initialProps: { id: 5 },
      initialFixtures: fixtures,
      resolverFixtures: [...fixtures, ...interceptors],
      getInitialInterceptorData: () => ({ count: 0 }),
    },
  );
  expect(result.current).toMatchObject(['milk', { loading: true }]);
  await waitForNextUpdate();
  expect(result.current).toMatchObject(['milk', { data: { title: 'read 1' } }]);
  await act(async () => {
    await controller.fetch(TodoResource.partialUpdate, { id: 5 }, { title: 'changed' });
  });
  expect(result.current).toMatchObject(['milk', { data: { title: 'changed' } }]);
  await act(() => controller.resetEntireStore());
});

test('[T5] a hook throws the error of its fixture', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { result, waitFor } = renderDataHook(() => useSuspense(TodoResource.get, { id: 9 }), {
    initialFixtures: fixtures,
  });
  await waitFor(() => expect(result.error).toBeDefined());
  expect(result.error).toMatchObject({ message: 'Gone', status: 410 });
});

test('[T5] subscriptions poll under fake timers', async () => {
  vi.useFakeTimers();
  const { result, waitForNextUpdate, unmount } = renderDataHook(
    () => {
      useSubscription(polled, { id: 5 });
      return useCache(polled, { id: 5 })?.title;
    },
    { resolverFixtures: interceptors, getInitialInterceptorData: () => ({ count: 0 }) },
  );
  await waitForNextUpdate();
  expect(result.current).toBe('read 1');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toBe('read 2');
  unmount();
  await vi.advanceTimersByTimeAsync(5000);
  expect(result.current).toBe('read 2');
});

test('[T5] useLive reads and subscribes', async () => {
  vi.useFakeTimers();
  const { result, waitForNextUpdate } = renderDataHook(() => useLive(polled, { id: 5 }).title, {
    resolverFixtures: interceptors,
    getInitialInterceptorData: () => ({ count: 0 }),
  });
  await waitForNextUpdate();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toBe('read 2');
});

function List() {
  const todos = useSuspense(TodoResource.getList);
  const { title } = useSuspense(TodoResource.get, { id: 5 });
  return <p>{[...todos.map((todo) => todo.title), title].join(', ')}</p>;
}

test('[T5] a resolver below a provider responds on the store of the provider', async () => {
  let outer: unknown;
  let inner: unknown;
  function Outside({ children }: { children: ReactNode }) {
    const own = useController();
    useLayoutEffect(() => {
      outer = own;
    }, [own]);
    return children;
  }
  function Inside() {
    const own = useController();
    useLayoutEffect(() => {
      inner = own;
    }, [own]);
    return null;
  }
  render(
    <DataProvider initialState={mockInitialState(fixtures)}>
      <Outside>
        <MockResolver fixtures={interceptors} getInitialInterceptorData={() => ({ count: 0 })}>
          <Inside />
          <Suspense fallback="loading">
            <List />
          </Suspense>
        </MockResolver>
      </Outside>
    </DataProvider>,
  );
  await screen.findByText('milk, read 1');
  expect(inner).toBe(outer);
});

test('[T5] a resolver responds only while it is mounted, also if its render suspends with new arrays of fixtures', async () => {
  let controller: Controller | undefined;
  function Outside() {
    const own = useController();
    useLayoutEffect(() => {
      controller = own;
    }, [own]);
    return null;
  }
  const App = ({ stories }: { stories: number }) => (
    <DataProvider>
      <Outside />
      <Suspense fallback="loading">
        {[1, 2].slice(0, stories).map((story) => (
          <MockResolver
            key={story}
            fixtures={[...fixtures, ...interceptors]}
            getInitialInterceptorData={() => ({ count: 0 })}
          >
            <List />
          </MockResolver>
        ))}
      </Suspense>
    </DataProvider>
  );
  const read = () => controller?.fetch(TodoResource.get, { id: 5 });
  const { rerender } = render(<App stories={2} />);
  expect(await screen.findAllByText('milk, read 1')).toHaveLength(2);
  rerender(<App stories={1} />);
  expect(await read()).toMatchObject({ title: 'read 2' });
  rerender(<App stories={0} />);
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
  await expect(read()).rejects.toThrow('no network');
});

test('[T5] a resolver without a provider has a store of its own', async () => {
  render(
    <MockResolver
      fixtures={[...fixtures, ...interceptors]}
      getInitialInterceptorData={() => ({ count: 0 })}
    >
      <Suspense fallback="loading">
        <List />
      </Suspense>
    </MockResolver>,
  );
  expect(await screen.findByText('milk, read 1')).toBeTruthy();
});

test('[T5] a provider of the application renders hooks, and a state of fixtures is read by the controller', () => {
  const render = makeRenderDataHook(({ children, ...props }: { children: ReactNode }) => (
    <DataProvider {...props} managers={[]}>
      {children}
    </DataProvider>
  ));
  const { result } = render(() => useController(), { initialFixtures: fixtures });
  const state = mockInitialState([
    { endpoint: TodoResource.get, args: [{ id: 5 }], response: { id: 5, title: 'state' } },
  ]);
  const { current: controller } = result;
  expect(controller.getResponse(TodoResource.get, { id: 5 }, state)).toMatchObject({
    data: { title: 'state' },
    expiryStatus: 3,
  });
  expect(controller.getResponse(TodoResource.get, { id: 5 }, controller.getState())).toMatchObject({
    data: undefined,
    expiryStatus: 2,
  });
  expect(controller.snapshot(state).getResponse(TodoResource.get, { id: 5 }).data?.title).toBe(
    'state',
  );
  expect(controller.getError(TodoResource.get, { id: 9 }, controller.getState())).toBeDefined();
});

test('[T5] renderHook runs a hook without a provider', () => {
  const { result } = renderHook(() => 5);
  expect(result.current).toBe(5);
});
