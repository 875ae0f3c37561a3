/** A value that follows another once it is stable: the body of `useDebounce`. */
import { systemClock } from '../src/clock.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

/** The value, updated once it is unchanged for `delay` ms; and whether an update is pending. */
export function useDebouncedValue<T>(
  {
    useState,
    useEffect,
    startTransition,
  }: Pick<FrameworkHooks, 'useState' | 'useEffect' | 'startTransition'>,
  value: T,
  delay: number,
  updatable: boolean,
): [T, boolean] {
  const [settled, settle] = useState(() => value);
  const isPending = !Object.is(settled, value);
  useEffect(() => {
    if (!updatable || !isPending) return undefined;
    const timer = systemClock.after(delay, () => startTransition(() => settle(() => value)));
    return () => systemClock.clear(timer);
  }, [value, isPending, delay, updatable]);
  return [settled, isPending];
}
