/** The resets that connected tabs know, for persistence: one log out of all tabs empties their disk once. */
import type { Store } from '../store/Store.ts';
import { mergeResets } from './Resets.ts';
import type { Resets } from './Resets.ts';

/** The resets known to one tab. */
export class TabResets {
  /** The channel and the version of the tabs. */
  readonly name: string;
  known: Resets = [];
  /** True while a reset of another tab is repeated here. */
  isRepeating = false;
  /** Logical time of the last reset of this tab. */
  #last: number | undefined;
  readonly #begin: (time: number) => number;

  /** `begin`: called at the reset of this tab at a logical time. Returns the logical time that identifies the reset. */
  constructor(name: string, begin: (time: number) => number) {
    this.name = name;
    this.#begin = begin;
  }

  /** Adds the reset of this tab at a logical time. Each listener of the reset may call this. */
  add(time: number): void {
    if (time === this.#last || this.isRepeating) return;
    this.#last = time;
    this.known = mergeResets(this.known, [this.#begin(time)]);
  }
}

/** By the store of the controller. */
export const tabResets: WeakMap<Store, TabResets> = new WeakMap();
