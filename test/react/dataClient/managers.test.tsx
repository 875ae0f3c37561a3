// Managers: the actions that their middleware receives, holds back and changes.
import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, Suspense, useContext, useLayoutEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import {
  actionTypes,
  applyManager,
  CacheProvider,
  Controller,
  createFetch,
  createReducer,
  createSet,
  createSetResponse,
  DataProvider,
  Endpoint,
  Entity,
  getDefaultManagers,
  initialState,
  initManager,
  Invalidate,
  LogoutManager,
  NetworkManager,
  PollingSubscription,
  StoreContext,
  SubscriptionManager,
  useCache,
  useController,
  useDLE,
  useFetch,
  useSubscription,
  useResource,
  useSuspense,
} from 'signalbox/data-client';
import type {
  ActionTypes,
  EndpointInterface,
  GenericDispatch,
  Manager,
  Middleware,
} from 'signalbox/data-client';
import { afterEach, expect, test, vi } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

function createEndpoints() {
  const calls: string[] = [];
  const getTodo = new Endpoint(
    async ({ id }: { id: number }) => {
      calls.push(`get ${id}`);
      if (id === 401) throw Object.assign(new Error('who?'), { status: 401 });
      return { id, title: `title ${id}` };
    },
    { name: 'getTodo', schema: Todo },
  );
  const save = new Endpoint(
    async (body: { id: number; title: string }) => {
      calls.push(`save ${body.id}`);
      return body;
    },
    {
      name: 'save',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, body) => body,
    },
  );
  return { calls, getTodo, save };
}

/** A manager that records actions, and answers or changes some. */
function recorder(handle: (action: ActionTypes) => ActionTypes | void = () => {}) {
  const actions: ActionTypes[] = [];
  const middleware: Middleware = () => (next) => async (action) => {
    actions.push(action);
    await next(handle(action) ?? action);
  };
  const manager: Manager = { middleware, cleanup() {} };
  const types = () => actions.map(({ type }) => type.replace('rdc/', ''));
  return { actions, manager, types };
}

let controller: Controller;
function Grab({ children }: { readonly children?: ReactNode }) {
  const own = useController();
  useLayoutEffect(() => {
    controller = own;
  }, [own]);
  return children;
}

function mount(managers: Manager[], children: ReactNode = null) {
  return render(
    <StrictMode>
      <DataProvider managers={managers} devButton={null}>
        <Grab>
          <Suspense fallback="loading">{children}</Suspense>
        </Grab>
      </DataProvider>
    </StrictMode>,
  );
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('[T5] each method of the controller is an action, in the order of the calls', async () => {
  const { getTodo, save } = createEndpoints();
  const { actions, manager, types } = recorder();
  mount([manager, ...getDefaultManagers()]);
  await act(async () => {
    await controller.fetch(getTodo, { id: 1 });
    await controller.fetch(save, { id: 1, title: 'saved' });
    await controller.set(Todo, { id: 2 }, { id: 2, title: 'set' });
    await controller.setResponse(getTodo, { id: 3 }, { id: 3, title: 'response' });
    await controller.setError(getTodo, { id: 4 }, new Error('gone'));
    await controller.invalidate(getTodo, { id: 1 });
    await controller.invalidateAll(getTodo);
    await controller.expireAll(getTodo);
    await controller.subscribe(getTodo, { id: 1 });
    await controller.unsubscribe(getTodo, { id: 1 });
    await controller.resetEntireStore();
  });
  expect(types()).toEqual([
    'fetch',
    'setresponse',
    'optimistic',
    'fetch',
    'setresponse',
    'set',
    'setresponse',
    'setresponse',
    'invalidate',
    'invalidateall',
    'expireall',
    'subscribe',
    'unsubscribe',
    'reset',
  ]);
  expect(actions[0]).toMatchObject({ key: 'getTodo [{"id":1}]', args: [{ id: 1 }] });
  expect(actions[0]).toHaveProperty('endpoint', getTodo);
  expect(actions[1]).toMatchObject({ response: { id: 1, title: 'title 1' } });
  expect(actions[7]).toMatchObject({ error: true, response: { message: 'gone' } });
  expect(actions.at(-1)).toHaveProperty('date');
});

test('[T5] methods of the controller write, invalidate and reset the store', async () => {
  const { getTodo } = createEndpoints();
  mount(getDefaultManagers());
  await act(async () => {
    await controller.set(Todo, { id: 2 }, { id: 2, title: 'set' });
    await controller.set(Todo, { id: 2 }, (todo) => ({ ...todo, title: `${todo.title}!` }));
    await controller.setResponse(getTodo, { id: 3 }, { id: 3, title: 'response' });
    await controller.setError(getTodo, { id: 4 }, new Error('gone'));
  });
  expect(controller.get(Todo, { id: 2 })?.title).toBe('set!');
  expect(controller.getResponse(getTodo, { id: 3 }).data?.title).toBe('response');
  expect(controller.getError(getTodo, { id: 4 })?.message).toBe('gone');
  expect(controller.getState()).toMatchObject({
    entities: { Todo: { 2: { title: 'set!' }, 3: { title: 'response' } } },
    lastReset: 0,
  });
  await act(() => controller.invalidate(getTodo, { id: 3 }));
  expect(controller.getResponse(getTodo, { id: 3 })).toMatchObject({
    data: { title: 'response' },
    expiryStatus: 1,
  });
  await act(() => controller.resetEntireStore());
  expect(controller.getState().entities).toEqual({});
  expect(controller.getState().lastReset).toBeGreaterThan(0);
});

test('[T5] next resolves when the store has the response', async () => {
  const { getTodo } = createEndpoints();
  const seen: unknown[] = [];
  const middleware: Middleware = (ctrl) => (next) => async (action) => {
    await next(action);
    if (action.type === actionTypes.SET_RESPONSE)
      seen.push(ctrl.get(Todo, { id: 1 })?.title ?? ctrl.getError(getTodo, { id: 401 })?.message);
  };
  const manager: Manager = { middleware, cleanup() {} };
  mount([manager, ...getDefaultManagers()]);
  await act(() => controller.fetch(getTodo, { id: 1 }));
  expect(seen).toEqual(['title 1']);
});

test('[T5] a middleware can change a response, respond to a request, and stop a write', async () => {
  const { calls, getTodo } = createEndpoints();
  const changing = recorder((action) => {
    if (action.type !== actionTypes.SET_RESPONSE || action.error) return undefined;
    return { ...action, response: { ...action.response, title: 'changed' } };
  });
  const middleware: Middleware = () => (next) => async (action) => {
    if (action.type === actionTypes.FETCH && action.args[0].id === 7)
      return action.meta.resolve({ id: 7, title: 'answered' });
    if (action.type === actionTypes.SET) return undefined;
    return next(action);
  };
  const answering: Manager = { middleware, cleanup() {} };
  mount([changing.manager, answering, ...getDefaultManagers()]);
  await act(async () => {
    expect((await controller.fetch(getTodo, { id: 1 })).title).toBe('changed');
    expect((await controller.fetch(getTodo, { id: 7 })).title).toBe('answered');
    await controller.set(Todo, { id: 2 }, { id: 2, title: 'set' });
  });
  expect(calls).toEqual(['get 1']);
  expect(controller.get(Todo, { id: 2 })).toBe(undefined);
});

test('[T5] managers behind the managers of requests and subscriptions do not see their actions', async () => {
  const { getTodo } = createEndpoints();
  const { manager, types } = recorder();
  mount([...getDefaultManagers(), manager]);
  await act(async () => {
    await controller.fetch(getTodo, { id: 1 });
    await controller.subscribe(getTodo, { id: 1 });
  });
  expect(types()).toEqual(['setresponse']);
});

test('[T5] a manager in its older form has getMiddleware', async () => {
  const { getTodo } = createEndpoints();
  const { manager, types } = recorder();
  mount([{ getMiddleware: () => manager.middleware as Middleware, cleanup() {} }]);
  await act(() => controller.fetch(getTodo, { id: 1 }));
  expect(types()).toEqual(['fetch', 'setresponse']);
});

test('[T5] LogoutManager empties the store after an error with status 401', async () => {
  const { getTodo } = createEndpoints();
  mount([new LogoutManager(), ...getDefaultManagers()]);
  await act(async () => {
    await controller.fetch(getTodo, { id: 1 });
    await expect(controller.fetch(getTodo, { id: 401 })).rejects.toThrow('who?');
  });
  await waitFor(() => expect(controller.get(Todo, { id: 1 })).toBe(undefined));
});

test('[T5] one subscription of a custom class serves all components of a key, and closes with the last', async () => {
  const { getTodo } = createEndpoints();
  const log: string[] = [];
  class Socket {
    count = 1;
    constructor({ key }: { key: string }) {
      log.push(`open ${key}`);
    }
    add() {
      this.count++;
    }
    remove() {
      return --this.count === 0 && log.push('close') > 0;
    }
    cleanup() {
      log.push('cleanup');
    }
  }
  function Reader() {
    useSubscription(getTodo, { id: 1 });
    return null;
  }
  const managers = [new SubscriptionManager(Socket)];
  const app = (children: ReactNode) => (
    <DataProvider managers={managers} devButton={null}>
      {children}
    </DataProvider>
  );
  const { rerender } = render(app([<Reader key="a" />, <Reader key="b" />]));
  expect(log).toEqual(['open getTodo [{"id":1}]']);
  rerender(app(null));
  expect(log).toEqual(['open getTodo [{"id":1}]', 'close']);
});

test('[T5] managers that are cleaned up receive no UNSUBSCRIBE of the components below', async () => {
  const { getTodo } = createEndpoints();
  const log: string[] = [];
  const middleware: Middleware = () => (next) => async (action) => {
    if (action.type === actionTypes.SUBSCRIBE) log.push(`subscribe ${action.args[0].id}`);
    if (action.type === actionTypes.UNSUBSCRIBE) log.push(`unsubscribe ${action.args[0].id}`);
    await next(action);
  };
  const manager: Manager = {
    middleware,
    init: () => void log.push('init'),
    cleanup: () => void log.push('cleanup'),
  };
  function Watch({ id }: { readonly id: number }) {
    useSubscription(getTodo, { id });
    return null;
  }
  const page = (id: number) => (
    <DataProvider managers={[manager]} devButton={null}>
      <Watch id={id} />
    </DataProvider>
  );
  const { rerender, unmount } = render(page(1));
  await act(async () => rerender(page(2)));
  unmount();
  await act(async () => {});
  const once = ['subscribe 1', 'init', 'unsubscribe 1', 'subscribe 2', 'cleanup'];
  expect(log).toEqual(once);
  log.length = 0;
  const strict = render(<StrictMode>{page(1)}</StrictMode>);
  // React 18 ends the effects of the components first
  const ended = expect.toBeOneOf(['unsubscribe 1', 'cleanup']);
  const twice = ['subscribe 1', 'init', ended, ended, 'subscribe 1', 'init'];
  expect(log).toEqual(twice);
  await act(async () => strict.rerender(<StrictMode>{page(2)}</StrictMode>));
  expect(log.slice(twice.length)).toEqual(['unsubscribe 1', 'subscribe 2']);
});

test('[T5] dataExpiryLength of a NetworkManager decides when fetchIfStale refetches', async () => {
  vi.useFakeTimers();
  const { calls, getTodo } = createEndpoints();
  const network = new NetworkManager({ dataExpiryLength: 100 });
  mount(getDefaultManagers({ networkManager: network }));
  await act(async () => {
    await controller.fetchIfStale(getTodo, { id: 1 });
    await vi.advanceTimersByTimeAsync(50);
    await controller.fetchIfStale(getTodo, { id: 1 });
  });
  expect(calls).toEqual(['get 1']);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(100);
    await controller.fetchIfStale(getTodo, { id: 1 });
  });
  expect(calls).toEqual(['get 1', 'get 1']);
  await network.allSettled();
});

test('[T5] a state that was sent as JSON fills another store', async () => {
  const { calls, getTodo } = createEndpoints();
  mount(getDefaultManagers());
  await act(() => controller.fetch(getTodo, { id: 1 }));
  const state = JSON.parse(JSON.stringify(controller.getState()));
  function Detail() {
    return <p>{useSuspense(getTodo, { id: 1 }).title}</p>;
  }
  render(
    <DataProvider initialState={state} devButton={null}>
      <Detail />
    </DataProvider>,
  );
  expect(screen.getByText('title 1')).toBeTruthy();
  expect(calls).toEqual(['get 1']);
});

test('[T5] an object schema returns its shape before the data and for null arguments', async () => {
  const getFeed = new Endpoint(
    async (_page: { page: number }) => ({ results: [{ id: 1 }], next: 'b' }),
    {
      name: 'getFeed',
      schema: { results: [Todo], next: '', nested: { todo: Todo } },
    },
  );
  const seen: unknown[] = [];
  function Reader({ page }: { page: number | null }) {
    const args = page === null ? ([null] as const) : ([{ page }] as const);
    const { data, loading } = useDLE(getFeed, ...args);
    const cached = useCache(getFeed, ...args);
    seen.push([loading, data, cached]);
    return null;
  }
  const { rerender } = render(<Reader page={null} />, { wrapper: DataProvider });
  const shape = { results: undefined, next: '', nested: { todo: undefined } };
  expect(seen.at(-1)).toEqual([false, shape, shape]);
  rerender(<Reader page={1} />);
  expect(seen.at(-1)).toEqual([true, shape, shape]);
  await waitFor(() => expect(seen.at(-1)).toMatchObject([false, { next: 'b' }, { next: 'b' }]));
  function Skipped() {
    const { data } = useController().getResponse(getFeed, null);
    seen.push([useSuspense(getFeed, null), useResource(getFeed, null), data]);
    return <p>{String(useSuspense(createEndpoints().getTodo, null))}</p>;
  }
  render(<Skipped />, { wrapper: DataProvider });
  expect(seen.at(-1)).toEqual([shape, shape, shape]);
  expect(screen.getByText('undefined')).toBeTruthy();
});

test('[T5] a manager reads the data of a mutation once next has resolved', async () => {
  const { save } = createEndpoints();
  const log: unknown[] = [];
  const middleware: Middleware = (own) => (next) => async (action) => {
    await next(action);
    if (action.type !== actionTypes.SET_RESPONSE || !action.endpoint.sideEffect) return;
    const { data } = own.getResponse(action.endpoint, ...action.args, own.getState());
    log.push(data);
  };
  mount([{ middleware, cleanup() {} }, ...getDefaultManagers()]);
  await act(() => controller.fetch(save, { id: 7, title: 'a' }));
  await act(() => controller.fetch(save, { id: 7, title: 'b' }));
  expect(log).toMatchObject([{ title: 'a' }, { title: 'b' }]);
  expect(log[0]).toBeInstanceOf(Todo);
  await act(() => controller.resetEntireStore());
  const { data } = controller.getResponse(save, { id: 7, title: 'b' });
  expect(data).toBe(undefined);
});

test('[T5] a created FETCH action sends its request once and stores the response', async () => {
  const { calls, getTodo } = createEndpoints();
  const { manager, types } = recorder();
  mount([manager, ...getDefaultManagers()]);
  const action = createFetch(getTodo, { args: [{ id: 5 }] });
  await act(async () => {
    await controller.dispatch(action);
    await action.meta.promise;
  });
  expect(calls).toEqual(['get 5']);
  expect(types()).toEqual(['fetch', 'setresponse']);
  expect(controller.get(Todo, { id: 5 })?.title).toBe('title 5');
  const failing = createFetch(getTodo, { args: [{ id: 401 }] });
  await act(async () => {
    void controller.dispatch(failing);
    await expect(failing.meta.promise).rejects.toMatchObject({ status: 401 });
  });
});

test('[T5] a middleware may replace a FETCH action by a created one', async () => {
  const { calls, getTodo } = createEndpoints();
  const { manager } = recorder((action) =>
    action.type === actionTypes.FETCH && action.args[0]?.id === 1
      ? createFetch(getTodo, { args: [{ id: 2 }] })
      : undefined,
  );
  mount([manager, ...getDefaultManagers()]);
  await act(async () => void controller.fetch(getTodo, { id: 1 }).catch(() => {}));
  expect(calls).toEqual(['get 2']);
  expect(controller.get(Todo, { id: 2 })?.title).toBe('title 2');
});

test('[T5] dispatched actions of createSet and createSetResponse write to the store', async () => {
  const { getTodo } = createEndpoints();
  const own = new Controller();
  await own.dispatch(createSet(Todo, { args: [{ id: 1 }], value: { id: 1, title: 'value' } }));
  const args = [{ id: 2 }] as const;
  await own.dispatch(createSet(getTodo, { args, response: { id: 2, title: 'response' } }));
  expect([own.get(Todo, { id: 1 })?.title, own.get(Todo, { id: 2 })?.title]).toEqual([
    'value',
    'response',
  ]);
  const response = new Error('gone');
  await own.dispatch(createSetResponse(getTodo, { args: [{ id: 3 }], response, error: true }));
  expect(own.getError(getTodo, { id: 3 })).toBe(response);
});

test('[T5] a reducer returns the state after an action, and leaves the former state unchanged', () => {
  const { getTodo } = createEndpoints();
  const own = new Controller();
  const reducer = createReducer(own);
  const setTitle = (title: string) =>
    createSetResponse(getTodo, { args: [{ id: 1 }], response: { id: 1, title } });
  const first = reducer(undefined, setTitle('first'));
  const second = reducer(first, setTitle('second'));
  const titleIn = (state: typeof first) => own.getResponse(getTodo, { id: 1 }, state).data?.title;
  expect([titleIn(initialState), titleIn(first), titleIn(second)]).toEqual([
    undefined,
    'first',
    'second',
  ]);
  expect(second.entities['Todo']?.['1']).toMatchObject({ title: 'second' });
  expect(reducer(second, createFetch(getTodo, { args: [{ id: 1 }] }))).toBe(second);
  const invalid = createSetResponse(getTodo, { args: [{ id: 9 }], response: 'no object' });
  expect(reducer(second, invalid).entities).toEqual(second.entities);
  expect(reducer(second, { type: actionTypes.RESET, date: 0 }).entities).toEqual({});
  expect(own.getState().entities).toEqual({});
});

test('[T5] applyManager and initManager run managers in a middleware chain of the application', async () => {
  const own = new Controller();
  const { manager, actions } = recorder();
  const life: string[] = [];
  const managers: Manager[] = [
    { ...manager, init: () => life.push('init'), cleanup: () => life.push('cleanup') },
    { cleanup() {} },
  ];
  const middleware = applyManager(managers, own);
  const api = { dispatch: own.dispatch, getState: () => own.getState() };
  const end: string[] = [];
  const dispatch = middleware.reduceRight<GenericDispatch>(
    (next, each) => each(api)(next),
    async ({ type }: ActionTypes) => void end.push(type),
  );
  await dispatch({ type: actionTypes.RESET, date: 0 });
  expect([actions.length, end]).toEqual([1, ['rdc/reset']]);
  const stop = initManager(managers, own)();
  stop();
  expect(life).toEqual(['init', 'cleanup']);
});

test('[T5] the context of the store re-renders at each commit', async () => {
  const States = () => {
    const { subscribe, getState, uninitialized } = useContext(StoreContext);
    const { entities } = useSyncExternalStore(subscribe, getState, getState);
    return `${uninitialized ?? false} ${Object.keys(entities['Todo'] ?? {}).join()}`;
  };
  mount(getDefaultManagers(), <States />);
  expect(document.body.textContent).toBe('false ');
  await act(() => controller.set(Todo, { id: 7 }, { id: 7, title: 'a' }));
  expect(document.body.textContent).toBe('false 7');
  render(<States />, { container: document.createElement('div') });
  const { container } = render(<States />);
  expect(container.textContent).toBe('true ');
});

test('[T5] PollingSubscription polls only while the passed connection listener is online', async () => {
  vi.useFakeTimers();
  const { calls, getTodo } = createEndpoints();
  const polled = getTodo.extend({ pollFrequency: 1000 });
  const handlers = { online: new Set<() => void>(), offline: new Set<() => void>() };
  const listener = {
    isOnline: () => false,
    addOnlineListener: (handler: () => void) => void handlers.online.add(handler),
    removeOnlineListener: (handler: () => void) => void handlers.online.delete(handler),
    addOfflineListener: (handler: () => void) => void handlers.offline.add(handler),
    removeOfflineListener: (handler: () => void) => void handlers.offline.delete(handler),
  };
  const action = { endpoint: polled, args: [{ id: 1 }], key: polled.key({ id: 1 }) };
  const poll = new PollingSubscription(action, new Controller(), listener);
  await vi.advanceTimersByTimeAsync(5000);
  expect(calls).toHaveLength(0);
  for (const handle of handlers.online) handle();
  await vi.advanceTimersByTimeAsync(2500);
  expect(calls).toHaveLength(3);
  for (const handle of handlers.offline) handle();
  await vi.advanceTimersByTimeAsync(5000);
  expect(calls).toHaveLength(3);
  poll.cleanup();
  expect([handlers.online.size, handlers.offline.size]).toEqual([0, 0]);
});

test('[T5] the default managers are a static of CacheProvider, new ones for each provider', async () => {
  const said = vi.spyOn(console, 'error');
  const { calls, getTodo } = createEndpoints();
  const { manager, types } = recorder();
  const Title = ({ id }: { id: number }) => <p>{useSuspense(getTodo, { id }).title}</p>;
  const App = ({ own }: { own: readonly Manager[] }) => (
    <StrictMode>
      <CacheProvider managers={[...own, ...CacheProvider.defaultProps.managers]} devButton={null}>
        <Suspense fallback="loading">
          <Title id={1} />
        </Suspense>
      </CacheProvider>
      <CacheProvider devButton={null}>
        <Suspense fallback="loading">
          <Title id={2} />
        </Suspense>
      </CacheProvider>
    </StrictMode>
  );
  const { rerender, unmount } = render(<App own={[manager]} />);
  await screen.findByText('title 1');
  await screen.findByText('title 2');
  rerender(<App own={[]} />);
  expect(screen.getByText('title 1')).toBeTruthy();
  expect(calls.sort()).toEqual(['get 1', 'get 2']);
  expect(types()).toEqual(['fetch', 'setresponse']);
  unmount();
  expect(said).not.toHaveBeenCalled();
  const [first] = CacheProvider.defaultProps.managers;
  expect(CacheProvider.defaultProps.managers).not.toContain(first);
});

test('[T5] NetworkManager takes the two expiry times as arguments', () => {
  const { dataExpiryLength, errorExpiryLength } = new NetworkManager(42, 7);
  expect([dataExpiryLength, errorExpiryLength]).toEqual([42, 7]);
});

test('[T5] a function of managers is called once for each provider, also in StrictMode', async () => {
  const { getTodo } = createEndpoints();
  const made: ReturnType<typeof recorder>[] = [];
  const createManagers = () => {
    const own = recorder();
    made.push(own);
    return [own.manager, ...getDefaultManagers()];
  };
  const Title = ({ id }: { id: number }) => <p>{useSuspense(getTodo, { id }).title}</p>;
  const app = (
    <StrictMode>
      {[1, 2].map((id) => (
        <DataProvider key={id} managers={createManagers} devButton={null}>
          <Suspense fallback="loading">
            <Title id={id} />
          </Suspense>
        </DataProvider>
      ))}
    </StrictMode>
  );
  const { rerender } = render(app);
  await screen.findByText('title 1');
  await screen.findByText('title 2');
  rerender(app);
  expect(made.map(({ types }) => types())).toEqual([
    ['fetch', 'setresponse'],
    ['fetch', 'setresponse'],
  ]);
});

test('[T5] a function of managers sets the expiry times', async () => {
  const { calls, getTodo } = createEndpoints();
  render(
    <DataProvider managers={() => [new NetworkManager({ dataExpiryLength: 0 })]} devButton={null}>
      <Grab />
    </DataProvider>,
  );
  await act(async () => {
    await controller.fetchIfStale(getTodo, { id: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await controller.fetchIfStale(getTodo, { id: 1 });
  });
  expect(calls).toEqual(['get 1', 'get 1']);
});

test('[T5] a snapshot and the controller return the same status of expiry', async () => {
  const { getTodo } = createEndpoints();
  mount(getDefaultManagers());
  const statuses = () => {
    const state = controller.getState();
    return [controller, controller.snapshot(state)].map(
      (reads) => reads.getResponse(getTodo, { id: 1 }).expiryStatus,
    );
  };
  expect(statuses()).toEqual([2, 2]);
  await act(async () => void (await controller.fetch(getTodo, { id: 1 })));
  expect(statuses()).toEqual([3, 3]);
  await act(() => controller.invalidate(getTodo, { id: 1 }));
  expect(statuses()).toEqual([1, 1]);
});

test('[T5] the expiryStatus of a deleted entity is that of an absent response once its request has failed', async () => {
  const { getTodo } = createEndpoints();
  const remove = new Endpoint(async (params: { id: number }) => params, {
    name: 'remove',
    schema: new Invalidate(Todo),
    sideEffect: true,
  });
  mount(getDefaultManagers());
  const status = () => controller.getResponse(getTodo, { id: 401 }).expiryStatus;
  await act(async () => {
    await controller.setResponse(getTodo, { id: 401 }, { id: 401, title: 'known' });
    await controller.fetch(remove, { id: 401 });
  });
  expect(status()).toBe(1);
  await act(() => controller.fetch(getTodo, { id: 401 }).catch(() => {}));
  expect(status()).toBe(2);
});

test('[T5] a snapshot has the passed time, else the present time', () => {
  mount(getDefaultManagers());
  const before = Date.now();
  expect(controller.snapshot(controller.getState(), 42).fetchedAt).toBe(42);
  expect(controller.snapshot(initialState, 42).fetchedAt).toBe(42);
  expect(controller.snapshot().fetchedAt).toBeGreaterThanOrEqual(before);
});

test('[T5] actions have the members of older versions: meta.args, meta.key, and payload, which may be changed', async () => {
  const { getTodo, save } = createEndpoints();
  const read: unknown[] = [];
  const older: Manager = {
    getMiddleware: () => () => (next: (action: ActionTypes) => Promise<void>) => {
      return async (action: ActionTypes) => {
        if ('key' in action) read.push([action.type, action.meta.key, action.meta.args]);
        if (action.type !== actionTypes.SET_RESPONSE) return next(action);
        read.push(action.payload, Object.keys(action).includes('payload'));
        return next({ ...action, payload: { ...action.payload, title: 'changed' } });
      };
    },
    cleanup() {},
  };
  mount([older, ...getDefaultManagers()]);
  const args = [{ id: 1 }];
  const key = getTodo.key({ id: 1 });
  await act(async () => void (await controller.fetch(getTodo, { id: 1 })));
  expect(controller.get(Todo, { id: 1 })?.title).toBe('changed');
  await act(() => controller.setResponse(save, { id: 2, title: 'two' }, { id: 2, title: 'two' }));
  expect(controller.get(Todo, { id: 2 })?.title).toBe('changed');
  await act(async () => {
    await controller.subscribe(getTodo, { id: 1 });
    await controller.invalidate(getTodo, { id: 1 });
  });
  expect(read.slice(0, 4)).toEqual([
    ['rdc/fetch', key, args],
    ['rdc/setresponse', key, args],
    { id: 1, title: 'title 1' },
    false,
  ]);
  expect(read.slice(-2)).toEqual([
    ['rdc/subscribe', key, args],
    ['rdc/invalidate', key, undefined],
  ]);
});

type AnyFetch = (endpoint: EndpointInterface, ...args: any[]) => Promise<any>;

/** Three forms of a subclass whose `fetch` notes its calls. */
function controllersThatNote(noted: string[]): [string, new () => Controller][] {
  class Method extends Controller {
    override fetch(endpoint: EndpointInterface, ...args: any[]): Promise<any> {
      noted.push(endpoint.key(...args));
      return super.fetch(endpoint, ...(args as never));
    }
  }
  class Field extends Controller {
    readonly #send = super.fetch.bind(this) as AnyFetch;
    override fetch: any = (endpoint: EndpointInterface, ...args: any[]) => {
      noted.push(endpoint.key(...args));
      return this.#send(endpoint, ...args);
    };
  }
  class Wrapped extends Controller {
    constructor(options?: object) {
      super(options);
      const send = this.fetch.bind(this) as AnyFetch;
      this.fetch = ((endpoint: EndpointInterface, ...args: any[]) => {
        noted.push(endpoint.key(...args));
        return send(endpoint, ...args);
      }) as never;
    }
  }
  return [
    ['a method', Method],
    ['a field', Field],
    ['a wrapper of its constructor', Wrapped],
  ];
}

const noted: string[] = [];
test.each(controllersThatNote(noted))(
  '[T5] a controller that overrides fetch as %s is called by each hook that sends a request, once',
  async (_form, Custom) => {
    noted.length = 0;
    const { calls, getTodo, save } = createEndpoints();
    const { manager, types } = recorder();
    const polled = getTodo.extend({ name: 'polled', pollFrequency: 60_000 });
    const key = (id: number, name = 'getTodo') => `${name} [{"id":${id}}]`;
    function Reader({ id }: { readonly id: number }) {
      void useFetch(getTodo, { id: 10 + id });
      const { data } = useDLE(getTodo, { id: 20 + id });
      useSubscription(polled, { id: 30 + id });
      return `${useSuspense(getTodo, { id }).title}, ${data?.title}`;
    }
    render(
      <DataProvider Controller={Custom} managers={[manager, ...getDefaultManagers()]}>
        <Grab>
          <Suspense fallback="loading">
            <Reader id={1} />
          </Suspense>
        </Grab>
      </DataProvider>,
    );
    expect(await screen.findByText('title 1, title 21')).toBeTruthy();
    await waitFor(() => expect(calls).toHaveLength(4));
    const each = [key(1), key(11), key(21), key(31, 'polled')];
    expect(noted).toEqual(expect.arrayContaining(each));
    expect(noted).toHaveLength(4);
    expect(calls).toEqual(expect.arrayContaining(['get 1', 'get 11', 'get 21', 'get 31']));
    expect(types().filter((type) => type === 'fetch')).toHaveLength(4);
    await act(async () => {
      await Promise.all([
        controller.fetch(getTodo, { id: 5 }),
        controller.fetch(getTodo, { id: 5 }),
      ]);
      await controller.fetch(save, { id: 1, title: 'saved' });
    });
    expect(noted.slice(4)).toEqual([key(5), key(5), save.key({ id: 1, title: 'saved' })]);
    expect(calls.slice(4)).toEqual(['get 5', 'save 1']);
    expect(screen.getByText('saved, title 21')).toBeTruthy();
    await act(() => controller.invalidate(getTodo, { id: 1 }));
    expect(await screen.findByText('title 1, title 21')).toBeTruthy();
    expect(noted.slice(7)).toEqual([key(1)]);
  },
);

test('[T5] a controller whose fetch sends another endpoint, rejects or resolves itself decides for the hooks', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { calls, getTodo } = createEndpoints();
  class Deciding extends Controller {
    override fetch: any = (endpoint: any, { id }: { id: number }) => {
      if (id === 1) {
        const loud = endpoint.extend({
          fetch: async (params: { id: number }) => ({ ...params, title: 'LOUD' }),
        });
        return super.fetch(loud, { id } as never);
      }
      if (id === 2) return Promise.reject(Object.assign(new Error('not allowed'), { status: 403 }));
      if (id === 3) throw new Error('thrown');
      return Promise.resolve({ id, title: 'from memory' });
    };
  }
  function Reader({ id }: { readonly id: number }) {
    const { data, error } = useDLE(getTodo, { id });
    return <p>{error?.message ?? data?.title}</p>;
  }
  render(
    <DataProvider Controller={Deciding} managers={getDefaultManagers()}>
      {[1, 2, 3, 4].map((id) => (
        <Reader key={id} id={id} />
      ))}
    </DataProvider>,
  );
  for (const text of ['LOUD', 'not allowed', 'thrown', 'from memory'])
    expect(await screen.findByText(text)).toBeTruthy();
  expect(calls).toEqual([]);
});

test('[T5] a created FETCH action does not call the fetch that dispatches it', async () => {
  const { calls, getTodo } = createEndpoints();
  class Dispatching extends Controller {
    override fetch: any = (endpoint: any, ...args: any) => {
      const action = createFetch(endpoint, { args });
      void this.dispatch(action);
      return action.meta.promise;
    };
  }
  function Reader() {
    return useSuspense(getTodo, { id: 1 }).title;
  }
  render(
    <DataProvider Controller={Dispatching} managers={getDefaultManagers()}>
      <Suspense fallback="loading">
        <Reader />
      </Suspense>
    </DataProvider>,
  );
  expect(await screen.findByText('title 1')).toBeTruthy();
  expect(calls).toEqual(['get 1']);
});
