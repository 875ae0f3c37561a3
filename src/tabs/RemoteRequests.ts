/** The requests in flight of other tabs: own writes are remembered until these requests have ended. */
import type { FetchContext } from '../request/FetchContext.ts';
import { registerRemoteRequest } from '../request/registerRemoteRequest.ts';
import type { Issued } from '../request/Events.ts';

// a tab may end without a message, ms
const LONGEST = 60_000;

interface Flight {
  /** When the request became known here: wall time, ms. */
  readonly since: number;
  /** The key of a read. */
  readonly key: string | undefined;
  readonly end: () => void;
}

export class RemoteRequests {
  readonly #context: FetchContext;
  /** By tab and request, in the order in which they became known. */
  readonly #flights = new Map<string, Flight>();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  begin(tab: number, request: Issued): void {
    // each tab posts its requests to new tabs: the request may be known
    this.end(tab, request.id);
    const end = registerRemoteRequest(this.#context, request);
    const key = request.read ? request.key : undefined;
    this.#flights.set(`${tab} ${request.id}`, { since: this.#context.clock.now(), key, end });
  }

  /** Returns the key of a read that was in flight. */
  end(tab: number, id: number): string | undefined {
    const flight = `${tab} ${id}`;
    const key = this.#flights.get(flight)?.key;
    this.#end(flight);
    return key;
  }

  /** Ends the requests of a tab that has disconnected, or of all tabs. */
  leave(tab?: number): void {
    for (const key of this.#flights.keys())
      if (tab === undefined || key.startsWith(`${tab} `)) this.#end(key);
  }

  /** Ends requests if their end was not reported in time. */
  forgetOld(): void {
    const now = this.#context.clock.now();
    for (const [key, { since }] of this.#flights) if (now - since > LONGEST) this.#end(key);
  }

  #end(key: string): void {
    this.#flights.get(key)?.end();
    this.#flights.delete(key);
  }
}
