/** The schedule of garbage collection: drops unneeded records after their lifetime, in slices that block no frame. */
import type { Clock } from '../clock.ts';
import { isNoStore, UNWRITTEN } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { GC_AGE } from './flags.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { Failure } from './Result.ts';
import { ageOf, GcCycle } from './GcCycle.ts';
import type { RequestRoots, GcTable, GcHeap, GcWork } from './GcCycle.ts';

// ms; a frame has 16, and the engine's own work (compiling, collecting) comes on top
const SLICE = 2;
const PAUSE = 16;
// added to the period of cycles that the lifetime of a single request sets, to limit their frequency; ms
const SECOND = 1_000;
// the maximal number of units of work in one slice, in case the clock does not advance
const MOST = 500;
// cycles per `sweepAfter`, and the number of record ages that `maxEntities` distinguishes
const CYCLES = 4;
const AGES = 16;
// flags contain the age, and stay small integers
const LAST_AGE = 262_144;
// the longest delay of a timer, ms
const LONGEST = 2_147_483_647;
const FIVE_MINUTES = 300_000;

/** Options of garbage collection. */
export interface GcOptions {
  /**
   * Milliseconds that unused data stay in memory, counted from the last read, write or request, or from their expiry
   * if that is later. They are dropped within a quarter of this time after. Default 300,000; Infinity: never.
   */
  readonly sweepAfter?: number | undefined;
  /**
   * If more entities than this are stored, unused entities are dropped before their time, the least recently used
   * first, and so are unused results of requests. Default: no limit.
   */
  readonly maxEntities?: number | undefined;
}

/** Dependencies of the garbage collector. */
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
  /** Lifetimes set by endpoints, ms: of their results, and of the parts of results that were dropped. */
  readonly #own = new WeakMap<StoreRecord, number>();
  #longest: number;
  #period: number;
  #timer: unknown;
  #round: GcCycle | undefined;
  #work: GcWork | undefined;
  /** Grows with each cycle. A used record is stamped with the age, so that a use does not read the clock. */
  #age = 1;
  /** Wall time at which each age ended, for the ages that still matter; Infinity: the present age. */
  readonly #ended = new Map<number, number>();
  #births = 0;
  /** With more entities than this, a cycle starts at once. */
  #limit: number;
  /** Wall time at the start of this slice. */
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

  /** The record of a name. The lookup counts as a use. */
  find<R extends StoreRecord>(shelf: GcTable<R>, name: string): R | undefined {
    const record = shelf.records.get(name);
    if (record !== undefined) record.flags = (record.flags & (GC_AGE - 1)) | (this.#age * GC_AGE);
    return record;
  }

  /** Registers a record that was just created. */
  track<R extends StoreRecord>(record: R): R {
    this.#timer ??= this.#wait(this.#period);
    if (++this.#births > this.#most / AGES) this.#grow();
    return this.touch(record);
  }

  /** Sets the lifetime of one result: `ms` from its last use, instead of the controller's `sweepAfter`. */
  limit(result: StoreRecord, ms: number | undefined): void {
    if (ms === undefined) return;
    this.#own.set(result, ms);
    this.#longest = Math.max(this.#longest, ms);
    const period = ms / CYCLES + SECOND;
    if (period < this.#period) {
      this.#period = period;
      // a running cycle starts over
      this.#rest();
    }
  }

  /** Marks a record as used now. */
  touch<R extends StoreRecord>(record: R): R {
    record.flags = (record.flags & (GC_AGE - 1)) | (this.#age * GC_AGE);
    return record;
  }

  /** Must be called after each commit: with too many entities, the next cycle starts at once. */
  checkLimit(): void {
    if (this.#limit === Infinity || this.#round !== undefined) return;
    if (this.#stock.entities <= this.#limit) return;
    this.#clock.clear(this.#timer);
    this.#timer = this.#wait(0);
  }

  /** Drops all unneeded records now, whatever their age. Returns the number of records left. */
  now(): number {
    const work = this.#begin(true);
    this.#look();
    for (const _ of work);
    this.#rest();
    return this.#size;
  }

  /** Stops the timer until the next record is created. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** Must be called after the store was emptied. */
  onCleared(): void {
    if (this.#size === 0) this.#rest();
  }

  /** Ends the cycle. */
  #rest(): void {
    this.stop();
    this.#round = this.#work = undefined;
    if (this.#size > 0) this.#timer = this.#wait(this.#period);
    const { entities } = this.#stock;
    // needed entities above the maximum are not scanned again for each new entity
    this.#limit = entities <= this.#most ? this.#most : entities + this.#most / AGES;
  }

  get #size(): number {
    let size = 0;
    for (const { records } of this.#stock.gcTables()) size += records.size;
    return size;
  }

  /** The timer refers to the collector weakly, so that an abandoned store does not stay in memory. */
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

  /** Reads the clock and the roots again: the program has run since the last slice. */
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
      // parts used only by a short-lived result are dropped soon after it
      leave: (record, part) => {
        part.removeParent(record);
        this.limit(part, this.#own.get(record));
      },
      // leaves some room for new entities
      room: entities > this.#most ? Math.ceil(this.#most * (1 - 1 / AGES)) : Infinity,
    });
    return this.#round.run();
  }

  /** True if the record was used recently, or is fresh. */
  #isYoung(record: StoreRecord): boolean {
    if (isNoStore(stampIn(record))) return false;
    const used = this.#ended.get(ageOf(record)) ?? 0;
    return this.#now < Math.max(used, expiryOf(record)) + (this.#own.get(record) ?? this.#after);
  }

  /** Begins a new age: records used from now on are younger than all records used before. */
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

/** Wall time, ms, until which the data or the failure of a record are fresh. */
function expiryOf(record: StoreRecord): number {
  const { failure } = record as { readonly failure?: Failure };
  return Math.max(stampIn(record).expiresAt, failure?.expiresAt ?? 0);
}

function stampIn(record: StoreRecord): Stamp {
  return (record as { readonly stamp?: Stamp }).stamp ?? UNWRITTEN;
}
