/** Reads a list, and fetches its pages one by one. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { FirstParams, Infinite, InfiniteOptions } from '../infinite.ts';
import { createInfinite } from '../solid-shared/SolidRuntime.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';
import { useDLE } from './useDLE.ts';

/**
 * `useInfinite(getPosts.getPage, () => ({ userId }), { getNextPageParams: ({ next }) => next && { cursor: next } })`:
 * the list as in `useDLE`, and `fetchNextPage`. Its members are tracked; must not be destructured. All components that
 * render the list share its pages. Null params fetch nothing.
 */
export function useInfinite<E extends ReadEndpoint, const P extends object>(
  endpoint: E,
  params: Accessor<FirstParams<E, P> | null>,
  options: InfiniteOptions<E, P>,
): Infinite<E> {
  return createInfinite(solid2Runtime, useDLE, { endpoint, options }, params);
}
