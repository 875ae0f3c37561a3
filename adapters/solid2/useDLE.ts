/** Reads an endpoint without suspending: data, loading, error. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/StorePort.ts';
import { trackedDLE } from '../DLE.ts';
import type { TrackedDLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createPreviousData } from '../solid-shared/SolidRuntime.ts';
import type { AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import { createPendingHandle, solid2Runtime } from './solid2Runtime.ts';
import { createMemo } from 'solid-js';

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
  const { reader, result, wait } = createPendingHandle('useDLE', endpoint, params, false);
  const settled = createMemo<Result | undefined>(() => {
    const current = result();
    return wait() === undefined && current.status !== 'pending' ? current : undefined;
  });
  return trackedDLE(createPreviousData(solid2Runtime, endpoint, reader, settled));
}
