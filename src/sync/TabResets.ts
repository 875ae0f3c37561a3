/** The resets that connected tabs know, for persistence: a common log out of all tabs empties their disk once. */
import type { Store } from '../store/StorePort.ts';

/** The resets known to a tab. */
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

  /** Adds resets of other tabs. */
  merge(resets: Resets): void {
    this.known = mergeResets(this.known, resets);
  }

  /** Runs `reset`, which repeats a reset of another tab here. */
  repeat(reset: () => void): void {
    this.isRepeating = true;
    try {
      reset();
    } finally {
      this.isRepeating = false;
    }
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

/**
 * The last reset of each tab that was reset itself, as logical times in ascending order. The fraction of a time
 * identifies the tab. A tab that is reset again knew the former reset.
 */
export type Resets = readonly number[];

/** True if the reset at `time`, or a later one of the same tab, is among `resets`. */
export function hasReset(resets: Resets, time: number): boolean {
  return resets.some((known) => known >= time && Number.isInteger(known - time));
}

/** All resets of both sets. */
export function mergeResets(one: Resets, other: Resets): Resets {
  const all = [...new Set([...one, ...other])].sort((a, b) => a - b);
  return all.filter((time, at) => !hasReset(all.slice(at + 1), time));
}

const PREFIX = 'tabs ';

/** The resets as the generation of a disk: equal sets have equal texts. */
export function generationOf(resets: Resets): string {
  return PREFIX + resets.join(' ');
}

/** The resets in the generation of a disk; undefined if connected tabs have not begun this generation. */
export function resetsOf(generation: string): Resets | undefined {
  return generation.startsWith(PREFIX)
    ? generation.slice(PREFIX.length).split(' ').map(Number)
    : undefined;
}
