/** The record of a disk that every write reads: the generation of the rows, and the valid chunks. */
import { generationOf, mergeResets, resetsOf, tabResets } from '../sync/TabResets.ts';
import type { TabResets } from '../sync/TabResets.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { ChunkStore } from './ChunkStore.ts';
import type { UnreadLines } from './UnreadLines.ts';

// grows when the format of chunks changes
const FORMAT = 4;

/** The head of a disk. A new generation begins whenever all rows are deleted. */
export interface DiskHead {
  /** Undefined: rows have another format. */
  readonly version: unknown;
  /** Of connected tabs: see `generationOf`. Else a random number. */
  readonly generation: string;
  /** When a log out ended the generation before: wall time, ms since 1970; 0: no log out yet. */
  readonly endedAt: number;
  /** Grows with each write. */
  readonly revision: number;
  /** The last order, and the last turn of an entity, on the disk. */
  readonly order: number;
  readonly turn: number;
  /** When unused rows were last collected: wall time. */
  readonly collectedAt: number;
  /** The ids of the chunks. */
  readonly chunks: readonly string[];
}

/** The state of a disk when a page begins. */
export interface Beginning {
  readonly head: DiskHead;
  readonly lines: UnreadLines;
  /** The version of the rows that were deleted, if any. */
  readonly dropped?: { readonly version: unknown };
  /** Chunks that cannot be decoded, by id, with the reason. The next write deletes these chunks. */
  readonly broken: ReadonlyMap<string, unknown>;
}

/** The properties of the complete disk that a write updates, besides the lines. */
export type DiskCounters = Pick<DiskHead, 'order' | 'turn'> &
  Partial<Pick<DiskHead, 'collectedAt'>>;

export type FreshHead = Pick<DiskHead, 'version' | 'generation' | 'endedAt'>;

/** `ended`: the disk is of another generation. `stale`: another page has written since this page has read. */
export type WriteOutcome = 'done' | 'stale' | 'ended';

/** The data that a write belongs to. */
export interface PageState {
  readonly page: FreshHead;
  readonly epoch: number;
}

/** The head of a disk without rows. `endedAt` is the present time. */
export function emptyHead({ version, generation, endedAt }: FreshHead, now: number): DiskHead {
  return {
    version,
    generation,
    endedAt,
    revision: 0,
    order: 0,
    turn: 0,
    collectedAt: now,
    chunks: [],
  };
}

/** The head after a write; `chunks`: the ids of all chunks that are valid from then on. */
export function nextHead(
  head: DiskHead,
  counters: DiskCounters,
  chunks: readonly string[],
): DiskHead {
  return {
    ...head,
    order: Math.max(head.order, counters.order),
    turn: Math.max(head.turn, counters.turn),
    collectedAt: counters.collectedAt ?? head.collectedAt,
    revision: head.revision + 1,
    chunks,
  };
}

export function headText(head: DiskHead): string {
  const { version, generation, endedAt, revision, order, turn, collectedAt, chunks } = head;
  return JSON.stringify([
    FORMAT,
    version,
    generation,
    endedAt,
    revision,
    order,
    turn,
    collectedAt,
    chunks,
  ]);
}

/** Undefined if there is none. Of a head of another format, only the time of the last log out is read. */
export function headIn(data: unknown): DiskHead | undefined {
  const row = parseJson(data);
  if (!Array.isArray(row)) return undefined;
  const [format, version, generation, endedAt, ...rest] = row as readonly unknown[];
  const known = format === FORMAT && Array.isArray(rest[4]);
  const [revision = 0, order = 0, turn = 0, collectedAt = 0] = known ? rest.map(Number) : [];
  return {
    version: known ? version : undefined,
    generation: String(generation),
    endedAt: Number(endedAt),
    revision,
    order,
    turn,
    collectedAt,
    chunks: known ? (rest[4] as string[]).map(String) : [],
  };
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}

/** True if no page has written between the two heads, which are of the same generation. */
export function isSameState(head: DiskHead | undefined, otherHead: DiskHead | undefined): boolean {
  // pages that follow the same log out may each empty the disk, and count their writes from 0
  return (
    head?.revision === otherHead?.revision && String(head?.chunks) === String(otherHead?.chunks)
  );
}

/** True for heads under which the same pages may write. */
export function isSameGeneration(head: DiskHead | undefined, otherHead: FreshHead): boolean {
  return head?.generation === otherHead.generation && head.version === otherHead.version;
}

/** A reset of another page, which is followed on the disk. */
export interface FollowedReset {
  /** The head that all connected pages have from now on. */
  readonly fresh: FreshHead;
  /** The head of this page until now; undefined: the disk has not been read. */
  readonly former: FreshHead | undefined;
}

/**
 * The head of a disk after its rows were deleted because of a reset of another page; undefined: the disk stays.
 *
 *   the disk is of                                the next head
 *   connected pages, without some resets          all resets: pages that know all resets may write
 *   `former`: the other page has another disk     `fresh`
 *   other pages, which may be logged out since    none
 *   unknown pages, as the disk was not read       of no page: none of the open pages writes any more
 */
export function headAfter(
  { fresh, former }: FollowedReset,
  present: DiskHead | undefined,
): FreshHead | undefined {
  const [before, resets] = [present, fresh].map((head) => resetsOf(head?.generation ?? ''));
  if (present !== undefined && before !== undefined && resets !== undefined) {
    const generation = generationOf(mergeResets(before, resets));
    const endedAt = Math.max(present.endedAt, fresh.endedAt);
    return generation === present.generation ? undefined : { ...present, generation, endedAt };
  }
  if (former === undefined) return { ...fresh, generation: newGeneration() };
  return isSameGeneration(present, former) ? fresh : undefined;
}

/** A generation that no page has. */
function newGeneration(): string {
  return String(Math.random());
}

/** The generation of the disk to which the data of a page belong: each log out ends a generation. */
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
    // the times of a clock that was set back prove nothing
    const isBehind = endedAt > this.#since && endedAt <= this.#context.clock.now();
    if (!isBehind) this.#head = found;
    return !isBehind;
  }
}
