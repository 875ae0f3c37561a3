/** Components of Solid with every hook, without JSX: they compile with and without `strict`. */
import {
  Todo,
  TodoResource,
  UserResource,
  controller,
  figures,
  getBoard,
  getFeed,
  getPets,
  getTime,
  labelOf,
  open,
  remove,
  rename,
  search,
  titles,
} from './data.ts';
import {
  AsyncBoundary,
  ErrorBoundary,
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
} from 'signalbox/solid';
import { createComponent, createSignal } from 'solid-js';
import type { JSX } from 'solid-js';

export function Title(props: { id: number }): JSX.Element {
  const args = () => ({ id: props.id });
  const todo = useSuspense(TodoResource.get, args);
  const live = useLive(TodoResource.get, args);
  const user = useSuspense(UserResource.get, () => ({ group: 1, id: props.id }));
  const rows = useSuspense(TodoResource.getList);
  const time = useSuspense(getTime, () => 'utc');
  return [todo().title, live().label, user().name, rows().map(labelOf).join(), time().ms];
}

export function Chosen(props: { id?: number }): JSX.Element {
  const args = () => (props.id === undefined ? null : { id: props.id });
  const todo = useSuspense(TodoResource.get, args);
  const title = useSelect(TodoResource.get, args, (data) => data?.title);
  const cached = useCache(TodoResource.get, args);
  const status = useStatus(TodoResource.get, args);
  const failure = useError(TodoResource.get, args);
  const none = useQuery(Todo, args);
  useSubscription(TodoResource.get, args);
  const texts = [todo()?.title, title(), cached()?.label, failure()?.message, none()?.title];
  return [...texts, status.fetchedAt?.toFixed(), status.isFetching];
}

export function Lists(): JSX.Element {
  const list = useDLE(TodoResource.getList, () => ({ userId: 1 }));
  const board = useDLE(getBoard, () => ({ id: 1 }));
  const found = useSuspense(search, () => ({ text: 'x' }));
  const pets = useSuspense(getPets);
  const rows = useQuery(open, () => ({ userId: 1 }));
  const best = useQuery(figures);
  const names = useQuery(titles);
  const active = useIsFetching();
  return [
    list.data?.map(labelOf).join(),
    list.error?.message,
    board.data?.owner.name,
    found().map(labelOf).join(),
    pets().map((pet) => (pet.type === 'dog' ? pet.bark : pet.meow)),
    rows()?.map(labelOf).join(),
    best()?.['1']?.best?.toFixed(),
    names()?.join(),
    active().toFixed(),
  ];
}

export function Form(): JSX.Element {
  const [text, setText] = createSignal('');
  const [query] = useDebounce(text, 100);
  const params = () => ({ q: query() });
  const page = useSuspense(useCancelling(TodoResource.getList, params), params);
  const change = useMutation(rename, { onSuccess: (todo, [, body]) => todo.title + body.title });
  const removal = useMutation(remove);
  const store = useController();
  const [send, loading] = useLoading(async (title: string) => {
    await store.fetch(TodoResource.create, { title });
  });
  const promise = useFetch(TodoResource.get, () => ({ id: 1 }));
  const feed = useInfinite(getFeed.getPage, () => ({ userId: 1 }), {
    getNextPageParams: ({ next }) => (next ? { cursor: next } : undefined),
  });
  change.mutate({ id: 1 }, { title: 'x' });
  removal.mutate(5);
  void send('x');
  void promise().then(({ title }) => setText(title));
  return [page().map(labelOf).join(), loading(), feed.data?.results.map(({ title }) => title)];
}

export const App = (): JSX.Element =>
  createComponent(Provider, {
    controller,
    get children() {
      return createComponent(AsyncBoundary, {
        fallback: 'Loading',
        errorComponent: ({ error }) => error.message,
        get children() {
          return createComponent(ErrorBoundary, {
            fallback: (error) => error.message,
            listen: () => () => undefined,
            resetKeys: [1],
            children: createComponent(Title, { id: 1 }),
          });
        },
      });
    },
  });
