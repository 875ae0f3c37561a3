/** Reads what a function makes of an endpoint's data, and runs the component only when that is another. */
import { useMemo, useRef } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { computed } from '../../src/reactive.ts';
import { share } from '../../src/schema/equal.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { useThere } from './useReading.ts';

/**
 * `const left = useSelect(getTodos, { userId }, (todos) => todos.filter((todo) => !todo.completed).length)`: the
 * component runs when a field that the function has read changes what it gives; arrays and plain objects of the same
 * members are the same. It is called at each render, unless it is the same function.
 * Suspends and throws as `useSuspense` does; null as first argument asks nothing and selects of the empty shape.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: readonly [...Parameters<E>, select: (data: DataOf<E>) => T]
): T;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: readonly [...NullableArgs<E>, select: (data: DataOf<E> | EmptyOf<E['schema']>) => T]
): T;
export function useSelect(endpoint: EndpointInterface, ...rest: readonly unknown[]): unknown {
  const live = useThere('useSelect', endpoint, rest.slice(0, -1));
  const select = rest.at(-1) as (data: unknown) => unknown;
  const last = useRef<unknown>(undefined);
  const selection = useMemo(() => {
    let before = last.current;
    return computed(() => {
      const { status, data, error } = live.value;
      // another value, whatever was selected: the component runs, and suspends or throws
      if (status !== 'success') return { error };
      return (before = share(before, select(data)));
    });
  }, [live, select]);
  return (last.current = selection.value);
}
