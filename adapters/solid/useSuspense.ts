/** Reads that suspend the reading place: of an endpoint, of several, a derived value, a promise of the data. */
import {
  createComputed,
  createMemo,
  createResource,
  createRoot,
  getListener,
  getOwner,
  onCleanup,
  untrack,
} from 'solid-js';
import type { Accessor, Owner, Signal } from 'solid-js';
import { isServer } from 'solid-js/web';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import { isPlainObject } from '../../src/schema/fieldOf.ts';
import { kindOf } from '../../src/schema/kindOf.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass, Schema } from '../../src/schema/schema.ts';
import { PENDING } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Ready } from '../../src/view/Reader.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../CombinedReader.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { createDataPromise } from '../solid-shared/SolidRuntime.ts';
import type { AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import {
  createDependentReads,
  createQueryHandle,
  createServerMemo,
  isReadByParams,
  solidInterop,
  suspendParams,
} from './solidRuntime.ts';
import type { SuspendingHandle } from './solidRuntime.ts';

/** The data, with the members of a Solid resource. To write, use the controller. */
export interface SuspenseAccessor<T> {
  (): T;
  /** A request is in flight: before the first data, or during a refetch. */
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
  /** The last data, for any params; undefined before the first data. Reading `latest` does not suspend. */
  readonly latest: T | undefined;
  readonly state: 'unresolved' | 'pending' | 'ready' | 'refreshing' | 'errored';
  /** Sends the request, whatever is stored. */
  refetch(): Promise<T>;
}

/**
 * The data of an endpoint; the arguments are functions: `useSuspense(getTodo, () => ({ id: props.id }))`. The data are
 * live objects: each text reads its own field and updates alone, rows keep their identity so that `<For>` moves them.
 * The place that reads suspends before the first data; meanwhile, and during a pending transition, the accessor returns
 * the data before, or else a placeholder with the defaults of the schema. Errors are thrown at the place that reads.
 * Params that read other accessors wait for them; null params send no request and return the schema's empty value.
 */
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<Parameters<E>>
): SuspenseAccessor<DataOf<E>>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): SuspenseAccessor<DataOf<E> | EmptyOf<E['schema']>>;
export function useSuspense(
  endpoint: EndpointInterface,
  ...params: AnyParams
): SuspenseAccessor<unknown> {
  const handle = createQueryHandle('useSuspense', endpoint, params, true);
  return createAccessor(handle, endpoint, createSuspenseResource(handle));
}

function createAccessor(
  handle: SuspendingHandle,
  { schema }: EndpointInterface,
  resource: Accessor<unknown>,
): SuspenseAccessor<unknown> {
  const placeholder = createPlaceholder(schema);
  const shown = createShownData(handle, placeholder);
  const suspend = createSuspend(handle, resource);
  return withMembers(
    () => {
      suspend();
      return shown();
    },
    handle,
    () => (shown() === placeholder ? undefined : shown()),
  );
}

/** The data, or `placeholder` before the first data. */
function createShownData(
  { result, revision, wait }: SuspendingHandle,
  placeholder: unknown,
): Accessor<unknown> {
  // a memo, so that a transition keeps the rendered data; the memo depends on `wait`, which changes in each pending
  // transition: Solid reruns a computation in a transition only if a dependency changed there
  const nextShown = (before: unknown): unknown => {
    if (wait() !== undefined) return before;
    const { status, data } = result();
    return status === 'success' ? data : before;
  };
  return createServerMemo(revision, nextShown, placeholder);
}

/** Returns a function that suspends the place of the call while there are no data, or throws the error there. */
function createSuspend(handle: SuspendingHandle, resource: Accessor<unknown>): () => void {
  let thrown: Error | undefined;
  return () => {
    if (!isReadByParams()) suspendHere(resource);
    let waiting = handle.wait();
    if (waiting === undefined) {
      const { error } = handle.result();
      // a second read of the same error: a boundary was reset
      if (error !== undefined && error === thrown) waiting = handle.retry();
      thrown = error;
      if (error !== undefined && waiting === undefined) throw error;
    }
    if (waiting !== undefined) suspendParams(waiting);
  };
}

/** A resource of Solid's, since only a resource can suspend boundaries and hold transitions; without data. */
function createSuspenseResource(
  { wait, revision }: SuspendingHandle,
  source: Accessor<Ready | undefined> = wait,
): Accessor<unknown> {
  const [, setRevision] = revision;
  // a server renders again when a resource is ready, and only once: the resource must be ready after the complete chain
  const settle = async (ready: Ready): Promise<object> => {
    await ready;
    if (!isServer) return {};
    setRevision({});
    const next = untrack(wait);
    return next === undefined ? {} : settle(next);
  };
  const [resource] = createResource<unknown, Ready>(source, settle, {
    // set by Solid when the wait ends, in the transition that waited
    storage: () => revision as Signal<unknown>,
  });
  return resource;
}

/**
 * Reads the resource under the boundary of the reading computation, but outside of this computation: in a transition
 * Solid would rerun the computation too early, and an effect would show new params beside old data.
 */
function suspendHere(resource: Accessor<unknown>): void {
  const owner = getOwner();
  const listener = getListener();
  if (isServer) return void resource();
  if (owner === null || listener === null || listener.user) return;
  const { context } = owner;
  const detached: Owner = { context, owner: null, owned: null, cleanups: null };
  onCleanup(createRoot((dispose) => (createComputed(resource), dispose), detached));
}

/** Adds the members of a Solid resource to an accessor. */
function withMembers(
  read: Accessor<unknown>,
  { reader, result, wait, refetch }: SuspendingHandle,
  latest: Accessor<unknown>,
): SuspenseAccessor<unknown> {
  const state = (): SuspenseAccessor<unknown>['state'] => {
    if (wait() !== undefined) return latest() === undefined ? 'pending' : 'refreshing';
    if (result().status === 'error') return 'errored';
    if (reader().key === '') return 'unresolved';
    return solidInterop.readTracked(reader().fetching) ? 'refreshing' : 'ready';
  };
  return Object.defineProperties(read, {
    loading: { get: () => state() === 'pending' || state() === 'refreshing' },
    error: { get: () => (wait() === undefined ? result().error : undefined) },
    latest: { get: latest },
    state: { get: state },
    refetch: { value: refetch },
  }) as SuspenseAccessor<unknown>;
}

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once. The place that reads `all()` suspends until all have data; meanwhile
 * missing data are placeholders. The number and the order of the reads may change; only reads that are new then are
 * fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const listed = reads as Accessor<AnyReads>;
  const { each, known, placeholders } = createDependentReads(
    'useSuspenseAll',
    listed,
    createListedRead,
  );
  return () => {
    suspendForAll(known);
    const waiting = placeholders();
    if (waiting === undefined) return each().map((read) => read()) as DataOfReads<R>;
    // the accessor that the reads depend on suspends this place
    void reads();
    return waiting.map(([{ schema }]) => createPlaceholder(schema as never)) as DataOfReads<R>;
  };
}

/**
 * A read of a list, with constant params. The resource may be created in a transition: if the promise were removed,
 * Solid would end the resource outside of the transition, which would wait for ever. So the settled promise stays.
 */
function createListedRead(
  endpoint: EndpointInterface,
  ...params: AnyParams
): SuspenseAccessor<unknown> {
  const handle = createQueryHandle('useSuspenseAll', endpoint, params, true);
  const { wait } = handle;
  const source = isServer
    ? wait
    : createMemo((last: Ready | undefined) => wait() ?? last, undefined);
  const resource = createSuspenseResource(handle, source);
  const read = createAccessor(handle, endpoint, resource);
  resources.set(read, resource);
  return read;
}

/** The resource of each read of a list. */
const resources = /* @__PURE__ */ new WeakMap<object, Accessor<unknown>>();

/**
 * Suspends the place that calls for all reads of a list, also for reads that the list gets later: a transition waits
 * for the resources that are read before the effects run, and the place that reads is an effect.
 */
function suspendForAll(reads: Accessor<readonly object[]>): void {
  if (!isServer) suspendHere(() => reads().forEach((read) => resources.get(read)?.()));
}

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * value that changes when a change of a field that the function has read changes the result; arrays and plain objects
 * with the same members count as equal. The place that reads the value suspends and throws, as with `useSuspense`;
 * before the first data, the function gets the placeholder. Null params send no request and select from the empty
 * value.
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
  const handle = createQueryHandle('useSelect', endpoint, rest.slice(0, -1), true);
  const data = createShownData(handle, createPlaceholder(endpoint.schema));
  // changes of data do not notify the place that reads
  const result = createServerMemo<Result>(handle.revision, () => {
    const now = handle.result();
    return now.status === 'error' ? now : PENDING;
  });
  const suspend = createSuspend({ ...handle, result }, createSuspenseResource(handle));
  const selection = createServerMemo<SelectedValue>(handle.revision, (before) => {
    // as the data: a transition that waits runs this again
    void handle.wait();
    try {
      const value = replaceEqualDeep(before?.value, select(data()));
      return before !== undefined && !before.thrown && before.value === value ? before : { value };
    } catch (reason) {
      // thrown at the place that reads, as errors of the request are
      return { value: before?.value, thrown: { reason } };
    }
  });
  return () => {
    suspend();
    const { value, thrown } = selection();
    // a function may not expect the placeholder
    if (thrown !== undefined && handle.wait() === undefined) throw thrown.reason;
    return value;
  };
}

/** The selected value, or the exception of the function beside the last value. */
interface SelectedValue {
  readonly value: unknown;
  readonly thrown?: { readonly reason: unknown };
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
  return createDataPromise(createQueryHandle('useFetch', endpoint, params, true));
}

/**
 * For an entity an instance with the defaults, for an object the members' placeholders; else the value for null
 * arguments.
 */
function createPlaceholder(schema: Schema): unknown {
  if (schema === undefined || schema === null) return schema;
  if (typeof schema === 'function' && KIND in schema) {
    return Object.freeze(new (schema as unknown as EntityClass)());
  }
  if (isPlainObject(schema)) {
    const members = Object.entries(schema).map(([name, inner]) => [name, createPlaceholder(inner)]);
    return Object.freeze(Object.fromEntries(members));
  }
  return kindOf(schema, 'schema').emptyValue?.();
}
