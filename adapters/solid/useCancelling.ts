/** Aborts a request at once when its arguments change. */
import { createComputed, createEffect, createMemo, onCleanup, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { NullableArgs } from '../EmptyOf.ts';
import { abortIfUnused } from '../ActiveRequest.ts';
import type { ActiveRequest } from '../ActiveRequest.ts';
import type { Cancellable } from '../FrameworkHooks.ts';
import { activeRead } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useController } from './Provider.ts';

/**
 * `useSuspense(useCancelling(search, params), params)`: the endpoint with a signal that is aborted when the arguments
 * change, unless another mounted component reads that request. Without this hook, a request without readers is aborted
 * later. The endpoint object stays the same; its `signal` is the signal of the present arguments.
 */
export function useCancelling<E extends Cancellable>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): E {
  const controller = useController('useCancelling');
  const stay = createMemo<ActiveRequest>((last) => {
    const { reader } = activeRead(controller, endpoint, params as readonly Accessor<unknown>[]);
    if (last?.reader === reader) return last;
    return { key: reader.key, reader, abort: new AbortController() };
  });
  // this effect runs and waits together with the effect that retains the read of this component
  const own = new WeakMap<ActiveRequest, number>();
  createEffect(() => {
    const at = stay();
    own.set(at, 1);
    onCleanup(() => own.delete(at));
  });
  createComputed<ActiveRequest>((last) => {
    const now = stay();
    // the effects have run by then
    if (last !== undefined && last !== now)
      queueMicrotask(() => abortIfUnused(last, own.get(last)));
    return now;
  });
  const signal = { get: () => untrack(stay).abort.signal, configurable: true };
  return Object.defineProperty(endpoint.extend({}) as E, 'signal', signal);
}
