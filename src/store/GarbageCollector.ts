/** When what nobody needs goes: after its time, in slices that hold no frame. */
import type { Clock } from '../clock.ts';
import { isNoStore, UNWRITTEN } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { GC_AGE } from './flags.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { Failure } from './Result.ts';
import { ageOf, GcCycle } from './GcCycle.ts';
import type { RequestRoots, GcTable, GcHeap, GcWork } from './GcCycle.ts';

// ms; a frame has 16, and what the engine does meanwhile (compiling, collecting) comes on top
const SLICE = 2;
const PAUSE = 16;
// the lifetime of a single request makes rounds less frequent than this, ms
const SECOND = 1_000;
// the most units of work in one slice, should the clock stand
const MOST = 500;
// how often in `sweepAfter` a round begins, and how many ages of records `maxEntities` tells apart
const CYCLES = 4;
const AGES = 16;
// flags stay small integers
const LAST_AGE = 262_144;
// the longest that a timer can wait
const LONGEST = 2_147_483_647;
const FIVE_MINUTES = 300_000;

/** When what nobody reads goes. */
export interface GcOptions {
  /**
   * Milliseconds that what nobody reads stays in memory, from when it was last read, written or asked for, or from its
   * expiry if that is later. It goes within a quarter of this time after. Default 300,000; Infinity: for ever.
   */
  readonly sweepAfter?: number | undefined;
  /**
   * When more entities than this are stored, those that nobody reads go before their time, the least recently used
   * first, and so do requests that nobody shows. Default: no limit.
   */
  readonly maxEntities?: number | undefined;
}

/** What a sweep is lent. */
export interface GcDeps extends GcOptions {
  readonly clock: Clock;
  readonly flights: RequestRoots;
}

export class GarbageCollector {
  readonly #stock: GcHeap;
  readonly #flights: RequestRoots;
  readonly #clock: Clock;
  readonly #after: number;
  readonly #most: number;
  /** The lifetimes of results whose endpoint sets one, and of what goes with them, ms. */
  readonly #own = new WeakMap<StoreRecord, number>();
  #longest: number;
  #period: number;
  #timer: unknown;
  #round: GcCycle | undefined;
  #work: GcWork | undefined;
  /** Grows with each round; what is used is stamped with it, so that using costs no look at the clock. */
  #age = 1;
  /** Wall time at which each age ended, as far back as it matters; Infinity: it has not. */
  readonly #ended = new Map<number, number>();
  #births = 0;
  /** More entities than this are too many. */
  #limit: number;
  /** Wall time, as of this slice. */
  #now = 0;

  constructor(stock: GcHeap, surroundings: GcDeps) {
    const { clock, flights, sweepAfter = FIVE_MINUTES, maxEntities = Infinity } = surroundings;
    this.#stock = stock;
    this.#flights = flights;
    this.#clock = clock;
    this.#after = this.#longest = sweepAfter;
    this.#period = Math.max(sweepAfter / CYCLES, PAUSE);
    this.#most = maxEntities;
    this.#limit = maxEntities;
  }

  /** What stands there under a name. */
  find<R extends StoreRecord>(shelf: GcTable<R>, name: string): R | undefined {
    const record = shelf.records.get(name);
    return record && this.touch(record);
  }

  /** A record was made. */
  track<R extends StoreRecord>(record: R): R {
    this.#timer ??= this.#wait(this.#period);
    if (++this.#births > this.#most / AGES) this.#grow();
    return this.touch(record);
  }

  /** A result has a lifetime of its own: `ms` from its last use, in the place of the controller's. */
  limit(result: StoreRecord, ms: number | undefined): void {
    if (ms === undefined) return;
    this.#own.set(result, ms);
    this.#longest = Math.max(this.#longest, ms);
    const period = ms / CYCLES + SECOND;
    if (period < this.#period) {
      this.#period = period;
      // a round that is under way begins anew
      this.#rest();
    }
  }

  /** Somebody takes hold of a record. */
  touch<R extends StoreRecord>(record: R): R {
    record.flags = (record.flags & (GC_AGE - 1)) | (this.#age * GC_AGE);
    return record;
  }

  /** To be run after each commit: too many entities do not wait for the next round. */
  checkLimit(): void {
    if (this.#limit === Infinity || this.#round !== undefined) return;
    if (this.#stock.entities <= this.#limit) return;
    this.#clock.clear(this.#timer);
    this.#timer = this.#wait(0);
  }

  /** Everything that nobody needs goes now, whatever its age. Gives how many records stay. */
  now(): number {
    const work = this.#begin(true);
    this.#look();
    for (const _ of work);
    this.#rest();
    return this.#size;
  }

  /** Waits no longer, until the next record is made. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** To be run when the store was emptied. */
  onCleared(): void {
    if (this.#size === 0) this.#rest();
  }

  /** The round is over. */
  #rest(): void {
    this.stop();
    this.#round = this.#work = undefined;
    if (this.#size > 0) this.#timer = this.#wait(this.#period);
    const { entities } = this.#stock;
    // those that must stay are not gone through again for each that comes
    this.#limit = entities <= this.#most ? this.#most : entities + this.#most / AGES;
  }

  get #size(): number {
    let size = 0;
    for (const { records } of this.#stock.gcTables()) size += records.size;
    return size;
  }

  /** The timer holds nobody: a store that was let go is not kept by its sweep. */
  #wait(ms: number): unknown {
    if (ms === Infinity) return undefined;
    const self = new WeakRef(this);
    return this.#clock.after(Math.min(ms, LONGEST), () => {
      const sweep = self.deref();
      if (sweep !== undefined) sweep.#slice();
    });
  }

  #slice(): void {
    const clock = this.#clock;
    const work = (this.#work ??= this.#begin(false));
    const until = this.#look() + SLICE;
    for (let units = 1; units < MOST; units++) {
      if (work.next().done === true) return this.#rest();
      if (clock.now() >= until) break;
    }
    this.#timer = this.#wait(PAUSE);
  }

  /** The program went on meanwhile. */
  #look(): number {
    const { layers } = this.#stock;
    if (this.#round !== undefined) this.#round.pinned = layers.gcRoots();
    return (this.#now = this.#clock.now());
  }

  #begin(atOnce: boolean): GcWork {
    this.#grow();
    const { entities } = this.#stock;
    this.#round = new GcCycle({
      stock: this.#stock,
      flights: this.#flights,
      isYoung: (record) => !atOnce && this.#isYoung(record),
      // what only a short-lived result showed goes soon after it
      leave: (record, part) => {
        part.removeParent(record);
        this.limit(part, this.#own.get(record));
      },
      // some room is made for those to come
      room: entities > this.#most ? Math.ceil(this.#most * (1 - 1 / AGES)) : Infinity,
    });
    return this.#round.run();
  }

  /** It was used lately, or is fresh. */
  #isYoung(record: StoreRecord): boolean {
    if (isNoStore(stampIn(record))) return false;
    const used = this.#ended.get(ageOf(record)) ?? 0;
    return this.#now < Math.max(used, expiryOf(record)) + (this.#own.get(record) ?? this.#after);
  }

  /** What is used from now on is younger than all that was used before. */
  #grow(): void {
    const now = this.#clock.now();
    this.#births = 0;
    this.#ended.set(this.#age, now);
    this.#age = (this.#age + 1) % LAST_AGE;
    this.#ended.set(this.#age, Infinity);
    for (const [age, ended] of this.#ended) {
      if (ended + this.#longest > now) return;
      this.#ended.delete(age);
    }
  }
}

/** Wall time, ms, until when what is stored there is fresh. */
function expiryOf(record: StoreRecord): number {
  const { failure } = record as { readonly failure?: Failure };
  return Math.max(stampIn(record).expiresAt, failure?.expiresAt ?? 0);
}

function stampIn(record: StoreRecord): Stamp {
  return (record as { readonly stamp?: Stamp }).stamp ?? UNWRITTEN;
}
