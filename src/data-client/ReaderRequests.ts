/** Requests of readers, which call the `fetch` that a subclass of the controller has put in the place of its own. */
import type { Controller } from '../Controller.ts';
import { nextMicrotask } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import type { FetchMiddleware } from '../request/FetchContext.ts';
import { promiseTry } from '../request/promiseTry.ts';
import type { Args } from '../schema/schema.ts';

type Fetch = Controller['fetch'];

/*
 *   reader ─► request ─► transport ─► the subclass's fetch ─► the original fetch ─► network
 *                            ▲                                     │ joins the request in flight
 *                            └── the outcome ──────────────────────┘
 *   call of fetch ─► the subclass's fetch ─► the original fetch ─► request ─► transport ─► network
 */
export class ReaderRequests {
  readonly #controller: { readonly fetch: Fetch };
  /** The `fetch` of the controller before a subclass has replaced it. */
  readonly #original: Fetch;
  /** Calls of the original in progress, by key. */
  readonly #calls = new Map<string, number>();
  /** Requests of readers that wait for a call of the original, by key. */
  readonly #waiting = new Map<string, (endpoint: EndpointInterface) => void>();

  constructor(controller: { readonly fetch: Fetch }, original: Fetch) {
    this.#controller = controller;
    this.#original = original;
  }

  get #isOverridden(): boolean {
    return this.#controller.fetch !== this.#original;
  }

  /** The original is called: `fetch` sends the request, or joins the request of the reader that waits for this call. */
  call<T>(endpoint: EndpointInterface, args: Args, fetch: () => Promise<T>): Promise<T> {
    if (!this.#isOverridden || args[0] === null) return fetch();
    const key = keyOf(endpoint, args);
    this.#waiting.get(key)?.(endpoint);
    // the transport of a request that this call begins
    this.#count(key, 1);
    const data = fetch();
    const end = () => this.#count(key, -1);
    void data.then(end, end);
    return data;
  }

  #count(key: string, change: number): void {
    const count = (this.#calls.get(key) ?? 0) + change;
    if (count === 0) this.#calls.delete(key);
    else this.#calls.set(key, count);
  }

  /** Sends the request; a request of a reader once the subclass calls the original, possibly with another endpoint. */
  send(
    endpoint: EndpointInterface,
    args: Args,
    send: (endpoint: EndpointInterface) => ReturnType<FetchMiddleware>,
  ): Promise<unknown> {
    if (endpoint.sideEffect || !this.#isOverridden) return send(endpoint);
    const key = keyOf(endpoint, args);
    if (this.#calls.has(key)) return send(endpoint);
    return new Promise((resolve, reject) => {
      const release = (given: EndpointInterface) => {
        this.#waiting.delete(key);
        send(given).then(resolve, reject);
      };
      this.#waiting.set(key, release);
      // without effect after a call of the original: that request decides
      const end = () => this.#waiting.get(key) === release && this.#waiting.delete(key);
      // later: a call joins a request only once the transport was called
      void nextMicrotask(() => {
        promiseTry(() => this.#controller.fetch(endpoint, ...(args as never))).then(
          (value) => end() && resolve(value),
          (error: unknown) => end() && reject(error as Error),
        );
      });
    });
  }
}
