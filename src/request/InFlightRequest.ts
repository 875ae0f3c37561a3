/** One request from its issue until it settles, with the callers that wait for it; and all requests in flight. */
import { keepAlive } from '../clock.ts';
import type { EndpointCall, EndpointInterface, Network } from '../endpoint/Endpoint.ts';
import { keyOf, titleOf } from '../endpoint/argumentChecks.ts';
import type { Args } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { EntityPatch } from '../store/entities/EntityPatch.ts';
import { lastArrivalNumber } from '../store/entities/EntityRecord.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { EMPTY } from '../store/records/append.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { PageCall } from '../store/results/LoadedPages.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { FetchedPages } from '../store/writes/placePages.ts';
import { LazyAbortController, abortReason } from './LazyAbortController.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';
import type { OptimisticResponse, ResolveTempIds } from './OptimisticWrites.ts';
import { notePush } from './contestedEntities.ts';
import type { PushedContent } from './contestedEntities.ts';

/** A transaction: it holds responses back until all of its requests have succeeded. */
export interface ResponseHolder {
  defer(request: InFlightRequest, value: unknown): unknown;
}

/**
 * Handles a response or an error: returns the value that callers get, or throws the error with which their promises
 * reject.
 */
export type OutcomeHandler<Context> = (
  context: Context,
  request: InFlightRequest,
  outcome: unknown,
) => unknown;

/** One attempt under the policy `http`. */
export interface Exchange {
  /** Sends the attempt instead of the global `fetch`. */
  readonly fetch: Network;
  /** The stamp of the response, adjusted to the server's headers. */
  adjustStamp(stamp: Stamp): Stamp;
  /** Called when the response is stored, with the data that readers see. */
  onStored(data: unknown): void;
  /** The outcome of an error that is no failure; `again`: the request is sent again. */
  outcomeOfError(error: unknown): (() => unknown) | 'again' | undefined;
}

/** Extends the abort controller of the current attempt. */
export class InFlightRequest extends LazyAbortController {
  readonly endpoint: EndpointInterface;
  /** Temporary primary keys are replaced as soon as the server's keys are known. */
  args: Args;
  /** True until the server has named all temporary keys in `args`: then the request is sent. */
  waitsForKeys = false;
  /** False for a mutation. */
  readonly read: boolean;
  /** Logical time of issue. */
  readonly issued: number;
  /** Logical time as of which the response is true: of issue, or of a later request for shifted pages. */
  asOf: number;
  /** Of a read: see `ResultRecord.refetchDepth`. */
  refetchDepth = 0;
  /** Logical time at which the response arrived. */
  arrivedAt: number | undefined = undefined;
  /** Wall time of issue, ms since 1970. */
  fetchedAt = 0;
  /** Logical time at which the first attempt was sent; Infinity while the request waits. */
  sentAt: number = Infinity;
  /** Logical time at which the response arrived that a transaction holds back; else Infinity. */
  respondedAt: number = Infinity;
  /** Entities with a later arrival number were not known at the time of issue. */
  readonly lastArrivalNumber: number;
  holder: ResponseHolder | undefined = undefined;
  /** Of a mutation: the pushes of entities that the mutation may write, received since it was sent. */
  pushes: Map<EntityRecord, PushedContent> | undefined = undefined;
  /** The optimistic layer of a mutation. */
  layer: OptimisticResponse | undefined = undefined;
  /** Maps the entities created by the layer to their primary keys in the response. */
  resolveTempIds: ((...outcome: Parameters<ResolveTempIds>) => void) | undefined = undefined;
  /** The call that is sent first instead of the own one: a list that begins with a later page. */
  firstCall: EndpointCall | undefined = undefined;
  /** Fetches further pages before the response is stored. Undefined for most requests. */
  complete: ((response: unknown) => Promise<unknown>) | undefined = undefined;
  /** Makes the request fetch all pages, because the first changed one does not exist any more. */
  fetchAllPages: (() => void) | undefined = undefined;
  /** The pages that `complete` has fetched. */
  fetchedPages: FetchedPages | undefined = undefined;
  /** The exchanges of further pages: the shortest freshness of all pages counts. */
  pageExchanges: readonly Exchange[] = EMPTY;
  /** The page of a list that this request fetches. */
  page: PageCall | undefined = undefined;
  /** The current attempt under the policy `http`. */
  exchange: Exchange | undefined = undefined;
  /** The reason of the cancellation, by callers or by a reset. */
  cancelReason: unknown = undefined;
  /** True once the outcome is known, or if another controller decides it: the network cannot change it any more. */
  settled = false;
  /** True once a caller waits, and not only a poll or a refetch in the background. */
  isAwaited = false;
  /** Of the timeout of the attempt, or of the delay before the next one. */
  timer: unknown = undefined;
  /** The number of waiting callers; Infinity once a caller without a signal has joined. */
  #callerCount = 0;
  #promise: Promise<unknown> | undefined;
  /** Settle the promise of all callers. */
  #resolve: ((value: unknown) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #key: string | undefined;

  /** `key`: the key of a read. */
  constructor(endpoint: EndpointInterface, args: Args, issued: number, key?: string) {
    super();
    this.endpoint = endpoint;
    this.args = args;
    this.read = !endpoint.sideEffect;
    this.issued = this.asOf = issued;
    this.lastArrivalNumber = lastArrivalNumber;
    this.#key = key;
    this.#promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Lazy: a mutation's key is used in events and errors only, and can cost as much to build as the whole request. */
  get key(): string {
    try {
      return (this.#key ??= keyOf(this.endpoint, this.args));
    } catch {
      // the endpoint throws the same error when it is sent
      return (this.#key = titleOf(this.endpoint));
    }
  }

  /** The record in which the response of a read is stored. */
  resultIn(store: Store): ResultRecord {
    return store.result(this.key, this.endpoint.schema, this.args);
  }

  /** True if `result` may hold newer data: the request was issued before an own write or an invalidation. */
  isOvertaken(store: Store, result: ResultRecord): boolean {
    return this.asOf <= store.lastOvertakenTime(result);
  }

  /** A transaction holds the response back, which has arrived at this logical time. */
  setResponseTime(time: number): void {
    this.respondedAt = time;
  }

  /** A Node process stays alive until the request settles. */
  keepProcess(): void {
    this.isAwaited = true;
    keepAlive(this.timer);
  }

  /** Adds a caller without a signal, which stays until the request settles. Returns the promise of the caller. */
  join(): Promise<unknown> {
    this.#callerCount = Infinity;
    return this.#promise as Promise<unknown>;
  }

  /**
   * Adds a caller that leaves when one of its signals is aborted: its promise rejects at once, and `abandon` runs when
   * no caller is left.
   */
  joinWithSignals(
    signals: readonly AbortSignalLike[],
    abandon: (reason: unknown) => void,
  ): Promise<unknown> {
    const promise = this.#promise as Promise<unknown>;
    this.#callerCount++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        const reason = abortReason(signals.find((one) => one.aborted) as AbortSignalLike);
        stop();
        reject(reason);
        if (--this.#callerCount === 0) abandon(reason);
      };
      const stop = () => signals.forEach((signal) => signal.removeEventListener('abort', leave));
      for (const signal of signals) signal.addEventListener('abort', leave);
      promise.finally(stop).then(resolve, reject);
    });
  }

  /** Settles the promise of all callers. Drops it: code that keeps the request does not keep the response. */
  finish<Context>(handle: OutcomeHandler<Context>, context: Context, outcome: unknown): void {
    const resolve = this.#resolve;
    const reject = this.#reject;
    this.#promise = this.#resolve = this.#reject = undefined;
    try {
      resolve?.(handle(context, this, outcome));
    } catch (error) {
      reject?.(error);
    }
  }
}

/** The requests in flight: at most one read per key. */
export class Inflight {
  /** Logical time at which a mutation without a schema was last confirmed: nobody knows what it has changed. */
  opaqueWriteTime = 0;
  /** All requests in flight, in the order of issue. */
  readonly allRequests: Set<InFlightRequest> = new Set();
  /** The mutations without a confirmed response: in flight, or held by a transaction. */
  readonly mutations: Set<InFlightRequest> = new Set();
  /** The reads in flight by key. */
  readonly reads: Map<string, InFlightRequest> = new Map();
  /** Callbacks by key, called when a read begins or ends. */
  readonly readListeners: Map<string, () => void> = new Map();

  has(key: string): boolean {
    return this.reads.has(key);
  }

  /** The read of `result`, if it is in flight, was issued after `since` and is not overtaken: readers may join it. */
  joinableRead(store: Store, result: ResultRecord, since = 0): InFlightRequest | undefined {
    const read = this.reads.get(result.key);
    if (read === undefined || read.issued <= since) return undefined;
    return read.isOvertaken(store, result) ? undefined : read;
  }

  /** Logical time at which the oldest request in flight was issued; Infinity if there is none. */
  oldestIssued(): number {
    for (const { issued } of this.allRequests) return issued;
    return Infinity;
  }

  /** Lets later readers of the key join. */
  allowJoining(read: InFlightRequest): void {
    // a listener of the event `request` may have cancelled the read
    if (this.allRequests.has(read)) this.reads.set(read.key, read);
    this.readListeners.get(read.key)?.();
  }

  /** A mutation without a schema was confirmed at this logical time. */
  setOpaqueWriteTime(time: number): void {
    this.opaqueWriteTime = time;
  }

  /** The store is about to write pushed data. */
  notePush(patch: EntityPatch, stamp: Stamp): void {
    if (this.mutations.size > 0) notePush(this.mutations, patch, stamp);
  }

  /** Takes the request out of flight: the next read of its key sends a new request. */
  remove(request: InFlightRequest): void {
    this.allRequests.delete(request);
    if (request.holder === undefined) this.mutations.delete(request);
    if (!request.read || this.reads.get(request.key) !== request) return;
    this.reads.delete(request.key);
    this.readListeners.get(request.key)?.();
  }
}
