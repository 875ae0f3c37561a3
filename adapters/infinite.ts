/** The framework-independent part of `useInfinite`: fetches pages in sequence, and keeps the progress of each list. */
import type { Controller, DataOf } from '../src/Controller.ts';
import { isAbort } from '../src/endpoint/Endpoint.ts';
import type { EndpointCall, EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { argumentChecks } from '../src/endpoint/argumentChecks.ts';
import { DEV, ResetError } from '../src/errors.ts';
import type { UnknownError } from '../src/errors.ts';
import { signal } from '../src/signals.ts';
import type { Signal } from '../src/signals.ts';
import { configurePages, expectPageBefore } from '../src/store/StorePort.ts';
import { StoreObserver, pagesOfReader } from '../src/view/Reader.ts';
import type { LoadedPages, PagePart, Reader } from '../src/view/Reader.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';
import { toError } from './toError.ts';

type ParamsOf<E extends EndpointInterface> = NonNullable<Parameters<E>[0]>;

/** The params of the first page: the params of `E` without the params that `getNextPageParams` adds. */
export type FirstParams<E extends EndpointInterface, P> = P & {
  readonly [K in Exclude<keyof P, keyof ParamsOf<E>>]: never;
};

/** A page as sent by the server: rows are plain objects, without methods, and values are not decoded. */
export type ReceivedPage<T> = 0 extends 1 & T
  ? T
  : T extends Date | bigint
    ? string | number
    : T extends readonly (infer Row)[]
      ? readonly ReceivedPage<Row>[]
      : T extends object
        ? { readonly [K in DataKeys<T>]: ReceivedPage<T[K]> }
        : T;

// any: a method of any type
type DataKeys<T> = { [K in keyof T]: T[K] extends (...args: any) => unknown ? never : K }[keyof T];

type PageParamsOf<E extends EndpointInterface, P> = P & Partial<ParamsOf<E>>;
type AddedParams<E extends EndpointInterface, P> =
  | (Omit<ParamsOf<E>, keyof P> & Partial<ParamsOf<E>>)
  | undefined
  | null;

/** How to get from a page to the next and the previous page; `P` are the params of the first page. */
export interface InfiniteOptions<E extends EndpointInterface, P> {
  /**
   * The params of the next page, merged over the params of the first page; undefined or null: there is no next page.
   * `lastPage` and `allPages`: the responses of the loaded pages as received, unchanged by mutations. `lastParams` and
   * `allParams`: the params of these pages.
   */
  getNextPageParams(
    lastPage: ReceivedPage<DataOf<E>>,
    allPages: readonly ReceivedPage<DataOf<E>>[],
    lastParams: PageParamsOf<E, P>,
    allParams: readonly PageParamsOf<E, P>[],
  ): AddedParams<E, P>;
  /** As `getNextPageParams`, for the page before the first loaded page. */
  getPreviousPageParams?(
    firstPage: ReceivedPage<DataOf<E>>,
    allPages: readonly ReceivedPage<DataOf<E>>[],
    firstParams: PageParamsOf<E, P>,
    allParams: readonly PageParamsOf<E, P>[],
  ): AddedParams<E, P>;
  /** The largest number of loaded pages: a further page drops the page at the other end. Default: no limit. */
  readonly maxPages?: number | undefined;
}

/** What `useInfinite` returns. */
export interface Infinite<E extends EndpointInterface> extends InfiniteState<E>, InfiniteActions {}

/** The list and the loaded pages. */
export interface InfiniteState<E extends EndpointInterface> {
  /** The list with the rows of all loaded pages; undefined before the first data. */
  readonly data: DataOf<E> | undefined;
  /** There are no data yet. */
  readonly loading: boolean;
  /** The error of the list, else of the last call of a function. */
  readonly error: UnknownError | undefined;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchingPreviousPage: boolean;
}

/** The functions of `useInfinite`. Their promises never reject: the error is in `error`. */
export interface InfiniteActions {
  /** Fetches the next page, never two at a time. */
  readonly fetchNextPage: () => Promise<void>;
  /** Fetches the page before the first loaded page, never two at a time. */
  readonly fetchPreviousPage: () => Promise<void>;
  /** Fetches all loaded pages again, in order. Their rows stay until all have arrived. */
  readonly refetch: () => Promise<void>;
}

type Direction = 'next' | 'previous';

/** The progress of a list, shared by all components that render the list. */
export interface PagingState {
  readonly error?: UnknownError | undefined;
  /** The pages that are being fetched. */
  readonly next?: PageFetch | undefined;
  readonly previous?: PageFetch | undefined;
}

interface PageFetch {
  promise: Promise<void>;
  /** The key of the page, once the page is requested. */
  key?: string;
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

/** The read of a list with all pages: the list's own read, or else the read of the first page. */
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

/** The loaded pages, which are refetched by the functions of the last render. Undefined without data. */
function pagesOf({ controller, params, options, reader }: InfiniteInputs): LoadedPages | undefined {
  const loaded = params === null ? undefined : pagesOfReader(reader);
  if (params === null || loaded === undefined) return undefined;
  const paging = pagingOf(controller, reader);
  const getNext: GetParams = (...pages) => options.getNextPageParams(...pages);
  const getPrevious: GetParams = (...pages) => options.getPreviousPageParams?.(...pages);
  configurePages(loaded, {
    maxPages: options.maxPages ?? Infinity,
    next: (pages) => argsOf(params, getNext, pages, -1),
    previous: (pages) => argsOf(params, getPrevious, pages, 0),
    onChange: () => {
      // in the commit of the page that was fetched, so that readers render once
      const awaited = (page?: PageFetch) =>
        loaded.pages.some(({ key }) => key === page?.key) ? undefined : page;
      const { error, next, previous } = paging.peek();
      paging.value = { error, next: awaited(next), previous: awaited(previous) };
    },
  });
  return loaded;
}

// any: as in InfiniteInputs
type GetParams = (...pages: Parameters<InfiniteOptions<any, any>['getNextPageParams']>) => unknown;

/** The arguments of the page beside the page at the index `at`. */
function argsOf(
  params: object,
  getParams: GetParams,
  pages: readonly PagePart[],
  at: 0 | -1,
): readonly [object] | undefined {
  const responses = pages.map(({ response }) => response as never);
  const all = pages.map(({ args }) => args[0]);
  const added = getParams(responses.at(at), responses, all.at(at), all);
  return added === undefined || added === null ? undefined : [{ ...params, ...added }];
}

/** The arguments of the next or the previous page, if there is such a page. */
function argsBeside(loaded: LoadedPages | undefined, direction: Direction) {
  return loaded?.pages.length ? loaded[direction]?.(loaded.pages) : undefined;
}

/** The result of `useInfinite` without the functions; `list` is the list as in `useDLE`. */
export function createInfiniteResult(
  inputs: InfiniteInputs,
  list: Pick<Infinite<EndpointInterface>, 'data' | 'loading' | 'error'>,
  paging: PagingState,
): InfiniteState<EndpointInterface> {
  const { data, loading, error = paging.error } = list;
  const loaded = data === undefined ? undefined : pagesOf(inputs);
  return {
    data,
    loading,
    error,
    hasNextPage: argsBeside(loaded, 'next') !== undefined,
    hasPreviousPage: argsBeside(loaded, 'previous') !== undefined,
    isFetchingNextPage: paging.next !== undefined,
    isFetchingPreviousPage: paging.previous !== undefined,
  };
}

/** The functions of `useInfinite`. `inputs` returns the values of the last render. */
export function createInfiniteActions(inputs: () => InfiniteInputs): InfiniteActions {
  return {
    fetchNextPage: () => fetchBeside(inputs(), 'next'),
    fetchPreviousPage: () => fetchBeside(inputs(), 'previous'),
    refetch: () => refetch(inputs()),
  };
}

function fetchBeside(inputs: InfiniteInputs, direction: Direction): Promise<void> {
  const { controller, reader } = inputs;
  const paging = pagingOf(controller, reader);
  const running = paging.peek()[direction];
  if (running !== undefined) return running.promise;
  if (argsBeside(pagesOf(inputs), direction) === undefined) return Promise.resolve();
  const request: PageFetch = { promise: Promise.resolve() };
  request.promise = errorOf(fetchPage(inputs, direction, request)).then((error) => {
    const now = paging.peek();
    // the arrival of the page has ended the request, and another request may be running
    if (now[direction] === request) paging.value = { ...now, error, [direction]: undefined };
  });
  paging.value = { ...paging.peek(), error: undefined, [direction]: request };
  return request.promise;
}

async function fetchPage(
  inputs: InfiniteInputs,
  direction: Direction,
  request: PageFetch,
): Promise<void> {
  const { controller, endpoint, reader } = inputs;
  // the pages so far determine the next page: a running refetch ends first
  if (reader.fetching.peek()) await fetchList(inputs);
  const loaded = pagesOf(inputs);
  const args = argsBeside(loaded, direction);
  if (loaded === undefined || args === undefined) return;
  request.key = endpoint.key(...args);
  if (direction === 'previous') expectPageBefore(loaded, request.key);
  await controller.fetch(endpoint, ...args);
  // without a request of the list itself, the first page stands for the list
  if (endpoint.listOf?.(...args) !== undefined) return;
  const [page] = (controller.view(endpoint, ...args) as StoreObserver).record.pages?.pages ?? [];
  if (page !== undefined) loaded.add({ ...page, address: undefined });
}

function fetchList({ controller, endpoint, params }: InfiniteInputs): Promise<unknown> {
  const list = listCallOf(endpoint, params);
  return controller.fetch(list.endpoint, ...(list.args as [unknown]));
}

async function refetch(inputs: InfiniteInputs): Promise<void> {
  const paging = pagingOf(inputs.controller, inputs.reader);
  const error = await errorOf(fetchList(inputs));
  if (error !== paging.peek().error) paging.value = { ...paging.peek(), error };
}

/** The error with which a promise rejects, except for a reset or an abort. */
async function errorOf(promise: Promise<unknown>): Promise<UnknownError | undefined> {
  try {
    await promise;
    return undefined;
  } catch (thrown) {
    return thrown instanceof ResetError || isAbort(thrown) ? undefined : toError(thrown);
  }
}

/** The functions of React and Preact, with a stable identity. */
export function useInfiniteActions(
  {
    useState,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useInsertionEffect'>,
  latest: InfiniteInputs,
): InfiniteActions {
  const [inputs] = useState((): InfiniteInputs => ({ ...latest }));
  useCommit(() => void Object.assign(inputs, latest));
  const [actions] = useState(() => createInfiniteActions(() => inputs));
  return actions;
}
