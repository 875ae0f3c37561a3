// Managers: the actions that their middleware receives, holds back and changes.
import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, Suspense, useLayoutEffect } from 'react';
import type { ReactNode } from 'react';
import {
  actionTypes,
  DataProvider,
  Endpoint,
  Entity,
  getDefaultManagers,
  LogoutManager,
  NetworkManager,
  SubscriptionManager,
  useCache,
  useController,
  useDLE,
  useSubscription,
  useSuspense,
} from 'signalbox/data-client';
import type { ActionTypes, Controller, Manager, Middleware } from 'signalbox/data-client';
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
  const manager: Manager = {
    middleware: () => (next) => async (action) => {
      actions.push(action);
      await next(handle(action) ?? action);
    },
    cleanup() {},
  };
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

test('[T5] each verb of the controller is an action, in the order of the calls', async () => {
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

test('[T5] the verbs act on the store', async () => {
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
  expect(controller.getResponse(getTodo, { id: 3 }).data).toBe(undefined);
  await act(() => controller.resetEntireStore());
  expect(controller.getState().entities).toEqual({});
  expect(controller.getState().lastReset).toBeGreaterThan(0);
});

test('[T5] next resolves when the store has the response', async () => {
  const { getTodo } = createEndpoints();
  const seen: unknown[] = [];
  const manager: Manager = {
    middleware: (ctrl) => (next) => async (action) => {
      await next(action);
      if (action.type === actionTypes.SET_RESPONSE)
        seen.push(ctrl.get(Todo, { id: 1 })?.title ?? ctrl.getError(getTodo, { id: 401 })?.message);
    },
    cleanup() {},
  };
  mount([manager, ...getDefaultManagers()]);
  await act(() => controller.fetch(getTodo, { id: 1 }));
  expect(seen).toEqual(['title 1']);
});

test('[T5] a middleware changes a response, answers a request, and holds back a write', async () => {
  const { calls, getTodo } = createEndpoints();
  const changing = recorder((action) => {
    if (action.type !== actionTypes.SET_RESPONSE || action.error) return undefined;
    return { ...action, response: { ...action.response, title: 'changed' } };
  });
  const answering: Manager = {
    middleware: () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH && action.args[0].id === 7)
        return action.meta.resolve({ id: 7, title: 'answered' });
      if (action.type === actionTypes.SET) return undefined;
      return next(action);
    },
    cleanup() {},
  };
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

test('[T5] an error with status 401 empties the store', async () => {
  const { getTodo } = createEndpoints();
  mount([new LogoutManager(), ...getDefaultManagers()]);
  await act(async () => {
    await controller.fetch(getTodo, { id: 1 });
    await expect(controller.fetch(getTodo, { id: 401 })).rejects.toThrow('who?');
  });
  await waitFor(() => expect(controller.get(Todo, { id: 1 })).toBe(undefined));
});

test('[T5] a subscription class of the application serves the components of one key', async () => {
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

test('[T5] the policies of the manager of requests hold', async () => {
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

test('[T5] null arguments read nothing, and objects have a shape before their data', async () => {
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
  expect(seen.at(-1)).toEqual([false, undefined, undefined]);
  rerender(<Reader page={1} />);
  const shape = { results: undefined, next: '', nested: { todo: undefined } };
  expect(seen.at(-1)).toEqual([true, shape, shape]);
  await waitFor(() => expect(seen.at(-1)).toMatchObject([false, { next: 'b' }, { next: 'b' }]));
  function Skipped() {
    return <p>{String(useSuspense(getFeed, null))}</p>;
  }
  render(<Skipped />, { wrapper: DataProvider });
  expect(screen.getByText('undefined')).toBeTruthy();
});
