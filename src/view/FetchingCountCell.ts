/** The number of keys that are being fetched, as a signal. */
import { nextMicrotask } from '../clock.ts';
import { contextOf } from '../request/FetchContext.ts';
import { emitterOf } from '../request/Events.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { Cell } from '../signals.ts';

/** Selects keys, as an endpoint does. */
export interface KeyFilter {
  testKey?(key: string): boolean;
}

export class FetchingCountCell extends Cell<number> {
  readonly #context: FetchContext;
  readonly #keyFilter: KeyFilter | undefined;
  #stops: readonly (() => void)[] = [];
  #notified = 0;

  /** `test`: counts only the keys that it selects. */
  constructor(controller: object, test: KeyFilter | undefined) {
    super();
    this.#context = contextOf(controller);
    this.#keyFilter = test;
  }

  protected current(): number {
    const { inflight } = this.#context;
    let count = 0;
    for (const request of inflight.allRequests) {
      const { key, read } = request;
      // an invalidated request stays in flight beside the request that replaces it
      if (!read || inflight.reads.get(key) !== request) continue;
      if (this.#keyFilter === undefined || this.#keyFilter.testKey?.(key)) count++;
    }
    return count;
  }

  protected setStrong(strong: boolean): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    if (!strong) return;
    this.#notified = this.current();
    // a request may begin during a render, when no subscriber may be notified
    const check = () => void nextMicrotask(() => this.#check());
    const events = ['request', 'commit', 'error', 'abort'] as const;
    const emitter = emitterOf(this.#context);
    this.#stops = events.map((event) => emitter.on(event, check));
  }

  #check(): void {
    const count = this.current();
    if (count === this.#notified) return;
    this.#notified = count;
    this.tick();
  }
}
