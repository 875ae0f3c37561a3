/** The schedule of garbage collection: drops unneeded records after their lifetime, in slices that block no frame. */
import type { Clock } from '../clock.ts';
import { isNoStore, UNWRITTEN_STAMP } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { LOWEST_GC_EPOCH_BIT } from './flags.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { Failure } from './Result.ts';
import { lastUsedEpoch, GcCycle } from './GcCycle.ts';
import type { RequestsInFlight, GcTable, GcHeap, GcWork } from './GcCycle.ts';

// ms; a frame has 16, and the engine's own work (compiling, collecting) comes on top
const SLICE_MS = 2;
const PAUSE_MS = 16;
// added to the period of cycles that the lifetime of a single request sets, to limit their frequency; ms
const MIN_PERIOD = 1_000;
// the maximal number of units of work in one slice, in case the clock does not advance
const MAX_STEPS_PER_SLICE = 500;
// cycles per `sweepAfter`, and the number of epochs that `maxEntities` distinguishes
const CYCLES_PER_LIFETIME = 4;
const DISTINCT_EPOCHS = 16;
// flags contain the epoch, and stay small integers
const MAX_EPOCH = 262_144;
// the longest delay of a timer, ms
const MAX_TIMER_DELAY = 2_147_483_647;
const DEFAULT_LIFETIME = 300_000;

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
  readonly inflight: RequestsInFlight;
}

export class GarbageCollector {
  readonly #heap: GcHeap;
  readonly #inflight: RequestsInFlight;
  readonly #clock: Clock;
  readonly #sweepAfter: number;
  readonly #maxEntities: number;
  /** Lifetimes set by endpoints, ms: of their results, and of the parts of results that were dropped. */
  readonly #lifetimeByRecord = new WeakMap<StoreRecord, number>();
  #longestLifetime: number;
  #period: number;
  #timer: unknown;
  #cycle: GcCycle | undefined;
  #cycleSteps: GcWork | undefined;
  /** Grows with each cycle. A used record is stamped with the epoch, so that a use does not read the clock. */
  #currentEpoch = 1;
  /** Wall time at which each epoch ended, for the epochs that still matter; Infinity: the current epoch. */
  readonly #epochEndTimes = new Map<number, number>();
  #newRecordCount = 0;
  /** With more entities than this, a cycle starts at once. */
  #entityLimit: number;
  /** Wall time at the start of this slice. */
  #sliceStart = 0;

  constructor(heap: GcHeap, deps: GcDeps) {
    const { clock, inflight, sweepAfter = DEFAULT_LIFETIME, maxEntities = Infinity } = deps;
    this.#heap = heap;
    this.#inflight = inflight;
    this.#clock = clock;
    this.#sweepAfter = this.#longestLifetime = sweepAfter;
    this.#period = Math.max(sweepAfter / CYCLES_PER_LIFETIME, PAUSE_MS);
    this.#maxEntities = maxEntities;
    this.#entityLimit = maxEntities;
  }

  /** The record of a name. The lookup counts as a use. */
  findAndMarkUsed<R extends StoreRecord>(table: GcTable<R>, name: string): R | undefined {
    const record = table.records.get(name);
    if (record !== undefined)
      record.flags =
        (record.flags & (LOWEST_GC_EPOCH_BIT - 1)) | (this.#currentEpoch * LOWEST_GC_EPOCH_BIT);
    return record;
  }

  /** Registers a record that was just created. */
  track<R extends StoreRecord>(record: R): R {
    this.#timer ??= this.#schedule(this.#period);
    if (++this.#newRecordCount > this.#maxEntities / DISTINCT_EPOCHS) this.#beginEpoch();
    return this.markUsed(record);
  }

  /** Sets the lifetime of one result: `ms` from its last use, instead of the controller's `sweepAfter`. */
  setLifetime(result: StoreRecord, ms: number | undefined): void {
    if (ms === undefined) return;
    this.#lifetimeByRecord.set(result, ms);
    this.#longestLifetime = Math.max(this.#longestLifetime, ms);
    const period = ms / CYCLES_PER_LIFETIME + MIN_PERIOD;
    if (period < this.#period) {
      this.#period = period;
      // a running cycle starts over
      this.#endCycle();
    }
  }

  /** Marks a record as used now. */
  markUsed<R extends StoreRecord>(record: R): R {
    record.flags =
      (record.flags & (LOWEST_GC_EPOCH_BIT - 1)) | (this.#currentEpoch * LOWEST_GC_EPOCH_BIT);
    return record;
  }

  /** Must be called after each commit: with too many entities, the next cycle starts at once. */
  checkLimit(): void {
    if (this.#entityLimit === Infinity || this.#cycle !== undefined) return;
    if (this.#heap.entityCount <= this.#entityLimit) return;
    this.#clock.clear(this.#timer);
    this.#timer = this.#schedule(0);
  }

  /** Drops all unneeded records now, whatever their age. Returns the number of records left. */
  sweepNow(): number {
    const work = this.#beginCycle(true);
    this.#beginSlice();
    for (const _ of work);
    this.#endCycle();
    return this.#recordCount;
  }

  /** Stops the timer until the next record is created. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** Must be called after the store was emptied. */
  onCleared(): void {
    if (this.#recordCount === 0) this.#endCycle();
  }

  /** Ends the cycle. */
  #endCycle(): void {
    this.stop();
    this.#cycle = this.#cycleSteps = undefined;
    if (this.#recordCount > 0) this.#timer = this.#schedule(this.#period);
    const { entityCount } = this.#heap;
    // needed entities above the maximum are not scanned again for each new entity
    this.#entityLimit =
      entityCount <= this.#maxEntities
        ? this.#maxEntities
        : entityCount + this.#maxEntities / DISTINCT_EPOCHS;
  }

  get #recordCount(): number {
    let size = 0;
    for (const { records } of this.#heap.gcTables()) size += records.size;
    return size;
  }

  /** The timer refers to the collector weakly, so that an abandoned store does not stay in memory. */
  #schedule(ms: number): unknown {
    if (ms === Infinity) return undefined;
    const self = new WeakRef(this);
    return this.#clock.after(Math.min(ms, MAX_TIMER_DELAY), () => {
      const sweep = self.deref();
      if (sweep !== undefined) sweep.#runSlice();
    });
  }

  #runSlice(): void {
    const clock = this.#clock;
    const work = (this.#cycleSteps ??= this.#beginCycle(false));
    const until = this.#beginSlice() + SLICE_MS;
    for (let units = 1; units < MAX_STEPS_PER_SLICE; units++) {
      if (work.next().done === true) return this.#endCycle();
      if (clock.now() >= until) break;
    }
    this.#timer = this.#schedule(PAUSE_MS);
  }

  /** Reads the clock and the roots again: the program has run since the last slice. */
  #beginSlice(): number {
    const { layers } = this.#heap;
    if (this.#cycle !== undefined) this.#cycle.layerRoots = layers.gcRoots();
    return (this.#sliceStart = this.#clock.now());
  }

  #beginCycle(atOnce: boolean): GcWork {
    this.#beginEpoch();
    const { entityCount } = this.#heap;
    this.#cycle = new GcCycle({
      heap: this.#heap,
      inflight: this.#inflight,
      isYoung: (record) => !atOnce && this.#isYoung(record),
      // parts used only by a short-lived result are dropped soon after it
      unlinkPart: (record, part) => {
        part.removeParent(record);
        this.setLifetime(part, this.#lifetimeByRecord.get(record));
      },
      // leaves some room for new entities
      entityLimit:
        entityCount > this.#maxEntities
          ? Math.ceil(this.#maxEntities * (1 - 1 / DISTINCT_EPOCHS))
          : Infinity,
    });
    return this.#cycle.run();
  }

  /** True if the record was used recently, or is fresh. */
  #isYoung(record: StoreRecord): boolean {
    if (isNoStore(stampOf(record))) return false;
    const used = this.#epochEndTimes.get(lastUsedEpoch(record)) ?? 0;
    return (
      this.#sliceStart <
      Math.max(used, freshUntil(record)) + (this.#lifetimeByRecord.get(record) ?? this.#sweepAfter)
    );
  }

  /** Begins a new epoch: records used from now on are younger than all records used before. */
  #beginEpoch(): void {
    const now = this.#clock.now();
    this.#newRecordCount = 0;
    this.#epochEndTimes.set(this.#currentEpoch, now);
    this.#currentEpoch = (this.#currentEpoch + 1) % MAX_EPOCH;
    this.#epochEndTimes.set(this.#currentEpoch, Infinity);
    for (const [epoch, ended] of this.#epochEndTimes) {
      if (ended + this.#longestLifetime > now) return;
      this.#epochEndTimes.delete(epoch);
    }
  }
}

/** Wall time, ms, until which the data or the failure of a record are fresh. */
function freshUntil(record: StoreRecord): number {
  const { failure } = record as { readonly failure?: Failure };
  return Math.max(stampOf(record).expiresAt, failure?.expiresAt ?? 0);
}

function stampOf(record: StoreRecord): Stamp {
  return (record as { readonly stamp?: Stamp }).stamp ?? UNWRITTEN_STAMP;
}
