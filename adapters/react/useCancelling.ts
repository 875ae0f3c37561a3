/** Aborts a request at once when its arguments change. */
import type { NullableArgs } from '../EmptyOf.ts';
import { useAbortOnChange } from '../Cancellable.ts';
import type { Cancellable } from '../Cancellable.ts';
import { reactHooks } from './reactHooks.ts';
import { useControllerFor } from './Provider.ts';

/**
 * `useSuspense(useCancelling(search, { q }), { q })`: the endpoint with a signal that is aborted when the arguments
 * change, unless another mounted component reads that request. Without this hook, a request without readers is aborted
 * later. Before its first commit a component cannot cancel, since React drops its state.
 */
export function useCancelling<E extends Cancellable>(endpoint: E, ...args: NullableArgs<E>): E {
  return useAbortOnChange(reactHooks, useControllerFor('useCancelling'), endpoint, args);
}
