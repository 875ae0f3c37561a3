/** Reads a signal in a component. */
import { useCallback } from 'react';
import type { ReadonlySignal } from '../../src/signals.ts';
import { useSyncExternalStore } from './react.ts';

/** The value of `signal`; `serverValue`: on a server and while its markup is hydrated. */
export function useSignalValue<T>(signal: ReadonlySignal<T>, serverValue: T): T {
  const peek = () => signal.peek();
  const subscribe = useCallback(
    (listener: () => void) => subscribeSelected(signal, () => signal.peek(), listener),
    [signal],
  );
  return useSyncExternalStore(subscribe, peek, () => serverValue);
}

/** Runs `listener` if `peek` returns another value after `signal` has changed. */
export function subscribeSelected<T>(
  signal: ReadonlySignal,
  peek: () => T,
  listener: () => void,
): () => void {
  let last = peek();
  // subscribe calls the callback at once
  return signal.subscribe(() => {
    const present = peek();
    if (present !== last) listener();
    last = present;
  });
}
