/** Polls an endpoint while the owner lives, with or without returning the data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createPolling } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at the start if the stored data are older than that, except
 * while the page is hidden or offline. Returns no data. Arguments are functions, as with `useSuspense`. Without a
 * `pollFrequency`, and with null as first argument, nothing is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): void {
  createPolling(solid2Runtime, endpoint, params);
}

/** `useSuspense` and `useSubscription` of the same request. */
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): Accessor<DataOf<E>>;
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | EmptyOf<E['schema']>>;
export function useLive(
  endpoint: EndpointInterface,
  ...params: readonly unknown[]
): Accessor<unknown> {
  const named = params as Params<Parameters<EndpointInterface>>;
  useSubscription(endpoint, ...named);
  return useSuspense(endpoint, ...named);
}
