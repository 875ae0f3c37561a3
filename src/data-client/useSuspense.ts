/** The hooks with the signatures of Data Client, and the values for reads without data. */
import * as React from 'react';
import { useController as useOwnController } from '../../adapters/react/Provider.ts';
import { refuse, useEffect, useState, useSyncExternalStore } from '../../adapters/react/react.ts';
import { useCache as useStored, useQuery as useValue } from '../../adapters/react/useCache.ts';
import { useDLE as useLoaded } from '../../adapters/react/useDLE.ts';
import { useSubscription as usePolling } from '../../adapters/react/useSubscription.ts';
import {
  useFetch as usePromise,
  useSuspense as useData,
} from '../../adapters/react/useSuspense.ts';
import { Controller } from '../Controller.ts';
import type { DataOf } from '../Controller.ts';
import { systemClock } from '../clock.ts';
import type { EndpointInterface, NoEndpoint, ReadEndpoint } from '../endpoint/Endpoint.ts';
import type { UnknownError } from '../errors.ts';
import type { NullableSchemaArgs } from '../schema/SchemaArgs.ts';
import type { Args, Denormalized, Kind, Schema } from '../schema/schema.ts';
import { DataClientController } from './DataClientController.ts';
import { endpointOf } from './endpointOf.ts';
import type { PlainShape } from './endpointOf.ts';
import { resultOf, shapeOf, storedDataOf } from './storedDataOf.ts';
import type { NullableParts } from './storedDataOf.ts';

/** `useCache(new Index(User), { username })`: an entity by a field in `static indexes`. */
// any: an index of unknown schema
export class Index<S = any> {
  readonly schema: S;

  constructor(schema: S, key?: (params: object) => string) {
    this.schema = schema;
    if (key !== undefined) this.key = key;
  }

  key(params: object): string {
    return JSON.stringify(params);
  }
}

/** The arguments of a read; null as first argument means "not now". */
export type ReadArgs<E extends EndpointInterface> = readonly [...Parameters<E>] | readonly [null];

type IsNone<S> = [Exclude<S, undefined | null>] extends [never] ? true : false;

/** The data of an endpoint; if the first argument may be null, as of an endpoint that may have none. */
export type SuspenseReturn<
  E extends EndpointInterface,
  A extends readonly unknown[],
> = null extends A[0] ? NullableData<E> : DataOf<E>;

/** The data of an endpoint that may have none. */
export type NullableData<E extends EndpointInterface> =
  IsNone<E['schema']> extends true
    ? DataOf<E> | undefined
    : unknown extends E['schema']
      ? DataOf<E> | undefined
      : NullableParts<Exclude<E['schema'], undefined>>;

/** `{data, loading, error}`: without data, `data` has the shape of an object schema, else is undefined. */
export type DLEResult<E extends EndpointInterface> =
  | { readonly data: DataOf<E>; readonly loading: false; readonly error: undefined }
  | { readonly data: NullableData<E>; readonly loading: true; readonly error: undefined }
  | { readonly data: NullableData<E>; readonly loading: false; readonly error: UnknownError };

const isSkipped = (args: readonly unknown[]): boolean => args[0] === null;

/** The data of `endpoint(...args)`; suspends before the first data, and throws the error of the request. */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useSuspense<E extends ReadEndpoint, A extends ReadArgs<E>>(
  endpoint: E,
  ...args: A
): SuspenseReturn<E, A>;
export function useSuspense(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const data: unknown = useData(endpoint, ...args);
  return isSkipped(args) ? shapeOf(endpoint.schema) : data;
}

/** `useSuspense` and `useSubscription`. */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useLive<E extends ReadEndpoint, A extends ReadArgs<E>>(
  endpoint: E,
  ...args: A
): SuspenseReturn<E, A>;
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  useSubscription(endpoint, ...(args as readonly [null]));
  return useSuspense(endpoint, ...args);
}

/** The data behind the error of `endpoint(...args)`, followed by the component; undefined without an error. */
function useDataBehindError(endpoint: EndpointInterface, args: Args): unknown {
  const controller = useOwnController();
  const result = args[0] === null ? undefined : resultOf(controller, endpoint, args);
  const failed = result?.failure && result;
  const read = () => failed && storedDataOf(failed);
  return useSyncExternalStore(
    failed ? (notify) => failed.listen(notify) : listenToNothing,
    read,
    read,
  );
}

const listenToNothing = () => () => {};

/** The data of `endpoint(...args)` without suspending. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLEResult<E>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReadArgs<E>
):
  | DLEResult<E>
  | { readonly data: NullableData<E>; readonly loading: false; readonly error: undefined };
export function useDLE(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const loaded = useLoaded(endpoint, ...args);
  const behindError = useDataBehindError(endpoint, args);
  if (isSkipped(args)) return { ...loaded, data: shapeOf(endpoint.schema) };
  if (!loaded.loading && loaded.error === undefined) return loaded;
  const data = loaded.data ?? behindError ?? shapeOf(endpoint.schema);
  return data === loaded.data ? loaded : { ...loaded, data };
}

/** The data in the store: sends no request. Expired data of an endpoint with `invalidIfStale` are none. */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReadArgs<E>
): NullableData<E>;
export function useCache<S>(
  index: Index<S>,
  ...args: readonly [object | null]
): Denormalized<S> | undefined;
export function useCache<Q extends Kind>(
  query: Q & NoEndpoint,
  ...args: NullableSchemaArgs<Q>
): Denormalized<Q> | undefined;
export function useCache<S>(
  shape: PlainShape<S> & NoEndpoint,
  params: object | null,
): Denormalized<S> | undefined;
export function useCache(
  target: ReadEndpoint | Kind | Index | PlainShape,
  ...args: readonly unknown[]
): unknown {
  const read: unknown = endpointOf(target);
  const useRead: (read: never, args: readonly unknown[]) => unknown =
    typeof read === 'function' ? useStoredData : useStoredValue;
  return useRead(read as never, args);
}

function useStoredValue(read: Kind | Index, args: readonly unknown[]): unknown {
  return useQuery<Schema>(read instanceof Index ? read.schema : read, ...args);
}

function useStoredData(endpoint: ReadEndpoint, args: readonly unknown[]): unknown {
  const data: unknown = useStored(endpoint as EndpointInterface, ...args);
  const behindError = useDataBehindError(endpoint, args);
  const controller = useOwnController();
  if (isSkipped(args)) return shapeOf(endpoint.schema);
  const stored = Controller.prototype.getResponse.call(controller, endpoint, ...(args as never));
  const isStale = endpoint.invalidIfStale === true && stored.expiresAt <= systemClock.now();
  const known = stored.data === undefined ? behindError : data;
  return known === undefined || isStale ? shapeOf(endpoint.schema) : known;
}

/** The value of a schema in the store; undefined while not stored. */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...args: NullableSchemaArgs<S>
): Denormalized<S> | undefined {
  const value = useValue(schema, ...args);
  return isSkipped(args) ? undefined : value;
}

/** A promise of the data of `endpoint(...args)`, whose read begins. */
export type UsablePromise<T> = Promise<T> & {
  /** True once the data are stored. */
  readonly resolved: boolean;
};

const resolved = new WeakSet<Promise<unknown>>();

/**
 * Begins the read of `endpoint(...args)`; re-renders only for a promise that React's `use` reads. Undefined for null
 * arguments.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): UsablePromise<DataOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReadArgs<E>
): UsablePromise<DataOf<E>> | undefined;
export function useFetch(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const controller = useOwnController();
  const promise = usePromise(endpoint, ...args);
  if (isSkipped(args)) return undefined;
  if (!('resolved' in promise)) {
    const stored = Controller.prototype.getResponse.call(controller, endpoint, ...(args as never));
    if (stored.data !== undefined) resolved.add(promise);
    const mark = () => void resolved.add(promise);
    void promise.then(mark, mark);
    void Object.defineProperty(promise, 'resolved', { get: () => resolved.has(promise) });
  }
  return promise;
}

/** Subscribes to `endpoint(...args)` while the component is mounted: the managers poll, or receive a stream. */
export function useSubscription<E extends ReadEndpoint>(read: E, ...args: ReadArgs<E>): void {
  const controller = useOwnController();
  const endpoint = endpointOf(read);
  const isManaged = controller instanceof DataClientController;
  usePolling(endpoint as EndpointInterface, ...(isManaged ? [null] : (args as readonly unknown[])));
  const key = isManaged && !isSkipped(args) ? endpoint.key(...args) : undefined;
  useEffect(() => {
    if (!(controller instanceof DataClientController) || key === undefined) return undefined;
    const call = [endpoint as EndpointInterface, ...(args as readonly unknown[])] as const;
    void controller.subscribe(...call);
    return () => void controller.unsubscribe(...call);
  }, [controller, key, endpoint.pollFrequency]);
}

/** The controller of the provider. */
export function useController(): DataClientController {
  return useOwnController() as DataClientController;
}

// absent in the build of React for server components
const useTransition: typeof React.useTransition = React.useTransition ?? refuse;

/**
 * `const [query, isPending] = useDebounce(text, 200)`: `isPending` is true while the new value is rendered in a
 * transition, not during the delay.
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [T, boolean] {
  const [stable, setStable] = useState(value);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (!updatable) return undefined;
    const timer = systemClock.after(delay, () => startTransition(() => setStable(value)));
    return () => systemClock.clear(timer);
  }, [value, delay, updatable]);
  return [stable, isPending];
}
