/** Tracks the state of the latest call of an async function. */
import type { UnknownError } from '../../src/errors.ts';
import { useLatestCall } from '../trackLatestCall.ts';
import type { AsyncFunction } from '../trackLatestCall.ts';
import { reactHooks } from './reactHooks.ts';

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. `save` has a stable identity
 * while `deps` are the same, and calls the `fn` of the last render. If `fn` fails, `save` resolves with undefined, and
 * `error` is set until the next call. Of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
  deps: readonly unknown[] = [],
): [F, boolean, UnknownError | undefined] {
  return useLatestCall(reactHooks, fn, deps);
}
