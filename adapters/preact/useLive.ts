/** Reads an endpoint as `useSuspense` does, and polls it. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { useSubscription } from './useSubscription.ts';
import { useSuspense } from './useSuspense.ts';

/** `useSuspense` and `useSubscription` of the same request. */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | EmptyOf<E['schema']>;
export function useLive(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  useSubscription(endpoint, ...args);
  return useSuspense(endpoint, ...args);
}
