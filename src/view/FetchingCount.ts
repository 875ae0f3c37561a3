/** How many keys are fetched at present, as a signal. */
import { soon } from '../clock.ts';
import { deskOf } from '../fetch/Desk.ts';
import type { Desk } from '../fetch/Desk.ts';
import { Cell } from '../reactive.ts';

/** Selects keys: an endpoint does. */
export interface KeyFilter {
  testKey?(key: string): boolean;
}

export class FetchingCount extends Cell<number> {
  readonly #desk: Desk;
  readonly #test: KeyFilter | undefined;
  #stops: readonly (() => void)[] = [];
  #notified = 0;

  /** `test`: counts its keys alone. */
  constructor(controller: object, test: KeyFilter | undefined) {
    super();
    this.#desk = deskOf(controller);
    this.#test = test;
  }

  protected current(): number {
    const { inflight } = this.#desk;
    let count = 0;
    for (const request of inflight.flights) {
      const { key, read } = request;
      // a request that was invalidated goes on, and another one is sent
      if (!read || inflight.joinable(key, 0) !== request) continue;
      if (this.#test === undefined || this.#test.testKey?.(key)) count++;
    }
    return count;
  }

  protected hold(firm: boolean): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    if (!firm) return;
    this.#notified = this.current();
    // a request may begin while a component renders, where nobody may be notified
    const check = () => void soon(() => this.#check());
    const events = ['request', 'commit', 'error', 'abort'] as const;
    this.#stops = events.map((event) => this.#desk.events.on(event, check));
  }

  #check(): void {
    const count = this.current();
    if (count === this.#notified) return;
    this.#notified = count;
    this.tick();
  }
}
