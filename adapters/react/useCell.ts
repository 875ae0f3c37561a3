/** Reads a signal in a component. */
import { useCallback } from 'react';
import type { ReadonlySignal } from '../../src/signals.ts';
import { useSyncExternalStore } from './react.ts';
import { subscribeSelected } from './concurrent/useResult.ts';

/** The value of `cell`; `served`: the value on a server and while its markup is hydrated. */
export function useCell<T>(cell: ReadonlySignal<T>, served: T): T {
  const peek = () => cell.peek();
  const subscribe = useCallback(
    (wake: () => void) => subscribeSelected(cell, () => cell.peek(), wake),
    [cell],
  );
  return useSyncExternalStore(subscribe, peek, () => served);
}
