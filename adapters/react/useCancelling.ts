/** Arguments that change while a user types: waits until stable, and aborts requests of former arguments. */
import { useAbortOnChange, useDebouncedValue } from '../Cancellable.ts';
import type { Cancellable } from '../Cancellable.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import { reactHooks } from './reactHooks.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query` becomes `text` once `text` is unchanged for `delay` ms,
 * in a transition, so that the old screen stays until the new screen is ready. `isPending` is true until then. While
 * `updatable` is false, the update waits.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  return useDebouncedValue(reactHooks, value, delay, updatable);
}

/**
 * `useSuspense(useCancelling(search, { q }), { q })`: the endpoint with a signal that is aborted when the arguments
 * change, unless another mounted component reads that request. Without this hook, a request without readers is aborted
 * later. Before the first commit a component cannot cancel, since React drops the state.
 */
export function useCancelling<E extends Cancellable>(endpoint: E, ...args: NullableArgs<E>): E {
  return useAbortOnChange(reactHooks, useControllerFor('useCancelling'), endpoint, args);
}
