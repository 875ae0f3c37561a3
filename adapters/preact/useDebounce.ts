/** Delays the changes of a value until it is stable. */
import { useDebouncedValue } from '../useDebouncedValue.ts';
import { preactHooks } from './preactHooks.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query` becomes `text` once `text` is unchanged for `delay` ms.
 * `isPending` is true until then. While `updatable` is false, the update waits.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  return useDebouncedValue(preactHooks, value, delay, updatable);
}
