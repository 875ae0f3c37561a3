/** Aborts the requests of a view when nobody reads it any more. */
import type { Clock } from '../clock.ts';
import { LazyAbortController } from '../fetch/LazyAbortController.ts';

// a reader that leaves and comes back within this time has not left: StrictMode, a moved row, effects of Preact; ms
const RETURN = 100;
// how often the detector checks whether the view is read, ms
const CHECK_INTERVAL = 5_000;
// how long a render that suspended, and was never mounted, counts as a reader, ms
const PATIENCE = 60_000;

/** The part of a view that the detector uses. */
interface Port {
  /** True while a reader is mounted, listens, or watches a signal. */
  isRead(): boolean;
  /** Resolves the promise of suspended renders, which render again. */
  resolveWaiting(): void;
}

/*
 *   readers                       the request goes on
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a mounted reader, a signal    as long as they are there
 *   none since RETURN             no more: it is aborted
 *   suspended renders of          until they all have rendered something else, and RETURN has passed
 *     mounted components
 *   other suspended renders       for PATIENCE. No framework tells that a render was discarded: after that time the renders
 *                                 are woken, and one that is alive renders, finds nothing, and suspends again. Else the
 *                                 request is aborted after as long
 *
 * CHECK_INTERVAL in the place of PATIENCE for renders that were mounted before: they are surely rendered when woken. React
 * renders what was never mounted only after the siblings that suspended before it: those must not be aborted early.
 */
export class AbandonDetector {
  readonly #port: Port;
  readonly #clock: Clock;
  #abandoned: LazyAbortController | undefined;
  #requests = 0;
  #hasSuspended = false;
  /** The components whose renders suspended, each known by an object; undefined: some of them are not known. */
  #waiters: Set<object> | undefined = new Set();
  #patience = PATIENCE;
  /** Until when a suspended render counts as a reader; wall time, ms. */
  #until = 0;
  #timer: unknown;

  constructor(port: Port, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** The view sends or joins a request; what this gives is aborted when nobody reads the view any more. */
  begin(): LazyAbortController {
    if (this.#abandoned === undefined || this.#abandoned.aborted)
      this.#abandoned = new LazyAbortController();
    if (this.#requests++ === 0) this.#checkIn(CHECK_INTERVAL);
    return this.#abandoned;
  }

  /** That request has settled. */
  end(): void {
    if (--this.#requests > 0) return;
    this.#clock.clear(this.#timer);
    this.#waiters = new Set();
  }

  /** A render of `waiter` suspended; undefined: of a component that may be discarded without a trace. */
  suspended(waiter: object | undefined): void {
    this.#hasSuspended = true;
    if (waiter === undefined) this.#waiters = undefined;
    else this.#waiters?.add(waiter);
    this.#patience = this.#port.isRead() ? CHECK_INTERVAL : PATIENCE;
    this.#until = this.#clock.now() + this.#patience;
  }

  /** A reader was mounted: the render that suspended, as far as is known. */
  mounted(): void {
    this.#hasSuspended = false;
    this.#until = 0;
  }

  /** The last mounted reader was unmounted. */
  unmounted(): void {
    if (this.#requests > 0) this.#checkIn(RETURN);
  }

  /** A component that suspended has rendered something else since. */
  left(waiter: object): void {
    if (this.#waiters?.delete(waiter) !== true || this.#waiters.size > 0) return;
    this.#hasSuspended = false;
    this.#until = 0;
    this.unmounted();
  }

  #checkIn(ms: number): void {
    this.#clock.clear(this.#timer);
    this.#timer = this.#clock.after(ms, () => this.#check());
  }

  #check(): void {
    const now = this.#clock.now();
    if (this.#port.isRead() || now < this.#until) return this.#checkIn(CHECK_INTERVAL);
    if (!this.#hasSuspended) return this.#abandoned?.abort();
    this.#hasSuspended = false;
    this.#until = now + this.#patience;
    this.#checkIn(CHECK_INTERVAL);
    this.#port.resolveWaiting();
  }
}
