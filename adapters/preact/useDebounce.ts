/** Holds a value back until it has stood for a while. */
import { useDelayed } from '../hooks.ts';
import { lent } from './lent.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query` follows `text` once that has not changed for `delay` ms. `isPending` is true until then. With `updatable` false it waits.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  return useDelayed(lent, value, delay, updatable);
}
