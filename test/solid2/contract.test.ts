// The behaviour suite, run on Solid 2.0. Without JSX: what its compiler would write, by hand.
import { createComponent, createMemo, createSignal, For, Loading } from 'solid-js';
import type { Accessor, Element } from 'solid-js';
import { insert, render } from '@solidjs/web';
import {
  AsyncBoundary,
  ErrorBoundary,
  Provider,
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
  useSelect,
  useSubscription,
  useSuspense,
} from 'signalbox/solid2';
import type { Caught } from 'signalbox/solid2';
import { contract } from '../contract/suite.ts';
import type { Driver, Scene } from '../contract/suite.ts';
import { chosen, line } from '../contract/world.ts';
import type { ListParams, Todo, TodoParams, World } from '../contract/world.ts';

interface Props {
  readonly world: World;
  readonly params: Accessor<Scene['params']>;
}

function element(tag: string, content: string | (() => Element)): Element {
  const made = document.createElement(tag);
  insert(made, content);
  return made;
}

function List({ world, params }: Props): Element {
  const todos = useSuspense(world.getList, params as Accessor<ListParams | null>);
  const row = (todo: Todo): Element =>
    element('li', () => {
      world.count(`row ${todo.id}`);
      return line(todo);
    });
  const rows = createComponent(For<readonly Todo[], Element>, {
    get each() {
      world.count('list');
      return todos();
    },
    children: row,
  });
  return element('ul', () => rows);
}

function Detail({ world, params }: Props): Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('detail');
    return line(todo());
  });
}

function Dle({ world, params }: Props): Element {
  const todo = useDLE(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('dle');
    if (todo.loading) return 'wait';
    return todo.error ? `failed: ${todo.error.message}` : line(todo.data);
  });
}

function Live({ world, params }: Props): Element {
  const todo = useLive(world.pollTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('live');
    return line(todo());
  });
}

function Cache({ world, params }: Props): Element {
  const todo = useCache(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('cache');
    return line(todo());
  });
}

function button(text: string, press: () => void): Element {
  const made = element('button', text) as HTMLElement;
  made.addEventListener('click', press);
  return made;
}

function Ticker({ world, params }: Props): Element {
  const named = params as Accessor<TodoParams | null>;
  useSubscription(world.pollTodo, named);
  const todo = useCache(world.getTodo, named);
  return element('p', () => {
    world.count('ticker');
    return line(todo());
  });
}

function Early({ world, params }: Props): Element {
  const named = params as Accessor<TodoParams | null>;
  useFetch(world.getTodo, named);
  const todo = useCache(world.getTodo, named);
  return element('p', () => {
    world.count('early');
    return line(todo());
  });
}

function Failure({ world, params }: Props): Element {
  const error = useError(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('error');
    const failure = error();
    return failure ? `failed: ${failure.message}` : 'fine';
  });
}

function Entity({ world, params }: Props): Element {
  const todo = useQuery(world.Todo, params);
  return element('p', () => {
    world.count('entity');
    return line(todo());
  });
}

function selecting(name: string, text: (todos: readonly Todo[]) => string | number) {
  return ({ world, params }: Props): JSX.Element => {
    const list = params as Accessor<ListParams | null>;
    const selected = useSelect(world.getList, list, (todos) => text(chosen(todos)));
    return element('p', () => {
      world.count(name);
      return String(selected());
    });
  };
}

function Editor({ world, params }: Props): Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams>);
  const controller = useController();
  const edit = (): void => {
    controller.fetch(world.edit, { id: todo().id }, { title: 'edited' }).catch(() => {});
  };
  const text = element('p', () => {
    world.count('editor');
    return line(todo());
  });
  return [text, button('edit', edit)];
}

function Saver({ world, params }: Props): Element {
  const controller = useController();
  const [save, loading, error] = useLoading(() =>
    controller.fetch(world.update, params() as TodoParams, { title: 'saved' }),
  );
  const text = element('p', () => {
    world.count('saver');
    const failure = error();
    const idle = failure ? `failed: ${failure.message}` : 'idle';
    return loading() ? 'saving' : idle;
  });
  return [text, button('save', () => void save())];
}

function Typing({ world, params }: Props): Element {
  const [id, isPending] = useDebounce(() => params()?.id, 200);
  return element('p', () => {
    world.count('typing');
    return `${id()}${isPending() ? ' …' : ''}`;
  });
}

function Search({ world, params }: Props): Element {
  const named = params as Accessor<TodoParams>;
  const todo = useSuspense(useCancelling(world.getTodo, named), named);
  return element('p', () => {
    world.count('search');
    return line(todo());
  });
}

function Lookup({ world, params }: Props): Element {
  const named = params as Accessor<TodoParams>;
  const todo = useDLE(useCancelling(world.getTodo, named), named);
  return element('p', () => {
    world.count('lookup');
    return todo.loading ? 'wait' : line(todo.data);
  });
}

function Failed({ error, resetErrorBoundary }: Caught): Element {
  return [element('b', error.message), button('again', resetErrorBoundary)];
}

function Panel({ world, params }: Props): Element {
  return createComponent(AsyncBoundary, {
    fallback: element('i', 'panel'),
    errorComponent: Failed,
    get resetKeys() {
      return [params()?.id];
    },
    get children() {
      return createComponent(Detail, { world, params });
    },
  });
}

// data are live here: the plain list is the fine-grained form
const views = {
  list: List,
  fineList: List,
  detail: Detail,
  dle: Dle,
  cache: Cache,
  live: Live,
  ticker: Ticker,
  early: Early,
  error: Failure,
  entity: Entity,
  amount: selecting('amount', (todos) => todos.length),
  chosen: selecting('chosen', (todos) => todos.map(line).join('; ')),
  editor: Editor,
  saver: Saver,
  typing: Typing,
  search: Search,
  lookup: Lookup,
  panel: Panel,
};

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: 'solid 2.0',
  async mount(world, scenes) {
    const root = document.body.appendChild(document.createElement('main'));
    const [shown, show] = createSignal(scenes);
    let reset = (): void => {};
    const place = (key: string): Element => {
      const [at, view] = key.split(' ') as [string, Scene['view']];
      const params = createMemo(() => shown()[Number(at)]?.params ?? null);
      return createComponent(views[view], { world, params });
    };
    const page = (): Element =>
      createComponent(Loading, {
        fallback: element('i', 'loading'),
        get children() {
          return createComponent(For<string[], Element>, {
            get each() {
              return shown().map(({ view }, at) => `${at} ${view}`);
            },
            children: place,
          });
        },
      });
    const bounded = (): Element =>
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
      press: (at = 0) => act(() => root.querySelectorAll('button')[at]?.click()),
      retry: () => act(() => reset()),
      unmount: () => act(stop),
    };
  },
};

contract(driver);
