/** The generation of the disk to which the data of a page belong: each log out ends one. */
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { ChunkStore } from './ChunkStore.ts';
import type { DiskHead, FreshHead } from './DiskHead.ts';
import { tabResets } from './tabResets.ts';

export class Generation {
  /** Undefined: the disk was not read, or holds other data than this page, which then writes nothing. */
  head: FreshHead | undefined;
  /** The generation began with a reset of this page. */
  #isOwn = false;
  readonly #desk: FetchContext;
  readonly #version: string | number;
  /** When the page began: wall time. */
  readonly #since: number;

  constructor(desk: FetchContext, version: string | number) {
    this.#desk = desk;
    this.#version = version;
    this.#since = desk.clock.now();
  }

  /** The head of a new generation. */
  fresh(generation: string = String(Math.random())): FreshHead {
    return { version: this.#version, generation, endedAt: this.#desk.clock.now() };
  }

  /** Begins a new generation after a reset at this logical time. Returns a function that updates the disk. */
  reset(time: number): (disk: ChunkStore) => Promise<void> {
    const tabs = tabResets.get(this.#desk.store);
    const heard = tabs?.heard;
    const former = this.head;
    // data written by this page may be newer than a log out reported by another tab
    const isUnsure = this.#isOwn || former === undefined;
    // without other tabs, times of resets are small numbers and not unique
    const head = this.fresh(tabs && String(heard ?? time));
    this.head = head;
    this.#isOwn = heard === undefined;
    if (heard === undefined) return (disk) => disk.renew(head);
    return (disk) => disk.follow(head, former, isUnsure ? this.fresh() : head);
  }

  /**
   * Takes over the generation of the disk. False if a user has logged out since this page began, without a reset here.
   */
  join(found: DiskHead): boolean {
    if (this.head !== undefined) return true;
    const { endedAt } = found;
    // after a clock was set back, its times prove nothing
    const isBehind = endedAt > this.#since && endedAt <= this.#desk.clock.now();
    if (!isBehind) this.head = found;
    return !isBehind;
  }
}
