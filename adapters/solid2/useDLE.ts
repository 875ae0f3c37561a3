/** Reads an endpoint without suspending: data, loading, error. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/results/Result.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dleOf } from '../dleOf.ts';
import type { TrackedDLE } from '../dleOf.ts';
import { createQueryHandle } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { createMemo } from './solid.ts';

/** As `useSuspense`, but loading and errors are in the result. */
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): TrackedDLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): TrackedDLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(
  endpoint: EndpointInterface,
  ...params: readonly unknown[]
): TrackedDLE<unknown> {
  const { result, wait } = createQueryHandle('useDLE', endpoint, params, false);
  const shown = createMemo<Result | undefined>(() => {
    const now = result();
    return wait().ready === undefined && now.status !== 'pending' ? now : undefined;
  });
  return dleOf(shown);
}
