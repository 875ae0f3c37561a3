/** The state of a request for its readers: the result as signals, whether to suspend, and whether to refetch. */
import { nextMicrotask } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { refuseMutation, titleOf } from '../endpoint/argumentChecks.ts';
import { DEV, SignalboxError } from '../errors.ts';
import { isServer } from '../page.ts';
import type { Return } from '../page.ts';
import { addActiveView, policyOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { run } from '../request/InFlightRequest.ts';
import type { Inflight } from '../request/Inflight.ts';
import { LazyAbortController } from '../request/LazyAbortController.ts';
import { storeFailure } from '../request/commit.ts';
import { noop } from '../request/promiseTry.ts';
import { createFailure } from '../request/responseStamp.ts';
import { isWatched, Cell } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { Failure } from '../store/results/Result.ts';
import { expiryOf } from '../store/results/ResultRecord.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StoreObserver, FULFILLED } from './Reader.ts';
import type { ObserverContext, Reader, Ready } from './Reader.ts';

// how long a response counts as fresh for readers that suspended and have not mounted yet, ms
const MAX_MOUNT_DELAY = 60_000;
// the same beside a mounted reader: that reader alone may have waited (useDLE), and later readers are new
const MAX_MOUNT_DELAY_BESIDE = 1_000;

// this many requests of a key in this time (ms), without the key becoming readable, are a loop
const MAX_REQUESTS = 10;
const WINDOW_MS = 1_000;

/** Invalid: fetch and suspend. Stale: show the data and refetch. Valid: show the data or the error. */
type Freshness = 'invalid' | 'stale' | 'valid';

/*
 *   The first row that applies:                                                                   freshness
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   1  an error is stored: hard, it is shown; soft, the data are shown if there are any           valid
 *   2  an error has expired, and the reader shows the key already: time alone changes nothing     valid
 *   3  the data are deleted: for a reader that shows them, or waited for the response             valid
 *   4  there are no readable data, or a hard error has expired (an error boundary was reset)      invalid
 *   5  the reader shows the key already, waited for this response, or the data are fresh          valid
 *   6  the data are incomplete (readable only with returnPartialData)                             stale
 *   7  the data have expired                         stale, or invalid: HTTP decides, else invalidIfStale
 */
export class View<T = unknown> extends StoreObserver<T> {
  protected override readonly keepsDeleted: boolean = true;
  endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  declare readonly context: ViewContext;
  #fetchingCell: FetchingCell | undefined;
  #resolveReady: (() => void) | undefined;
  /** The response for which readers suspended. When they mount, it counts as fresh, regardless of its expiry. */
  #awaitedStamp: Stamp | undefined;
  /** Until when the suspended readers may mount: wall time in ms. */
  #mountDeadline = 0;
  /** Requests of the key since a wall time, or since a useful request. */
  #requestCount = 0;
  #countedSince = 0;
  /** True if the last response brought no new data and was shown by no reader. */
  #wasUseless = false;
  /** Created with the first request. */
  #abandonDetector: AbandonDetector | undefined;
  /**
   * The AbortSignal of the only reader. Undefined as soon as there is a second reader: the signal of a reader must
   * not abort the request of another. Readers may pass a new endpoint, or a new signal, with each render.
   */
  #soleReaderEndpoint: EndpointInterface | undefined;
  /** The signal with which the last request was sent or joined. */
  #sentSignal: AbortSignal | undefined;
  /** Logical time of the last return of the user or the network. */
  #returnedAt = 0;
  /** Runs while an error that has not expired postpones the refetch of a return. */
  #returnTimer: unknown;

  constructor(context: ViewContext, endpoint: EndpointInterface, record: ResultRecord) {
    super(context, record);
    this.endpoint = endpoint;
    this.args = record.args;
  }

  override get fetching(): ReadonlySignal<boolean> {
    return (this.#fetchingCell ??= new FetchingCell(this.context.inflight, this.key));
  }

  // read late: the endpoint of `useCancelling` in Solid 2 gives another signal for other arguments
  get #soleReaderSignal(): AbortSignal | undefined {
    return this.#soleReaderEndpoint?.signal;
  }

  /** Called by each render of a reader, possibly with a new endpoint: the latest endpoint sends the next request. */
  setEndpoint(endpoint: EndpointInterface): this {
    refuseMutation(endpoint);
    const before = this.#soleReaderSignal;
    this.endpoint = endpoint;
    const alone = this.readers === 0 && this.#resolveReady === undefined;
    if (alone || before?.aborted === true) this.#soleReaderEndpoint = endpoint;
    else if (before !== endpoint.signal) this.#soleReaderEndpoint = undefined;
    return this;
  }

  override serverReader(place?: string): Reader | undefined {
    // the server may render the place again once the data have arrived
    if (place !== undefined && isServer()) {
      const pending = this.newReaderResult().status === 'pending' ? this.key : '';
      (this.context.pendingKeyByPlace ??= new Map()).set(place, pending);
    }
    return super.serverReader(place);
  }

  /** Wall time in ms until when the data are fresh; 0 without data. */
  get expiresAt(): number {
    return this.record.canRead() ? this.record.expiryAt(this.context.clock.now()) : 0;
  }

  /** Implements the table above. `first`: the reader has not shown this key before. */
  freshness(first: boolean): Freshness {
    const { record } = this;
    const { failure, stamp } = record;
    const now = this.context.clock.now();
    const readable = record.canRead();
    if (failure !== undefined && (!first || this.#isFailureFresh(failure))) return 'valid';
    // the response for which readers suspended that have not mounted yet
    const awaited =
      this.#awaitedStamp === stamp && stamp.time > record.expiredAt && now <= this.#mountDeadline;
    // an awaited response may have been invalidated since
    if (!readable && first && awaited && this.newReaderResult().status === 'success')
      return 'valid';
    if (!readable && !first && this.isDeleted) return 'valid';
    if (!readable || failure?.hard === true) return 'invalid';
    if (!first || awaited || now <= record.expiryAt(now)) return 'valid';
    if (record.isIncomplete) return 'stale';
    const invalid = policyOf(this.context, this.endpoint, 'invalidIfStale');
    const { staleUntil = invalid ? -Infinity : Infinity } = stamp;
    return now > staleUntil ? 'invalid' : 'stale';
  }

  #isFailureFresh(failure: Failure): boolean {
    const now = this.context.clock.now();
    return failure.time > this.record.expiredAt && now <= expiryOf(failure, now);
  }

  override ensure(first: boolean, waiter?: object): Ready | undefined {
    if (this.freshness(first) !== 'invalid') return undefined;
    const suspended = this.#resolveReady !== undefined;
    if (!suspended) this.#suspend();
    // the request that readers wait for may end with the signal of another reader, or be older than an invalidation
    const outdated = this.context.inflight.reads.get(this.key)?.isOvertaken(this.record);
    if (!suspended || outdated || this.#soleReaderSignal !== this.#sentSignal)
      void this.#fetch().then(() => this.resolveWaiting());
    this.#abandonDetector?.onSuspend(waiter);
    return this.ready;
  }

  removeWaiter(waiter: object): void {
    this.#abandonDetector?.removeWaiter(waiter);
  }

  override revalidate(): void {
    // a reader that shows deleted data keeps them
    const fetches = !this.endpoint.sideEffect && !this.isDeleted;
    if (fetches && this.freshness(true) !== 'valid') void this.#fetch();
    // readers that suspended together mount together
    if (this.#awaitedStamp === undefined) return;
    void nextMicrotask(() => {
      this.#awaitedStamp = undefined;
    });
  }

  /** The user or the network came back to a mounted view. */
  onReturn(what: Return): void {
    const name = what === 'focus' ? 'refetchOnFocus' : 'refetchOnReconnect';
    if (policyOf(this.context, this.endpoint, name) === false) return;
    this.#returnedAt = this.context.store.tick();
    this.#refetchAfterReturn();
  }

  /** Refetches stale data. A fresh error would drop the return: the refetch waits until the error expires. */
  #refetchAfterReturn(): void {
    const { clock, surroundings } = this.context;
    const { failure } = this.record;
    clock.clear(this.#returnTimer);
    if (failure === undefined || !this.#isFailureFresh(failure)) return this.revalidate();
    this.#returnTimer = clock.after(failure.expiresAt - clock.now() + 1, () => {
      // a request that was issued after the return has acted on this return; the next return of the network acts again
      const { time = Infinity } = this.record.failure ?? {};
      if (time < this.#returnedAt && !surroundings.offline) this.#refetchAfterReturn();
    });
  }

  override retain(): () => void {
    if (++this.readers > 1) this.#soleReaderEndpoint = undefined;
    this.#abandonDetector?.onMount();
    const removeView = addActiveView(this.context, this);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.readers > 0) return;
      removeView();
      this.context.clock.clear(this.#returnTimer);
      this.#abandonDetector?.onUnmount();
    };
  }

  /** True while a reader is mounted, listens, or watches any of the signals. */
  isRead(): boolean {
    const { cell, observers } = this.record;
    const listens = (observers?.listeners?.size ?? 0) > Number(this.#resolveReady !== undefined);
    return (
      this.readers > 0 || listens || [cell, observers?.result, observers?.shape].some(isWatched)
    );
  }

  /** Resolves the promise of suspended renders, which then render again. */
  resolveWaiting(): void {
    this.#resolveReady?.();
  }

  /** Promise of suspended renders: resolves in the commit that makes the result readable, or when the request ends. */
  #suspend(): void {
    const wasPending = this.newReaderResult().status === 'pending';
    const before = this.record.stamp;
    const unlisten = this.listen(() => {
      if (wasPending && this.newReaderResult().status !== 'pending') this.resolveWaiting();
    });
    const ready: Ready = new Promise((resolve) => {
      this.#resolveReady = () => {
        this.#resolveReady = undefined;
        unlisten();
        // without a new response, the data are as old as before
        if (this.record.stamp !== before) this.#awaitedStamp = this.record.stamp;
        const delay = this.readers > 0 ? MAX_MOUNT_DELAY_BESIDE : MAX_MOUNT_DELAY;
        this.#mountDeadline = this.context.clock.now() + delay;
        void Object.assign(ready, FULFILLED);
        resolve();
      };
    });
    ready.status = 'pending';
    this.ready = ready;
  }

  /** Sends or joins the request. Errors are in the result. */
  async #fetch(): Promise<void> {
    const { key, endpoint, args, record } = this;
    const { inflight, clock } = this.context;
    const before = this.newReaderResult();
    // a background refetch, which has no waiters, counts only if the previous request was useless, too
    const waited = this.#resolveReady !== undefined || before.status !== 'success';
    const counts = waited || this.#wasUseless;
    // readers join a read in flight, or an own write has overtaken it: only an invalidated read may be part of a loop
    const isValid = (inflight.reads.get(key)?.asOf ?? 0) > (record.invalidatedAt ?? 0);
    if (counts && !isValid && this.#stopRefetchLoop()) return;
    const endpointSignal = (this.#sentSignal = this.#soleReaderSignal) ?? null;
    const detector = (this.#abandonDetector ??= new AbandonDetector(this, clock));
    const callerSignal = detector.onRequestStart();
    const isBackground = this.#resolveReady === undefined;
    const options = { callerSignal, key, endpointSignal, isBackground, isOfReader: true };
    // tabs and transports recognize a request by the list of arguments: an older request may be in flight
    const settled = run(this.context, endpoint, [...args], options).catch(noop);
    // a listener of the event `request` may have ended the request
    const request = inflight.reads.get(key);
    await settled;
    const asOf = request?.asOf ?? Infinity;
    detector.onRequestEnd();
    const wasShown = !waited && this.readers > 0;
    const useful = wasShown || this.newReaderResult().data !== before.data || callerSignal.aborted;
    this.#wasUseless = !useful;
    if (useful) this.#requestCount = 1;
    // the request was issued before an expiry: the response is shown, then refetched; or before an invalidation
    if (this.readers > 0 && asOf <= Math.max(record.expiredAt, record.invalidatedAt ?? 0))
      this.revalidate();
    // the joined request was issued before a return, and failed
    else if (this.readers > 0 && asOf < this.#returnedAt && record.failure !== undefined)
      this.#refetchAfterReturn();
  }

  /** True if the request is not sent: the key was fetched too often without becoming readable, and gets an error. */
  #stopRefetchLoop(): boolean {
    const { record, endpoint } = this;
    const context = this.context;
    const now = context.clock.now();
    // a wall clock may be set back
    if (now < this.#countedSince || now - this.#countedSince > WINDOW_MS) {
      this.#countedSince = now;
      this.#requestCount = 0;
    }
    if (this.#requestCount++ < MAX_REQUESTS) return false;
    const error = loopError(record, titleOf(endpoint));
    const failure = createFailure(context, endpoint, error, context.store.tick());
    void nextMicrotask(() =>
      storeFailure(context, record, { ...failure, hard: true }, { endpoint }),
    );
    return true;
  }
}

/** Whether a read of a key is in flight, as a signal, which follows the requests only while watched. */
class FetchingCell extends Cell<boolean> {
  readonly #inflight: Inflight;
  readonly #key: string;
  // a request may begin during a render, when no subscriber may be notified
  readonly #tickLater = (): void => void nextMicrotask(() => this.tick());

  constructor(inflight: Inflight, key: string) {
    super();
    this.#inflight = inflight;
    this.#key = key;
  }

  protected setStrong(strong: boolean): void {
    const { readListeners } = this.#inflight;
    if (strong) readListeners.set(this.#key, this.#tickLater);
    // after a reset, another instance may follow the key
    else if (readListeners.get(this.#key) === this.#tickLater) readListeners.delete(this.#key);
  }

  protected current(): boolean {
    return this.#inflight.reads.has(this.#key);
  }
}

/** The error F1, with the last error of the key, or the reason why there is none. */
function loopError(record: ResultRecord, endpoint: string): SignalboxError {
  const { key, failure } = record;
  const last = failure?.error;
  if (last instanceof SignalboxError && last.code === 'F1') return last;
  const reason = last?.message ?? unreadableReason(record);
  const parameters = { key, times: MAX_REQUESTS, ms: WINDOW_MS, reason };
  return new SignalboxError('F1', parameters, { endpoint, key, status: 400, cause: last });
}

/** Why the key has no readable data although no request failed. */
function unreadableReason({ hasResponse, invalidatedAt, wasReadable }: ResultRecord): string {
  if (!DEV) return 'unreadable';
  if (!hasResponse) return 'each request was aborted';
  if (invalidatedAt !== undefined) return 'it was invalidated again before each response';
  if (wasReadable)
    return 'each response had expired when it was read (dataExpiryLength, invalidIfStale)';
  return 'each response was incomplete, or was deleted at once';
}

/** The context of views. */
export interface ViewContext extends FetchContext, ObserverContext {
  /** On a server: the key that each place rendered as pending; '' if the place had data. */
  pendingKeyByPlace?: Map<string, string> | undefined;
}

// a reader that unmounts and mounts again within this time has not left: StrictMode, a moved row, effects of Preact; ms
const REMOUNT_DELAY = 100;
// how often the detector checks whether the view is read, ms
const CHECK_INTERVAL = 5_000;
// how long a render that suspended, and was never mounted, counts as a reader, ms
const SUSPENDED_LIFETIME = 60_000;

/*
 * Aborts the requests of a view when the view has no readers any more.
 *
 *   readers                       how long the request continues
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a mounted reader, a signal    as long as the reader or the subscriber exists
 *   none since REMOUNT_DELAY      not at all: aborted
 *   suspended renders of          until all have rendered something else, and REMOUNT_DELAY has
 *     mounted components          passed
 *   other suspended renders       for SUSPENDED_LIFETIME. Frameworks do not report discarded renders, so all are
 *                                 resumed then: a live render finds no data and suspends again. If none does, the
 *                                 request is aborted after the same time again
 *
 * CHECK_INTERVAL replaces SUSPENDED_LIFETIME if the view has readers: mounted components surely render when resumed.
 * React renders a component that was never mounted only after its earlier suspended siblings: its request must not be
 * aborted early.
 */
class AbandonDetector {
  readonly #view: View;
  readonly #clock: Clock;
  #abortController: LazyAbortController | undefined;
  #requestCount = 0;
  #hasSuspended = false;
  /** The components whose renders suspended, each identified by an object; undefined: some components are unknown. */
  #waiters: Set<object> | undefined = new Set();
  #suspendedLifetime = SUSPENDED_LIFETIME;
  /** Wall time in ms until when a suspended render counts as a reader. */
  #suspendedUntil = 0;
  #timer: unknown;

  constructor(view: View, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
  }

  /** The view sends or joins a request. The returned controller is aborted when the view has no readers any more. */
  onRequestStart(): LazyAbortController {
    if (this.#abortController === undefined || this.#abortController.aborted)
      this.#abortController = new LazyAbortController();
    if (this.#requestCount++ === 0) this.#scheduleCheck(CHECK_INTERVAL);
    return this.#abortController;
  }

  /** The request has settled. */
  onRequestEnd(): void {
    if (--this.#requestCount > 0) return;
    this.#clock.clear(this.#timer);
    this.#waiters = new Set();
  }

  /** A render of `waiter` suspended. Undefined: a component that the framework may discard without a notice. */
  onSuspend(waiter: object | undefined): void {
    this.#hasSuspended = true;
    if (waiter === undefined) this.#waiters = undefined;
    else this.#waiters?.add(waiter);
    this.#suspendedLifetime = this.#view.isRead() ? CHECK_INTERVAL : SUSPENDED_LIFETIME;
    this.#suspendedUntil = this.#clock.now() + this.#suspendedLifetime;
  }

  /** A reader was mounted: presumably the render that had suspended. */
  onMount(): void {
    this.#hasSuspended = false;
    this.#suspendedUntil = 0;
  }

  /** The last mounted reader was unmounted. */
  onUnmount(): void {
    if (this.#requestCount > 0) this.#scheduleCheck(REMOUNT_DELAY);
  }

  /** A suspended component has rendered something else since. */
  removeWaiter(waiter: object): void {
    if (this.#waiters?.delete(waiter) !== true || this.#waiters.size > 0) return;
    this.onMount();
    this.onUnmount();
  }

  #scheduleCheck(ms: number): void {
    this.#clock.clear(this.#timer);
    this.#timer = this.#clock.after(ms, () => this.#check());
  }

  #check(): void {
    const now = this.#clock.now();
    if (this.#view.isRead() || now < this.#suspendedUntil)
      return this.#scheduleCheck(CHECK_INTERVAL);
    if (!this.#hasSuspended) return this.#abortController?.abort();
    this.#hasSuspended = false;
    this.#suspendedUntil = now + this.#suspendedLifetime;
    this.#scheduleCheck(CHECK_INTERVAL);
    this.#view.resolveWaiting();
  }
}
