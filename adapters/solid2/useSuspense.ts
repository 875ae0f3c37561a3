/** Reads an endpoint as an accessor that is pending before the first data. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { createSuspenseGate, createQueryHandle } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import type { Accessor } from './solid.ts';

/**
 * The data of an endpoint; the arguments are functions: `useSuspense(getTodo, () => ({ id: props.id }))`. The data are
 * live objects: each text reads its own field and updates alone, rows keep their identity. Readers are pending before
 * the first data: the nearest `<Loading>` renders its fallback, and content that was rendered before stays
 * (`isPending`). Errors are thrown at the place that reads. Null sends no request and returns the schema's empty value.
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
  const reading = createQueryHandle('useSuspense', endpoint, params, true);
  const gate = createSuspenseGate(reading);
  return () => {
    gate();
    const { data, error } = reading.result();
    if (error !== undefined) throw error;
    return data;
  };
}
