/** Holds a value back until it has stood for a while. */
import { systemClock } from '../../src/clock.ts';
import { createEffect, createSignal, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query()` follows `text()` once that has not changed for `delay`
 * ms. `isPending()` is true until then. With `updatable()` false it waits.
 */
export function useDebounce<T>(
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean> = () => true,
): [Accessor<T>, Accessor<boolean>] {
  // in a box: Solid calls a bare function
  const [settled, settle] = createSignal({ value: untrack(value) }, { ownedWrite: true });
  const isPending = (): boolean => !Object.is(settled().value, value());
  createEffect(
    () => ({ next: value(), waits: updatable() && isPending() }),
    ({ next, waits }) => {
      if (!waits) return undefined;
      const timer = systemClock.after(delay, () => settle({ value: next }));
      return () => systemClock.clear(timer);
    },
  );
  return [() => settled().value, isPending];
}
