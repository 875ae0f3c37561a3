/** Aborts the requests of a view when the view has no readers any more. */
import type { Clock } from '../clock.ts';
import type { View } from './View.ts';
import { LazyAbortController } from '../request/LazyAbortController.ts';

// a reader that unmounts and mounts again within this time has not left: StrictMode, a moved row, effects of Preact; ms
const REMOUNT_DELAY = 100;
// how often the detector checks whether the view is read, ms
const CHECK_INTERVAL = 5_000;
// how long a render that suspended, and was never mounted, counts as a reader, ms
const SUSPENDED_LIFETIME = 60_000;

/*
 *   readers                       how long the request continues
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a mounted reader, a signal    as long as the reader or the subscriber exists
 *   none since REMOUNT_DELAY      not at all: it is aborted
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
export class AbandonDetector {
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
