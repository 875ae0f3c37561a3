/** Gives up a request whose arguments have changed, at once. */
import type { NullableArgs } from '../EmptyOf.ts';
import { useLeaving } from '../hooks.ts';
import type { Cancellable } from '../hooks.ts';
import { lent } from './lent.ts';
import { useLent } from './Provider.ts';

/**
 * `useSuspense(useCancelling(search, { q }), { q })`: the endpoint with a signal that is aborted when the arguments are
 * others, unless another mounted component shows that request. Without it a request that nobody waits for ends later
 * by itself. A component that has never been shown has no memory yet: React drops it.
 */
export function useCancelling<E extends Cancellable>(endpoint: E, ...args: NullableArgs<E>): E {
  return useLeaving(lent, useLent('useCancelling'), endpoint, args);
}
