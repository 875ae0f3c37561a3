/** @jsxImportSource preact */
/** Components of Preact with every hook: they compile with and without `strict`. */
import {
  Pet,
  Todo,
  TodoResource,
  UserResource,
  allTodos,
  controller,
  figures,
  getBoard,
  getFeed,
  getPets,
  getTime,
  getUserByName,
  labelOf,
  open,
  remove,
  rename,
  search,
  searchAgain,
  titles,
} from './data.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  AsyncBoundary,
  ErrorBoundary,
  For,
  Provider,
  useCache,
  useCancelling,
  useController,
  useDLE,
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
} from 'signalbox/preact';

export function Title({ id }: { id: number }) {
  const todo = useSuspense(TodoResource.get, { id });
  const live = useLive(TodoResource.get, { id });
  const user = useSuspense(UserResource.get, { group: 1, id });
  const rows = useSuspense(TodoResource.getList);
  const time = useSuspense(getTime, 'utc');
  return (
    <h1>
      {todo.title} {live.label} {user.name} {rows.map(labelOf)} {time.ms}
    </h1>
  );
}

export function Chosen({ id }: { id?: number }) {
  const args = id === undefined ? null : { id };
  const todo = useSuspense(TodoResource.get, args);
  const rows = useSuspense(TodoResource.getList, id === undefined ? null : { userId: id });
  const title = useSelect(TodoResource.get, args, (data) => data?.title);
  const cached = useCache(TodoResource.get, args);
  const { isFetching, fetchedAt } = useStatus(TodoResource.get, args);
  const failure = useError(TodoResource.get, args);
  useSubscription(TodoResource.get, args);
  const none = useQuery(Todo, args).value.data;
  return (
    <p title={title}>
      {todo?.title ?? none?.title} {rows.length} {cached?.label}{' '}
      {isFetching && fetchedAt?.toFixed()}
      {failure?.message}
    </p>
  );
}

export function Lists() {
  const { data, loading, error } = useDLE(TodoResource.getList, { userId: 1 });
  const board = useDLE(getBoard, { id: 1 }).data;
  const users = useSuspense(UserResource.getList, { group: 1, sort: 'name' });
  const found = useSuspense(search, { text: 'x' });
  const again = useSuspense(searchAgain, { text: 'x' });
  const others = useSuspense(UserResource.search, { text: 'x' });
  const listed = useQuery(TodoResource.getList, { userId: 1 }).value.data;
  const byName = useSuspense(getUserByName, { name: 'x' });
  const pets = useSuspense(getPets).map((pet) => (pet.type === 'dog' ? pet.bark : pet.meow));
  const rows = useQuery(open, { userId: 1 }).value.data;
  const best = useQuery(figures).value.data?.['1']?.best;
  const pet = useQuery(Pet, { id: 1, type: 'dog' }).value.data;
  const names = useQuery(titles).value.data?.join();
  const active = useIsFetching();
  if (loading) return <p>{active}</p>;
  if (error !== undefined) return <p>{error.message}</p>;
  return (
    <p title={names}>
      {data?.map(labelOf)} {board?.owner.name} {board?.total.toFixed()} {users[0]?.name}
      {found.map(labelOf)} {again.map(labelOf)} {others.length} {listed?.map(labelOf)}{' '}
      {byName.user.name} {pets.join()}
      {rows?.map(labelOf)} {best?.toFixed()} {pet?.id}
    </p>
  );
}

export function Feed() {
  const { data, fetchNextPage, hasNextPage } = useInfinite(
    getFeed.getPage,
    { userId: 1 },
    { getNextPageParams: ({ next }) => (next ? { cursor: next } : undefined) },
  );
  const pages = useInfinite(
    UserResource.getList.getPage,
    { group: 1 },
    { getNextPageParams: (users, _all, last) => ({ page: (last.page ?? 1) + users.length }) },
  );
  return (
    <button type="button" onClick={() => void fetchNextPage()} disabled={!hasNextPage}>
      {data?.results.map(({ title }) => title)} {pages.data?.map(({ name }) => name)}
    </button>
  );
}

export function Form() {
  const [text, setText] = useState('');
  const [query, isPending] = useDebounce(text, 100);
  const store = useController();
  const { mutate, mutateAsync, error, variables, data } = useMutation(rename, {
    onSuccess: (todo, [params, body]) => todo.title + String(params) + body.title,
    onError: ({ message }) => message,
  });
  const removal = useMutation(remove);
  const create = useMutation(TodoResource.create);
  const [send, loading, failure] = useLoading(async (title: string) => {
    await store.fetch(TodoResource.create, { title });
  });
  const page = useSuspense(useCancelling(TodoResource.getList, { q: query }), { q: query });
  const promise = useFetch(TodoResource.get, { id: 1 });
  return (
    <form
      onSubmit={() => {
        mutate({ id: 1 }, { title: text });
        create.mutate({ title: text });
        removal.mutate(5);
        void mutateAsync({ id: 1 }, { title: text }).then(({ title }) => setText(title));
        void send(text);
        void promise.then(({ title }) => setText(title));
      }}
    >
      {error?.message} {data?.title} {variables?.length} {isPending} {loading} {failure?.message}
      {page.map(labelOf)}
    </form>
  );
}

const Failed = ({
  error,
  resetErrorBoundary,
}: {
  error: Error;
  resetErrorBoundary: () => void;
}) => (
  <button type="button" onClick={resetErrorBoundary}>
    {error.message}
  </button>
);

export function App({ children }: { children?: ComponentChildren }) {
  return (
    <Provider controller={controller}>
      <AsyncBoundary fallback={<p>Loading</p>} errorComponent={Failed}>
        <For each={TodoResource.getList} params={{ userId: 1 }}>
          {(todo) => <li>{todo.label}</li>}
        </For>
        <For each={allTodos}>{(todo) => <li>{todo.label}</li>}</For>
        <For each={getFeed} select={({ results }) => results}>
          {(post) => <li>{post.title}</li>}
        </For>
        {children}
      </AsyncBoundary>
      <ErrorBoundary fallbackComponent={Failed} resetKeys={[1]} listen={() => () => undefined}>
        {children}
      </ErrorBoundary>
    </Provider>
  );
}
