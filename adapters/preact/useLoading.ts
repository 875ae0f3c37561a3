/** Tells how the latest call of an async function stands. */
import { useTelling } from '../hooks.ts';
import type { AsyncFunction } from '../hooks.ts';
import { lent } from './lent.ts';

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. `save` is one function while
 * `deps` are the same, and calls the `fn` of the last render. Where that fails it resolves with undefined, and `error`
 * is set until the next call; of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
  deps: readonly unknown[] = [],
): [F, boolean, Error | undefined] {
  return useTelling(lent, fn, deps);
}
