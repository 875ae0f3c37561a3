/** Gives up a request whose arguments have changed, at once. */
import type { NullableArgs } from '../EmptyOf.ts';
import { useLeaving } from '../hooks.ts';
import type { Cancellable } from '../hooks.ts';
import { lent } from './lent.ts';
import { useController } from './Provider.ts';

/**
 * `useSuspense(useCancelling(search, { q }), { q })`: the endpoint with a signal that is aborted when the arguments are
 * others, unless another mounted component shows that request. Without it a request that nobody waits for ends later
 * by itself.
 */
export function useCancelling<E extends Cancellable>(endpoint: E, ...args: NullableArgs<E>): E {
  return useLeaving(lent, useController('useCancelling'), endpoint, args);
}
