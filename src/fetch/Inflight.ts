/** The requests in flight: at most one read per key. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

export class Inflight {
  /** All requests in flight, in the order of issue. */
  readonly allRequests: Set<InFlightRequest> = new Set();
  readonly #reads: Map<string, InFlightRequest> = new Map();
  /** Callbacks by key, called when a read begins or ends. */
  readonly readListeners: Map<string, () => void> = new Map();

  /** The read under `key`. */
  read(key: string): InFlightRequest | undefined {
    return this.#reads.get(key);
  }

  has(key: string): boolean {
    return this.#reads.has(key);
  }

  /** The read of `result`, if it is in flight and not overtaken: readers may join it. */
  joinableRead(store: Store, result: ResultRecord): InFlightRequest | undefined {
    const read = this.#reads.get(result.key);
    return read?.isOvertaken(store, result) === false ? read : undefined;
  }

  /** Logical time at which the oldest request in flight was issued; Infinity if there is none. */
  oldestIssued(): number {
    for (const { issued } of this.allRequests) return issued;
    return Infinity;
  }

  /** Lets later readers of the key join. */
  allowJoining(read: InFlightRequest): void {
    // a listener of the event `request` may have cancelled the read
    if (this.allRequests.has(read)) this.#reads.set(read.key, read);
    this.readListeners.get(read.key)?.();
  }

  /** Takes the request out of flight: the next read of its key sends a new request. */
  remove(request: InFlightRequest): void {
    this.allRequests.delete(request);
    if (!request.read || this.#reads.get(request.key) !== request) return;
    this.#reads.delete(request.key);
    this.readListeners.get(request.key)?.();
  }
}
