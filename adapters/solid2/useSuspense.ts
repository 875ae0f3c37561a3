/** Reads an endpoint as an accessor that is pending before the first data. */
import { createMemo, onCleanup } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Accessor, AnyParams, Params, QueryHandle } from '../solid-shared/SolidRuntime.ts';
import { createPendingHandle } from './solid2Runtime.ts';

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
export function useSuspense(endpoint: EndpointInterface, ...params: AnyParams): Accessor<unknown> {
  const handle = createPendingHandle('useSuspense', endpoint, params, true);
  const suspend = createSuspension(handle);
  return () => {
    suspend();
    const { data, error } = handle.result();
    if (error !== undefined) throw error;
    return data;
  };
}

/** A memo that is pending until there are data, and so are its readers. */
function createSuspension({ reader, wait }: QueryHandle): Accessor<unknown> {
  // a memo that returns a promise is pending until the promise has settled
  return createMemo(() => {
    const ready = wait();
    const current = reader();
    let isDisposed = false;
    onCleanup(() => {
      isDisposed = true;
    });
    // if the promise settles without a response, the readers wait for the next one, as long as the memo is needed
    const settle = async (): Promise<void> => {
      let next = ready;
      while (next !== undefined) {
        await next;
        next = isDisposed ? undefined : current.ensure(false);
      }
    };
    return ready && settle();
  });
}
