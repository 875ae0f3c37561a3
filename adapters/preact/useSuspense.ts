/** Reads that suspend until there are data: of an endpoint, of several, a derived value, a promise of the data. */
import { useMemo, useRef } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import { computed } from '../../src/signals.ts';
import { combineReaders, findReaders } from '../CombinedReader.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../CombinedReader.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { dataPromise } from '../dataPromise.ts';
import { useController } from './Provider.ts';
import {
  useLiveData,
  useLiveParts,
  useQueryHandle,
  useReader,
  useRetainedHandle,
  useSuspendedReader,
  useSuspendedResult,
} from './useQueryHandle.ts';

/**
 * The data of `endpoint(...args)` as live objects: a component that reads `todo.title` while rendering re-renders when
 * that title changes; a component that reads a list re-renders when rows are added, removed or moved. Live objects keep
 * their identity, so derive with `useComputed(() => …)`, not with `useMemo(…, [todo])`. Suspends before the first data;
 * throws the request's error to the nearest boundary. Null as first argument sends no request and returns the schema's
 * empty value.
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | EmptyOf<E['schema']>;
export function useSuspense(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return useLiveData(useSuspendedResult('useSuspense', endpoint, args).value.data);
}

/**
 * `const [todo, users] = useSuspenseAll([[getTodo, { id: 5 }], [getUsers]])`, or `useSuspenseAll(ids.map((id) =>
 * [getTodo, { id }]))`: the live data of each read, as from `useSuspense`. All requests are started before the component
 * suspends, once. The number and the order of the reads may change with each render; only reads that are new then are
 * fetched. The first error is thrown.
 */
export function useSuspenseAll<const R extends AnyReads>(reads: ReadsOf<R>): DataOfReads<R> {
  checkSignalsCopy('@preact/signals');
  const controller = useController('useSuspenseAll');
  const reader = combineReaders(findReaders(controller, reads), liveResult);
  const data = useSuspendedReader(reader).value.data as object;
  const all = useMemo(() => Object.values(data), [data]);
  useLiveParts(all);
  return all as DataOfReads<R>;
}

/**
 * `const left = useSelect(getTodos, { userId }, (todos) => todos.filter((todo) => !todo.completed).length)`: the
 * component re-renders when a change of a field that the function has read changes the result; arrays and plain objects
 * with the same members count as equal. The function is called at each render, unless it has the same identity.
 * Suspends and throws as `useSuspense` does. Null as first argument sends no request and selects from the empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: SelectArgs<Parameters<E>, (data: DataOf<E>) => T>
): T;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: readonly [...NullableArgs<E>, select: (data: DataOf<E> | EmptyOf<E['schema']>) => T]
): T;
export function useSelect(endpoint: EndpointInterface, ...rest: readonly unknown[]): unknown {
  const live = useSuspendedResult('useSelect', endpoint, rest.slice(0, -1));
  const select = rest.at(-1) as (data: unknown) => unknown;
  const last = useRef<unknown>(undefined);
  const selection = useMemo(() => {
    let before = last.current;
    return computed(() => {
      const { status, data, error } = live.value;
      // a new value, whatever the selection: the component re-renders, and suspends or throws
      if (status !== 'success') return { error };
      return (before = replaceEqualDeep(before, select(data)));
    });
  }, [live, select]);
  return (last.current = selection.value);
}

/**
 * `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both requests in parallel. The promise is the
 * same until the data change. A rejection has the error that `useSuspense` would throw, and need not be handled. Null
 * as first argument sends no request: the promise resolves with the schema's empty value.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): Promise<DataOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): Promise<DataOf<E> | EmptyOf<E['schema']>>;
export function useFetch(
  endpoint: EndpointInterface,
  ...args: readonly unknown[]
): Promise<unknown> {
  const handle = useQueryHandle(useReader('useFetch', endpoint, args), true);
  useRetainedHandle(handle);
  const { reader, visibleReader, wait } = handle;
  return dataPromise(reader, wait, visibleReader.result.peek());
}
