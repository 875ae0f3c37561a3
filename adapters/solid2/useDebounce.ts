/** Delays the changes of a value until it is stable. */
import { systemClock } from '../../src/clock.ts';
import { createEffect, createSignal, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query()` becomes `text()` once `text()` is unchanged for
 * `delay` ms. `isPending()` is true until then. While `updatable()` is false, the update waits.
 */
export function useDebounce<T>(
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean> = () => true,
): [Accessor<T>, Accessor<boolean>] {
  // in an object: Solid calls a bare function
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
