/** The logical clock of one tab among others. */
import type { FetchContext } from '../request/FetchContext.ts';

// Requests issued when a tab opens or wakes must be newer than the data of other tabs: until it has messages from
// them, its logical clock starts from the wall clock, in these steps (ms). Messages of other tabs correct the clock.
const STEP = 100;

// Two tabs never issue the same logical time: each tab has a fraction of its own. At this size of times there is room
// for so many fractions, which stay exact.
const PLACES = 2 ** 17;

export class TabClock {
  readonly #context: FetchContext;
  readonly #place: number;

  /** `id`: the random id of the tab, from 0 to 1. */
  constructor(context: FetchContext, id: number) {
    this.#context = context;
    this.#place = Math.floor(id * PLACES) / PLACES;
  }

  /** The logical time of the present wall time. */
  get wallTime(): number {
    return Math.floor(this.#context.clock.now() / STEP);
  }

  /** A logical time later than `time`, with the fraction of this tab. */
  after(time: number): number {
    return Math.floor(time) + 1 + this.#place;
  }

  /** Moves logical time past `time`, to the fraction of this tab. */
  advanceTo(time: number): void {
    const { store } = this.#context;
    store.time = Math.max(store.time, this.after(time));
  }
}
