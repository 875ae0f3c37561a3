/** Reads a list, and fetches its pages one by one. */
import type { ArgsOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { fetchNext, infiniteOf, listCallOf, pagingOf } from '../infinite.ts';
import type { FirstParams, Infinite, InfiniteOptions, Paged } from '../infinite.ts';
import { tracked } from '../tracked.ts';
import { readTracked } from './trackInSolid.ts';
import { useReadingContext } from './Provider.ts';
import { createMemo, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';
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
  const { controller } = useReadingContext('useInfinite', endpoint);
  const now = createMemo((): Paged => {
    const named = params();
    const { endpoint: list, args } = listCallOf(endpoint, named);
    const reader = untrack(() => controller.view(list, ...(args as ArgsOf<EndpointInterface>)));
    return { controller, endpoint, params: named, options, reader };
  });
  const list = createMemo(() => listCallOf(endpoint, params()).endpoint as ReadEndpoint);
  const listParams = () => listCallOf(endpoint, params()).args[0];
  const shown = createMemo(() => {
    const read = list();
    // eslint-disable-next-line react/hooks -- a hook of Solid
    return untrack(() => useDLE(read, listParams));
  });
  const infinite = createMemo(() =>
    infiniteOf(now(), shown() as never, readTracked(pagingOf(controller, now().reader))),
  );
  const names = ['data', 'loading', 'error', 'hasNextPage', 'isFetchingNextPage'] as const;
  const fetchNextPage = () => fetchNext(untrack(now));
  return Object.assign(tracked(infinite, names), { fetchNextPage }) as unknown as Infinite<E>;
}
