/** Arguments that change while a user types: waits until stable, and aborts requests of former arguments. */
import type { Cancellable } from '../Cancellable.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { createAbortOnChange, createDebouncedValue } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query()` becomes `text()` once `text()` is unchanged for
 * `delay` ms. `isPending()` is true until then. While `updatable()` is false, the update waits.
 */
export function useDebounce<T>(
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean> = () => true,
): [Accessor<T>, Accessor<boolean>] {
  return createDebouncedValue(solid2Runtime, value, delay, updatable);
}

/**
 * `useSuspense(useCancelling(search, params), params)`: the endpoint with a signal that is aborted when the arguments
 * change, unless another mounted component reads that request. The endpoint object stays the same; its `signal` is the
 * signal of the present arguments.
 */
export function useCancelling<E extends Cancellable>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): E {
  return createAbortOnChange(solid2Runtime, endpoint, params);
}
