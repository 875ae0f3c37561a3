/** Starts the read of an endpoint, and returns a promise of its data. */
import { untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dataPromise } from '../dataPromise.ts';
import { createQueryHandle } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';

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
  const { reader, wait } = createQueryHandle(
    'useFetch',
    endpoint,
    params as Accessor<unknown>[],
    true,
  );
  return () => {
    const at = reader();
    return dataPromise(
      at,
      wait(),
      untrack(() => at.result.peek()),
    );
  };
}
