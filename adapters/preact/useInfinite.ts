/** Reads a list, and fetches its pages one by one. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { createInfiniteResult, listCallOf, pagingOf, useInfiniteActions } from '../infinite.ts';
import type { FirstParams, Infinite, InfiniteOptions, InfiniteInputs } from '../infinite.ts';
import { preactHooks } from './preactHooks.ts';
import { useController } from './Provider.ts';
import { useDLE } from './useDLE.ts';

/**
 * `useInfinite(getPosts.getPage, { userId }, { getNextPageParams: ({ next }) => next && { cursor: next } })`: the list
 * as in `useDLE`, and `fetchNextPage`. All components that render the list share its pages. Null params fetch nothing.
 */
export function useInfinite<E extends ReadEndpoint, const P extends object>(
  endpoint: E,
  params: FirstParams<E, P> | null,
  options: InfiniteOptions<E, P>,
): Infinite<E> {
  const controller = useController('useInfinite');
  const list = listCallOf(endpoint, params);
  const shown = useDLE(list.endpoint, ...list.args);
  const reader = controller.view(list.endpoint, ...(list.args as [unknown]));
  const now: InfiniteInputs = { controller, endpoint, params, options, reader };
  const actions = useInfiniteActions(preactHooks, now);
  const paging = pagingOf(controller, reader).value;
  return { ...createInfiniteResult(now, shown as never, paging), ...actions } as Infinite<E>;
}
