/** Reads a value derived from an endpoint's data, and re-renders the component only when this value changes. */
import { useMemo, useRef } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { computed } from '../../src/signals.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { useSuspendedResult } from './useQueryHandle.ts';

/**
 * `const left = useSelect(getTodos, { userId }, (todos) => todos.filter((todo) => !todo.completed).length)`: the
 * component re-renders when a change of a field that the function has read changes its result; arrays and plain objects
 * with the same members count as equal. The function is called at each render, unless it has the same identity.
 * Suspends and throws as `useSuspense` does. Null as first argument sends no request and selects from the empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: SelectArgs<Parameters<E>, (data: DataOf<E>) => T>
): T;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: readonly [...NullableArgs<E>, select: (data: DataOf<E> | EmptyOf<E['schema']>) => T]
): T;
export function useSelect(endpoint: EndpointInterface, ...rest: readonly unknown[]): unknown {
  const live = useSuspendedResult('useSelect', endpoint, rest.slice(0, -1));
  const select = rest.at(-1) as (data: unknown) => unknown;
  const last = useRef<unknown>(undefined);
  const selection = useMemo(() => {
    let before = last.current;
    return computed(() => {
      const { status, data, error } = live.value;
      // a new value, whatever the selection: the component re-renders, and suspends or throws
      if (status !== 'success') return { error };
      return (before = replaceEqualDeep(before, select(data)));
    });
  }, [live, select]);
  return (last.current = selection.value);
}
