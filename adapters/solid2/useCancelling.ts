/** Aborts a request at once when its arguments change. */
import type { Cancellable } from '../Cancellable.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { createAbortOnChange } from '../solid-shared/SolidRuntime.ts';
import type { Params } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';

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
