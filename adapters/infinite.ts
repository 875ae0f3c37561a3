/** The framework-independent part of `useInfinite`: fetches pages one by one, and keeps the progress of each list. */
import type { Controller, DataOf } from '../src/Controller.ts';
import type { EndpointCall, EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { argumentChecks } from '../src/endpoint/argumentChecks.ts';
import { isAbort } from '../src/endpoint/defaultErrorPolicy.ts';
import { DEV, ResetError } from '../src/errors.ts';
import type { UnknownError } from '../src/errors.ts';
import { signal } from '../src/signals.ts';
import type { Signal } from '../src/signals.ts';
import { StoreObserver } from '../src/view/Reader.ts';
import type { Reader } from '../src/view/Reader.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';
import { toError } from './toError.ts';

type ParamsOf<E extends EndpointInterface> = NonNullable<Parameters<E>[0]>;

/** The params of the first page: the params of `E` without the params that `getNextPageParams` adds. */
export type FirstParams<E extends EndpointInterface, P> = P & {
  readonly [K in Exclude<keyof P, keyof ParamsOf<E>>]: never;
};

/** How to get from a page to the next; `P` are the params of the first page. */
export interface InfiniteOptions<E extends EndpointInterface, P> {
  /**
   * The params of the next page, merged over the params of the first page; undefined or null: there is no next page.
   * `data`: the complete list, and the members beside its rows as in the last page. `last`: the params of the last
   * page.
   */
  getNextPageParams(
    data: DataOf<E>,
    last: P & Partial<ParamsOf<E>>,
  ): (Omit<ParamsOf<E>, keyof P> & Partial<ParamsOf<E>>) | undefined | null;
}

/** What `useInfinite` returns. */
export interface Infinite<E extends EndpointInterface> {
  /** The list with the rows of all pages so far; undefined before the first data. */
  readonly data: DataOf<E> | undefined;
  /** There are no data yet. */
  readonly loading: boolean;
  /** The error of the list, else of the last `fetchNextPage`. */
  readonly error: UnknownError | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  /** Fetches the next page, one at a time. The promise never rejects: the error is in `error`. */
  readonly fetchNextPage: () => Promise<void>;
}

/** The progress of one list, shared by all components that render the list. */
export interface PagingState {
  readonly last?: LastPage | undefined;
  readonly error?: UnknownError | undefined;
  /** The next page is being fetched. */
  readonly fetching?: Promise<void> | undefined;
}

interface LastPage {
  readonly params: object;
  readonly data: unknown;
  /** The number of rows before this page was added. */
  readonly before: number;
}

/** The values of the last render. */
export interface InfiniteInputs {
  controller: Controller;
  endpoint: EndpointInterface;
  params: object | null;
  // any: the params of every endpoint
  options: InfiniteOptions<any, any>;
  reader: Reader;
}

export const NO_PAGING: PagingState = {};

/** The read of a list with all its pages: the list's own read, or else the read of its first page. */
export function listCallOf(endpoint: EndpointInterface, params: object | null): EndpointCall {
  if (DEV) argumentChecks?.endpoint(endpoint);
  const listCall = params === null ? undefined : endpoint.listOf?.(params);
  return listCall ?? { endpoint, args: [params] };
}

// by the stored list, which is garbage collected without readers; a reset starts again
const pagingStates = /* @__PURE__ */ new WeakMap<
  Controller,
  WeakMap<object, Signal<PagingState>>
>();

/** The progress of the list that `reader` reads. */
export function pagingOf(controller: Controller, reader: Reader): Signal<PagingState> {
  let states = pagingStates.get(controller);
  if (states === undefined) {
    pagingStates.set(controller, (states = new WeakMap()));
    const stop = controller.on('reset', () => {
      pagingStates.delete(controller);
      stop();
    });
  }
  const list = reader instanceof StoreObserver ? reader.record : reader;
  let paging = states.get(list);
  if (paging === undefined) states.set(list, (paging = signal(NO_PAGING)));
  return paging;
}

/** The params of the next page, if there is one. */
function nextPageParams({ params, options }: InfiniteInputs, data: unknown, { last }: PagingState) {
  if (params === null || data === undefined) return undefined;
  // a refetch may have replaced the list: the rows of the last page are gone then
  const page = last !== undefined && countRows(data) > last.before ? last : { params, data };
  const next: unknown = options.getNextPageParams(
    Array.isArray(data) ? data : page.data,
    page.params,
  );
  return next === undefined || next === null ? undefined : { ...params, ...next };
}

function countRows(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  const members: unknown[] = Object.values(data as object);
  return members.filter(Array.isArray).reduce((sum, { length }) => sum + length, 0);
}

/** The result of `useInfinite` without its function; `list` is the list as in `useDLE`. */
export function createInfiniteResult(
  inputs: InfiniteInputs,
  list: Pick<Infinite<EndpointInterface>, 'data' | 'loading' | 'error'>,
  paging: PagingState,
): Omit<Infinite<EndpointInterface>, 'fetchNextPage'> {
  const { data, loading, error = paging.error } = list;
  const isFetchingNextPage = paging.fetching !== undefined;
  const hasNextPage = nextPageParams(inputs, data, paging) !== undefined;
  return { data, loading, error, hasNextPage, isFetchingNextPage };
}

/** Fetches the page after the last one. */
export function fetchNextPage(inputs: InfiniteInputs): Promise<void> {
  const { controller, endpoint, reader } = inputs;
  const paging = pagingOf(controller, reader);
  const { last, fetching } = paging.peek();
  if (fetching !== undefined) return fetching;
  const { data } = reader.result.peek();
  const params = nextPageParams(inputs, data, paging.peek());
  if (params === undefined) return Promise.resolve();
  const before = countRows(data);
  const load = async (): Promise<PagingState> => {
    try {
      return { last: { params, before, data: await controller.fetch(endpoint, params) } };
    } catch (thrown) {
      const isQuiet = thrown instanceof ResetError || isAbort(thrown);
      return { last, error: isQuiet ? undefined : toError(thrown) };
    }
  };
  const promise = load().then((next) => {
    paging.value = next;
  });
  paging.value = { last, fetching: promise };
  return promise;
}

/** `fetchNextPage` of React and Preact, with a stable identity. */
export function useFetchNextPage(
  {
    useState,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useInsertionEffect'>,
  latest: InfiniteInputs,
): () => Promise<void> {
  const [inputs] = useState((): InfiniteInputs => ({ ...latest }));
  useCommit(() => void Object.assign(inputs, latest));
  const [fetchNext] = useState(() => () => fetchNextPage(inputs));
  return fetchNext;
}
