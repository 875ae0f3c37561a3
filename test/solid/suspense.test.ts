// The accessor of Solid: its type, suspense, reads while pending, transitions, chains.
import {
  createComponent,
  createEffect,
  createSignal,
  ErrorBoundary,
  startTransition,
} from 'solid-js';
import type { JSX } from 'solid-js';
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { Endpoint } from 'signalbox';
import {
  useCancelling,
  useController,
  useDLE,
  useDebounce,
  useLive,
  useSelect,
  useSuspense,
  useSuspenseAll,
} from 'signalbox/solid';
import type { SuspenseAccessor } from 'signalbox/solid';
import { User, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { element, mount, quiet, suspense } from './mount.ts';

/** Notes each text that the page has had, the same in a row once. */
function film(root: HTMLElement): string[] {
  const seen = [root.textContent];
  const note = (): void => {
    if (seen.at(-1) !== root.textContent) seen.push(root.textContent);
  };
  new MutationObserver(note).observe(root, { childList: true, characterData: true, subtree: true });
  return seen;
}

const titlesOf = (todos: readonly Todo[]) => todos.map(({ title }) => title).join(' ');

const getUser = (w: World): Endpoint<(params: { id: number }) => Promise<object>, typeof User> =>
  new Endpoint(
    ({ id }) => w.server.ask(`GET /users/${id}`, () => ({ ...w.server.users.get(id) })),
    {
      name: 'getUser',
      schema: User,
    },
  );

test('[H2] the accessor of useSelect suspends and throws where it is read', async () => {
  const w = world();
  w.server.hold();
  const [id, setId] = createSignal(1);
  const { root } = mount(w, () => {
    const title = useSelect(
      w.getTodo,
      () => ({ id: id() }),
      (todo) => todo.title.at(0)!.toUpperCase(),
    );
    return createComponent(ErrorBoundary, {
      fallback: (error: Error) => element('b', error.message),
      get children() {
        return suspense(() => element('p', title));
      },
    });
  });
  const seen = film(root);
  await quiet();
  w.server.release();
  await quiet();
  await w.controller.set(w.Todo, { id: 1 }, { title: 'new' });
  await quiet();
  expect(seen).toEqual(['loading', 'T', 'N']);
  w.server.fail(404);
  setId(2);
  await quiet();
  expect(root.textContent).toBe('status 404');
});

test('[H2] in a transition, useSuspenseAll with other reads shows the old data until all new data are loaded', async () => {
  const w = world();
  const [ids, setIds] = createSignal([1, 2]);
  const { root } = mount(w, () => {
    const todos = useSuspenseAll(() => ids().map((each) => [w.getTodo, { id: each }] as const));
    return suspense(() => element('p', () => titlesOf(todos())));
  });
  await quiet();
  const seen = film(root);
  for (const next of [[1, 2, 3], [4, 5], [5]]) {
    w.server.hold();
    void startTransition(() => setIds(next));
    await quiet();
    w.server.release();
    await quiet();
  }
  expect(seen).toEqual(['t1 t2', 't1 t2 t3', 't4 t5', 't5']);
});

test('[H2] useDebounce drops a waiting transition when its value is restored', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const rest = () => vi.advanceTimersByTimeAsync(200);
  const w = world();
  const [id, setId] = createSignal(1);
  const { root } = mount(w, () => {
    const [asked, isPending] = useDebounce(id, 200);
    const todo = useSuspense(w.getTodo, () => ({ id: asked() }));
    return suspense(() => element('p', () => `${todo().title} ${isPending()}`));
  });
  await rest();
  const seen = film(root);
  w.server.hold();
  setId(2);
  await rest();
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  setId(1);
  w.server.release();
  await rest();
  await rest();
  expect(seen).toEqual(['t1 false', 't1 true', 't1 false']);
  setId(2);
  await rest();
  await rest();
  expect(root.textContent).toBe('t2 false');
});

test('[H1] the accessor of useSuspense has state, loading, error, latest and refetch of a Solid resource', async () => {
  const w = world();
  w.server.hold();
  let todo!: SuspenseAccessor<Todo>;
  const states: string[] = [];
  mount(w, () => {
    todo = useSuspense(w.getTodo, () => ({ id: 1 }));
    createEffect(() => {
      const state = `${todo.state} ${todo.loading} ${todo.latest?.title}`;
      if (states.at(-1) !== state) states.push(state);
    });
    return suspense(() => element('p', () => todo().title));
  });
  await quiet();
  expect(todo.error).toBeUndefined();
  w.server.release();
  await quiet();
  expect(todo().title).toBe('t1');
  w.server.row(1)!.title = 'newer';
  w.server.hold();
  const answer = todo.refetch();
  await quiet();
  w.server.release();
  expect((await answer).title).toBe('newer');
  await quiet();
  expect(states).toEqual([
    'pending true undefined',
    'ready false t1',
    'refreshing true t1',
    'ready false newer',
  ]);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
});

test('[H1] the accessor of useLive shows requests sent by fetch, polls and expireAll', async () => {
  const w = world();
  let todo!: SuspenseAccessor<Todo>;
  mount(w, () => {
    todo = useLive(w.pollTodo, () => ({ id: 1 }));
    return suspense(() => element('p', () => `${todo().title} ${todo.state} ${todo.loading}`));
  });
  const page = () => document.body.textContent;
  const seen = async (send: () => unknown) => {
    w.server.hold();
    void send();
    await quiet();
    const during = page();
    w.server.release();
    await quiet();
    return [during, page()];
  };
  await quiet();
  const both = ['t1 refreshing true', 't1 ready false'];
  expect(await seen(() => w.controller.fetch(w.getTodo, { id: 1 }))).toEqual(both);
  expect(await seen(() => w.clock.advance(1_000))).toEqual(both);
  expect(await seen(() => w.controller.expireAll(w.getTodo))).toEqual(both);
  expect(w.server.log).toHaveLength(4);
});

test('[H2] the place that reads the accessor suspends, not the place that calls useSuspense', async () => {
  const w = world();
  w.server.hold();
  const { root } = mount(w, () => {
    const todo = useSuspense(w.getTodo, () => ({ id: 1 }));
    return [element('h1', 'head'), suspense(() => element('p', () => todo().title))];
  });
  await quiet();
  expect(root.textContent).toBe('headloading');
  w.server.release();
  await quiet();
  expect(root.textContent).toBe('headt1');
});

test('[H2] two useSuspense in one component send their requests at once', async () => {
  const w = world();
  w.server.hold();
  mount(w, () =>
    suspense(() => {
      const one = useSuspense(w.getTodo, () => ({ id: 1 }));
      const two = useSuspense(w.getTodo, () => ({ id: 2 }));
      return element('p', () => one().title + two().title);
    }),
  );
  await quiet();
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  w.server.release();
});

test('[H2] while data are pending, the accessor returns the defaults of the schema', async () => {
  const w = world();
  w.server.hold();
  const page = new Endpoint(() => w.server.ask('GET /page', () => ({})), {
    name: 'page',
    schema: { best: w.Todo, all: [w.Todo], token: 'none' },
  });
  const read: unknown[] = [];
  mount(w, () =>
    suspense(() => {
      const todo = useSuspense(w.getTodo, () => ({ id: 1 }));
      const todos = useSuspense(w.getList, () => ({}));
      const best = useSuspense(page);
      expectTypeOf(todo().title).toEqualTypeOf<string>();
      read.push(todo() instanceof w.Todo, todo().title, todos().length, best());
      return 'never shown';
    }),
  );
  expect(read).toEqual([true, '', 0, { best: new w.Todo(), all: [], token: 'none' }]);
  await quiet();
});

test('[H2] changed params show the fallback; in a transition, the old data until the new are loaded', async () => {
  const w = world();
  const [id, setId] = createSignal(1);
  const { root } = mount(w, () =>
    suspense(() => {
      const todo = useSuspense(w.getTodo, () => ({ id: id() }));
      return element('p', () => `${id()} ${todo().title}`);
    }),
  );
  await quiet();
  const seen = film(root);
  w.server.hold();
  setId(2);
  await quiet();
  w.server.release();
  await quiet();
  expect(seen).toEqual(['1 t1', 'loading', '2 t2']);
  w.server.hold();
  void startTransition(() => setId(3));
  await quiet();
  expect(root.textContent).toBe('2 t2');
  w.server.release();
  await quiet();
  expect(seen).toEqual(['1 t1', 'loading', '2 t2', '3 t3']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/3']);
  await w.controller.set(w.Todo, { id: 3 }, { title: 'pushed' });
  expect(root.textContent).toBe('3 pushed');
});

test('[H2] an invalidation in a transition keeps showing the old data until the response', async () => {
  const w = world();
  const { root } = mount(w, () =>
    suspense(() => {
      const todo = useSuspense(w.getTodo, () => ({ id: 1 }));
      return element('p', () => todo().title);
    }),
  );
  await quiet();
  const seen = film(root);
  w.server.row(1)!.title = 'newer';
  w.server.hold();
  void startTransition(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  await quiet();
  expect(w.server.log).toHaveLength(2);
  w.server.release();
  await quiet();
  expect(seen).toEqual(['t1', 'newer']);
  await w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' });
  expect(root.textContent).toBe('pushed');
});

test('[H2] params that read another accessor wait for that accessor, and no other request is sent', async () => {
  const w = world();
  const user = getUser(w);
  const inner = (): JSX.Element => {
    const todo = useSuspense(w.getTodo, () => ({ id: 2 }));
    const owner = useSuspense(user, () => ({ id: todo().userId }));
    return [element('h1', 'head'), suspense(() => element('p', () => `by ${owner().name}`))];
  };
  // the boundary around the hooks is not the boundary that suspends
  const { root } = mount(w, () => suspense(inner));
  const seen = film(root);
  await quiet();
  await quiet();
  expect(seen).toEqual(['headloading', 'headby bob']);
  expect(w.server.log).toEqual(['GET /todos/2']);
  w.controller.invalidate(user, { id: 2 });
  await quiet();
  await quiet();
  expect(w.server.log).toEqual(['GET /todos/2', 'GET /users/2']);
  expect(root.textContent).toBe('headby bob');
});

test('[H1] params that read useDLE wait for its data', async () => {
  const w = world();
  const user = getUser(w);
  await w.controller.fetch(user, { id: 2 });
  w.controller.invalidate(user, { id: 2 });
  const seen: unknown[] = [];
  mount(w, () => {
    const todo = useDLE(w.getTodo, () => ({ id: 2 }));
    const owner = useDLE(user, () => ({ id: todo.data?.userId ?? 0 }));
    createEffect(() => seen.push(owner.loading ? 'wait' : owner.data?.name));
    return [];
  });
  await quiet();
  await quiet();
  expect(seen).toEqual(['wait', 'bob']);
  expect(w.server.log).not.toContain('GET /users/0');
});

test('[C5] with invalidIfStale, an expiry alone sends no request for a mounted reader', async () => {
  const w = world({ size: 1, invalidIfStale: true });
  const { root } = mount(w, () =>
    suspense(() => {
      const todos = useSuspense(w.getList, () => ({}));
      return element('p', () => todos().map(({ title }) => title));
    }),
  );
  await quiet();
  w.clock.advance(60_001);
  await w.controller.fetch(w.create, { title: 'born', userId: 1 });
  await quiet();
  expect(root.textContent).toBe('t1born');
  expect(w.server.log).toEqual(['GET /todos', 'POST /todos']);
});

test('[H2] dependent reads in a transition show the old data until the last response', async () => {
  const w = world();
  for (const [id, name] of [
    [1, 'ada'],
    [2, 'bob'],
  ] as const)
    w.server.users.set(id, { id, name });
  const plain = new Endpoint(
    ({ id }: { id: number }) => w.server.ask(`GET /owner/${id}`, () => ({ owner: 10 + id })),
    { name: 'plain', schema: { owner: 0 } },
  );
  const name = new Endpoint(
    ({ id }: { id: number }) => w.server.ask(`GET /name/${id}`, () => ({ text: `n${id}` })),
    { name: 'name', schema: { text: '' } },
  );
  const [id, setId] = createSignal(1);
  const { root } = mount(w, () =>
    suspense(() => {
      const first = useSuspense(plain, () => ({ id: id() }));
      const second = useSuspense(name, () => ({ id: first().owner }));
      return element('p', () => `${id()} ${second().text}`);
    }),
  );
  const seen = film(root);
  await quiet();
  await quiet();
  expect(root.textContent).toBe('1 n11');
  void startTransition(() => setId(2));
  await quiet();
  await quiet();
  expect(seen).toEqual(['loading', '1 n11', '2 n12']);
  expect(w.server.log).toEqual(['GET /owner/1', 'GET /name/11', 'GET /owner/2', 'GET /name/12']);
});

test('[H7] a reset of a boundary below the hook refetches only after the error has expired', async () => {
  const w = world();
  let reset = (): void => {};
  w.server.fail(404);
  const { root } = mount(w, () => {
    const todo = useSuspense(w.getTodo, () => ({ id: 1 }));
    return createComponent(ErrorBoundary, {
      fallback: (error: Error, again: () => void) => {
        reset = again;
        return element('b', error.message);
      },
      get children() {
        return suspense(() => element('p', () => todo().title));
      },
    });
  });
  await quiet();
  expect(root.textContent).toBe('status 404');
  reset();
  await quiet();
  expect([root.textContent, w.server.log.length]).toEqual(['status 404', 1]);
  w.clock.advance(1_001);
  w.server.fail(undefined);
  reset();
  expect(root.textContent).toBe('loading');
  await quiet();
  expect([root.textContent, w.server.log.length]).toEqual(['t1', 2]);
});

test('[H7] an error of a read that params depend on is thrown by the dependent reader, and a reset refetches', async () => {
  const w = world();
  const user = getUser(w);
  let reset = (): void => {};
  w.server.fail(404);
  const { root } = mount(w, () => {
    const todo = useSuspense(w.getTodo, () => ({ id: 2 }));
    const owner = useSuspense(user, () => ({ id: todo().userId }));
    const bounded = createComponent(ErrorBoundary, {
      fallback: (error: Error, again: () => void) => {
        reset = again;
        return element('b', error.message);
      },
      get children() {
        return suspense(() => element('p', () => owner().name));
      },
    });
    return [element('h1', 'head'), bounded];
  });
  await quiet();
  expect(root.textContent).toBe('headstatus 404');
  w.clock.advance(1_001);
  w.server.fail(undefined);
  reset();
  await quiet();
  await quiet();
  expect(root.textContent).toBe('headbob');
  expect(w.server.log).toEqual(['GET /todos/2', 'GET /todos/2']);
});

test('[H7] an exception of `key` is the error of useDLE until the params change', async () => {
  const w = world();
  const odd = w.getTodo.extend({
    key: ({ id }) => {
      if (id < 0) throw new Error('no such id');
      return `odd ${id}`;
    },
  });
  const [id, setId] = createSignal(-1);
  const { root } = mount(w, () => {
    const todo = useDLE(odd, () => ({ id: id() }));
    return element('p', () => todo.error?.message ?? todo.data?.title);
  });
  expect(root.textContent).toBe('no such id');
  setId(1);
  await quiet();
  expect(root.textContent).toBe('t1');
});

test("[H1] the accessor of a failed read has state 'errored' and the error, and throws when called", async () => {
  const w = world();
  w.server.fail(404);
  let todo!: SuspenseAccessor<Todo>;
  mount(w, () => {
    todo = useSuspense(w.getTodo, () => ({ id: 1 }));
    return element('p', () => todo.error?.message);
  });
  await quiet();
  expect([todo.state, todo.loading, todo.error?.message]).toEqual(['errored', false, 'status 404']);
  expect(() => todo()).toThrow('status 404');
});

test('[C9] null params return the empty value of the schema, and send no request', async () => {
  const w = world();
  const [id, setId] = createSignal<number | null>(null);
  let state = '';
  const { root } = mount(w, () =>
    suspense(() => {
      const params = (): { id: number } | null => (id() === null ? null : { id: id() as number });
      const todo = useSuspense(w.getTodo, params);
      const todos = useSuspense(w.getList, () => null);
      const dle = useDLE(w.getTodo, params);
      expectTypeOf(todo).toEqualTypeOf<SuspenseAccessor<Todo | undefined>>();
      expectTypeOf(todos).toEqualTypeOf<SuspenseAccessor<Todo[]>>();
      state = todo.state;
      return element('p', () => `${todo()?.title} ${todos().length} ${dle.data?.title}`);
    }),
  );
  await quiet();
  expect([root.textContent, state, w.server.log]).toEqual([
    'undefined 0 undefined',
    'unresolved',
    [],
  ]);
  setId(1);
  await quiet();
  expect(root.textContent).toBe('t1 0 t1');
  expect(w.server.log).toEqual(['GET /todos/1']);
});

test('[E5] wrong arguments do not compile', () => {
  const useWrong = (w: World): unknown => [
    // @ts-expect-error id is a number
    useSuspense(w.getTodo, () => ({ id: '1' })),
    // @ts-expect-error the argument is missing
    useSuspense(w.getTodo),
    // @ts-expect-error arguments are functions
    useSuspense(w.getTodo, { id: 1 }),
  ];
  expect(useWrong).toBeTypeOf('function');
});

test('[H1] a hook outside of a provider throws an error that names the fix', () => {
  expect(() => useController()).toThrow(/^\[signalbox A1\] .useController. was called outside/);
  const { getTodo } = world();
  for (const args of [{ id: 1 }, null])
    expect(() => useCancelling(getTodo, () => args)).toThrow(/A1.*useCancelling.*outside/);
});

/** Requests that are never answered, with their signals. */
function endless(w: World): {
  readonly endpoint: Endpoint<(params: { id: number }) => Promise<Todo>, typeof w.Todo>;
  readonly aborted: (id: number) => boolean | undefined;
} {
  const signals = new Map<number, AbortSignal | undefined>();
  async function ask(this: { signal?: AbortSignal }, { id }: { id: number }): Promise<Todo> {
    signals.set(id, this.signal);
    return new Promise<Todo>(() => {});
  }
  const endpoint = new Endpoint(ask, { name: 'endless', schema: w.Todo });
  return { endpoint, aborted: (id) => signals.get(id)?.aborted };
}

test('[F3] an unmounted reader that was the only reader of a pending request aborts the request', async () => {
  const w = world();
  const { endpoint, aborted } = endless(w);
  const [id, setId] = createSignal(1);
  const [two, setTwo] = createSignal(true);
  const Detail = (): JSX.Element => {
    const todo = useSuspense(endpoint, () => ({ id: id() }));
    return element('p', () => todo().title);
  };
  const again = () => (two() ? suspense(() => createComponent(Detail, {})) : null);
  const page = mount(w, () => [suspense(() => createComponent(Detail, {})), again as never]);
  await quiet();
  setTwo(false);
  await quiet();
  w.clock.advance(1_000);
  await quiet();
  // another reader still waits
  expect(aborted(1)).toBe(false);
  setId(2);
  await quiet();
  w.clock.advance(100);
  expect([aborted(1), aborted(2)]).toEqual([true, false]);
  page.unmount();
  await quiet();
  w.clock.advance(100);
  expect(aborted(2)).toBe(true);
});
