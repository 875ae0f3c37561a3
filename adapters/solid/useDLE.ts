/** Reads an endpoint without suspending: data, loading, error. */
import { createComputed, createMemo, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dleOf } from '../dleOf.ts';
import type { TrackedDLE } from '../dleOf.ts';
import { createQueryHandle, suspendParams } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';

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
  const asked = params as Accessor<unknown>[];
  const { result, wait, turn } = createQueryHandle('useDLE', endpoint, asked, false);
  createComputed(() => void wait()?.then(() => turn[1]({})));
  const shown = createMemo(() => {
    const now = wait() === undefined ? result() : undefined;
    // a server does not wait, so there may be no data yet
    return now?.status === 'pending' ? undefined : now;
  });
  const settled = () => {
    const waiting = shown() === undefined ? untrack(wait) : undefined;
    if (waiting !== undefined) suspendParams(waiting);
    return shown();
  };
  return dleOf(settled);
}
