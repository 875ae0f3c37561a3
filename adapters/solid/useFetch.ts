/** Starts the read of an endpoint, and returns a promise of its data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createDataPromise } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import { createQueryHandle } from './solidRuntime.ts';

/**
 * Fetches as `useSuspense` would, and suspends no component: for data that components further below read. The promise
 * is the same until the data change. It rejects with the error that `useSuspense` would throw, which need not be
 * handled. Arguments are functions, as with `useSuspense`; null sends no request, and the promise resolves with the
 * schema's empty value.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): Accessor<Promise<DataOf<E>>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<Promise<DataOf<E> | EmptyOf<E['schema']>>>;
export function useFetch(
  endpoint: EndpointInterface,
  ...params: AnyParams
): Accessor<Promise<unknown>> {
  return createDataPromise(createQueryHandle('useFetch', endpoint, params, true));
}
