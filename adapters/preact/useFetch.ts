/** Starts the read of an endpoint, and returns a promise of its data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dataPromise } from '../dataPromise.ts';
import { useReader, useQueryHandle, useRetainedHandle } from './useQueryHandle.ts';

/**
 * `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both requests in parallel. The promise is the
 * same until the data change. It rejects with the error that `useSuspense` would throw, which need not be handled.
 * Null as first argument sends no request: the promise resolves with the schema's empty value.
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
