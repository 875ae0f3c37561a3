/** Moments of one controller, and how to show them again. */
import type { Controller } from '../Controller.ts';
import { addTransport, contextOf } from '../request/FetchContext.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { Store } from '../store/Store.ts';
import { StoreSnapshot } from './StoreSnapshot.ts';

/*
 *   present ── jump to an older moment ──►  past     requests are not sent, responses wait
 *      ▲                                     │
 *      └── jump to the newest, or a commit ──┘       then they go on
 */
export class TimeTravel {
  readonly #store: Store;
  readonly #moments = new Map<number, StoreSnapshot>();
  /** Signals that protect all records of the moments from garbage collection. */
  readonly #pins = new Map<StoreRecord, unknown>();
  readonly #most: number;
  readonly #stop: () => void;
  #newest = 0;
  #past: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /** Keeps the last `most` moments, and the first. */
  constructor(controller: Controller, most: number) {
    const context = contextOf(controller);
    this.#store = context.store;
    this.#most = most;
    this.#stop = addTransport(context, (send) => async (...call) => {
      // an await without need would delay requests
      if (this.#past !== undefined) await this.#past.over;
      try {
        return await send(...call);
      } finally {
        await this.#past?.over;
      }
    });
  }

  /** The number of the newest moment. */
  get newest(): number {
    return this.#newest;
  }

  get isPaused(): boolean {
    return this.#past !== undefined;
  }

  /** Records the present state as a moment. */
  remember(): void {
    this.#newest++;
    this.#moments.set(this.#newest, new StoreSnapshot(this.#store, (record) => this.#pin(record)));
    for (const number of this.#moments.keys())
      if (number > 1 && number < this.#newest - this.#most) this.#moments.delete(number);
    this.resume();
  }

  #pin(record: StoreRecord): void {
    if (!this.#pins.has(record)) this.#pins.set(record, this.#store.cell(record));
  }

  /** Shows a moment; false if the moment is no longer kept. */
  to(number: number | undefined): boolean {
    const moment = this.#moments.get(number ?? 0);
    if (moment === undefined) return false;
    if (number !== this.#newest) this.#depart();
    moment.show(this.#store);
    if (number === this.#newest) this.resume();
    return true;
  }

  #depart(): void {
    if (this.#past !== undefined) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#past = { over, end };
  }

  /** Continues the requests and responses that waited. */
  resume(): void {
    this.#past?.end();
    this.#past = undefined;
  }

  /** Returns to the present, and stops. */
  end(): void {
    if (this.isPaused) this.to(this.#newest);
    this.#stop();
    this.#moments.clear();
    this.#pins.clear();
  }
}
