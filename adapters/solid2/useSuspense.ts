/** Reads an endpoint as an accessor that is pending until there is something to show. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createGate, createReading } from './createReading.ts';
import type { Params } from './createReading.ts';
import type { Accessor } from './solid.ts';

/**
 * The data of an endpoint, whose arguments are functions: `useSuspense(getTodo, () => ({ id: props.id }))`.
 * They are live objects: each text shows its own field and changes alone, rows keep their identity. Who reads them is
 * pending while there is nothing to show: the nearest `<Loading>` shows its fallback, and where something was shown
 * before it stays (`isPending`). Errors are thrown where it is read. Null asks nothing and gives the schema's empty shape.
 */
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): Accessor<DataOf<E>>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | EmptyOf<E['schema']>>;
export function useSuspense(
  endpoint: EndpointInterface,
  ...params: readonly unknown[]
): Accessor<unknown> {
  const reading = createReading('useSuspense', endpoint, params, true);
  const gate = createGate(reading);
  return () => {
    gate();
    const { data, error } = reading.result();
    if (error !== undefined) throw error;
    return data;
  };
}
