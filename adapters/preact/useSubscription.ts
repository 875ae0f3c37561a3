/** Polls an endpoint while the component is mounted, with or without returning the data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { usePolling } from '../keepPolling.ts';
import { useController } from './Provider.ts';
import { preactHooks } from './preactHooks.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at mount if the stored data are older than that, except while
 * the page is hidden or offline. Returns no data. Without a `pollFrequency`, and with null as first argument, nothing
 * is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  usePolling(preactHooks, useController('useSubscription'), endpoint, args);
}

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
