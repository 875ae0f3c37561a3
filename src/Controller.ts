/** The controller: the public methods that an application calls. */
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type {
  EndpointInterface,
  FetchFunction,
  Policies,
  Optimistic,
} from './endpoint/Endpoint.ts';
import { argumentChecks, importedOption, keyOf } from './endpoint/argumentChecks.ts';
import { checkListener, checkOptions, DEV } from './errors.ts';
import type { UnknownError } from './errors.ts';
import { pageSurroundings } from './page.ts';
import type { Surroundings } from './page.ts';
import { emitterOf } from './request/Events.ts';
import type { Events, KeyTest } from './request/Events.ts';
import { contexts } from './request/FetchContext.ts';
import type { FetchContext, FetchMiddleware } from './request/FetchContext.ts';
import { cancelAll, repeatsReset, run } from './request/InFlightRequest.ts';
import { Inflight } from './request/Inflight.ts';
import { AbortOptimistic } from './request/OptimisticWrites.ts';
import type { OptimisticSnapshot } from './request/OptimisticWrites.ts';
import { invalidateOrExpire, reportCommit, revalidate } from './request/commit.ts';
import { noop, promiseTry } from './request/promiseTry.ts';
import { put, putError, putResponse } from './request/put.ts';
import { derivedRecord, entityRecordBy, queryStore, resultsWith } from './request/queryStore.ts';
import type { NullableSchemaArgs, SchemaArgs } from './schema/SchemaArgs.ts';
import { KIND } from './schema/schema.ts';
import type { Args, Denormalized, EntityClass, Schema } from './schema/schema.ts';
import type { ReadonlySignal } from './signals.ts';
import { Store } from './store/Store.ts';
import type { GcOptions } from './store/gc/GarbageCollector.ts';
import { RecordObservers } from './store/records/RecordObservers.ts';
import type { ResultRecord } from './store/results/ResultRecord.ts';
import { StoreObserver, nullView } from './view/Reader.ts';
import type { Reader } from './view/Reader.ts';
import { View } from './view/View.ts';
import type { ViewContext } from './view/View.ts';

/** The options of a controller: policies for all endpoints, which each endpoint may narrow, and garbage collection. */
export interface ControllerOptions extends Policies, GcOptions {
  /** The source of the current time. Default: the system clock. */
  readonly clock?: Clock;
  /** Middleware between controller and network: for tests, logs and other transports. Default: sends directly. */
  readonly send?: FetchMiddleware;
  /** The value `optimistic`, which `signalbox` exports: changes are visible before the server's confirmation. */
  readonly optimistic?: Optimistic | undefined;
  /** Reports whether the page is visible and online. Default: the page; where there is no page, always both. */
  readonly surroundings?: Surroundings;
}

/** The type of an endpoint's data for readers: described by the schema, or the result of the function. */
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
/**
 * The arguments A, for errors: where params and a body are required, a single argument that fits the params is refused
 * for the missing body, and any other for the params that are missing.
 */
export type CheckedArgs<A extends readonly unknown[]> = A['length'] extends 2
  ? A | [params: A[0] & { readonly 'the body, as the last argument': never }]
  : A;
/** As ArgsOf, followed by the response or the error. Optional arguments may be left out. */
type ArgsAndOutcome<E extends FetchFunction, T> =
  | readonly [...Parameters<E>, T]
  | ([] extends Parameters<E> ? readonly [T] : never);

/** A primary key, or an object with the primary key. */
export type Key<E extends EntityClass> = string | number | Partial<InstanceType<E>>;

/** Untracked reads of the store, and further members for `getOptimisticResponse`. */
export type Snapshot = Pick<Controller, 'get' | 'getResponse' | 'getError'> &
  Pick<OptimisticSnapshot, 'fetchedAt' | 'abort' | 'expected'>;

/**
 * A store with its requests. Create a controller per application; on a server, a controller per request.
 * All writes are atomic: readers see a write completely or not at all, and run at most once per write.
 */
export class Controller {
  readonly #context: ViewContext;
  readonly #store: Store;

  constructor(options: ControllerOptions = {}) {
    if (DEV) checkOptions(options, Controller.prototype);
    const { clock = systemClock, surroundings = pageSurroundings, optimistic } = options;
    const inflight = new Inflight();
    const store = (this.#store = new Store({ ...options, clock, inflight }));
    this.#context = {
      store,
      inflight,
      clock,
      send: options.send ?? passThrough,
      policies: { ...options },
      surroundings,
      activeViews: new Set(),
      session: { generation: 0 },
    };
    contexts.set(this, this.#context);
    if (optimistic !== undefined) {
      if (DEV) importedOption('optimistic', optimistic, 'optimistic');
      (optimistic as unknown as Install)(this.#context);
    }
    // bound, for destructuring: `const { fetch } = useController()`; the first name is that of the constructor
    for (const name of Object.getOwnPropertyNames(Controller.prototype).slice(1)) {
      const value: unknown = (Reflect.get(this, name) as () => void).bind(this);
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
    }
  }

  /**
   * Sends the request and stores the response. Concurrent reads of a key share a request; mutations are always sent.
   * Resolves with the data as seen by readers, once stored. Rejects with the error that was stored.
   * Null arguments: sends nothing, and resolves with undefined.
   */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>>;
  // TypeScript reports errors of the last signature: without null, the error names the argument
  fetch<E extends EndpointInterface>(
    endpoint: E,
    ...args: CheckedArgs<Parameters<E>>
  ): Promise<DataOf<E>>;
  fetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    return promiseTry(() => {
      if (DEV) argumentChecks?.endpoint(endpoint);
      if (args[0] === null) return undefined;
      const { currentTransaction, hydrator } = this.#context;
      // data of a server that nobody has read yet may hold further pages
      if (hydrator && !endpoint.sideEffect) this.#record(endpoint, args);
      return currentTransaction?.fetch(endpoint, args) ?? run(this.#context, endpoint, args);
    }) as Promise<DataOf<E>>;
  }

  /**
   * As `fetch`, unless the stored data are fresh: resolves with the stored data then, and sends nothing. The related rows
   * of `withRelated` are fetched, too; their errors are kept in the store for readers.
   */
  fetchIfStale<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    const fetched = promiseTry(() => {
      if (args[0] === null) return undefined;
      const view = this.#view(endpoint, args);
      if (view.freshness(true) !== 'valid') return run(this.#context, endpoint, args);
      const { status, data, error } = view.newReaderResult();
      return status === 'error' ? Promise.reject(error) : data;
    }) as Promise<DataOf<E>>;
    if (endpoint?.createReader === undefined) return fetched;
    return fetched.then(() => this.view(endpoint, ...args).fetchRelated?.() as DataOf<E>);
  }

  /** Starts a read ahead of the reader, if the data are not fresh. Errors are kept in the store for the reader. */
  prefetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): void {
    this.fetchIfStale(endpoint, ...args).catch(noop);
  }

  /** Makes a request's readers suspend and refetch; a stored error is dropped. */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): void;
  /** The same for every request whose data contain the entity: `invalidate(Todo, {id: 5})`. */
  invalidate<E extends EntityClass>(Entity: E, pk: Key<E>): void;
  invalidate(of: EndpointInterface | EntityClass, ...args: Args): void {
    if (args[0] === null) return;
    if (DEV && !(KIND in Object(of))) argumentChecks?.endpoint(of);
    const results = KIND in of ? resultsWith(this.#store, of, args[0]) : [this.#record(of, args)];
    invalidateOrExpire(this.#context, 'invalidate', results);
  }

  /** Invalidates every request of the endpoint, or every request that `testKey` selects. */
  invalidateAll(test: KeyTest): void {
    invalidateOrExpire(this.#context, 'invalidate', this.#matchingResults(test), test);
  }

  /** Expires every matching request. Mounted ones are refetched, and their data stay visible meanwhile. */
  expireAll(test: KeyTest): void {
    const records = this.#matchingResults(test);
    invalidateOrExpire(this.#context, 'expire', records, test);
    revalidate(this.#context, new Set(records));
  }

  /** Expires every stored error: for "try again". Mounted readers keep their error; new readers refetch. */
  expireErrors(): void {
    for (const record of this.#store.results.values()) {
      if (record.failure) record.failure = { ...record.failure, expiresAt: -Infinity };
    }
  }

  #matchingResults(test: KeyTest): ResultRecord[] {
    if (DEV) argumentChecks?.endpoint(test, 'testKey');
    this.#context.hydrator?.dropUnrequested(test);
    this.#store.loadAll();
    return [...this.#store.results.values()].filter(({ key }) => test.testKey?.(key));
  }

  /**
   * Writes data that were received otherwise (a push, a form): `set(Todo, {id: 5}, {title: 'x'})`, or a function of the
   * present value. The write is done when this returns; the promise rejects if the value is invalid.
   */
  set<S extends Schema>(
    schema: S,
    ...rest: readonly [...Args, (previous: Denormalized<S>) => unknown]
  ): Promise<void>;
  set(schema: Schema, ...rest: readonly [...Args, unknown]): Promise<void>;
  async set(schema: Schema, ...rest: unknown[]): Promise<void> {
    const value = rest.pop();
    const steps = this.#context.currentTransaction;
    if (steps === undefined) put(this.#context, schema, rest, value);
    else steps.set(schema, rest, value);
  }

  /** Stores a response as if fetched by the endpoint now. */
  setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndOutcome<E, unknown>
  ): Promise<void> {
    return this.#putResult(putResponse, endpoint, rest);
  }

  /** Stores an error as if the endpoint had failed now. */
  setError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndOutcome<E, Error>
  ): Promise<void> {
    return this.#putResult(putError as typeof putResponse, endpoint, rest);
  }

  /** Stores a response or an error, which is the last member of `rest`, after the arguments. */
  async #putResult(
    how: typeof putResponse,
    endpoint: EndpointInterface,
    rest: readonly unknown[],
  ): Promise<void> {
    const args = rest.slice(0, -1);
    if (args[0] !== null) how(this.#context, endpoint, this.#record(endpoint, args), rest.at(-1));
  }

  /** The stored value of a schema with these arguments, or undefined. Untracked: see `entity` and `signal`. */
  get<S extends Schema>(schema: S, ...args: SchemaArgs<S>): Denormalized<S> | undefined {
    return queryStore(this.#store, schema, args) as Denormalized<S> | undefined;
  }

  /** The stored result of a request: data, error, and the expiry of the data (ms since 1970). Untracked. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): { data: DataOf<E> | undefined; error: UnknownError | undefined; expiresAt: number } {
    if (args[0] === null) return { data: undefined, error: undefined, expiresAt: Infinity };
    const view = this.#view(endpoint, args);
    const data = view.newReaderResult().data as DataOf<E> | undefined;
    return { data, error: view.record.failure?.error, expiresAt: view.expiresAt };
  }

  /** The stored error of a request, visible to readers or not. Untracked. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): UnknownError | undefined {
    return this.getResponse(endpoint, ...args).error;
  }

  /** The data of a request as a signal: undefined while there are no data to show. Sends no request. */
  signal<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): ReadonlySignal<DataOf<E> | undefined> {
    if (args[0] === null) return nullView(endpoint.schema).data as ReadonlySignal<never>;
    return this.#store.cell(this.#record(endpoint, args)) as ReadonlySignal<never>;
  }

  /**
   * An entity as a signal, by primary key or by an object with the primary key; undefined while the entity is missing.
   * Throws S9 if neither is given.
   */
  entity<E extends EntityClass>(
    Entity: E,
    pk: Key<E>,
  ): ReadonlySignal<InstanceType<E> | undefined> {
    return this.#store.cell(entityRecordBy(this.#store, Entity, pk)) as ReadonlySignal<never>;
  }

  /** The reader for adapters: a view per key, created at the first call; null arguments: without a request. */
  view<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Reader<DataOf<E>> {
    const reader: Reader =
      args[0] === null
        ? nullView(endpoint.schema)
        : this.#view(endpoint, args).setEndpoint(endpoint);
    return (endpoint.createReader?.(reader, this) ?? reader) as Reader<DataOf<E>>;
  }

  /** The record of a request. The data of a request need no view, only readers do. */
  #record(endpoint: EndpointInterface, args: Args): ResultRecord {
    const { hydrator, policies } = this.#context;
    const record = this.#store.result(keyOf(endpoint, args), endpoint.schema, args);
    record.returnsPartial = (endpoint.returnPartialData ?? policies.returnPartialData) === true;
    if (endpoint.sweepAfter !== undefined) this.#store.gc.setLifetime(record, endpoint.sweepAfter);
    hydrator?.hydrate(record);
    return record;
  }

  #view(endpoint: EndpointInterface, args: Args): View {
    const record = this.#record(endpoint, args);
    // the reader of a result is a View, the reader of a derived value a StoreObserver
    const known = cachedReaderOf(record) as View | undefined;
    if (known === undefined) return cacheReader(record, new View(this.#context, endpoint, record));
    // callers may create an endpoint per call: the next request uses the latest endpoint
    known.endpoint = endpoint;
    return known;
  }

  /** A value found by a schema's arguments (an entity, All, a Query), in the form adapters read. Sends no request. */
  query<S extends Schema>(schema: S, ...args: NullableSchemaArgs<S>): Reader<Denormalized<S>> {
    if (args[0] === null) return nullView(schema) as Reader<never>;
    const record = derivedRecord(this.#store, schema, args);
    const reading =
      cachedReaderOf(record) ?? cacheReader(record, new StoreObserver(this.#context, record));
    return reading as Reader<Denormalized<S>>;
  }

  /** The current contents of the store, for synchronous reads: for optimistic responses and for tests. */
  snapshot(): Snapshot {
    // oxlint-disable-next-line typescript/unbound-method -- the constructor binds them
    const { get, getResponse, getError } = this;
    const { clock, optimistic } = this.#context;
    const abort = new AbortOptimistic();
    const reads = { get, getResponse, getError, fetchedAt: clock.now(), abort };
    const expected = optimistic && ((...call: ExpectedCall) => optimistic.expected(reads, ...call));
    return { ...reads, expected };
  }

  /**
   * Log out: clears the store in a single commit. Responses of requests in flight are never stored; their callers
   * are rejected with ResetError; mounted views start anew; subscriptions end. In a listener of `error`, `reset` does
   * nothing for the first failure of a request that a mounted view has sent because of the last reset.
   */
  reset(): void {
    const context = this.#context;
    if (repeatsReset(context)) return;
    context.polling?.clear();
    context.hydrator = undefined;
    cancelAll(context);
    const { time } = this.#store;
    reportCommit(context, { cause: 'reset', time, written: this.#store.clear() });
    context.events?.emit('reset', () => context.session);
  }

  /**
   * For low memory: collects now, in a single pass, everything without readers, fresh or not. Otherwise garbage
   * collection does this after `sweepAfter`, in slices. Returns the number of stored records that stay. A reader counts
   * until collected by the engine: data of a component that was just unmounted stay until a later sweep.
   */
  sweep(): number {
    return this.#store.gc.sweepNow();
  }

  /** Subscribes to an event: each `request` and its end, each `commit` with all writes. Returns the unsubscriber. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    if (DEV)
      checkListener('controller.on', event, listener, 'request retry commit error abort reset');
    return emitterOf(this.#context).on(event, listener);
  }

  /** For frameworks with their own signal graph: runs each commit inside of `wrapper`. Returns the function to stop. */
  wrapCommits(wrapper: (commit: () => void) => void): () => void {
    return this.#store.wrapCommits(wrapper);
  }
}

/** The only reader of a request or a derived value, as long as the reader is referenced. */
function cachedReaderOf({ observers }: ResultRecord): StoreObserver | undefined {
  return observers?.readerRef?.deref() as StoreObserver | undefined;
}

function cacheReader<R extends StoreObserver>(record: ResultRecord, reader: R): R {
  (record.observers ??= new RecordObservers()).readerRef = new WeakRef(reader);
  return reader;
}

type Install = (context: FetchContext) => void;
type ExpectedCall = Parameters<NonNullable<OptimisticSnapshot['expected']>>;

const passThrough: FetchMiddleware = (_endpoint, _args, leave) => leave();
