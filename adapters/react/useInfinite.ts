/** Reads a list, and fetches its pages one by one. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import {
  NO_PAGING,
  createInfiniteResult,
  listCallOf,
  pagingOf,
  useInfiniteActions,
} from '../infinite.ts';
import type { FirstParams, Infinite, InfiniteInputs, InfiniteOptions } from '../infinite.ts';
import { useControllerFor } from './Provider.ts';
import { reactHooks } from './reactHooks.ts';
import { useDLE } from './useDLE.ts';
import { useSignalValue } from './useSignalValue.ts';

/**
 * `useInfinite(getPosts.getPage, { userId }, { getNextPageParams: ({ next }) => next && { cursor: next } })`: the list
 * as in `useDLE`, and `fetchNextPage`. All components that render the list share its pages. Null params fetch nothing.
 */
export function useInfinite<E extends ReadEndpoint, const P extends object>(
  endpoint: E,
  params: FirstParams<E, P> | null,
  options: InfiniteOptions<E, P>,
): Infinite<E> {
  const controller = useControllerFor('useInfinite');
  const list = listCallOf(endpoint, params);
  const shown = useDLE(list.endpoint, ...list.args);
  const reader = controller.view(list.endpoint, ...(list.args as [unknown]));
  const now: InfiniteInputs = { controller, endpoint, params, options, reader };
  const paging = useSignalValue(pagingOf(controller, reader), NO_PAGING);
  const actions = useInfiniteActions(reactHooks, now);
  return { ...createInfiniteResult(now, shown as never, paging), ...actions } as Infinite<E>;
}
