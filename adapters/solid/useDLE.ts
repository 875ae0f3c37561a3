/** Reads without suspending: data, loading and error of an endpoint, of several, of a list page by page. */
import { createComputed, untrack } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { AnyReads, ReadsOf, TrackedDLEOfReads } from '../CombinedReader.ts';
import { trackedDLE } from '../DLE.ts';
import type { TrackedDLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { FirstParams, Infinite, InfiniteOptions } from '../infinite.ts';
import { createInfinite, createPreviousData } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import {
  createDependentReads,
  createQueryHandle,
  solidRuntime,
  suspendParams,
} from './solidRuntime.ts';

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
  // no memo: former data depend on the request, which a reset replaces
  const settled = () => {
    const current = wait() === undefined ? result() : undefined;
    // a server does not wait, so there may be no data yet
    return current?.status === 'pending' ? undefined : current;
  };
  const shown = createPreviousData(solidRuntime, endpoint, reader, settled);
  return trackedDLE(() => {
    const waiting = shown() === undefined ? untrack(wait) : undefined;
    if (waiting !== undefined) suspendParams(waiting);
    return shown();
  });
}

const loading = /* @__PURE__ */ trackedDLE(() => undefined);

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const listed = reads as Accessor<AnyReads>;
  const { each, placeholders } = createDependentReads('useDLEAll', listed, useDLE);
  return () => (placeholders()?.map(() => loading) ?? each()) as TrackedDLEOfReads<R>;
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
  return createInfinite(solidRuntime, useDLE, { endpoint, options }, params);
}
