/** Reads an endpoint, and suspends until there are data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { useLiveData, useSuspendedResult } from './useQueryHandle.ts';

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
