/** Delays the changes of a value until it is stable. */
import { useDebouncedValue } from '../useDebouncedValue.ts';
import { reactHooks } from './reactHooks.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query` becomes `text` once `text` is unchanged for `delay` ms,
 * in a transition, so that the old screen stays until the new one is ready. `isPending` is true until then. While
 * `updatable` is false, the update waits.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  return useDebouncedValue(reactHooks, value, delay, updatable);
}
