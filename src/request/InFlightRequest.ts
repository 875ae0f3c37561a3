/** A request from issue to settlement: the callers, the attempts, the outcome. */
import { keepAlive, nextMicrotask } from '../clock.ts';
import {
  isAbort,
  isNotFound,
  Endpoint,
  networks,
  proxyablePrototypes,
} from '../endpoint/Endpoint.ts';
import type { EndpointCall, EndpointInterface, Network } from '../endpoint/Endpoint.ts';
import { argumentChecks, importedOption, keyOf, titleOf } from '../endpoint/argumentChecks.ts';
import { DEV, ResetError, TimeoutError, toShortText } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import { lastArrivalNumber } from '../store/entities/EntityRecord.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Issued } from './Events.ts';
import { contextOf, policyOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import { LazyAbortController, abortReason } from './LazyAbortController.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';
import type { OptimisticResponse, ResolveTempIds } from './OptimisticWrites.ts';
import { requestEvent, revalidate, storeFailure } from './commit.ts';
import { handleResponse } from './handleResponse.ts';
import { completePages, planContinuation, planPages } from './planPages.ts';
import type { PagePlan } from './planPages.ts';
import { promiseTry } from './promiseTry.ts';
import { replaceChangedKeysInArgs } from './replaceChangedKeysInArgs.ts';
import { createFailure } from './responseStamp.ts';
import { retryDelay } from './retryDelay.ts';

/** A transaction, which holds responses back until all of its requests have succeeded. */
export interface ResponseHolder {
  defer(request: InFlightRequest, value: unknown): unknown;
}

/** An attempt under the policy `http`. */
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

/** Options of a caller. */
export interface FetchCallOptions {
  /** An additional signal of this caller. */
  readonly callerSignal?: AbortSignalLike | undefined;
  /** Overrides the endpoint's own signal, which may belong to another caller; null: no signal. */
  readonly endpointSignal?: AbortSignalLike | null | undefined;
  readonly holder?: ResponseHolder | undefined;
  /** True: no promise of a caller depends on the request, so a Node process may exit before the request settles. */
  readonly isBackground?: boolean | undefined;
  /** True: a mounted reader or a poll fetches, not a call of `fetch`. */
  readonly isOfReader?: boolean | undefined;
  /** The key of the read, if known already. */
  readonly key?: string | undefined;
  /** Logical time of issue, for a mutation that another page has issued before. */
  readonly issued?: number | undefined;
}

/*
 *   run ─► joins a read in flight, or
 *          issue ─► event `request`, optimistic response
 *            │
 *          send ─► attempt ─► response ─► further pages ─► settle: handleResponse ─► callers get the value
 *            ▲         │
 *            │       error ─► retried ─► delay
 *            └─────────┴──────────────────┘
 *                      └─► settle: refuse ─► callers get the error
 *   cancel (the last caller has left, or a reset) ─► callers get the reason; the network changes nothing any more
 */

/** Extends the abort controller of the current attempt. */
export class InFlightRequest extends LazyAbortController {
  /** Undefined once the request has ended. */
  readonly context: FetchContext;
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
  arrivedAt: number | undefined;
  /** Wall time of issue, ms since 1970. */
  fetchedAt = 0;
  /** Logical time at which the first attempt was sent; Infinity while the request waits. */
  sentAt: number = Infinity;
  /** Logical time at which the response arrived that a transaction holds back; else Infinity. */
  respondedAt: number = Infinity;
  /** Entities with a later arrival number were not known at the time of issue. */
  readonly lastArrivalNumber: number;
  holder: ResponseHolder | undefined;
  /** The pushes received since a mutation was sent, of entities that the mutation may write. */
  pushes: Map<EntityRecord, EntityContent> | undefined;
  /** The optimistic layer of a mutation. */
  layer: OptimisticResponse | undefined;
  /** Maps the entities created by the layer to their primary keys in the response. */
  resolveTempIds: ((...outcome: Parameters<ResolveTempIds>) => void) | undefined;
  /** The further pages that the request fetches. Undefined for most requests. */
  pages: PagePlan | undefined;
  /** The current attempt under the policy `http`. */
  exchange: Exchange | undefined;
  /** The reason of the cancellation, by callers or by a reset. */
  cancelReason: unknown;
  /** True once the outcome is known, or if another controller decides the outcome: the network has no more effect. */
  settled = false;
  /** True once a caller waits, and not only a poll or a refetch in the background. */
  isAwaited = false;
  /** Of the timeout of an attempt, or of the delay before the next attempt. */
  timer: unknown;
  /** The number of waiting callers; Infinity once a caller without a signal has joined. */
  #callerCount = 0;
  #promise: Promise<unknown> | undefined;
  /** Settles the promise of all callers. */
  #answer: ((outcome: () => unknown) => void) | undefined;
  #key: string | undefined;

  /** `key`: the key of a read. */
  constructor(
    context: FetchContext,
    { endpoint, args }: EndpointCall,
    issued: number,
    key?: string,
  ) {
    super();
    this.context = context;
    this.endpoint = endpoint;
    this.args = args;
    this.read = !endpoint.sideEffect;
    this.issued = this.asOf = issued;
    this.lastArrivalNumber = lastArrivalNumber;
    this.#key = key;
    this.#promise = new Promise((resolve, reject) => {
      this.#answer = (outcome) => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      };
    });
  }

  /** Lazy: a mutation's key is used in events and errors only, and can cost as much to build as the whole request. */
  get key(): string {
    try {
      return (this.#key ??= keyOf(this.endpoint, this.args));
    } catch {
      // the endpoint throws the same error when the request is sent
      return (this.#key = titleOf(this.endpoint));
    }
  }

  /** The record in which the response of a read is stored. */
  get result(): ResultRecord {
    return this.context.store.result(this.key, this.endpoint.schema, this.args);
  }

  /** True if `result` may hold newer data: the request was issued before an own write or an invalidation. */
  isOvertaken(result: ResultRecord): boolean {
    return this.asOf <= this.context.store.lastOvertakenTime(result);
  }

  /** Begins the request: it counts as in flight, shows its optimistic response, and is sent. */
  issue(): void {
    const { context, read } = this;
    const { inflight, clock, optimistic } = context;
    this.fetchedAt = clock.now();
    inflight.allRequests.add(this);
    if (!read) inflight.mutations.add(this);
    context.events?.emit('request', () => requestEvent(this));
    if (!read) optimistic?.show(this);
    // if a listener of the event `request` has cancelled the request, `send` does nothing
    if (optimistic === undefined) this.send();
    else optimistic.send(this);
    // a page that is kept back is joined by no reader
    if (read && this.holder === undefined) inflight.allowJoining(this);
  }

  /** Fetches a page of the same list. */
  fetchPage(
    { endpoint, args }: EndpointCall,
    options: Pick<FetchCallOptions, 'callerSignal' | 'holder' | 'isBackground'>,
  ): Promise<unknown> {
    return run(this.context, endpoint, args, options);
  }

  /** The server gets the request, perhaps from a queue of this or another tab in place of the request. `time` is logical. */
  noteSent(time: number = this.context.store.time): void {
    this.sentAt = Math.min(this.sentAt, time);
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
   * Adds a caller that leaves when any of the signals is aborted: the caller's promise rejects at once, and `abandon`
   * runs when no caller is left.
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

  /**
   * Sends attempt number `times`, and further ones until a response arrives or the failure is final. All attempts belong
   * to the same request, which keeps the first time of issue: a response may be newer than that time, never older. So a
   * read that was issued before an invalidation or an own write is overtaken, even if a later attempt gets the response.
   */
  send(times = 1): void {
    // a reset lets mutations that were sent reach the server; a mutation that waits for the next attempt is not sent
    if (this.cancelReason !== undefined) return;
    const { context, endpoint } = this;
    // `noteSent`, written out: a call would be a further function on the way to the first row
    this.sentAt = Math.min(this.sentAt, context.store.time);
    const ms = policyOf(context, endpoint, 'timeout') ?? 0;
    const attempt =
      ms > 0 ? this.#withTimeout(ms, (own) => this.#sendOnce(own)) : this.#sendOnce(this);
    void attempt.then(
      (response) => this.#receive(response),
      (error: unknown) => this.#sendAgain(error, times),
    );
  }

  async #receive(response: unknown): Promise<void> {
    if (this.read && !this.settled && this.holder === undefined)
      this.pages ??= planContinuation(this, response);
    const { pages } = this;
    if (pages === undefined) return this.settle(() => handleResponse(this, response));
    try {
      const whole = await completePages(pages, response);
      this.settle(() => handleResponse(this, whole));
    } catch (error) {
      this.fail(error);
    }
  }

  async #sendAgain(error: unknown, times: number): Promise<void> {
    // cancelled meanwhile
    if (this.settled) return;
    const { context } = this;
    const outcome = this.exchange?.outcomeOfError(error);
    if (outcome === 'again') return this.send(times);
    if (outcome !== undefined) return this.settle(outcome);
    if (this.pages?.keepsPages && isNotFound(error)) {
      // the first changed page does not exist any more
      this.pages = planPages(this, false);
      return this.send(times);
    }
    try {
      if (this.cancelReason !== undefined) throw error;
      const delay = retryDelay(context, this.endpoint, error, times);
      const attempt = times + 1;
      context.events?.emit('retry', () => ({ ...requestEvent(this), attempt, delay, error }));
      await this.#withTimeout(delay);
      this.send(attempt);
    } catch (reason) {
      this.fail(reason);
    }
  }

  /** Runs an attempt with a timeout and its own signal; without `work`, a delay. An abort of the request ends both. */
  #withTimeout(
    ms: number,
    work?: (own: LazyAbortController) => Promise<unknown>,
  ): Promise<unknown> {
    const { clock } = this.context;
    const own = new LazyAbortController();
    let quit: () => void;
    let timer: unknown;
    return new Promise((resolve, reject) => {
      const end = (reason: unknown) => {
        // rejects even if the endpoint ignores the signal
        reject(reason);
        own.abort(reason);
      };
      quit = () => end(this.reason);
      this.addEventListener('abort', quit);
      this.timer = timer = clock.after(ms, () => {
        if (work === undefined) return resolve(undefined);
        end(new TimeoutError(ms, { endpoint: titleOf(this.endpoint), key: this.key }));
      });
      if (this.isAwaited) this.keepProcess();
      work?.(own).then(resolve, reject);
    }).finally(() => {
      clock.clear(timer);
      this.removeEventListener('abort', quit);
    });
  }

  /** Makes an attempt. `abort` belongs to the attempt, or to the whole request. An exception becomes a rejection. */
  #sendOnce(abort: LazyAbortController): Promise<unknown> {
    const { context } = this;
    const call = this.pages?.firstCall ?? this;
    const { endpoint, args } = call;
    // an endpoint may return no promise
    return promiseTry(() => {
      const http = policyOf(context, endpoint, 'http');
      const open = http ? importedOption<CreateExchange>('http', http, 'httpCache') : undefined;
      const exchange = (this.exchange = open?.(this));
      if (exchange !== undefined) networks.set(abort.signal, exchange.fetch);
      // endpoints read the signal as an option; plain functions with a key cannot receive a signal
      const { extend } = endpoint as Partial<Endpoint>;
      const needsSignal = extend !== undefined && !(abort.neverAborts && exchange === undefined);
      return context.send(endpoint, args, () =>
        needsSignal
          ? callWithSignal(abort, endpoint as Endpoint, call.args)
          : endpoint(...call.args),
      );
    });
  }

  /**
   * Ends the request, unless the outcome is decided already. `outcome` returns the value that callers get, or throws
   * the error with which their promises reject.
   */
  settle(outcome: () => unknown): void {
    if (this.settled) return;
    this.settled = true;
    this.context.inflight.remove(this);
    this.#finish(outcome);
  }

  /** Ends the request with an error. */
  fail(error: unknown): void {
    this.settle(() => this.refuse(error));
  }

  /**
   * Cancels the request regardless of the network: callers are rejected with `reason`, and the next reader sends a new
   * request. `aborts`: aborts the current attempt, and drops the optimistic layer at once.
   */
  cancel(reason: unknown, aborts: boolean = true): void {
    const { context, settled } = this;
    this.cancelReason = reason;
    if (aborts) this.abort(reason);
    // a transaction may hold the response back
    if (!settled || this.holder !== undefined) context.inflight.remove(this);
    if (settled) return;
    this.settled = true;
    if (aborts) context.optimistic?.rollback(this, reason);
    void nextMicrotask(() => this.#finish(() => this.refuse(reason)));
  }

  /** Settles and drops the promise of all callers, so that code that keeps the request does not keep the response. */
  #finish(outcome: () => unknown): void {
    const answer = this.#answer;
    this.#promise = this.#answer = undefined;
    answer?.(outcome);
    // code that keeps the endpoint, and so this abort controller, does not keep the store
    if (this.holder === undefined)
      (this as { context: FetchContext | undefined }).context = undefined;
  }

  /** Drops the optimistic layer, stores the error of a read that was not overtaken, and throws the error. */
  refuse(thrown: unknown): never {
    const { context, endpoint, read } = this;
    context.inflight.mutations.delete(this);
    context.optimistic?.rollback(this, thrown);
    // an aborted request stores no error, even if the endpoint used a signal of its own
    const isQuiet = read && (isAbort(thrown) || this.holder !== undefined);
    // the list stores the error of a page that is kept back
    const lost = this.cancelReason ?? (isQuiet ? thrown : undefined);
    if (lost !== undefined) {
      context.events?.emit('abort', () => ({ ...requestEvent(this), reason: lost }));
      throw lost;
    }
    const error = asError(thrown);
    if (read) {
      const { result } = this;
      // the error of an overtaken request does not apply to the present data
      if (this.isOvertaken(result)) revalidate(context, new Set([result]));
      else {
        const failure = createFailure(context, endpoint, error, this.issued);
        storeFailure(context, result, failure, { endpoint, causedBy: this });
      }
    }
    this.throwError(error);
  }

  /** Emits the event `error`, and throws the error. */
  throwError(error: Error): never {
    const { context } = this;
    // a listener may reset the store
    const { events, failingKey, keysAfterReset } = context;
    context.failingKey = this.key;
    events?.emit('error', () => ({ ...requestEvent(this), error }));
    context.failingKey = failingKey;
    keysAfterReset?.delete(this.key);
    throw error;
  }
}

type CreateExchange = (request: InFlightRequest) => Exchange;

function callWithSignal(
  abort: LazyAbortController,
  endpoint: Endpoint,
  args: Args,
): Promise<unknown> {
  const copy = (options: object) => endpoint.extend({ signal: abort.signal, ...options });
  // a class may have private members, which only a real copy has
  if (!proxyablePrototypes.has(Object.getPrototypeOf(endpoint) as object)) return copy({})(...args);
  // the signal is created on first access
  const own: Endpoint = new Proxy(endpoint, {
    get(target, name): unknown {
      if (name === 'signal') return abort.signal;
      return name === 'extend' ? copy : Reflect.get(target, name);
    },
    apply: (_target, _this, callArgs: Args) => own.fetch(...callArgs),
  });
  return own.fetch(...args);
}

/**
 * The promise resolves with the value that readers see, once that value is visible, and rejects with the error that the
 * store keeps, with ResetError after a reset, or with the reason of the abort. A caller leaves when `callerSignal` or
 * `endpointSignal` is aborted; no other place decides which signals count. The last caller to leave aborts the request.
 */
export function run(
  context: FetchContext,
  endpoint: EndpointInterface,
  args: Args,
  {
    callerSignal,
    holder,
    key: own,
    endpointSignal = endpoint.signal,
    issued,
    isBackground,
    isOfReader,
  }: FetchCallOptions = {},
): Promise<unknown> {
  const { store, inflight } = context;
  const read = !endpoint.sideEffect;
  if (DEV && context.optimistic === undefined) argumentChecks?.optimistic(endpoint);
  const key = read ? (own ?? keyOf(endpoint, args)) : undefined;
  const signals =
    endpointSignal || callerSignal
      ? ([endpointSignal, callerSignal].filter(Boolean) as AbortSignalLike[])
      : undefined;
  const aborted = signals?.find((one) => one.aborted);
  if (aborted !== undefined) return Promise.reject(abortReason(aborted));
  const result =
    key === undefined || holder !== undefined
      ? undefined
      : store.result(key, endpoint.schema, args);
  let request = result && inflight.joinableRead(result, isOfReader ? 0 : inflight.opaqueWriteTime);
  if (request === undefined) {
    const currentArgs = replaceChangedKeysInArgs(store, endpoint, args);
    request = new InFlightRequest(
      context,
      { endpoint, args: currentArgs },
      issued ?? store.tick(),
      key,
    );
    request.holder = holder;
    if (result && result.uncertainSince > result.stamp.time)
      request.refetchDepth = result.refetchDepth;
    // a previous page may have sent the request
    if (issued !== undefined) request.sentAt = 0;
    request.neverAborts = !read && signals === undefined;
    if (read && holder === undefined) request.pages = planPages(request, isBackground);
    request.issue();
  }
  if (!isBackground) request.keepProcess();
  return signals === undefined
    ? request.join()
    : request.joinWithSignals(signals, (reason) => request.cancel(reason));
}

/** As `controller.fetch`. An abort of `callerSignal` rejects the promise, and aborts a request without other callers. */
export async function fetchAbortable(
  controller: object,
  endpoint: EndpointInterface,
  args: Args,
  callerSignal: AbortSignalLike,
): Promise<unknown> {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (args[0] === null) return undefined;
  const context = contextOf(controller);
  const { currentTransaction } = context;
  return (
    currentTransaction?.fetch(endpoint, args) ?? run(context, endpoint, args, { callerSignal })
  );
}

/**
 * Registers a request of another controller as in flight: records keep what the response needs. Returns the function
 * that ends the request.
 */
export function registerRemoteRequest(context: FetchContext, issued: Issued): () => void {
  const { store, inflight } = context;
  const { endpoint, args, key, read, id, at } = issued;
  if (read) store.result(key, endpoint.schema, args);
  const request = new InFlightRequest(context, { endpoint, args }, id, key);
  // the other controller settles the request
  Object.assign(request, { read, fetchedAt: at, settled: true });
  const { allRequests } = inflight;
  const later = [...allRequests].filter((own) => own.issued > id);
  // `allRequests` is in the order of issue
  for (const own of later) allRequests.delete(own);
  for (const one of [request, ...later]) allRequests.add(one);
  return () => inflight.remove(request);
}

/**
 * Registers a request that counts as issued before all others: data confirmed meanwhile are newer than the data of a disk
 * or of another tab. The request has no response. The returned function ends the request; a reset does not.
 */
export function registerOpeningRequest(context: FetchContext, name: string): () => void {
  const endpoint = new Endpoint(() => Promise.resolve(), { name, sideEffect: true });
  const request = new InFlightRequest(context, { endpoint, args: [] }, 0);
  request.settled = true;
  context.inflight.allRequests.add(request);
  return () => context.inflight.remove(request);
}

/**
 * For a reset, which empties the store and begins another session. Reads are aborted; mutations that were sent still reach
 * the server.
 */
export function cancelAll(context: FetchContext): void {
  const { inflight, activeViews, failingKey, session } = context;
  context.session = { generation: session.generation + 1 };
  const keys = [...inflight.reads.keys(), ...Array.from(activeViews, ({ key }) => key)];
  context.keysAfterReset = new Set(failingKey === undefined ? keys : [...keys, failingKey]);
  const requests = [...inflight.allRequests];
  for (const request of requests) context.inflight.remove(request);
  for (const request of requests)
    request.cancel(new ResetError({ key: request.key }), request.read);
}

/**
 * True for a `reset` in a listener of `error`, if the failed request is the first that a reader has sent because of
 * the last reset: another reset would make the reader fetch for ever.
 */
export function repeatsReset({ failingKey, keysAfterReset }: FetchContext): boolean {
  return failingKey !== undefined && keysAfterReset?.has(failingKey) === true;
}

/** A thrown value as an Error. The status decides how the error is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(toShortText(thrown, 200), { cause: thrown });
  const status = (thrown as { status?: unknown } | undefined | null)?.status;
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
