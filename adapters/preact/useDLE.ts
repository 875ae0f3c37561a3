/** Reads without suspending: data, loading and error of an endpoint, of several, of a list page by page. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { toNewReaderResult } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { combineReaders, findReaders } from '../CombinedReader.ts';
import type { AnyReads, CombinedReader, DLEOfReads, ReadsOf } from '../CombinedReader.ts';
import { LOADING, toDLE, usePreviousData } from '../DLE.ts';
import type { DLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { createInfiniteResult, listCallOf, pagingOf, useInfiniteActions } from '../infinite.ts';
import type { FirstParams, Infinite, InfiniteInputs, InfiniteOptions } from '../infinite.ts';
import { useController } from './Provider.ts';
import { preactHooks } from './preactHooks.ts';
import {
  useLiveData,
  useLiveParts,
  useQueryHandle,
  useReader,
  useRetainedHandle,
  useShownResult,
} from './useQueryHandle.ts';

/** As `useSuspense`, but loading and errors are in the result. The data are live. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...args: readonly unknown[]): DLE<unknown> {
  const handle = useQueryHandle(useReader('useDLE', endpoint, args), false);
  useRetainedHandle(handle);
  const result = useShownResult(handle.reader, liveResult(handle.visibleReader).value);
  useRenderWhenSettled([handle.wait]);
  const loading = handle.wait !== undefined || result.status === 'pending';
  useLiveData(loading ? undefined : result.data);
  const now: DLE<unknown> = loading ? LOADING : toDLE(result);
  const controller = useController('useDLE');
  const { reader } = handle;
  return usePreviousData(hooks, { controller, endpoint, reader, now });
}

/** The data that `reader` has, if there are any, tracked. */
function useFormerData(reader: Reader | undefined): DLE<unknown> | undefined {
  const result = reader && liveResult(reader).value;
  return result?.status === 'success' ? toDLE(result) : undefined;
}

// a call, unlike a spread, can be dropped with the constant
const hooks = Object.assign({ useFormerData }, preactHooks);

/** Re-renders when any of `waits` has settled, if the response did not do so: a response may equal the data before. */
function useRenderWhenSettled(waits: readonly (Ready | undefined)[]): void {
  const settledCount = useSignal(0);
  const latest = useRef(waits);
  latest.current = waits;
  void settledCount.value;
  const followed = useMemo(() => new WeakSet<Ready>(), []);
  useEffect(() => {
    for (const wait of waits) {
      if (wait === undefined || followed.has(wait)) continue;
      followed.add(wait);
      void wait.then(() => {
        if (latest.current.includes(wait)) settledCount.value++;
      });
    }
  });
}

/**
 * `useDLEAll(ids.map((id) => [getTodo, { id }]))`: `{data, loading, error}` of each read, as from `useDLE`. The number
 * and the order of the reads may change with each render; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(reads: ReadsOf<R>): DLEOfReads<R> {
  checkSignalsCopy('@preact/signals');
  const controller = useController('useDLEAll');
  const reader = combineReaders(findReaders(controller, reads), liveResult);
  const handle = useQueryHandle(reader, false);
  useRetainedHandle(handle);
  const waits = handle.wait === undefined ? [] : reader.ensureEach(handle.first);
  const { value } = (handle.visibleReader as CombinedReader).results;
  const { data } = handle.first ? toNewReaderResult(value) : value;
  useRenderWhenSettled(waits);
  const all = Object.values(data as Result[]).map((each, at) =>
    waits[at] !== undefined || each.status === 'pending' ? LOADING : toDLE(each),
  );
  useLiveParts(all.map((each) => each.data));
  return all as DLEOfReads<R>;
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
  const controller = useController('useInfinite');
  const list = listCallOf(endpoint, params);
  const shown = useDLE(list.endpoint, ...list.args);
  const reader = controller.view(list.endpoint, ...(list.args as [unknown]));
  const now: InfiniteInputs = { controller, endpoint, params, options, reader };
  const actions = useInfiniteActions(preactHooks, now);
  const paging = pagingOf(controller, reader).value;
  return { ...createInfiniteResult(now, shown as never, paging), ...actions } as Infinite<E>;
}
