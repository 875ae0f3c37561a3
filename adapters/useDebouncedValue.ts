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
  const [target] = useState(() => ({ value }));
  const isPending = !Object.is(settled, value);
  useEffect(() => {
    const change = () =>
      startTransition(() => {
        target.value = value;
        settle(() => value);
      });
    // a transition to another value may wait for its data: `value` was restored meanwhile
    if (!isPending && !Object.is(target.value, value)) change();
    if (!updatable || !isPending) return undefined;
    const timer = systemClock.after(delay, change);
    return () => systemClock.clear(timer);
  }, [value, isPending, delay, updatable, target]);
  return [settled, isPending];
}
