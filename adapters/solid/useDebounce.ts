/** Delays the changes of a value until it is stable. */
import { createEffect, createSignal, onCleanup, startTransition, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import { systemClock } from '../../src/clock.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query()` becomes `text()` once `text()` is unchanged for
 * `delay` ms, in a transition, so that the old screen stays until the new one is ready. `isPending()` is true until
 * then. While `updatable()` is false, the update waits.
 */
export function useDebounce<T>(
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean> = () => true,
): [Accessor<T>, Accessor<boolean>] {
  const [settled, settle] = createSignal<T>(untrack(value));
  const isPending = (): boolean => !Object.is(settled(), value());
  createEffect(() => {
    const next = value();
    if (!updatable() || !isPending()) return;
    const change = () => void startTransition(() => settle(() => next));
    const timer = systemClock.after(delay, change);
    onCleanup(() => systemClock.clear(timer));
  });
  return [settled, isPending];
}
