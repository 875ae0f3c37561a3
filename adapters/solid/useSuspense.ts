/** Reads an endpoint as a resource: an accessor that suspends the place where it is read. */
import {
  createComputed,
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
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Ready } from '../../src/view/Ready.ts';
import { look } from './bridge.ts';
import { createReading, holdParams, isForParams, memoOf } from './createReading.ts';
import type { Params, Reading } from './createReading.ts';
import { placeholder } from './placeholder.ts';

/** The data, with the face of a Solid resource. To write, use the controller. */
export interface SuspenseAccessor<T> {
  (): T;
  /** A request is on its way: before the first data, or while they are shown. */
  readonly loading: boolean;
  readonly error: Error | undefined;
  /** The data shown last, of whatever params; undefined before the first. Reading it suspends nobody. */
  readonly latest: T | undefined;
  readonly state: 'unresolved' | 'pending' | 'ready' | 'refreshing' | 'errored';
  /** Sends the request, whatever is there. */
  refetch(): Promise<T>;
}

/**
 * The data of an endpoint, whose arguments are functions: `useSuspense(getTodo, () => ({ id: props.id }))`.
 * They are live objects: each text shows its own field and changes alone, rows keep their identity so that `<For>`
 * moves them. The place that reads suspends while there is nothing to show; there, and while a transition waits, the
 * data shown before are read, or else a placeholder with the defaults of the schema. Errors are thrown where it is read.
 * Params that read other accessors wait for them; null params ask nothing and give the schema's empty shape.
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
  ...params: readonly unknown[]
): SuspenseAccessor<unknown> {
  const reading = createReading('useSuspense', endpoint, params as Accessor<unknown>[], true);
  const { result, wait } = reading;
  const carrier = createCarrier(reading);
  const hole = placeholder(endpoint.schema);
  // a memo, so that a transition keeps what was shown; it depends on `wait`, which differs wherever a
  // transition waits: Solid runs nothing again in a transition whose value did not change in it
  const showing = (before: unknown): unknown => {
    if (wait() !== undefined) return before;
    const { status, data } = result();
    return status === 'success' ? data : before;
  };
  const shown = memoOf(reading.turn, showing, hole);
  let thrown: Error | undefined;
  const read = () => {
    if (!isForParams()) suspendHere(carrier);
    let waiting = wait();
    if (waiting === undefined) {
      const { error } = result();
      // read once more, it is a boundary that was reset
      if (error !== undefined && error === thrown) waiting = reading.again();
      thrown = error;
      if (error !== undefined && waiting === undefined) throw error;
    }
    if (waiting !== undefined) holdParams(waiting);
    return shown();
  };
  return withFace(read, reading, () => (shown() === hole ? undefined : shown()));
}

/** A resource of Solid's, for what only one can do: suspend boundaries and hold transitions. It carries no data. */
function createCarrier({ wait, turn }: Reading): Accessor<unknown> {
  // a server draws once more when a resource is there, and never asks it again: it must be there after all of a chain
  const settled = async (ready: Ready): Promise<object> => {
    await ready;
    if (!isServer) return {};
    turn[1]({});
    const next = untrack(wait);
    return next === undefined ? {} : settled(next);
  };
  const [carrier] = createResource<unknown, Ready>(wait, settled, {
    // set by Solid where the wait ends, in the transition that waited
    storage: () => turn as Signal<unknown>,
  });
  return carrier;
}

/**
 * Reads the carrier under the boundary of who is reading, but not as a part of it: in a transition Solid would run
 * that early, and an effect would show new params beside old data.
 */
function suspendHere(carrier: Accessor<unknown>): void {
  const owner = getOwner();
  const reader = getListener();
  if (isServer) return void carrier();
  if (owner === null || reader === null || reader.user) return;
  const { context } = owner;
  const apart: Owner = { context, owner: null, owned: null, cleanups: null };
  onCleanup(createRoot((dispose) => (createComputed(carrier), dispose), apart));
}

function withFace(
  read: Accessor<unknown>,
  { reader, result, wait, refetch }: Reading,
  latest: Accessor<unknown>,
): SuspenseAccessor<unknown> {
  const state = (): SuspenseAccessor<unknown>['state'] => {
    if (wait() !== undefined) return latest() === undefined ? 'pending' : 'refreshing';
    if (result().status === 'error') return 'errored';
    if (reader().key === '') return 'unresolved';
    return look(reader().fetching) ? 'refreshing' : 'ready';
  };
  return Object.defineProperties(read, {
    loading: { get: () => state() === 'pending' || state() === 'refreshing' },
    error: { get: () => (wait() === undefined ? result().error : undefined) },
    latest: { get: latest },
    state: { get: state },
    refetch: { value: refetch },
  }) as SuspenseAccessor<unknown>;
}
