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
  readonly requestRoots: RequestRoots;
}

export class GarbageCollector {
  readonly #heap: GcHeap;
  readonly #requestRoots: RequestRoots;
  readonly #clock: Clock;
  readonly #sweepAfter: number;
  readonly #maxEntities: number;
  /** Lifetimes set by endpoints, ms: of their results, and of the parts of results that were dropped. */
  readonly #lifetimes = new WeakMap<StoreRecord, number>();
  #longestLifetime: number;
  #period: number;
  #timer: unknown;
  #cycle: GcCycle | undefined;
  #cycleSteps: GcWork | undefined;
  /** Grows with each cycle. A used record is stamped with the age, so that a use does not read the clock. */
  #currentAge = 1;
  /** Wall time at which each age ended, for the ages that still matter; Infinity: the present age. */
  readonly #ageEnds = new Map<number, number>();
  #newRecords = 0;
  /** With more entities than this, a cycle starts at once. */
  #entityLimit: number;
  /** Wall time at the start of this slice. */
  #sliceStart = 0;

  constructor(stock: GcHeap, surroundings: GcDeps) {
    const { clock, requestRoots, sweepAfter = FIVE_MINUTES, maxEntities = Infinity } = surroundings;
    this.#heap = stock;
    this.#requestRoots = requestRoots;
    this.#clock = clock;
    this.#sweepAfter = this.#longestLifetime = sweepAfter;
    this.#period = Math.max(sweepAfter / CYCLES, PAUSE);
    this.#maxEntities = maxEntities;
    this.#entityLimit = maxEntities;
  }

  /** The record of a name. The lookup counts as a use. */
  find<R extends StoreRecord>(shelf: GcTable<R>, name: string): R | undefined {
    const record = shelf.records.get(name);
    if (record !== undefined)
      record.flags = (record.flags & (GC_AGE - 1)) | (this.#currentAge * GC_AGE);
    return record;
  }

  /** Registers a record that was just created. */
  track<R extends StoreRecord>(record: R): R {
    this.#timer ??= this.#schedule(this.#period);
    if (++this.#newRecords > this.#maxEntities / AGES) this.#beginAge();
    return this.markUsed(record);
  }

  /** Sets the lifetime of one result: `ms` from its last use, instead of the controller's `sweepAfter`. */
  setLifetime(result: StoreRecord, ms: number | undefined): void {
    if (ms === undefined) return;
    this.#lifetimes.set(result, ms);
    this.#longestLifetime = Math.max(this.#longestLifetime, ms);
    const period = ms / CYCLES + SECOND;
    if (period < this.#period) {
      this.#period = period;
      // a running cycle starts over
      this.#endCycle();
    }
  }

  /** Marks a record as used now. */
  markUsed<R extends StoreRecord>(record: R): R {
    record.flags = (record.flags & (GC_AGE - 1)) | (this.#currentAge * GC_AGE);
    return record;
  }

  /** Must be called after each commit: with too many entities, the next cycle starts at once. */
  checkLimit(): void {
    if (this.#entityLimit === Infinity || this.#cycle !== undefined) return;
    if (this.#heap.entities <= this.#entityLimit) return;
    this.#clock.clear(this.#timer);
    this.#timer = this.#schedule(0);
  }

  /** Drops all unneeded records now, whatever their age. Returns the number of records left. */
  sweepNow(): number {
    const work = this.#beginCycle(true);
    this.#refresh();
    for (const _ of work);
    this.#endCycle();
    return this.#size;
  }

  /** Stops the timer until the next record is created. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** Must be called after the store was emptied. */
  onCleared(): void {
    if (this.#size === 0) this.#endCycle();
  }

  /** Ends the cycle. */
  #endCycle(): void {
    this.stop();
    this.#cycle = this.#cycleSteps = undefined;
    if (this.#size > 0) this.#timer = this.#schedule(this.#period);
    const { entities } = this.#heap;
    // needed entities above the maximum are not scanned again for each new entity
    this.#entityLimit =
      entities <= this.#maxEntities ? this.#maxEntities : entities + this.#maxEntities / AGES;
  }

  get #size(): number {
    let size = 0;
    for (const { records } of this.#heap.gcTables()) size += records.size;
    return size;
  }

  /** The timer refers to the collector weakly, so that an abandoned store does not stay in memory. */
  #schedule(ms: number): unknown {
    if (ms === Infinity) return undefined;
    const self = new WeakRef(this);
    return this.#clock.after(Math.min(ms, LONGEST), () => {
      const sweep = self.deref();
      if (sweep !== undefined) sweep.#runSlice();
    });
  }

  #runSlice(): void {
    const clock = this.#clock;
    const work = (this.#cycleSteps ??= this.#beginCycle(false));
    const until = this.#refresh() + SLICE;
    for (let units = 1; units < MOST; units++) {
      if (work.next().done === true) return this.#endCycle();
      if (clock.now() >= until) break;
    }
    this.#timer = this.#schedule(PAUSE);
  }

  /** Reads the clock and the roots again: the program has run since the last slice. */
  #refresh(): number {
    const { layers } = this.#heap;
    if (this.#cycle !== undefined) this.#cycle.pinned = layers.gcRoots();
    return (this.#sliceStart = this.#clock.now());
  }

  #beginCycle(atOnce: boolean): GcWork {
    this.#beginAge();
    const { entities } = this.#heap;
    this.#cycle = new GcCycle({
      heap: this.#heap,
      requestRoots: this.#requestRoots,
      isYoung: (record) => !atOnce && this.#isYoung(record),
      // parts used only by a short-lived result are dropped soon after it
      onUnlink: (record, part) => {
        part.removeParent(record);
        this.setLifetime(part, this.#lifetimes.get(record));
      },
      // leaves some room for new entities
      entityLimit:
        entities > this.#maxEntities ? Math.ceil(this.#maxEntities * (1 - 1 / AGES)) : Infinity,
    });
    return this.#cycle.run();
  }

  /** True if the record was used recently, or is fresh. */
  #isYoung(record: StoreRecord): boolean {
    if (isNoStore(stampOf(record))) return false;
    const used = this.#ageEnds.get(ageOf(record)) ?? 0;
    return (
      this.#sliceStart <
      Math.max(used, expiryOf(record)) + (this.#lifetimes.get(record) ?? this.#sweepAfter)
    );
  }

  /** Begins a new age: records used from now on are younger than all records used before. */
  #beginAge(): void {
    const now = this.#clock.now();
    this.#newRecords = 0;
    this.#ageEnds.set(this.#currentAge, now);
    this.#currentAge = (this.#currentAge + 1) % LAST_AGE;
    this.#ageEnds.set(this.#currentAge, Infinity);
    for (const [age, ended] of this.#ageEnds) {
      if (ended + this.#longestLifetime > now) return;
      this.#ageEnds.delete(age);
    }
  }
}

/** Wall time, ms, until which the data or the failure of a record are fresh. */
function expiryOf(record: StoreRecord): number {
  const { failure } = record as { readonly failure?: Failure };
  return Math.max(stampOf(record).expiresAt, failure?.expiresAt ?? 0);
}

function stampOf(record: StoreRecord): Stamp {
  return (record as { readonly stamp?: Stamp }).stamp ?? UNWRITTEN;
}
