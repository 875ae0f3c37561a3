/** Reads that are pending until there are data: of an endpoint, of several, a derived value, a promise of the data. */
import { createMemo, onCleanup } from 'solid-js';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../CombinedReader.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { createDataPromise, createReads } from '../solid-shared/SolidRuntime.ts';
import type {
  Accessor,
  AnyParams,
  Params,
  QueryHandle,
  ReadHook,
} from '../solid-shared/SolidRuntime.ts';
import { createPendingHandle, listReads } from './solid2Runtime.ts';

/**
 * The data of an endpoint; the arguments are functions: `useSuspense(getTodo, () => ({ id: props.id }))`. The data are
 * live objects: each text reads its own field and updates alone, rows keep their identity. Readers are pending before
 * the first data: the nearest `<Loading>` renders the fallback, and content that was rendered before stays
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

/** A memo that is pending until there are data; readers of the memo are pending, too. */
function createSuspension({ reader, wait }: QueryHandle): Accessor<unknown> {
  // a memo that returns a promise is pending until the promise has settled
  return createMemo(() => {
    const ready = wait();
    const current = reader();
    let isDisposed = false;
    onCleanup(() => {
      isDisposed = true;
    });
    // if the promise settles without a response, the readers wait for the next promise, as long as the memo is needed
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

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once; readers are pending until all have data. The number and the order of
 * the reads may change; only reads that are new then are fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const listed = listReads('useSuspenseAll', reads as Accessor<AnyReads>);
  const each = createReads(listed, useSuspense);
  return createMemo(() => each().map((read) => read())) as Accessor<DataOfReads<R>>;
}

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * memo that changes when a change of a field that the function has read changes the result; arrays and plain objects
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

/**
 * Fetches as `useSuspense` would, and suspends no component: for data that components further below read. The promise
 * is the same until the data change. A rejection has the error that `useSuspense` would throw, and need not be handled.
 * Arguments are functions, as with `useSuspense`; null sends no request, and the promise resolves with the schema's
 * empty value.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): Accessor<Promise<DataOf<E>>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<Promise<DataOf<E> | EmptyOf<E['schema']>>>;
export function useFetch(
  endpoint: EndpointInterface,
  ...params: AnyParams
): Accessor<Promise<unknown>> {
  return createDataPromise(createPendingHandle('useFetch', endpoint, params, false));
}
