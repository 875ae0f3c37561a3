/** Reads an endpoint without suspending: data, loading, error. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/ResultRecord.ts';
import type { EmptyOf, NullableArgs } from '../../src/view/EmptyOf.ts';
import { createReading } from './createReading.ts';
import type { Params } from './createReading.ts';
import { createMemo } from './solid.ts';

/** Each member is tracked alone; not to be destructured. */
export interface DLE<T> {
  /** Live data; stale data are shown while they are asked again. */
  readonly data: T | undefined;
  /** There is nothing to show yet. */
  readonly loading: boolean;
  readonly error: Error | undefined;
}

/** As `useSuspense`, but for waiting and errors, which are in the result. */
export function useDLE<E extends EndpointInterface>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): DLE<DataOf<E>>;
export function useDLE<E extends EndpointInterface>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): DLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...params: readonly unknown[]): DLE<unknown> {
  const { result, wait } = createReading('useDLE', endpoint, params, false);
  const shown = createMemo<Result | undefined>(() => {
    const now = result();
    return wait().ready === undefined && now.status !== 'pending' ? now : undefined;
  });
  return {
    get data() {
      return shown()?.data;
    },
    get loading() {
      return shown() === undefined;
    },
    get error() {
      return shown()?.error;
    },
  };
}
