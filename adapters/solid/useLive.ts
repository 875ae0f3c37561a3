/** Reads an endpoint as `useSuspense` does, and polls it. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Params } from '../solid-shared/SolidRuntime.ts';
import { useSubscription } from './useSubscription.ts';
import { useSuspense } from './useSuspense.ts';
import type { SuspenseAccessor } from './useSuspense.ts';

/** `useSuspense` and `useSubscription` of the same request. */
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): SuspenseAccessor<DataOf<E>>;
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): SuspenseAccessor<DataOf<E> | EmptyOf<E['schema']>>;
export function useLive(
  endpoint: EndpointInterface,
  ...params: readonly unknown[]
): SuspenseAccessor<unknown> {
  const named = params as Params<Parameters<EndpointInterface>>;
  useSubscription(endpoint, ...named);
  return useSuspense(endpoint, ...named);
}
