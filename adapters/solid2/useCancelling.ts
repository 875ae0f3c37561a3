/** Aborts a request at once when its arguments change. */
import type { NullableArgs } from '../EmptyOf.ts';
import { abortIfUnused } from '../ActiveRequest.ts';
import type { ActiveRequest } from '../ActiveRequest.ts';
import type { Cancellable } from '../FrameworkHooks.ts';
import { createObserver } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { createEffect, createMemo, untrack } from './solid.ts';

/**
 * `useSuspense(useCancelling(search, params), params)`: the endpoint with a signal that is aborted when the arguments
 * change, unless another mounted component reads that request. The endpoint object stays the same; its `signal` is the
 * signal of the present arguments.
 */
export function useCancelling<E extends Cancellable>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): E {
  const find = createObserver('useCancelling', endpoint, params);
  // readers in this component itself
  const own = new WeakMap<ActiveRequest, number>();
  const stay = createMemo<ActiveRequest>((last) => {
    const reader = find();
    if (last?.reader === reader) return last;
    if (last !== undefined) queueMicrotask(() => abortIfUnused(last, own.get(last)));
    return { key: reader.key, reader, abort: new AbortController() };
  });
  createEffect(stay, (at) => {
    own.set(at, 1);
    return () => void own.delete(at);
  });
  const signal = { get: () => untrack(stay).abort.signal, configurable: true };
  return Object.defineProperty(endpoint.extend({}) as E, 'signal', signal);
}
