/** The verbs: what an application says to the library. */
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { EndpointInterface, FetchFunction, Policies } from './endpoint/Endpoint.ts';
import { keyOf } from './endpoint/keyOf.ts';
import { cancelAll } from './fetch/cancel.ts';
import { commit, invalidateResults } from './fetch/commit.ts';
import { TempIds } from './fetch/TempIds.ts';
import { registerContext } from './fetch/FetchContext.ts';
import type { FetchMiddleware } from './fetch/FetchContext.ts';
import { Emitter } from './fetch/Emitter.ts';
import type { Events } from './fetch/Events.ts';
import { AbortOptimistic } from './fetch/applyOptimistic.ts';
import type { OptimisticSnapshot } from './fetch/applyOptimistic.ts';
import { Inflight } from './fetch/Inflight.ts';
import { ActiveViews } from './fetch/ActiveViews.ts';
import { derivedRecord, queryStore, entityRecordBy } from './fetch/queryStore.ts';
import { put, putResponse, putError } from './fetch/put.ts';
import { run } from './fetch/run.ts';
import { policyOf } from './fetch/policyOf.ts';
import type { ReadonlySignal } from './reactive.ts';
import type { Args, Denormalized, EntityClass, Schema } from './schema/schema.ts';
import { Fine } from './store/Fine.ts';
import { Store } from './store/Store.ts';
import type { Lifetimes } from './store/Sweep.ts';
import type { ResultRecord } from './store/ResultRecord.ts';
import { pageSurroundings } from './surroundings.ts';
import type { Surroundings } from './surroundings.ts';
import { nullView } from './view/NullView.ts';
import type { ViewContext } from './view/Hydrator.ts';
import type { Reader } from './view/Reader.ts';
import { StoreObserver } from './view/StoreObserver.ts';
import { promiseTry, noop } from './fetch/promiseTry.ts';
import { View } from './view/View.ts';

/** What a controller is made with: policies for all its endpoints, which each may narrow, and how long unread data stay. */
export interface ControllerOptions extends Policies, Lifetimes {
  /** Where time comes from. Default: the machine. */
  readonly clock?: Clock;
  /** Stands between the controller and the network: for tests, logs and other transports. Default: just sends. */
  readonly send?: FetchMiddleware;
  /** Says whether somebody looks and the network is there. Default: the page; where there is none, always. */
  readonly surroundings?: Surroundings;
}

/** What a reader gets from an endpoint: what its schema describes, or what its function resolves to. */
export type DataOf<E extends EndpointInterface> =
  Exclude<E['schema'], undefined> extends infer S
    ? [S] extends [never]
      ? Awaited<ReturnType<E>>
      : unknown extends S
        ? Awaited<ReturnType<E>>
        : Denormalized<S>
    : never;

/** The arguments of an endpoint, or null for "not now". */
export type ArgsOf<E extends FetchFunction> = Parameters<E> | readonly [null];
/** As ArgsOf, with the answer or the error behind. */
type ArgsWith<E extends FetchFunction, T> = readonly [...Parameters<E>, T];

/** Selects requests: an endpoint, or anything that can tell its keys. */
export interface KeyTest {
  testKey?(key: string): boolean;
}

/** A primary key, or an object that carries it. */
export type Key<E extends EntityClass> = string | number | Partial<InstanceType<E>>;

/** Untracked reading of what is stored, and what `getOptimisticResponse` is told beside it. */
export type Snapshot = Pick<Controller, 'get' | 'getResponse' | 'getError'> &
  Pick<OptimisticSnapshot, 'fetchedAt' | 'abort'>;

/**
 * One store with its requests. Make one per application, and one per request on a server.
 * All writes are atomic: readers see all of one or nothing of it, and run at most once for it.
 */
export class Controller {
  readonly #context: ViewContext;
  readonly #store: Store;
  #generation = 0;

  constructor(options: ControllerOptions = {}) {
    const {
      clock = systemClock,
      send = leaveAtOnce,
      surroundings = pageSurroundings,
      sweepAfter,
      maxEntities,
      ...policies
    } = options;
    const inflight = new Inflight();
    const store = new Store({ clock, flights: inflight, sweepAfter, maxEntities });
    this.#store = store;
    this.#context = registerContext(this, {
      store,
      inflight,
      tempIds: new TempIds(),
      clock,
      send,
      policies,
      events: new Emitter<Events>(),
      surroundings,
      activeViews: new ActiveViews(surroundings),
    });
    // verbs may be taken out of it: `const { fetch } = useController()`; the first name is that of the constructor
    for (const name of Object.getOwnPropertyNames(Controller.prototype).slice(1)) {
      const value: unknown = (Reflect.get(this, name) as () => void).bind(this);
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
    }
  }

  /**
   * Sends the request and stores the answer. Reads of one key in flight are one request; mutations are always sent.
   * Resolves with what readers see, once they see it. Rejects with the error that was stored.
   * Null arguments: nothing happens, and it resolves with undefined.
   */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    return promiseTry(() => {
      if (args[0] === null) return undefined;
      const steps = this.#context.transaction;
      return steps ? steps.fetch(endpoint, args) : run(this.#context, endpoint, args);
    }) as Promise<DataOf<E>>;
  }

  /** As `fetch`, unless what is stored is fresh: then it resolves with that, and nothing is sent. */
  fetchIfStale<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    return promiseTry(() => {
      if (args[0] === null) return undefined;
      const view = this.#view(endpoint, args);
      if (view.freshness(true) !== 'valid') return run(this.#context, endpoint, args);
      const { status, data, error } = view.peek();
      return status === 'error' ? Promise.reject(error) : data;
    }) as Promise<DataOf<E>>;
  }

  /** Starts a read ahead of its reader, where it is not fresh. Errors wait in the store. */
  prefetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): void {
    this.fetchIfStale(endpoint, ...args).catch(noop);
  }

  /** Makes a request's readers suspend and ask again; a remembered error is forgotten. */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): void {
    if (args[0] === null) return;
    invalidateResults(this.#context, 'invalidate', [this.#view(endpoint, args).record]);
  }

  /** Invalidates every request that the endpoint (or a `testKey`) answers for. */
  invalidateAll(test: KeyTest): void {
    invalidateResults(this.#context, 'invalidate', this.#matching(test));
  }

  /** Lets every matching request count as expired; those that somebody shows are asked again, and shown meanwhile. */
  expireAll(test: KeyTest): void {
    const records = this.#matching(test);
    invalidateResults(this.#context, 'expire', records);
    for (const view of this.#context.activeViews) if (test.testKey?.(view.key)) view.revalidate();
  }

  /** Lets every remembered error count as expired: for "try again". Who shows one goes on; who comes asks again. */
  expireErrors(): void {
    for (const record of this.#store.results.values()) {
      if (record.failure) record.failure = { ...record.failure, expiresAt: -Infinity };
    }
  }

  #matching(test: KeyTest): ResultRecord[] {
    this.#context.hydrator?.forget(test);
    this.#store.complete?.();
    return [...this.#store.results.values()].filter(({ key }) => test.testKey?.(key));
  }

  /**
   * Writes what was received otherwise (a push, a form): `set(Todo, {id: 5}, {title: 'x'})`, or a function of the
   * present value. The write is done when this returns; the promise rejects where the value does not fit.
   */
  set<S extends Schema>(
    schema: S,
    ...rest: readonly [...Args, (previous: Denormalized<S>) => unknown]
  ): Promise<void>;
  set(schema: Schema, ...rest: readonly [...Args, unknown]): Promise<void>;
  set(schema: Schema, ...rest: unknown[]): Promise<void> {
    const value = rest.pop();
    return promiseTry(() => {
      const steps = this.#context.transaction;
      return steps ? steps.set(schema, rest, value) : put(this.#context, schema, rest, value);
    });
  }

  /** Stores an answer as if the endpoint had fetched it now. */
  setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsWith<E, unknown>
  ): Promise<void> {
    return this.#put(putResponse, endpoint, rest);
  }

  /** Stores an error as if the endpoint had failed now. */
  setError<E extends EndpointInterface>(endpoint: E, ...rest: ArgsWith<E, Error>): Promise<void> {
    return this.#put(putError as typeof putResponse, endpoint, rest);
  }

  /** What is put stands behind the arguments. */
  #put(
    how: typeof putResponse,
    endpoint: EndpointInterface,
    rest: readonly unknown[],
  ): Promise<void> {
    const args = rest.slice(0, -1);
    return promiseTry(() => {
      if (args[0] === null) return;
      how(this.#context, endpoint, this.#view(endpoint, args).record, rest.at(-1));
    });
  }

  /** What is stored under a schema and its arguments, or undefined. Untracked: see `entity` and `signal`. */
  get<S extends Schema>(schema: S, ...args: Args): Denormalized<S> | undefined {
    return queryStore(this.#store, schema, args) as Denormalized<S> | undefined;
  }

  /** What is stored of a request: data, error and until when the data count as fresh (ms since 1970). Untracked. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): { data: DataOf<E> | undefined; error: Error | undefined; expiresAt: number } {
    if (args[0] === null) return { data: undefined, error: undefined, expiresAt: Infinity };
    const view = this.#view(endpoint, args);
    const data = view.peek().data as DataOf<E> | undefined;
    return { data, error: view.record.failure?.error, expiresAt: view.expiresAt };
  }

  /** The remembered error of a request, shown or not. Untracked. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Error | undefined {
    return this.getResponse(endpoint, ...args).error;
  }

  /** The data of a request as a signal: undefined while there is nothing to show. It sends no request. */
  signal<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): ReadonlySignal<DataOf<E> | undefined> {
    if (args[0] === null) return nullView(endpoint.schema).data as ReadonlySignal<never>;
    return this.#store.cell(this.#view(endpoint, args).record) as ReadonlySignal<never>;
  }

  /**
   * One entity as a signal, by primary key or by an object that carries it; undefined while it is missing.
   * Throws S9 where neither is given.
   */
  entity<E extends EntityClass>(
    Entity: E,
    pk: Key<E>,
  ): ReadonlySignal<InstanceType<E> | undefined> {
    return this.#store.cell(entityRecordBy(this.#store, Entity, pk)) as ReadonlySignal<never>;
  }

  /** What adapters read: one view per key, made when first asked for. Null arguments have one without a request. */
  view<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Reader<DataOf<E>> {
    const reader: Reader =
      args[0] === null ? nullView(endpoint.schema) : this.#view(endpoint, args).attach(endpoint);
    return reader as Reader<DataOf<E>>;
  }

  #view(endpoint: EndpointInterface, args: Args): View {
    const record = this.#store.result(keyOf(endpoint, args), endpoint.schema, args);
    record.partial = policyOf(this.#context, endpoint, 'returnPartialData') === true;
    this.#store.sweep.limit(record, endpoint.sweepAfter);
    // results have views, derived values readings
    const known = readerOf(record) as View | undefined;
    if (known === undefined) {
      this.#context.hydrator?.hydrate(record);
      return remembered(record, new View(this.#context, endpoint, record));
    }
    // an endpoint may be made anew for each call: the latest says what the next request is
    known.endpoint = endpoint;
    return known;
  }

  /** A value found by a schema's arguments (an entity, All, a Query), to be read as adapters do. No request is sent. */
  query<S extends Schema>(schema: S, ...args: Args): Reader<Denormalized<S>> {
    if (args[0] === null) return nullView(schema) as Reader<never>;
    const record = derivedRecord(this.#store, schema, args);
    const reading = readerOf(record) ?? remembered(record, new StoreObserver(this.#store, record));
    return reading as Reader<Denormalized<S>>;
  }

  /** What is stored, to be asked at once: for optimistic responses and for tests. */
  snapshot(): Snapshot {
    // oxlint-disable-next-line typescript/unbound-method -- the constructor binds them
    const { get, getResponse, getError } = this;
    const fetchedAt = this.#context.clock.now();
    return { get, getResponse, getError, fetchedAt, abort: new AbortOptimistic() };
  }

  /**
   * Log out: everything is empty in one commit. Requests under way are never stored; who waits for them is rejected
   * with ResetError; views that are mounted start anew; subscriptions end.
   */
  reset(): void {
    const context = this.#context;
    context.polling?.clear();
    context.hydrator = undefined;
    cancelAll(context);
    commit(context, 'reset', () => this.#store.clear());
    const generation = ++this.#generation;
    context.events.emit('reset', () => ({ generation }));
  }

  /**
   * Where memory is short: lets go now, in one go, of everything that nobody reads, fresh or not. Without it that goes
   * by itself after `sweepAfter`, in slices. Gives how many stored things stay. Readers count until the engine has
   * collected them: what a component has just unmounted from stays, and goes with a later sweep.
   */
  sweep(): number {
    return this.#store.sweep.now();
  }

  /** Listens: to each `request` and how it ends, to each `commit` with all that it wrote. Gives back how to stop. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    return this.#context.events.on(event, listener);
  }

  /** For frameworks with a graph of their own: runs each commit inside of `wrapper`. Gives back how to stop. */
  wrapCommits(wrapper: (commit: () => void) => void): () => void {
    return this.#store.wrapCommits(wrapper);
  }
}

/** The one reader of a request or a derived value, as long as somebody holds it. */
function readerOf({ fine }: ResultRecord): StoreObserver | undefined {
  return fine?.reader?.deref() as StoreObserver | undefined;
}

function remembered<R extends StoreObserver>(record: ResultRecord, reader: R): R {
  (record.fine ??= new Fine()).reader = new WeakRef(reader);
  return reader;
}

const leaveAtOnce: FetchMiddleware = (_endpoint, _args, leave) => leave();
