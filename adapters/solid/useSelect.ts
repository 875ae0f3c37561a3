/** Reads a value derived from an endpoint's data: its readers run only when this value changes. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createSelection } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * memo that changes when a change of a field that the function has read changes its result; arrays and plain objects
 * with the same members count as equal. The component suspends and throws at the place of reading, as with
 * `useSuspense`; before the first data, the function gets the placeholder. Null params send no request and select from
 * the empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...params: readonly [...Params<Parameters<E>>, select: (data: DataOf<E>) => T]
): Accessor<T>;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...params: readonly [
    ...Params<NullableArgs<E>>,
    select: (data: DataOf<E> | EmptyOf<E['schema']>) => T,
  ]
): Accessor<T>;
export function useSelect(
  endpoint: EndpointInterface,
  ...rest: readonly unknown[]
): Accessor<unknown> {
  return createSelection(useSuspense, endpoint, rest);
}
