/** The context of a controller: the parts that fetching and writing need. */
import { SignalboxError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { Return, Surroundings } from '../page.ts';
import type { Emitter, Events } from './Events.ts';
import type { Inflight } from './Inflight.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { OptimisticWrites, TempIdSource } from './OptimisticWrites.ts';

/** Fetches and writes instead of the controller, while a transaction runs. */
export interface TransactionApi {
  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown>;
  set(schema: Schema, args: Args, value: unknown): void;
  /** Runs `work` as a part of the same transaction. */
  transaction<T>(work: (steps: TransactionApi) => T | Promise<T>): Promise<T>;
}

/** A mounted view, or a poll. */
export interface Refetchable {
  readonly key: string;
  /** Refetches if the stored data are stale. */
  revalidate(): void;
  /** The user or the network came back. */
  onReturn(what: Return): void;
}

/** Created by the controller. */
export interface FetchContext {
  readonly store: Store;
  readonly inflight: Inflight;
  /** The temporary keys that the server has not replaced yet; undefined until there are any. */
  tempIds?: TempIdSource | undefined;
  /** Absent unless the application has installed optimistic writes. */
  optimistic?: OptimisticWrites;
  readonly clock: Clock;
  readonly policies: Policies;
  /** Passes a request on to the network: the stack of `addTransport`. `leave` sends the request. */
  send: FetchMiddleware;
  /** Holds requests back before they are sent: the stack of `addGate`; undefined without gates. */
  gate?: RequestGate | undefined;
  /** Reports whether the page is visible and online. */
  readonly surroundings: Surroundings;
  /** The listeners of events; undefined until there are any. */
  events?: Emitter<Events>;
  /** Mounted views and polls: see `addActiveView`. A view that refetches may add or delete others: copy before a loop. */
  readonly activeViews: Set<Refetchable>;
  /** The time since the last reset: another object after each. */
  session: Events['reset'];
  /** Stops listening to the surroundings. */
  stopListening?: (() => void) | undefined;
  /** The transaction whose callback runs and has not awaited anything yet. */
  currentTransaction?: TransactionApi | undefined;
  /** While the event `error` is emitted: the key of the failed request. */
  failingKey?: string | undefined;
  /** The keys that readers fetch again because of the last reset, until their first outcome. */
  keysAfterReset?: Set<string>;
  /** The subscriptions, once `subscribe` was called. */
  polling?: { clear(): void };
}

/** Sits between the library and the network: calls `leave`, or returns a response of its own. */
export type FetchMiddleware = (
  endpoint: EndpointInterface,
  args: Args,
  leave: () => Promise<unknown>,
) => Promise<unknown>;

/**
 * Adds a transport on top of the stack between requests and the network. `createTransport` gets the transport below.
 * Returns a function that removes the new transport; transports may be removed in any order.
 */
export function addTransport(
  context: FetchContext,
  createTransport: (below: FetchMiddleware) => FetchMiddleware,
): () => void {
  const below = context.send;
  let transport = createTransport(below);
  const send: FetchMiddleware = (...call) => transport(...call);
  context.send = send;
  return () => {
    // a transport that was added later passes requests on to `send`
    transport = below;
    if (context.send === send) context.send = below;
  };
}

/**
 * Decides when a request is sent. `ready` resolves with the arguments without temporary keys; undefined: there are none.
 * Returns `ready`, or a promise that resolves with the arguments once the request may be sent.
 */
export type RequestGate = (
  request: InFlightRequest,
  ready: Promise<Args> | undefined,
) => Promise<Args> | undefined;

/**
 * Adds a gate, which gets the results of earlier gates. Returns a function that removes the gate. Gates are asked by
 * the module `optimistic`, which holds requests back for their keys, too: the caller has installed this module.
 */
export function addGate(context: FetchContext, gate: RequestGate): () => void {
  const before = context.gate;
  let decide: RequestGate = gate;
  const own: RequestGate = (request, ready) =>
    decide(request, before ? before(request, ready) : ready);
  context.gate = own;
  return () => {
    decide = (_, ready) => ready;
    if (context.gate === own) context.gate = before;
  };
}

/** The context of each controller. */
export const contexts: WeakMap<object, FetchContext> = new WeakMap();

/** The context of a controller, for functions that an application imports. Throws A7 for any other value. */
export function contextOf(controller: object): FetchContext {
  const context = contexts.get(controller);
  if (context === undefined) throw new SignalboxError('A7', { value: controller });
  return context;
}

/** The endpoint's value of a policy, else the controller's, else undefined. */
export function policyOf<N extends keyof Policies>(
  { policies }: Pick<FetchContext, 'policies'>,
  own: Policies,
  name: N,
): Policies[N] {
  return own[name] ?? policies[name];
}

/** Listens to the surroundings while there is an active view. Returns the function that removes the view. */
export function addActiveView(context: FetchContext, view: Refetchable): () => void {
  const { activeViews, surroundings } = context;
  activeViews.add(view);
  context.stopListening ??= surroundings.listen((what) => {
    // while offline, a refetch cannot succeed; the return of the network triggers another refetch
    if (!surroundings.offline) for (const each of Array.from(activeViews)) each.onReturn(what);
  });
  return () => {
    activeViews.delete(view);
    if (activeViews.size > 0) return;
    context.stopListening?.();
    context.stopListening = undefined;
  };
}
