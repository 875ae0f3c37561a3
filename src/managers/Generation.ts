/** Of which generation of the disk the data of a page are: each log out ends one. */
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { ChunkStore } from './ChunkStore.ts';
import type { DiskHead, FreshHead } from './DiskHead.ts';
import { tabResets } from './tabResets.ts';

export class Generation {
  /** Undefined: the disk was not read, or holds other data than this page, which writes nothing then. */
  head: FreshHead | undefined;
  /** It began with a reset of this page. */
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

  /** The head of a generation that begins now. */
  fresh(generation: string = String(Math.random())): FreshHead {
    return { version: this.#version, generation, endedAt: this.#desk.clock.now() };
  }

  /** A reset at this logical time ends what was there. Gives how the disk follows. */
  reset(time: number): (disk: ChunkStore) => Promise<void> {
    const tabs = tabResets.get(this.#desk.store);
    const heard = tabs?.heard;
    const former = this.head;
    // what this page has begun may be newer than a log out that it hears of
    const isUnsure = this.#isOwn || former === undefined;
    // without other tabs to tell them apart, times of resets are small numbers
    const head = this.fresh(tabs && String(heard ?? time));
    this.head = head;
    this.#isOwn = heard === undefined;
    if (heard === undefined) return (disk) => disk.renew(head);
    return (disk) => disk.follow(head, former, isUnsure ? this.fresh() : head);
  }

  /** Takes part in what lies on the disk. False where a user has logged out since this page began, and was not reset. */
  join(found: DiskHead): boolean {
    if (this.head !== undefined) return true;
    const { endedAt } = found;
    // a clock that was set back tells nothing
    const isBehind = endedAt > this.#since && endedAt <= this.#desk.clock.now();
    if (!isBehind) this.head = found;
    return !isBehind;
  }
}
