/** Starts the read of an endpoint, and returns a promise of its data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dataPromise } from '../dataPromise.ts';
import { createQueryHandle } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

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
  ...params: readonly unknown[]
): Accessor<Promise<unknown>> {
  const { reader, wait } = createQueryHandle('useFetch', endpoint, params, false);
  return () => {
    const at = reader();
    return dataPromise(
      at,
      wait().ready,
      untrack(() => at.result.peek()),
    );
  };
}
