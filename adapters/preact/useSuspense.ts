/** Reads an endpoint, and suspends until there is something to show. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { useThere } from './useReading.ts';

/**
 * The data of `endpoint(...args)` as live objects: the component that reads `todo.title` while it renders runs when
 * that title changes, the one that reads a list runs when rows come, go or move. Live objects keep their identity, so
 * derive with `useComputed(() => …)`, not with `useMemo(…, [todo])`.
 * Suspends while there is nothing to show; throws the request's error to the nearest boundary.
 * Null as first argument asks nothing and gives the schema's empty shape.
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | EmptyOf<E['schema']>;
export function useSuspense(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return useThere('useSuspense', endpoint, args).value.data;
}
