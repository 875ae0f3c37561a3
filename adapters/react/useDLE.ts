/** Reads without suspending: data, loading and error of an endpoint, of several, of a list page by page. */
import { useCallback, useId } from 'react';
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { combineReaders, findReaders } from '../CombinedReader.ts';
import type { AnyReads, CombinedReader, DLEOfReads, ReadsOf } from '../CombinedReader.ts';
import { LOADING, toDLE, usePreviousData } from '../DLE.ts';
import type { DLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import {
  createInfiniteResult,
  listCallOf,
  NO_PAGING,
  pagingOf,
  useInfiniteActions,
} from '../infinite.ts';
import type {
  FirstParams,
  Infinite,
  InfiniteInputs,
  InfiniteOptions,
  PagingState,
} from '../infinite.ts';
import { useControllerFor } from './Provider.ts';
import {
  fullResult,
  snapshotResult,
  suspensePromise,
  useIsHydrating,
  useResult,
  useRetain,
} from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';
import {
  useEffect,
  useInsertionEffect,
  useReducer,
  useState,
  useSyncExternalStore,
} from './react.ts';
import { reactHooks, useIsomorphicLayoutEffect } from './reactHooks.ts';

/**
 * `{data, loading, error}` of `endpoint(...args)`, without suspending or throwing: data and error as stored, `loading`
 * before the first data. Missing or stale data are fetched. Null as first argument sends no request, and `data` is the
 * schema's empty value.
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...args: readonly unknown[]): DLE<unknown> {
  const controller = useControllerFor('useDLE');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  const shown = useResult(controller, reader, fullResult, useId());
  // on a server nothing would render the response: missing data are fetched when the page is hydrated
  const fetches = !useIsHydrating();
  const [isPending] = usePendingReaders(
    [reader],
    [fetches ? suspensePromise(reader, shown) : undefined],
  );
  const loading = isPending === true || shown.result.status === 'pending';
  useRetain(reader);
  const now: DLE<unknown> = loading ? LOADING : toDLE(shown.result);
  return usePreviousData(hooks, { controller, endpoint, reader, now });
}

/** The data that `reader` has, if there are any: those of the store, also while a transition is pending. */
function useFormerData(reader: Reader | undefined): DLE<unknown> | undefined {
  const subscribe = useCallback(
    (listener: () => void) => reader?.listen(listener) ?? noop,
    [reader],
  );
  const result = useSyncExternalStore(subscribe, () => reader?.result.peek(), noop);
  return result?.status === 'success' ? toDLE(result) : undefined;
}

// a call, unlike a spread, can be dropped with the constant
const hooks = Object.assign({ useFormerData }, reactHooks);

/** The requests that the committed render waits for. */
type AwaitedRequests = Map<Reader, Ready>;

/** For each reader: true until the promise settles; then re-renders, also if the response equals the data before. */
function usePendingReaders(
  readers: readonly Reader[],
  waits: readonly (Ready | undefined)[],
): boolean[] {
  const [, rerender] = useState(0);
  const [awaited] = useState((): AwaitedRequests => new Map());
  const loading = readers.map(
    (reader, at) => waits[at] !== undefined || awaited.get(reader)?.status === 'pending',
  );
  // synchronously: the promise may settle before the effects of this commit run, and would cause another render
  useInsertionEffect(() => {
    const waiting = new Set(readers.filter((_, at) => loading[at]));
    for (const reader of awaited.keys()) if (!waiting.has(reader)) awaited.delete(reader);
  });
  useEffect(() => {
    readers.forEach((reader, at) => {
      const wait = waits[at];
      if (wait === undefined || awaited.get(reader) === wait) return;
      awaited.set(reader, wait);
      void wait.then(() => {
        if (awaited.get(reader) === wait) rerender((count) => count + 1);
      });
    });
  });
  return loading;
}

/** The results of all members. */
const eachResult: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => (reader as unknown as CombinedReader).results.peek() as never,
  listen: (reader, listener) => reader.listen(listener),
};

/**
 * `useDLEAll(ids.map((id) => [getTodo, { id }]))`: `{data, loading, error}` of each read, as from `useDLE`. The number
 * and the order of the reads may change with each render; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(reads: ReadsOf<R>): DLEOfReads<R> {
  const controller = useControllerFor('useDLEAll');
  const reader = combineReaders(findReaders(controller, reads), snapshotResult);
  const { result, first, waiter } = useResult(controller, reader, eachResult, useId());
  const results = Object.values(result.data as Result[]);
  // as useDLE
  const fetches =
    !useIsHydrating() && (first || results.some(({ status }) => status === 'pending'));
  const waits = fetches ? reader.ensureEach(first, waiter) : [];
  const isPending = usePendingReaders(reader.members, waits);
  useRetain(reader);
  return results.map((each, at) =>
    isPending[at] === true || each.status === 'pending' ? LOADING : toDLE(each),
  ) as DLEOfReads<R>;
}

/**
 * `useInfinite(getPosts.getPage, { userId }, { getNextPageParams: ({ next }) => next && { cursor: next } })`: the list
 * as in `useDLE`, and `fetchNextPage`. All components that render the list share the pages. Null params fetch nothing.
 */
export function useInfinite<E extends ReadEndpoint, const P extends object>(
  endpoint: E,
  params: FirstParams<E, P> | null,
  options: InfiniteOptions<E, P>,
): Infinite<E> {
  const controller = useControllerFor('useInfinite');
  const list = listCallOf(endpoint, params);
  const shown = useDLE(list.endpoint, ...list.args);
  const reader = controller.view(list.endpoint, ...(list.args as [unknown]));
  const now: InfiniteInputs = { controller, endpoint, params, options, reader };
  const paging = usePaging(pagingOf(controller, reader));
  const actions = useInfiniteActions(reactHooks, now);
  return { ...createInfiniteResult(now, shown as never, paging), ...actions } as Infinite<E>;
}

/** The value of `paging`, in the lane in which the list is updated: both are rendered at once. */
function usePaging(paging: ReadonlySignal<PagingState>): PagingState {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const isHydrating = useIsHydrating();
  const rendered = paging.peek();
  useIsomorphicLayoutEffect(() => {
    let last = rendered;
    return paging.subscribe((value) => {
      if (value !== last) rerender();
      last = value;
    });
    // the value of the render that is mounted
    // eslint-disable-next-line react/exhaustive-deps
  }, [paging]);
  return isHydrating ? NO_PAGING : rendered;
}
