/** What a request needs from above. */
import { SignalboxError } from '../diagnostics.ts';
import type { Clock } from '../clock.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TempIds } from './TempIds.ts';
import type { Emitter } from './Emitter.ts';
import type { Events } from './Events.ts';
import type { Inflight } from './Inflight.ts';
import type { Refetchable } from './ActiveViews.ts';

/** Fetches and writes in the place of the controller. */
export interface TransactionApi {
  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown>;
  set(schema: Schema, args: Args, value: unknown): void;
  /** Runs `work` as a part of the same transaction. */
  transaction<T>(work: (steps: TransactionApi) => T | Promise<T>): Promise<T>;
}

/** Lent by the controller. */
export interface FetchContext {
  readonly store: Store;
  readonly inflight: Inflight;
  readonly tempIds: TempIds;
  readonly clock: Clock;
  readonly policies: Policies;
  /** How a request leaves: `leave` sends it. */
  readonly send: FetchMiddleware;
  readonly surroundings: Surroundings;
  readonly events: Emitter<Events>;
  /** What somebody shows, or polls: it asks again when everything expires. Walked as it was at the beginning. */
  readonly activeViews: Iterable<Refetchable> &
    Record<'add' | 'delete', (shown: Refetchable) => void>;
  /** The transaction whose work runs and has not waited yet. */
  transaction?: TransactionApi | undefined;
  /** The subscriptions, where there were any. */
  polling?: { clear(): void };
}

/** Stands between the library and the network: calls `leave`, or answers by itself. */
export type FetchMiddleware = (
  endpoint: EndpointInterface,
  args: Args,
  leave: () => Promise<unknown>,
) => Promise<unknown>;

const desks = new WeakMap<object, FetchContext>();

/** Of a controller, for functions that an application imports when it needs them. Throws A7 for any other value. */
export function contextOf(controller: object): FetchContext {
  const context = desks.get(controller);
  if (context === undefined) throw new SignalboxError('A7', { value: controller });
  return context;
}

export function registerContext(controller: object, context: FetchContext): FetchContext {
  desks.set(controller, context);
  return context;
}
