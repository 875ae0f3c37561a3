/** Tracks the state of the latest call of an async function. */
import type { UnknownError } from '../../src/store/results/Result.ts';
import { createSignal } from 'solid-js';
import type { Accessor } from 'solid-js';
import { IDLE, trackLatestCall } from '../FrameworkHooks.ts';
import type { AsyncFunction } from '../FrameworkHooks.ts';

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. If the function fails, `save`
 * resolves with undefined, and `error()` is set until the next call. Of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
): [F, Accessor<boolean>, Accessor<UnknownError | undefined>] {
  const [call, tell] = createSignal(IDLE);
  return [trackLatestCall({ fn }, tell), () => call().loading, () => call().error];
}
