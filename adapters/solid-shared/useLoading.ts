/** Tracks the state of the latest call of an async function. */
import type { UnknownError } from '../../src/errors.ts';
import { IDLE, trackLatestCall } from '../trackLatestCall.ts';
import type { AsyncFunction } from '../trackLatestCall.ts';
import { createWritable } from './SolidRuntime.ts';
import type { Accessor } from './SolidRuntime.ts';

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. If the function fails, `save`
 * resolves with undefined, and `error()` is set until the next call. Of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
): [F, Accessor<boolean>, Accessor<UnknownError | undefined>] {
  const [state, setState] = createWritable(IDLE);
  return [trackLatestCall({ fn }, setState), () => state().loading, () => state().error];
}
