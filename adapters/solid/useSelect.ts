/** Reads what a function makes of an endpoint's data: who shows it runs only when that is another. */
import { createMemo } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { share } from '../../src/schema/equal.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Params } from './createReading.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * memo that is another when a field that the function has read changes what it gives; arrays and plain objects of the
 * same members are the same. The component suspends and throws where `useSuspense` does at its place of reading; until
 * there are data, the function gets its placeholder. Null params ask nothing and select of the empty shape.
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
  const params = rest.slice(0, -1) as Accessor<unknown>[];
  const select = rest.at(-1) as (data: unknown) => unknown;
  const data = useSuspense(
    endpoint,
    ...(params as unknown as Params<Parameters<EndpointInterface>>),
  );
  return createMemo((before) => share(before, select(data())));
}
