/** Whether somebody still wants what a view asked for; a request that nobody wants is left. */
import type { Clock } from '../clock.ts';
import { LazyAbortController } from '../fetch/LazyAbortController.ts';

// who leaves and comes back at once has not left: StrictMode, a moved row, Preact's effects after the paint; ms
const RETURN = 100;
// how often it is looked whether somebody is there, ms
const ROUND = 5_000;
// how long a render that waits, and was never mounted, is believed to be there, ms
const PATIENCE = 60_000;

/** What it asks of the view. */
interface Port {
  /** True while a reader is mounted, listens, or watches a signal. */
  isRead(): boolean;
  /** Lets all who wait look again. */
  wake(): void;
}

/*
 *   who reads                     the request goes on
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a mounted reader, a signal    as long as they are there
 *   nobody since RETURN           no more
 *   renders that wait             for a while. No framework tells that a render was discarded: then they are woken, and
 *                                 one that is alive renders, finds nothing, and waits again. Else it ends after as long
 *
 * The while is PATIENCE; or ROUND for those that were on the screen before, which are surely rendered when woken. React
 * renders what was never mounted only after the siblings that suspended before it: those must not be given up early.
 */
export class Interest {
  readonly #port: Port;
  readonly #clock: Clock;
  #left: LazyAbortController | undefined;
  #requests = 0;
  #waits = false;
  #patience = PATIENCE;
  /** Until when a render may be waiting; wall time, ms. */
  #until = 0;
  #timer: unknown;

  constructor(port: Port, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** A request begins, or is joined; the signal is aborted when nobody is left. */
  begin(): LazyAbortController {
    if (this.#left === undefined || this.#left.aborted) this.#left = new LazyAbortController();
    if (this.#requests++ === 0) this.#lookIn(ROUND);
    return this.#left;
  }

  end(): void {
    if (--this.#requests === 0) this.#clock.clear(this.#timer);
  }

  /** A render was told to wait. */
  wait(): void {
    this.#waits = true;
    this.#patience = this.#port.isRead() ? ROUND : PATIENCE;
    this.#until = this.#clock.now() + this.#patience;
  }

  /** A reader was mounted: the one that waited, as far as is known. */
  enter(): void {
    this.#waits = false;
    this.#until = 0;
  }

  /** The last mounted reader has gone. */
  leave(): void {
    if (this.#requests > 0) this.#lookIn(RETURN);
  }

  #lookIn(ms: number): void {
    this.#clock.clear(this.#timer);
    this.#timer = this.#clock.after(ms, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    if (this.#port.isRead() || now < this.#until) return this.#lookIn(ROUND);
    if (!this.#waits) return this.#left?.abort();
    this.#waits = false;
    this.#until = now + this.#patience;
    this.#lookIn(ROUND);
    this.#port.wake();
  }
}
