/** The generation of the disk to which the data of a page belong: each log out ends one. */
import type { FetchContext } from '../request/FetchContext.ts';
import type { ChunkStore } from './ChunkStore.ts';
import { newGeneration } from './DiskHead.ts';
import type { DiskHead, FreshHead } from './DiskHead.ts';
import { generationOf } from '../sync/Resets.ts';
import { tabResets } from '../sync/tabResets.ts';
import type { TabResets } from '../sync/tabResets.ts';

export class Generation {
  #head: FreshHead | undefined;
  /** Set once the generation began with a reset of connected tabs. */
  #tabs: TabResets | undefined;
  readonly #context: FetchContext;
  readonly #version: string | number;
  /** When the page began: wall time. */
  readonly #since: number;

  constructor(context: FetchContext, version: string | number) {
    this.#context = context;
    this.#version = version;
    this.#since = context.clock.now();
  }

  /** Undefined: the disk was not read, or holds other data than this page, which then writes nothing. */
  get head(): FreshHead | undefined {
    const [head, tabs] = [this.#head, this.#tabs];
    // resets from before this page opened may become known later
    return head && tabs ? { ...head, generation: generationOf(tabs.known) } : head;
  }

  /** The head of a new generation. */
  fresh(): FreshHead {
    return {
      version: this.#version,
      generation: newGeneration(),
      endedAt: this.#context.clock.now(),
    };
  }

  /** Begins a new generation after a reset at this logical time. Returns a function that updates the disk. */
  reset(time: number): (disk: ChunkStore) => Promise<void> {
    const former = this.head;
    const tabs = tabResets.get(this.#context.store);
    tabs?.add(time);
    this.#tabs = tabs;
    this.#head = this.fresh();
    const head = this.head as FreshHead;
    if (tabs?.isRepeating !== true) return (disk) => disk.renew(head);
    return (disk) => disk.follow({ fresh: head, former });
  }

  /**
   * Takes over the generation of the disk. False if a user has logged out since this page began, without a reset here.
   */
  join(found: DiskHead): boolean {
    if (this.head !== undefined) return true;
    const { endedAt } = found;
    // after a clock was set back, its times prove nothing
    const isBehind = endedAt > this.#since && endedAt <= this.#context.clock.now();
    if (!isBehind) this.#head = found;
    return !isBehind;
  }
}
