/** Reads a list, and fetches its pages one by one. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import {
  NO_PAGING,
  createInfiniteResult,
  listCallOf,
  pagingOf,
  useInfiniteActions,
} from '../infinite.ts';
import type {
  FirstParams,
  Infinite,
  InfiniteInputs,
  InfiniteOptions,
  PagingState,
} from '../infinite.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import { useControllerFor } from './Provider.ts';
import { reactHooks } from './reactHooks.ts';
import { useDLE } from './useDLE.ts';
import { useIsHydrating } from './concurrent/useResult.ts';
import { useIsomorphicLayoutEffect } from './concurrent/MutableSource.ts';
import { useReducer } from './react.ts';

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
  const paging = usePaging(pagingOf(controller, reader));
  const actions = useInfiniteActions(reactHooks, now);
  return { ...createInfiniteResult(now, shown as never, paging), ...actions } as Infinite<E>;
}

/** The value of `paging`, in the lane in which the list is updated: both are rendered at once. */
function usePaging(paging: ReadonlySignal<PagingState>): PagingState {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const isHydrating = useIsHydrating();
  const rendered = paging.peek();
  useIsomorphicLayoutEffect(() => {
    let last = rendered;
    return paging.subscribe((value) => {
      if (value !== last) rerender();
      last = value;
    });
    // the value of the render that is mounted
    // eslint-disable-next-line react/exhaustive-deps
  }, [paging]);
  return isHydrating ? NO_PAGING : rendered;
}
