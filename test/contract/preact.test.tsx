/** @jsxImportSource preact */
// The behaviour suite, run on Preact.
import { contract } from './suite.ts';
import type { Driver, Scene } from './suite.ts';
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
import type { ListParams, Todo, TodoParams, World } from './world.ts';
import { render } from 'preact';
import type { VNode } from 'preact';
import { Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import {
  AsyncBoundary,
  ErrorBoundary,
  For,
  Provider,
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
} from 'signalbox/preact';
import type { FallbackProps } from 'signalbox/preact';

interface Props {
  readonly world: World;
  readonly params: Scene['params'];
}

function Row({ world, todo }: { world: World; todo: Todo }): VNode {
  world.count(`row ${todo.id}`);
  return <li>{line(todo)}</li>;
}

function List({ world, params }: Props): VNode {
  const todos = useSuspense(world.getList, params as ListParams);
  world.count('list');
  return (
    <ul>
      {todos.map((todo) => (
        <Row key={todo.id} world={world} todo={todo} />
      ))}
    </ul>
  );
}

function FineList({ world, params }: Props): VNode {
  world.count('list');
  return (
    <ul>
      <For each={world.getList} params={params}>
        {(todo) => {
          world.count(`row ${todo.id}`);
          return <li>{line(todo)}</li>;
        }}
      </For>
    </ul>
  );
}

function Envelope({ world, params }: Props): VNode {
  const draw = (todo: Todo): VNode => {
    world.count(`row ${todo.id}`);
    return <li>{line(todo)}</li>;
  };
  return (
    <ul>
      <For each={world.getPages} params={params}>
        {draw}
      </For>
      <For each={world.getHalves} params={{}} select={({ later }) => later}>
        {draw}
      </For>
    </ul>
  );
}

function Newest({ world, params }: Props): VNode {
  return <List world={{ ...world, getList: world.getNewest }} params={params} />;
}

function Detail({ world, params }: Props): VNode {
  const todo = useSuspense(world.getTodo, params as TodoParams | null);
  world.count('detail');
  return <p>{line(todo)}</p>;
}

function Notes({ world, params }: Props): VNode {
  const todo = useSuspense(world.getTodo, params as TodoParams | null);
  world.count('notes');
  return <p>{notesLine(todo)}</p>;
}

function WithNotes({ world, params }: Props): VNode {
  return <Notes world={{ ...world, getTodo: world.todoWithNotes }} params={params} />;
}

function NoteRows({ world, params }: Props): VNode {
  world.count('list');
  return (
    <ul>
      <For each={world.getTodo} params={params as TodoParams} select={({ notes }) => notes}>
        {(note) => {
          world.count(`row ${note.id}`);
          return <li>{noteLine(note)}</li>;
        }}
      </For>
    </ul>
  );
}

function Several({ world, params }: Props): VNode {
  const todos = useSuspenseAll(readsOf(world, params));
  world.count('several');
  return <p>{todos.map(line).join('; ')}</p>;
}

function SeveralStates({ world, params }: Props): VNode {
  const all = useDLEAll(readsOf(world, params));
  world.count('severalStates');
  return <p>{all.map(stateLine).join('; ')}</p>;
}

function Dle({ world, params }: Props): VNode {
  const dle = useDLE(world.getTodo, params as TodoParams | null);
  world.count('dle');
  if (dle.loading) return <p>wait</p>;
  if (dle.error) return <p>{`failed: ${dle.error.message}`}</p>;
  return <p>{dle.deleted ? `${line(dle.data)}, deleted` : line(dle.data)}</p>;
}

function Live({ world, params }: Props): VNode {
  const todo = useLive(world.pollTodo, params as TodoParams | null);
  world.count('live');
  return <p>{line(todo)}</p>;
}

function Cache({ world, params }: Props): VNode {
  const todo = useCache(world.getTodo, params as TodoParams | null);
  world.count('cache');
  return <p>{line(todo)}</p>;
}

function Ticker({ world, params }: Props): VNode {
  useSubscription(world.pollTodo, params as TodoParams | null);
  const todo = useCache(world.getTodo, params as TodoParams | null);
  world.count('ticker');
  return <p>{line(todo)}</p>;
}

function Early({ world, params }: Props): VNode {
  void useFetch(world.getTodo, params as TodoParams | null);
  const todo = useCache(world.getTodo, params as TodoParams | null);
  world.count('early');
  return <p>{line(todo)}</p>;
}

function Failure({ world, params }: Props): VNode {
  const error = useError(world.getTodo, params as TodoParams | null);
  world.count('error');
  return <p>{error ? `failed: ${error.message}` : 'fine'}</p>;
}

function Entity({ world, params }: Props): VNode {
  const todo = useQuery(world.Todo, params).value.data;
  world.count('entity');
  return <p>{line(todo)}</p>;
}

function Amount({ world, params }: Props): VNode {
  const amount = useSelect(world.getList, params, (todos) => chosen(todos).length);
  world.count('amount');
  return <p>{amount}</p>;
}

function Chosen({ world, params }: Props): VNode {
  const todos = useSelect(world.getList, params, chosen);
  world.count('chosen');
  return <p>{todos.map(line).join('; ')}</p>;
}

function Editor({ world, params }: Props): VNode {
  const todo = useSuspense(world.getTodo, params as TodoParams);
  const controller = useController();
  world.count('editor');
  const edit = (): void => {
    controller.fetch(world.edit, { id: todo.id }, { title: 'edited' }).catch(() => {});
  };
  return (
    <>
      <p>{line(todo)}</p>
      <button onClick={edit}>edit</button>
    </>
  );
}

function Saver({ world, params }: Props): VNode {
  const controller = useController();
  const { id } = params as TodoParams;
  const [save, loading, error] = useLoading(() =>
    controller.fetch(world.update, { id }, { title: 'saved' }),
  );
  world.count('saver');
  const idle = error ? `failed: ${error.message}` : 'idle';
  return (
    <>
      <p>{loading ? 'saving' : idle}</p>
      <button onClick={() => void save()}>save</button>
    </>
  );
}

function StatusLine({ world, params }: Props): VNode {
  const status = useStatus(world.getTodo, params as TodoParams | null);
  world.count('status');
  return <p>{statusLine(status)}</p>;
}

function Requests({ world }: Props): VNode {
  const own = useIsFetching(world.getTodo);
  const all = useIsFetching();
  world.count('requests');
  return <p>{`${own} of ${all}`}</p>;
}

function Mutate({ world, params }: Props): VNode {
  const { id } = params as TodoParams;
  const mutation = useMutation(world.update, noting(world.called));
  world.count('mutation');
  const { mutate, mutateAsync, reset, abort } = mutation;
  const body = { title: 'saved' };
  const wait = (): void => {
    mutateAsync({ id }, body).then(
      ({ title }) => world.called.push(`resolved ${title}`),
      ({ name }: Error) => world.called.push(`rejected ${name}`),
    );
  };
  return (
    <>
      <p>{mutationLine(mutation)}</p>
      <button onClick={() => mutate({ id }, body)}>mutate</button>
      <button onClick={wait}>wait</button>
      <button onClick={reset}>reset</button>
      <button onClick={() => mutate({ id }, body, notingCall(world.called))}>mutate</button>
      <button onClick={abort}>abort</button>
    </>
  );
}

function Pages({ world, params }: Props): VNode {
  const list: ListParams | null = params;
  const pages = useInfinite(world.getPages.getPage, list, {
    getNextPageParams: nextPage,
  });
  world.count('pages');
  return (
    <>
      <p>{pagesLine(pages)}</p>
      <button onClick={() => void pages.fetchNextPage()}>more</button>
    </>
  );
}

function Numbers({ world }: Props): VNode {
  const pages = useInfinite(world.getNumbers.getPage, {}, numbered);
  world.count('numbers');
  return (
    <>
      <p>{numbersLine(pages)}</p>
      <button onClick={() => void pages.fetchNextPage()}>more</button>
      <button onClick={() => void pages.fetchPreviousPage()}>back</button>
      <button onClick={() => void pages.refetch()}>again</button>
    </>
  );
}

function Kept({ world, params }: Props): VNode {
  const kept = params?.userId === undefined ? world.keptTodo : world.keptList;
  const shown = useDLE(kept as World['keptTodo'], params as TodoParams | null);
  world.count('kept');
  return <p>{keptLine(shown)}</p>;
}

function Typing({ world, params }: Props): VNode {
  const [id, isPending] = useDebounce(params?.id, 200);
  world.count('typing');
  return <p>{`${id}${isPending ? ' …' : ''}`}</p>;
}

function Search({ world, params }: Props): VNode {
  const named = params as TodoParams;
  const todo = useSuspense(useCancelling(world.getTodo, named), named);
  world.count('search');
  return <p>{line(todo)}</p>;
}

function Lookup({ world, params }: Props): VNode {
  const named = params as TodoParams;
  const { data, loading } = useDLE(useCancelling(world.getTodo, named), named);
  world.count('lookup');
  return <p>{loading ? 'wait' : line(data)}</p>;
}

function Shape({ world, params }: Props): VNode {
  const page = useCache(world.getPage, params);
  world.count('shape');
  return <p>{JSON.stringify(page)}</p>;
}

const readers = [useSuspense, useDLE, useCache, useLive, useFetch, useSubscription, useError];

function Misuse({ world, params }: Props): VNode {
  const useReader = readers[params?.id ?? 0] as typeof useCache;
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- the same one at each render
  useReader(world.update as never, params as never);
  return <p>{readers.length}</p>;
}

function Mistaken({ world, params }: Props): VNode {
  return <p>{String(useQuery(world.getTodo as never, params))}</p>;
}

function Failed({ error, resetErrorBoundary }: FallbackProps): VNode {
  return (
    <>
      <b>{error.message}</b>
      <button onClick={resetErrorBoundary}>again</button>
    </>
  );
}

function Panel({ world, params }: Props): VNode {
  return (
    <AsyncBoundary fallback={<i>panel</i>} errorComponent={Failed} resetKeys={[params?.id]}>
      <Detail world={world} params={params} />
    </AsyncBoundary>
  );
}

function Routed({ world, params }: Props): VNode {
  const [page, setPage] = useState(1);
  useEffect(() => {
    const navigate = () => queueMicrotask(() => setPage((before) => 3 - before));
    return world.history.listen(navigate);
  }, [world]);
  const key = params?.id === 2 ? 'both' : page;
  return (
    <AsyncBoundary key={key} errorComponent={Failed} listen={world.history.listen}>
      <Detail world={world} params={{ id: page }} />
    </AsyncBoundary>
  );
}

function Retrier({ world, params }: Props): VNode {
  const listen = world.events[params?.userId ?? 2]?.listen;
  return (
    <AsyncBoundary errorComponent={Failed} listen={listen}>
      <Detail world={world} params={{ id: 1 }} />
    </AsyncBoundary>
  );
}

function Picked({ world }: Props): VNode {
  const { data, error } = useQuery(world.picked).value;
  world.count('derived');
  if (error) throw error;
  return <p>{data}</p>;
}

function Joined({ world }: Props): VNode {
  const { data } = useQuery(world.joined).value;
  world.count('joined');
  return <p>{data?.map(joinedLine).join('; ')}</p>;
}

function Derived(props: Props): VNode {
  return (
    <AsyncBoundary fallback={<i>panel</i>} errorComponent={Failed}>
      <Picked {...props} />
    </AsyncBoundary>
  );
}

const views = {
  list: List,
  newest: Newest,
  fineList: FineList,
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
  amount: Amount,
  chosen: Chosen,
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

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const unrendered =
  'Preact does not render a suspended component with other arguments before its promise has settled';

const driver: Driver = {
  name: 'preact',
  gaps: {
    '[H10] useQuery of an endpoint throws E10, naming the hooks that read endpoints':
      'useQuery of Preact takes endpoints, and gives their result as a signal',
    '[F3] useCancelling aborts the request of replaced arguments while the component is suspended':
      unrendered,
    '[F3] a request aborted while suspended is sent again when the arguments return': unrendered,
  },
  async mount(world, scenes) {
    const element = document.body.appendChild(document.createElement('main'));
    let reset = (): void => {};
    const failed = (error: Error, again: () => void): VNode => {
      reset = again;
      return <b>{error.message}</b>;
    };
    const draw = (shown: readonly Scene[]): VNode => (
      <Provider controller={world.controller}>
        <ErrorBoundary fallback={failed}>
          <Suspense fallback={<i>loading</i>}>
            {shown.map(({ view, params }, at) => {
              const View = views[view];
              return <View key={`${at} ${view}`} world={world} params={params} />;
            })}
          </Suspense>
        </ErrorBoundary>
      </Provider>
    );
    const during = async (job?: () => unknown): Promise<void> => {
      await act(async () => {
        await job?.();
        await quiet();
      });
      // suspended content mounts outside of the first act
      await act(quiet);
    };
    await during(() => render(draw(scenes), element));
    return {
      root: element,
      act: during,
      show: (next) => during(() => render(draw(next), element)),
      press: (at = 0) => during(() => element.querySelectorAll('button')[at]?.click()),
      retry: () => during(() => reset()),
      unmount: () => during(() => render(null, element)),
    };
  },
};

contract(driver);
