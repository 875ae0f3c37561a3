/** Delays the changes of a value until it is stable; pending is only the render of the new value. */
import * as React from 'react';
import { refuse, useEffect, useState } from '../../adapters/react/react.ts';
import { systemClock } from '../clock.ts';

// absent in the build of React for server components
const useTransition: typeof React.useTransition = React.useTransition ?? refuse;

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `isPending` is true while the new value is rendered in a
 * transition, not during the delay.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  const [stable, setStable] = useState(value);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (!updatable) return undefined;
    const timer = systemClock.after(delay, () => startTransition(() => setStable(value)));
    return () => systemClock.clear(timer);
  }, [value, delay, updatable]);
  return [stable, isPending];
}
