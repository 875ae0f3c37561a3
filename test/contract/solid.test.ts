// The behaviour suite, run on Solid. Without JSX: what its compiler would write, by hand.
import { createComponent, createMemo, createSignal, ErrorBoundary, For, Suspense } from 'solid-js';
import type { Accessor, JSX } from 'solid-js';
import { insert, render } from 'solid-js/web';
import { Provider, useCache, useDLE, useLive, useSuspense } from 'signalbox/solid';
import { contract } from './suite.ts';
import type { Driver, Scene } from './suite.ts';
import { line } from './world.ts';
import type { ListParams, Todo, TodoParams, World } from './world.ts';

interface Props {
  readonly world: World;
  readonly params: Accessor<Scene['params']>;
}

function element(tag: string, content: string | (() => JSX.Element)): JSX.Element {
  const made = document.createElement(tag);
  insert(made, content);
  return made;
}

function List({ world, params }: Props): JSX.Element {
  const todos = useSuspense(world.getList, params as Accessor<ListParams | null>);
  const row = (todo: Todo): JSX.Element =>
    element('li', () => {
      world.count(`row ${todo.id}`);
      return line(todo);
    });
  const rows = createComponent(For<readonly Todo[], JSX.Element>, {
    get each() {
      world.count('list');
      return todos();
    },
    children: row,
  });
  return element('ul', () => rows);
}

function Detail({ world, params }: Props): JSX.Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('detail');
    return line(todo());
  });
}

function Dle({ world, params }: Props): JSX.Element {
  const todo = useDLE(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('dle');
    if (todo.loading) return 'wait';
    return todo.error ? `failed: ${todo.error.message}` : line(todo.data);
  });
}

function Live({ world, params }: Props): JSX.Element {
  const todo = useLive(world.pollTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('live');
    return line(todo());
  });
}

function Cache({ world, params }: Props): JSX.Element {
  const todo = useCache(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('cache');
    return line(todo());
  });
}

// data are live here: the plain list is the fine-grained form
const views = { list: List, fineList: List, detail: Detail, dle: Dle, cache: Cache, live: Live };

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: 'solid',
  async mount(world, scenes) {
    const root = document.body.appendChild(document.createElement('main'));
    const [shown, show] = createSignal(scenes);
    let reset = (): void => {};
    const place = (key: string): JSX.Element => {
      const [at, view] = key.split(' ') as [string, Scene['view']];
      const params = createMemo(() => shown()[Number(at)]?.params ?? null);
      return createComponent(views[view], { world, params });
    };
    const page = (): JSX.Element =>
      createComponent(Suspense, {
        fallback: element('i', 'loading'),
        get children() {
          return createComponent(For<string[], JSX.Element>, {
            get each() {
              return shown().map(({ view }, at) => `${at} ${view}`);
            },
            children: place,
          });
        },
      });
    const bounded = (): JSX.Element =>
      createComponent(ErrorBoundary, {
        fallback: (error: Error, again: () => void) => {
          reset = again;
          return element('b', error.message);
        },
        get children() {
          return page();
        },
      });
    const stop = render(
      () =>
        createComponent(Provider, {
          controller: world.controller,
          get children() {
            return bounded();
          },
        }),
      root,
    );
    const act = async (job?: () => unknown): Promise<void> => {
      await job?.();
      await quiet();
      await quiet();
    };
    await act();
    return {
      root,
      act,
      show: (next) => act(() => show(next)),
      retry: () => act(() => reset()),
      unmount: () => act(stop),
    };
  },
};

contract(driver);
