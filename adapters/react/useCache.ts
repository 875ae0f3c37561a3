/** Reads of what is stored or in flight, which never fetch: data, the value of a schema, error, status. */
import { useCallback, useId, useMemo } from 'react';
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { NoEndpoint, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import type { KeyTest } from '../../src/request/Events.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import { dataOf } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { FetchingCountCell, NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { dataOrEmpty } from '../EmptyOf.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import { fullResult, subscribeSelected, useResult } from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';
import { useSyncExternalStore } from './react.ts';

/**
 * The data of `endpoint(...args)` if there are any; else undefined, or the empty value of a schema that is an object.
 * Null as first argument returns the schema's empty value, also that of a list. Errors of requests are not thrown,
 * exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | CachedOf<E['schema']> {
  const controller = useControllerFor('useCache');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return dataOrEmpty(
    endpoint,
    dataOf(useResult(controller, reader, fullResult, useId()).result),
  ) as DataOf<E>;
}

/**
 * The value of the schema for the arguments: an entity, `new All(Todo)`, a collection, `new Query(…)`; undefined while
 * not stored. No request is sent. Null as first argument returns the schema's empty value. Throws what a function of
 * the schema throws. Schemas are compared by identity: create each schema once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...args: NullableSchemaArgs<S>
): Denormalized<S> | undefined {
  const controller = useControllerFor('useQuery');
  const reader = controller.query<unknown>(schema, ...args) as Reader<Denormalized<S>>;
  return dataOf(useResult(controller, reader).result);
}

const NO_ERROR: Result<never> = { status: 'success', data: undefined as never, error: undefined };

/** Only the error that a reader would throw: changes of data notify no reader. */
const errorOnly: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => {
    const result = reader.result.peek();
    return result.status === 'error' ? result : NO_ERROR;
  },
  listen: (reader, listener) => reader.listen(listener),
};

/** The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched. */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): UnknownError | undefined {
  const controller = useControllerFor('useError');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return useResult(controller, reader, errorOnly, useId()).result.error;
}

/**
 * `{isFetching, isStale, fetchedAt, error}` of `endpoint(...args)`: the component re-renders when a member of the
 * status changes, not when data change. No request is sent. Null as first argument, a server, and hydration return the
 * status without a request.
 */
export function useStatus<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Status {
  const controller = useControllerFor('useStatus');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return useSignalValue(statusOf(controller, reader), NO_STATUS);
}

/**
 * How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server and while server markup is hydrated.
 */
export function useIsFetching(endpoint?: KeyTest): number {
  const controller = useControllerFor('useIsFetching');
  const count = useMemo(() => new FetchingCountCell(controller, endpoint), [controller, endpoint]);
  return useSignalValue(count, 0);
}

/** The value of `signal`; `serverValue`: on a server and while server markup is hydrated. */
function useSignalValue<T>(signal: ReadonlySignal<T>, serverValue: T): T {
  const peek = () => signal.peek();
  const subscribe = useCallback(
    (listener: () => void) => subscribeSelected(signal, () => signal.peek(), listener),
    [signal],
  );
  return useSyncExternalStore(subscribe, peek, () => serverValue);
}
