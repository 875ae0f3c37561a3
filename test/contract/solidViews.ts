// The components of the behaviour suite for Solid. Without JSX: the output of the compiler, written by hand.
// For Solid 2.0 vitest.config.ts resolves these imports to the packages and the adapter of Solid 2.0.
import type { Scene } from './driver.ts';
import {
  chosen,
  keptLine,
  line,
  mutationLine,
  nextPage,
  joinedLine,
  noteLine,
  notesLine,
  noting,
  notingCall,
  numbered,
  numbersLine,
  pagesLine,
  readsOf,
  stateLine,
  statusLine,
} from './world.ts';
import type { ListParams, Note, Todo, TodoParams, World } from './world.ts';
import {
  AsyncBoundary,
  useCache,
  useCancelling,
  useController,
  useDLE,
  useDLEAll,
  useDebounce,
  useError,
  useFetch,
  useInfinite,
  useIsFetching,
  useLive,
  useLoading,
  useMutation,
  useQuery,
  useSelect,
  useStatus,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from 'signalbox/solid';
import type { FallbackProps } from 'signalbox/solid';
import { For, createComponent, createMemo, createSignal, onCleanup, untrack } from 'solid-js';
import type { Accessor, JSX } from 'solid-js';
import { insert } from 'solid-js/web';

interface Props {
  readonly world: World;
  readonly params: Accessor<Scene['params']>;
}

/** An element with changing content. */
export function element(tag: string, content: string | (() => JSX.Element)): JSX.Element {
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

function Envelope({ world, params }: Props): JSX.Element {
  const pages = useSuspense(world.getPages, params as Accessor<ListParams | null>);
  const halves = useSuspense(world.getHalves, () => ({}));
  const row = (todo: Todo): JSX.Element =>
    element('li', () => {
      world.count(`row ${todo.id}`);
      return line(todo);
    });
  const rowsOf = (todos: Accessor<readonly Todo[]>): JSX.Element =>
    createComponent(For<readonly Todo[], JSX.Element>, {
      get each() {
        return todos();
      },
      children: row,
    });
  const first = rowsOf(() => pages().items);
  const second = rowsOf(() => halves().later);
  return element('ul', () => [first, second]);
}

function Newest({ world, params }: Props): JSX.Element {
  return createComponent(List, { world: { ...world, getList: world.getNewest }, params });
}

function Detail({ world, params }: Props): JSX.Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('detail');
    return line(todo());
  });
}

function Notes({ world, params }: Props): JSX.Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('notes');
    return notesLine(todo());
  });
}

function WithNotes({ world, params }: Props): JSX.Element {
  return createComponent(Notes, { world: { ...world, getTodo: world.todoWithNotes }, params });
}

function NoteRows({ world, params }: Props): JSX.Element {
  const todo = useSuspense(world.getTodo, params as Accessor<TodoParams | null>);
  const rows = createComponent(For<readonly Note[], JSX.Element>, {
    get each() {
      world.count('list');
      return todo()?.notes;
    },
    children: (note: Note) =>
      element('li', () => {
        world.count(`row ${note.id}`);
        return noteLine(note);
      }),
  });
  return element('ul', () => rows);
}

function Several({ world, params }: Props): JSX.Element {
  const todos = useSuspenseAll(() => readsOf(world, params()));
  return element('p', () => {
    world.count('several');
    return todos().map(line).join('; ');
  });
}

function SeveralStates({ world, params }: Props): JSX.Element {
  const all = useDLEAll(() => readsOf(world, params()));
  return element('p', () => {
    world.count('severalStates');
    return all().map(stateLine).join('; ');
  });
}

function Dle({ world, params }: Props): JSX.Element {
  const todo = useDLE(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('dle');
    if (todo.loading) return 'wait';
    if (todo.error) return `failed: ${todo.error.message}`;
    return todo.deleted ? `${line(todo.data)}, deleted` : line(todo.data);
  });
}

function Kept({ world, params }: Props): JSX.Element {
  const kept = untrack(params)?.userId === undefined ? world.keptTodo : world.keptList;
  const todo = useDLE(kept as World['keptTodo'], params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('kept');
    return keptLine(todo);
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

function button(text: string, press: () => void): JSX.Element {
  const made = element('button', text) as HTMLElement;
  made.addEventListener('click', press);
  return made;
}

function Ticker({ world, params }: Props): JSX.Element {
  const named = params as Accessor<TodoParams | null>;
  useSubscription(world.pollTodo, named);
  const todo = useCache(world.getTodo, named);
  return element('p', () => {
    world.count('ticker');
    return line(todo());
  });
}

function Early({ world, params }: Props): JSX.Element {
  const named = params as Accessor<TodoParams | null>;
  useFetch(world.getTodo, named);
  const todo = useCache(world.getTodo, named);
  return element('p', () => {
    world.count('early');
    return line(todo());
  });
}

function Failure({ world, params }: Props): JSX.Element {
  const error = useError(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('error');
    const failure = error();
    return failure ? `failed: ${failure.message}` : 'fine';
  });
}

function Entity({ world, params }: Props): JSX.Element {
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

function Editor({ world, params }: Props): JSX.Element {
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

function Saver({ world, params }: Props): JSX.Element {
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

function StatusLine({ world, params }: Props): JSX.Element {
  const status = useStatus(world.getTodo, params as Accessor<TodoParams | null>);
  return element('p', () => {
    world.count('status');
    return statusLine(status);
  });
}

function Requests({ world }: Props): JSX.Element {
  const own = useIsFetching(world.getTodo);
  const all = useIsFetching();
  return element('p', () => {
    world.count('requests');
    return `${own()} of ${all()}`;
  });
}

function Mutate({ world, params }: Props): JSX.Element {
  const mutation = useMutation(world.update, noting(world.called));
  const { mutate, mutateAsync, reset, abort } = mutation;
  const named = params as Accessor<TodoParams>;
  const body = { title: 'saved' };
  const wait = (): void => {
    mutateAsync(named(), body).then(
      ({ title }) => world.called.push(`resolved ${title}`),
      ({ name }: Error) => world.called.push(`rejected ${name}`),
    );
  };
  const text = element('p', () => {
    world.count('mutation');
    return mutationLine(mutation);
  });
  const buttons = [
    button('mutate', () => mutate(named(), body)),
    button('wait', wait),
    button('reset', reset),
    button('mutate', () => mutate(named(), body, notingCall(world.called))),
    button('abort', abort),
  ];
  return [text, ...buttons];
}

function Pages({ world, params }: Props): JSX.Element {
  const pages = useInfinite(world.getPages.getPage, params as Accessor<ListParams | null>, {
    getNextPageParams: nextPage,
  });
  const text = element('p', () => {
    world.count('pages');
    return pagesLine(pages);
  });
  return [text, button('more', () => void pages.fetchNextPage())];
}

function Numbers({ world }: Props): JSX.Element {
  const pages = useInfinite(world.getNumbers.getPage, () => ({}), numbered);
  const text = element('p', () => {
    world.count('numbers');
    return numbersLine(pages);
  });
  return [
    text,
    button('more', () => void pages.fetchNextPage()),
    button('back', () => void pages.fetchPreviousPage()),
    button('again', () => void pages.refetch()),
  ];
}

function Typing({ world, params }: Props): JSX.Element {
  const [id, isPending] = useDebounce(() => params()?.id, 200);
  return element('p', () => {
    world.count('typing');
    return `${id()}${isPending() ? ' …' : ''}`;
  });
}

function Search({ world, params }: Props): JSX.Element {
  const named = params as Accessor<TodoParams>;
  const todo = useSuspense(useCancelling(world.getTodo, named), named);
  return element('p', () => {
    world.count('search');
    return line(todo());
  });
}

function Lookup({ world, params }: Props): JSX.Element {
  const named = params as Accessor<TodoParams>;
  const todo = useDLE(useCancelling(world.getTodo, named), named);
  return element('p', () => {
    world.count('lookup');
    return todo.loading ? 'wait' : line(todo.data);
  });
}

function Failed({ error, resetErrorBoundary }: FallbackProps): JSX.Element {
  return [element('b', error.message), button('again', resetErrorBoundary)];
}

function Panel({ world, params }: Props): JSX.Element {
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

function Routed({ world, params }: Props): JSX.Element {
  const [page, setPage] = createSignal(1);
  const navigate = () => queueMicrotask(() => setPage((before) => 3 - before));
  onCleanup(world.history.listen(navigate));
  const bounded = (id: Accessor<number>): JSX.Element =>
    createComponent(AsyncBoundary, {
      errorComponent: Failed,
      listen: world.history.listen,
      get children() {
        return createComponent(Detail, { world, params: () => ({ id: id() }) });
      },
    });
  if (untrack(params)?.id === 2) return bounded(page);
  return createComponent(For<number[], JSX.Element>, {
    get each() {
      return [page()];
    },
    children: (id: number) => bounded(() => id),
  });
}

function Retrier({ world, params }: Props): JSX.Element {
  return createComponent(AsyncBoundary, {
    errorComponent: Failed,
    get listen() {
      return world.events[params()?.userId ?? 2]?.listen;
    },
    get children() {
      return createComponent(Detail, { world, params: () => ({ id: 1 }) });
    },
  });
}

function Picked({ world }: Props): JSX.Element {
  const amount = useQuery(world.picked);
  return element('p', () => {
    world.count('derived');
    return amount();
  });
}

function Joined({ world }: Props): JSX.Element {
  const rows = useQuery(world.joined);
  return element('p', () => {
    world.count('joined');
    return rows()?.map(joinedLine).join('; ');
  });
}

function Derived({ world, params }: Props): JSX.Element {
  return createComponent(AsyncBoundary, {
    fallback: element('i', 'panel'),
    errorComponent: Failed,
    get children() {
      return createComponent(Picked, { world, params });
    },
  });
}

function Shape({ world, params }: Props): JSX.Element {
  const page = useCache(world.getPage, params as Accessor<ListParams | null>);
  return element('p', () => {
    world.count('shape');
    return JSON.stringify(page());
  });
}

const readers = [useSuspense, useDLE, useCache, useLive, useFetch, useSubscription, useError];

function Misuse({ world, params }: Props): JSX.Element {
  const hook = readers[params()?.id ?? 0] as typeof useCache;
  const read: unknown = hook(world.update as never, params as never);
  return element('p', () => {
    if (typeof read === 'function') void (read as Accessor<unknown>)();
    return String((read as { readonly data?: unknown } | undefined)?.data);
  });
}

function Mistaken({ world, params }: Props): JSX.Element {
  const read = useQuery(world.getTodo as never, params);
  return element('p', () => String(read()));
}

// data are live here: the plain list is the fine-grained form
export const views = {
  list: List,
  newest: Newest,
  fineList: List,
  envelope: Envelope,
  detail: Detail,
  notes: Notes,
  noteRows: NoteRows,
  withNotes: WithNotes,
  joined: Joined,
  several: Several,
  severalStates: SeveralStates,
  dle: Dle,
  cache: Cache,
  live: Live,
  ticker: Ticker,
  early: Early,
  error: Failure,
  entity: Entity,
  amount: selecting('amount', (todos) => todos.length),
  chosen: selecting('chosen', (todos) => todos.map(line).join('; ')),
  derived: Derived,
  editor: Editor,
  saver: Saver,
  status: StatusLine,
  requests: Requests,
  mutation: Mutate,
  pages: Pages,
  numbers: Numbers,
  kept: Kept,
  typing: Typing,
  search: Search,
  lookup: Lookup,
  panel: Panel,
  routed: Routed,
  retrier: Retrier,
  shape: Shape,
  misuse: Misuse,
  mistaken: Mistaken,
};

/** The scenes of a page, in order; `shown` may change later. */
export function scenes(world: World, shown: Accessor<readonly Scene[]>): JSX.Element {
  const place = (key: string): JSX.Element => {
    const [at, view] = key.split(' ') as [string, Scene['view']];
    const params = createMemo(() => shown()[Number(at)]?.params ?? null);
    return createComponent(views[view], { world, params });
  };
  return createComponent(For<string[], JSX.Element>, {
    get each() {
      return shown().map(({ view }, at) => `${at} ${view}`);
    },
    children: place,
  });
}
