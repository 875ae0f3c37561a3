/** Reads an endpoint without suspending: data, loading, error. */
import { createComputed, createMemo, untrack } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { trackedDLE } from '../DLE.ts';
import type { TrackedDLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createPreviousData } from '../solid-shared/SolidRuntime.ts';
import type { AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import { createQueryHandle, solidRuntime, suspendParams } from './solidRuntime.ts';

/** As `useSuspense`, but loading and errors are in the result. */
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): TrackedDLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): TrackedDLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...params: AnyParams): TrackedDLE<unknown> {
  const { reader, result, wait, revision } = createQueryHandle('useDLE', endpoint, params, false);
  const [, setRevision] = revision;
  createComputed(() => void wait()?.then(() => setRevision({})));
  const settled = createMemo(() => {
    const current = wait() === undefined ? result() : undefined;
    // a server does not wait, so there may be no data yet
    return current?.status === 'pending' ? undefined : current;
  });
  const shown = createPreviousData(solidRuntime, endpoint, reader, settled);
  return trackedDLE(() => {
    const waiting = shown() === undefined ? untrack(wait) : undefined;
    if (waiting !== undefined) suspendParams(waiting);
    return shown();
  });
}
