/** Garbage collection: drops unneeded records after their lifetime, in slices that block no frame. */
import type { Clock } from '../../clock.ts';
import type { EntityContent } from '../entities/EntityContent.ts';
import { EntityRecord } from '../entities/EntityRecord.ts';
import { lastLogTimes } from '../lists/MembershipLog.ts';
import { LOWEST_GC_EPOCH_BIT } from '../records/StoreRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { eachRecord } from '../records/eachRecord.ts';
import { UNWRITTEN_STAMP, isNoStore } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { Failure } from '../results/Result.ts';

export interface GcOptions {
  /**
   * Milliseconds that unused data stay in memory, counted from the last read, write or request, or from a later
   * expiry. After that, unused data are dropped within a quarter of this time. Default 300,000; Infinity: never.
   */
  readonly sweepAfter?: number | undefined;
  /**
   * If more entities than this are stored, unused entities are dropped before their time, the least recently used
   * first, and so are unused results of requests. Default: no limit.
   */
  readonly maxEntities?: number | undefined;
}

export interface RequestsInFlight {
  /** Logical time at which the oldest request in flight was issued. */
  oldestIssued(): number;
  /** By key. */
  readonly reads: ReadonlyMap<string, unknown>;
  /** A push of this content is about to be written. */
  notePush(record: EntityRecord, stamp: Stamp, pushed: EntityContent): void;
}

/** Dependencies of the garbage collector. */
export interface GcDeps extends GcOptions {
  readonly clock: Clock;
  readonly inflight: RequestsInFlight;
}

/*
 *   result ──► list ──► row ──► author     A record is needed while observed, recently used or fresh, and while a
 *     ▲          ▲       ▲        │        record above is. Links are exact, so the search goes upward, record by
 *     └──────────┴───────┴────────┘        record, and no state has to be kept between slices.
 *
 * If a record is unneeded, all records visited above are unneeded as well, and all are dropped together.
 */

// ms; a frame has 16, and the engine's own work (compiling, collecting) comes on top
const SLICE_MS = 2;
const PAUSE_MS = 16;
// records between two looks at the clock, and the maximal number of these looks in a slice
const RECORDS_PER_STEP = 32;
const MAX_STEPS_PER_SLICE = 500;
// added to the period of cycles that the lifetime of a single request sets, to limit their frequency; ms
const MIN_PERIOD = 1_000;
// cycles per `sweepAfter`, and the number of epochs that `maxEntities` distinguishes
const CYCLES_PER_LIFETIME = 4;
const DISTINCT_EPOCHS = 16;
const DEFAULT_LIFETIME = 300_000;

interface GcHeap {
  gcTables(): Iterable<GcTable>;
  /** The table of a record; undefined for a record that is kept by another record. */
  gcTableOf(record: StoreRecord): GcTable | undefined;
  /** Records that optimistic writes change, or were computed from. */
  readonly layers: { gcRoots(): ReadonlySet<StoreRecord> };
  /** The number of stored entities. */
  readonly entityCount: number;
}

// between two steps the program may run
type GcSteps = Generator<undefined, void>;

// flags contain the epoch, and stay small integers
const MAX_EPOCH = 262_144;

/**
 * Records by name. `tryEvict` drops a record and returns true, or returns false if the record must stay. A reset may have
 * removed the record from the table already.
 */
export interface GcTable<R extends StoreRecord = StoreRecord> {
  readonly records: ReadonlyMap<string, R>;
  tryEvict(name: string, record: R): boolean;
}

/** The epoch in which the record was used that was used last: a number that grows with time. */
export function latestEpoch(records: Iterable<StoreRecord>): number {
  let latest = 0;
  for (const record of records) latest = Math.max(latest, lastUsedEpoch(record));
  return latest;
}

function lastUsedEpoch(record: StoreRecord): number {
  return Math.floor(record.flags / LOWEST_GC_EPOCH_BIT);
}

export class GarbageCollector {
  /** Lifetimes set by endpoints, ms: of their results, and of the parts of results that were dropped. */
  readonly #lifetimes: WeakMap<StoreRecord, number> = new WeakMap();
  /** A used record is stamped with the epoch, so that a use does not read the clock. */
  #currentEpoch = 1;
  /** Wall time at which each epoch ended; the current epoch has not ended. */
  readonly #epochEndTimes: number[] = [0];
  /** The number of records that were created in this epoch. */
  #newRecordCount = 0;
  /** Loads a record that a table does not have: see `Store.provide`. True if records were loaded. */
  loadMissing: ((table: GcTable, name: string) => boolean) | undefined;
  readonly #heap: GcHeap;
  readonly #inflight: RequestsInFlight;
  readonly #clock: Clock;
  readonly #sweepAfter: number;
  readonly #maxEntities: number;
  #period: number;
  #timer: unknown;
  /** The running cycle. */
  #steps: GcSteps | undefined;
  /** With more entities than this, a cycle starts at once. */
  #entityLimit: number;
  // as of this slice: the wall time, the roots of the layers, and the logical time of the oldest request in flight
  #sliceStart = 0;
  #layerRoots: ReadonlySet<StoreRecord> = new Set();
  #oldestIssued = 0;
  /** Drops the unneeded records. `keepsYoung`: only records that are not young. */
  *#runCycle(keepsYoung: boolean): GcSteps {
    this.#beginEpoch();
    const isOverLimit = this.#heap.entityCount > this.#maxEntities;
    const needed = new Set<StoreRecord>();
    yield* this.#visitAll((record, table) => {
      record.pruneHistory?.(this.#oldestIssued);
      this.#evict(this.#findUnneeded(record, needed, keepsYoung), table);
    });
    if (isOverLimit) yield* this.#evictOverLimit();
  }
  *#visitAll(visit: (record: StoreRecord, table: GcTable) => void): GcSteps {
    let count = 0;
    for (const table of this.#heap.gcTables())
      for (const record of table.records.values()) {
        visit(record, table);
        if (++count % RECORDS_PER_STEP === 0) yield;
      }
  }
  /** Drops the least recently used entities, with the records made of them. */
  *#evictOverLimit(): GcSteps {
    const needed = new Set<StoreRecord>();
    const candidates: (readonly [epoch: number, record: StoreRecord])[] = [];
    yield* this.#visitAll((record) => {
      if (!(record instanceof EntityRecord)) return;
      const unneeded = this.#findUnneeded(record, needed, false);
      if (unneeded) candidates.push([latestEpoch(unneeded), record]);
    });
    // leaves some room for new entities
    const limit = Math.ceil(this.#maxEntities * (1 - 1 / DISTINCT_EPOCHS));
    for (const [epoch, record] of candidates.sort(([one], [other]) => one - other)) {
      if (this.#heap.entityCount <= limit) return;
      const unneeded = this.#findUnneeded(record, new Set(), false);
      // an entity used since stays
      if (unneeded && latestEpoch(unneeded) <= epoch) this.#evict(unneeded);
      yield;
    }
  }

  constructor(heap: GcHeap, deps: GcDeps) {
    const { clock, inflight, sweepAfter = DEFAULT_LIFETIME, maxEntities = Infinity } = deps;
    this.#clock = clock;
    this.#sweepAfter = sweepAfter;
    this.#heap = heap;
    this.#inflight = inflight;
    this.#period = Math.max(sweepAfter / CYCLES_PER_LIFETIME, PAUSE_MS);
    this.#maxEntities = this.#entityLimit = maxEntities;
  }

  /** Registers a record that was just created. */
  track<R extends StoreRecord>(record: R): R {
    if (this.#timer === undefined) this.#schedule(this.#period);
    if (++this.#newRecordCount > this.#maxEntities / DISTINCT_EPOCHS) this.#beginEpoch();
    return this.markUsed(record);
  }

  /** Sets the lifetime of a result, instead of the controller's `sweepAfter`. A running cycle may start over. */
  setLifetime(result: StoreRecord, ms: number | undefined): void {
    if (ms === undefined) return;
    this.#lifetimes.set(result, ms);
    const period = ms / CYCLES_PER_LIFETIME + MIN_PERIOD;
    if (period >= this.#period) return;
    this.#period = period;
    this.endCycle();
  }

  /** Must be called after each commit: with too many entities, the next cycle starts at once. */
  checkLimit(): void {
    if (this.#entityLimit === Infinity || this.#steps) return;
    if (this.#heap.entityCount <= this.#entityLimit) return;
    this.stop();
    this.#schedule(0);
  }

  /** Drops all unneeded records now, whatever their age, and returns the number of records left. */
  sweepNow(): number {
    this.#beginSlice();
    for (const _ of this.#runCycle(false));
    this.endCycle();
    return this.#recordCount;
  }

  /** Stops the timer until the next record is created. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the running cycle; the next begins after a period. Also called after the store was emptied. */
  endCycle(): void {
    this.stop();
    this.#steps = undefined;
    if (this.#recordCount > 0) this.#schedule(this.#period);
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

  /** Must not be called while the timer runs, which refers to the collector weakly: an abandoned store may be freed. */
  #schedule(ms: number): void {
    const self = new WeakRef(this);
    if (ms < Infinity) this.#timer = this.#clock.after(ms, () => self.deref()?.runSlice());
  }

  /** Called by the timer: runs a part of the cycle. */
  runSlice(): void {
    const steps = (this.#steps ??= this.#runCycle(true));
    this.#beginSlice();
    for (let count = 1; count < MAX_STEPS_PER_SLICE; count++) {
      if (steps.next().done) return this.endCycle();
      if (this.#clock.now() >= this.#sliceStart + SLICE_MS) break;
    }
    this.#schedule(PAUSE_MS);
  }

  /** Reads the surroundings again: the program has run since the last slice. */
  #beginSlice(): void {
    this.#oldestIssued = this.#inflight.oldestIssued();
    this.#sliceStart = this.#clock.now();
    this.#layerRoots = this.#heap.layers.gcRoots();
  }

  /** A record and all records above, if all are unneeded. `needed`: records found needed in this cycle. */
  #findUnneeded(
    record: StoreRecord,
    needed: Set<StoreRecord>,
    keepsYoung: boolean,
  ): ReadonlySet<StoreRecord> | undefined {
    const records = new Set([record]);
    // the iteration of a Set includes members added meanwhile
    for (const one of records) {
      if (needed.has(one) || this.#isNeeded(one, keepsYoung)) {
        needed.add(one).add(record);
        return undefined;
      }
      for (const parent of one.allParents) if (parent.includesPart(one)) records.add(parent);
    }
    return records;
  }

  #isNeeded(record: StoreRecord, keepsYoung: boolean): boolean {
    if (record.isRetained) return true;
    // the readers are gone
    record.cell = record.observers = undefined;
    if (this.#layerRoots.has(record)) return true;
    if (keepsYoung && this.#isYoung(record)) return true;
    // the response to an older request in flight must find the newer data of this record
    const latest = Math.max(record.latestTime, lastLogTimes.get(record) ?? 0);
    return this.#oldestIssued < latest || this.#inflight.reads.has(record.pk);
  }

  /** `first`: the table of the first record. */
  #evict(records: Iterable<StoreRecord> = [], first?: GcTable): void {
    let table = first;
    for (const record of records) {
      table ??= this.#heap.gcTableOf(record);
      if (table?.tryEvict(record.pk, record))
        eachRecord(record.gcEdges(), (part) => {
          part.removeParent(record);
          // parts used only by a short-lived result are dropped soon after this result
          this.setLifetime(part, this.#lifetimes.get(record));
        });
      table = undefined;
    }
  }

  /** The record of a name. The lookup counts as a use. */
  findAndMarkUsed<R extends StoreRecord>(table: GcTable<R>, name: string): R | undefined {
    let record = table.records.get(name);
    if (record === undefined && this.loadMissing?.(table, name)) record = table.records.get(name);
    // `markUsed`, written out for each entity of a response
    if (record)
      record.flags =
        (record.flags & (LOWEST_GC_EPOCH_BIT - 1)) | (this.#currentEpoch * LOWEST_GC_EPOCH_BIT);
    return record;
  }

  /** Marks a record as used now. */
  markUsed<R extends StoreRecord>(record: R): R {
    record.flags =
      (record.flags & (LOWEST_GC_EPOCH_BIT - 1)) | (this.#currentEpoch * LOWEST_GC_EPOCH_BIT);
    return record;
  }

  /** Begins a new epoch: records used from now on are younger than all records used before. */
  #beginEpoch(): void {
    this.#newRecordCount = 0;
    this.#epochEndTimes[this.#currentEpoch] = this.#clock.now();
    this.#currentEpoch = (this.#currentEpoch + 1) % MAX_EPOCH;
    this.#epochEndTimes[this.#currentEpoch] = Infinity;
  }

  /** True if a record was used recently, or if the data or the failure are fresh. */
  #isYoung(record: StoreRecord): boolean {
    const { stamp = UNWRITTEN_STAMP, failure } = record as { stamp?: Stamp; failure?: Failure };
    if (isNoStore(stamp)) return false;
    const used = this.#epochEndTimes[lastUsedEpoch(record)] ?? 0;
    const since = Math.max(used, stamp.expiresAt, failure?.expiresAt ?? 0);
    return this.#sliceStart < since + (this.#lifetimes.get(record) ?? this.#sweepAfter);
  }
}
