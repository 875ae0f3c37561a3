/** Aborts a request at once when its arguments change. */
import type { NullableArgs } from '../EmptyOf.ts';
import { leave } from '../hooks.ts';
import type { Cancellable, Stay } from '../hooks.ts';
import { createReader } from './createReading.ts';
import type { Params } from './createReading.ts';
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
  const find = createReader('useCancelling', endpoint, params);
  // readers in this component itself
  const own = new WeakMap<Stay, number>();
  const stay = createMemo<Stay>((last) => {
    const reader = find();
    if (last?.reader === reader) return last;
    if (last !== undefined) queueMicrotask(() => leave(last, own.get(last)));
    return { key: reader.key, reader, abort: new AbortController() };
  });
  createEffect(stay, (at) => {
    own.set(at, 1);
    return () => void own.delete(at);
  });
  const signal = { get: () => untrack(stay).abort.signal, configurable: true };
  return Object.defineProperty(endpoint.extend({}) as E, 'signal', signal);
}
