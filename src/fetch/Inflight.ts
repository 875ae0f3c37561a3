/** Requests on their way: at most one read per key. */

/** One request on its way. */
export interface Flight {
  readonly key: string;
  readonly read: boolean;
  /** Logical time at which it was issued. */
  readonly issued: number;
  readonly abort: AbortController;
  /** Rejects whoever waits, whatever the network does. */
  cancel(reason: Error): void;
}

export class Inflight {
  readonly #flights: Set<Flight> = new Set();
  readonly #reads: Map<string, { flight: Flight; promise: Promise<unknown> }> = new Map();

  /** The read under `key` that a reader may join: one that was issued after `since`. */
  joinable(key: string, since: number): Promise<unknown> | undefined {
    const read = this.#reads.get(key);
    return read !== undefined && read.flight.issued > since ? read.promise : undefined;
  }

  has(key: string): boolean {
    return this.#reads.has(key);
  }

  /** Logical time at which the oldest request under way was issued; Infinity without one. */
  oldest(): number {
    let oldest = Infinity;
    for (const { issued } of this.#flights) oldest = Math.min(oldest, issued);
    return oldest;
  }

  start(flight: Flight): void {
    this.#flights.add(flight);
  }

  /** Lets later readers of the key join. */
  share(flight: Flight, promise: Promise<unknown>): void {
    // an endpoint that failed at once is over already
    if (this.#flights.has(flight)) this.#reads.set(flight.key, { flight, promise });
  }

  end(flight: Flight): void {
    this.#flights.delete(flight);
    if (this.#reads.get(flight.key)?.flight === flight) this.#reads.delete(flight.key);
  }

  /** Rejects all that wait; reads are aborted, mutations are left to reach the server. */
  clear(reason: (key: string) => Error): void {
    const flights = [...this.#flights];
    this.#flights.clear();
    this.#reads.clear();
    for (const flight of flights) {
      const error = reason(flight.key);
      flight.cancel(error);
      if (flight.read) flight.abort.abort(error);
    }
  }
}
