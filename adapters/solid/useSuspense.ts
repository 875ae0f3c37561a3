/** Reads an endpoint as a resource: an accessor that suspends the place where it is read. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import type { Ready } from '../../src/view/Reader.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { AnyParams, Params } from '../solid-shared/SolidRuntime.ts';
import { createPlaceholder } from './createPlaceholder.ts';
import {
  createQueryHandle,
  createServerMemo,
  isReadByParams,
  solidInterop,
  suspendParams,
} from './solidRuntime.ts';
import type { SuspendingHandle } from './solidRuntime.ts';
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
  const read = () => {
    suspend();
    return shown();
  };
  return withMembers(read, handle, () => (shown() === placeholder ? undefined : shown()));
}

/** The data, or `placeholder` before the first data. */
export function createShownData(
  { result, revision, wait }: SuspendingHandle,
  placeholder: unknown,
): Accessor<unknown> {
  // a memo, so that a transition keeps the rendered data; it depends on `wait`, which changes in each pending
  // transition: Solid reruns a computation in a transition only if one of its dependencies changed there
  const nextShown = (before: unknown): unknown => {
    if (wait() !== undefined) return before;
    const { status, data } = result();
    return status === 'success' ? data : before;
  };
  return createServerMemo(revision, nextShown, placeholder);
}

/** Returns a function that suspends the place of its call while there are no data, or throws the error there. */
export function createSuspend(handle: SuspendingHandle, resource: Accessor<unknown>): () => void {
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

/**
 * A read of a list, with constant params. Its resource may be created in a transition: if the promise were removed, Solid
 * would end the resource outside of the transition, which would wait for ever. So the settled promise stays.
 */
export function createListedRead(
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
 * Suspends the place that calls for all reads of a list, also for reads that the list gets later: a transition waits for
 * the resources that are read before its effects run, and the place that reads is an effect.
 */
export function suspendForAll(reads: Accessor<readonly object[]>): void {
  if (!isServer) suspendHere(() => reads().forEach((read) => resources.get(read)?.()));
}

/** A resource of Solid's, since only a resource can suspend boundaries and hold transitions. It carries no data. */
export function createSuspenseResource(
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
 * Solid would rerun it too early, and an effect would show new params beside old data.
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
