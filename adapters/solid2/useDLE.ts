/** Reads without suspending: data, loading and error of an endpoint, of several, of a list page by page. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { AnyReads, ReadsOf, TrackedDLEOfReads } from '../CombinedReader.ts';
import { trackedDLE } from '../DLE.ts';
import type { TrackedDLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { FirstParams, Infinite, InfiniteOptions } from '../infinite.ts';
import { createInfinite, createPreviousData, createReads } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import { createPendingHandle, listReads, solid2Runtime } from './solid2Runtime.ts';

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
  // no memo: former data depend on the request, which a reset replaces
  const settled = (): Result | undefined => {
    const current = result();
    return wait() === undefined && current.status !== 'pending' ? current : undefined;
  };
  return trackedDLE(createPreviousData(solid2Runtime, endpoint, reader, settled));
}

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const listed = listReads('useDLEAll', reads as Accessor<AnyReads>);
  return createReads(listed, useDLE) as Accessor<TrackedDLEOfReads<R>>;
}

/**
 * `useInfinite(getPosts.getPage, () => ({ userId }), { getNextPageParams: ({ next }) => next && { cursor: next } })`:
 * the list as in `useDLE`, and `fetchNextPage`. The members are tracked; must not be destructured. All components that
 * render the list share the pages. Null params fetch nothing.
 */
export function useInfinite<E extends ReadEndpoint, const P extends object>(
  endpoint: E,
  params: Accessor<FirstParams<E, P> | null>,
  options: InfiniteOptions<E, P>,
): Infinite<E> {
  return createInfinite(solid2Runtime, useDLE, { endpoint, options }, params);
}
