/** Whether somebody still wants what a view asked for; a request that nobody wants is left. */
import type { Clock } from '../clock.ts';

// who leaves and comes back at once has not left: StrictMode, a moved row, Preact's effects after the paint; ms
const RETURN = 100;
// how often it is looked whether somebody is there, ms
const ROUND = 5_000;

/** What it asks of the view. */
interface Port {
  readonly clock: Clock;
  /** True while a reader is mounted, listens, or watches a signal. */
  isRead(): boolean;
  /** Lets all who wait look again. */
  wake(): void;
}

/*
 *   who reads                     the request goes on
 *   ────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a mounted reader, a signal    as long as they are there
 *   nobody since RETURN           no more
 *   renders that wait             for a ROUND; then they are woken. No framework tells that a render was discarded, but
 *                                 one that is alive renders, finds nothing, and waits again; else it ends a ROUND later
 */
export class Interest {
  readonly #port: Port;
  #left: AbortController = new AbortController();
  #requests = 0;
  #waits = false;
  #timer: unknown;

  constructor(port: Port) {
    this.#port = port;
  }

  /** A request begins, or is joined; the signal is aborted when nobody is left. */
  begin(): AbortSignal {
    if (this.#left.signal.aborted) this.#left = new AbortController();
    if (this.#requests++ === 0) {
      this.#waits = false;
      this.#lookIn(ROUND);
    }
    return this.#left.signal;
  }

  end(): void {
    if (--this.#requests === 0) this.#port.clock.clear(this.#timer);
  }

  /** A render was told to wait. */
  wait(): void {
    this.#waits = true;
  }

  /** A reader was mounted: the one that waited, as far as is known. */
  enter(): void {
    this.#waits = false;
  }

  /** The last mounted reader has gone. */
  leave(): void {
    if (this.#requests > 0) this.#lookIn(RETURN);
  }

  #lookIn(ms: number): void {
    const { clock } = this.#port;
    clock.clear(this.#timer);
    this.#timer = clock.after(ms, () => this.#look());
  }

  #look(): void {
    const waits = this.#waits;
    if (!waits && !this.#port.isRead()) return this.#left.abort();
    this.#waits = false;
    this.#lookIn(ROUND);
    if (waits) this.#port.wake();
  }
}
