/** Reads a value derived from an endpoint's data: its readers run only when this value changes. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import type { Accessor, Params, ReadHook } from '../solid-shared/SolidRuntime.ts';
import { useSuspense } from './useSuspense.ts';
import { createMemo } from 'solid-js';

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * memo that changes when a change of a field that the function has read changes its result; arrays and plain objects
 * with the same members count as equal. Pending and failed like `useSuspense`. Null sends no request and selects from
 * the empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...params: SelectArgs<Params<Parameters<E>>, (data: DataOf<E>) => T>
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
  const select = rest.at(-1) as (data: unknown) => unknown;
  const params = rest.slice(0, -1) as Accessor<unknown>[];
  const data = (useSuspense as ReadHook<Accessor<unknown>>)(endpoint as ReadEndpoint, ...params);
  return createMemo((before) => replaceEqualDeep(before, select(data())));
}
