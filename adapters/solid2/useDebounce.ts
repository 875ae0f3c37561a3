/** Delays the changes of a value until it is stable. */
import { createDebouncedValue } from '../solid-shared/SolidRuntime.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `query()` becomes `text()` once `text()` is unchanged for
 * `delay` ms. `isPending()` is true until then. While `updatable()` is false, the update waits.
 */
export function useDebounce<T>(
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean> = () => true,
): [Accessor<T>, Accessor<boolean>] {
  return createDebouncedValue(solid2Runtime, value, delay, updatable);
}
