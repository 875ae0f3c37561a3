/** Of which generation of the disk the data of a page are: each log out ends one. */
import type { Desk } from '../fetch/Desk.ts';
import type { Head } from './rows.ts';
import { tabResets } from './tabResets.ts';

export class Generation {
  /** Undefined: the disk was not read, or holds other data than this page, which writes nothing then. */
  head: Head | undefined;
  readonly #desk: Desk;
  readonly #version: string | number;
  /** When the page began: wall time. */
  readonly #since: number;

  constructor(desk: Desk, version: string | number) {
    this.#desk = desk;
    this.#version = version;
    this.#since = desk.clock.now();
  }

  /** The head of a generation that begins now. */
  fresh(generation: string = String(Math.random())): Head {
    return { version: this.#version, generation, endedAt: this.#desk.clock.now() };
  }

  /**
   * The head behind a reset at this logical time. `heard`: a connected tab was reset, which has emptied the disk for all.
   */
  afterReset(time: number): { readonly head: Head; readonly heard: boolean } {
    const tabs = tabResets.get(this.#desk.store);
    // without other tabs to tell them apart, times of resets are small numbers
    if (tabs === undefined) return { head: this.fresh(), heard: false };
    return { head: this.fresh(String(tabs.heard ?? time)), heard: tabs.heard !== undefined };
  }

  /** Takes part in what lies on the disk. False where a user has logged out since this page began. */
  join(head: Head): boolean {
    const { endedAt } = head;
    // a clock that was set back tells nothing
    const isBehind = endedAt > this.#since && endedAt <= this.#desk.clock.now();
    this.head = isBehind ? undefined : head;
    return !isBehind;
  }
}
