/** Requests on their way: at most one read per key, each for as long as somebody waits for it. */
import { ResetError } from '../diagnostics.ts';
import type { Leave } from './Abort.ts';
import { reasonOf } from './reasonOf.ts';

/** One request on its way. */
export interface Flight {
  readonly key: string;
  readonly read: boolean;
  readonly issued: number;
  abort(reason: unknown): void;
  cancel(reason: unknown): void;
  lost: unknown;
  readonly promise: Promise<unknown>;
  callers: number;
}

export class Inflight {
  /** All that are on their way. */
  readonly flights: Set<Flight> = new Set();
  readonly #reads: Map<string, Flight> = new Map();
  /** By key: run when a read begins or ends. */
  readonly followers: Map<string, () => void> = new Map();

  /** The read under `key` that a reader may join: one that was issued after `since`. */
  joinable(key: string, since: number): Flight | undefined {
    const read = this.#reads.get(key);
    return read !== undefined && read.issued > since ? read : undefined;
  }

  has(key: string): boolean {
    return this.#reads.has(key);
  }

  /** Logical time at which the oldest request under way was issued; Infinity without one. */
  oldest(): number {
    // they stand in the order of issue
    for (const { issued } of this.flights) return issued;
    return Infinity;
  }

  /** Lets later readers of the key join. */
  share(read: Flight): void {
    // one that a listener gave up at once is over already
    if (this.flights.has(read)) this.#reads.set(read.key, read);
    this.followers.get(read.key)?.();
  }

  end(flight: Flight): void {
    this.flights.delete(flight);
    if (!flight.read || this.#reads.get(flight.key) !== flight) return;
    this.#reads.delete(flight.key);
    this.followers.get(flight.key)?.();
  }

  /** Rejects all that wait; reads are aborted, mutations are left to reach the server. */
  clear(): void {
    const flights = [...this.flights];
    for (const flight of flights) this.end(flight);
    for (const flight of flights) {
      const error = new ResetError({ key: flight.key });
      flight.lost = error;
      flight.cancel(error);
      if (flight.read) flight.abort(error);
    }
  }

  /**
   * The promise of one more caller. A caller with signals leaves when one of them is aborted: its own promise rejects
   * at once, and the request is aborted with the last who leaves. A caller without any stays for ever.
   */
  attend(flight: Flight, signals: readonly Leave[]): Promise<unknown> {
    const { promise } = flight;
    if (signals.length === 0) {
      flight.callers = Infinity;
      return promise;
    }
    flight.callers++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        const reason = reasonOf(signals.find(({ aborted }) => aborted) as Leave);
        stay();
        reject(reason);
        if (--flight.callers > 0) return;
        // as if it had never been sent: who asks next asks anew
        this.end(flight);
        flight.lost = reason;
        flight.abort(reason);
      };
      const stay = () => signals.forEach((signal) => signal.removeEventListener('abort', leave));
      for (const signal of signals) signal.addEventListener('abort', leave);
      promise.finally(stay).then(resolve, reject);
    });
  }
}
