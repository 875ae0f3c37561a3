/** Starts the read of an endpoint, and returns a promise of its data. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { dataPromise, isPromiseUsed } from '../dataPromise.ts';
import { useControllerFor } from './Provider.ts';
import { fullResult, suspensePromise, useResult, useRetain } from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';

/** A component that only starts the read does not re-render for its data. */
const resultOfUsedPromise: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => fullResult.peek(reader),
  listen: (reader, listener) =>
    reader.listen(() => {
      if (isPromiseUsed(reader)) listener();
    }),
};

/**
 * `const todo = use(useFetch(getTodo, { id }))`: the data, as with `useSuspense`, and the component re-renders when the
 * data change. `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both requests in parallel, and
 * re-renders for neither. The promise is the same until the data change. It rejects with the error that `useSuspense`
 * would throw, which need not be handled. Null as first argument sends no request: the promise resolves with the
 * schema's empty value.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): Promise<DataOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): Promise<DataOf<E> | EmptyOf<E['schema']>>;
export function useFetch(
  endpoint: EndpointInterface,
  ...args: readonly unknown[]
): Promise<unknown> {
  const controller = useControllerFor('useFetch');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  const shown = useResult(controller, reader, resultOfUsedPromise);
  useRetain(reader);
  if (isPromiseUsed(reader))
    return dataPromise(reader, suspensePromise(reader, shown), shown.result);
  // nothing of the reader is rendered that a transition would have to keep
  return dataPromise(reader, reader.ensure(shown.first, shown.waiter), reader.result.peek());
}
