/** One garbage collection cycle: the search for unneeded records, in units of work between which the program runs. */
import { eachRecord } from './eachRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { LOWEST_GC_EPOCH_BIT } from './flags.ts';
import { lastLogTimes } from './MembershipLog.ts';
import type { StoreRecord } from './StoreRecord.ts';

/*
 *   result ──► list ──► row ──► author     A record is needed while it, or a record made of it, is observed, was used
 *     ▲          ▲       ▲        │        recently or is fresh. Links are exact, so the search goes upward, record by
 *     └──────────┴───────┴────────┘        record, and no state has to be kept between slices.
 *
 * If a record is unneeded, all records visited above it are unneeded as well. All are dropped together.
 */

// records per unit of work
const RECORDS_PER_STEP = 32;

/** Records by name. `tryEvict` drops a record and returns true, or returns false if the record must stay. */
export interface GcTable<R extends StoreRecord = StoreRecord> {
  readonly records: ReadonlyMap<string, R>;
  tryEvict(name: string): boolean;
}

export interface RequestsInFlight {
  /** Logical time at which the oldest request in flight was issued. */
  oldestIssued(): number;
  has(key: string): boolean;
}

/** The store as the collector sees it. */
export interface GcHeap {
  gcTables(): Iterable<GcTable>;
  /** The table of a record; undefined for a record that is kept by another record. */
  gcTableOf(record: StoreRecord): GcTable | undefined;
  /** Records that optimistic writes change, or were computed from. */
  readonly layers: { gcRoots(): ReadonlySet<StoreRecord> };
  /** The number of stored entities. */
  readonly entityCount: number;
}

/** Dependencies of a cycle. */
export interface GcPolicy {
  readonly heap: GcHeap;
  readonly inflight: RequestsInFlight;
  /** True for an unobserved record before the end of its lifetime. */
  isYoung(record: StoreRecord): boolean;
  /** `record` was dropped: `part` is no longer a part of the record. */
  unlinkPart(record: StoreRecord, part: StoreRecord): void;
  /** The maximal number of entities to keep; Infinity: entities are dropped by age alone. */
  readonly entityLimit: number;
}

export type GcWork = Generator<undefined, void>;

export class GcCycle {
  readonly #policy: GcPolicy;
  /** The roots of the layers as of this slice. */
  layerRoots: ReadonlySet<StoreRecord> = new Set();

  constructor(policy: GcPolicy) {
    this.#policy = policy;
  }

  *run(): GcWork {
    const needed = new Set<StoreRecord>();
    const mustStay = (record: StoreRecord) =>
      this.#isNeeded(record) || this.#policy.isYoung(record);
    for (const one of this.#allRecords()) {
      if (one === undefined) yield;
      else this.#evictRecords(this.#findUnneeded(one.record, mustStay, needed), one.table);
    }
    if (this.#policy.entityLimit < Infinity) yield* this.#evictOverLimit();
  }

  /** Yields all records, and at times undefined, where a slice may end. */
  *#allRecords(): Generator<{ readonly record: StoreRecord; readonly table: GcTable } | undefined> {
    const { heap, inflight } = this.#policy;
    const oldest = inflight.oldestIssued();
    let steps = 0;
    for (const table of heap.gcTables()) {
      for (const record of table.records.values()) {
        record.pruneHistory(oldest);
        yield { record, table };
        if (++steps % RECORDS_PER_STEP === 0) yield undefined;
      }
    }
  }

  /** Drops the least recently used entities, with the records made of them. */
  *#evictOverLimit(): GcWork {
    const { heap, entityLimit } = this.#policy;
    const mustStay = (record: StoreRecord) => this.#isNeeded(record);
    const needed = new Set<StoreRecord>();
    const candidates: (readonly [epoch: number, record: StoreRecord])[] = [];
    for (const one of this.#allRecords()) {
      const record = one?.record;
      if (record === undefined) yield;
      else if (record instanceof EntityRecord) {
        const unneeded = this.#findUnneeded(record, mustStay, needed);
        if (unneeded !== undefined) candidates.push([latestEpoch(unneeded), record]);
      }
    }
    for (const [epoch, record] of candidates.sort(([one], [other]) => one - other)) {
      if (heap.entityCount <= entityLimit) return;
      const records = this.#findUnneeded(record, mustStay, new Set());
      // an entity used since stays
      if (records !== undefined && latestEpoch(records) <= epoch) this.#evictRecords(records);
      yield;
    }
  }

  /** A record and all records made of it, if all are unneeded. `needed`: records found needed in this cycle. */
  #findUnneeded(
    record: StoreRecord,
    mustStay: (record: StoreRecord) => boolean,
    needed: Set<StoreRecord>,
  ): ReadonlySet<StoreRecord> | undefined {
    const records = new Set([record]);
    // the iteration of a Set includes members added meanwhile
    for (const one of records) {
      if (needed.has(one) || mustStay(one)) {
        needed.add(one).add(record);
        return undefined;
      }
      for (const parent of one.allParents) if (parent.includesPart(one)) records.add(parent);
    }
    return records;
  }

  #isNeeded(record: StoreRecord): boolean {
    if (record.isRetained) return true;
    // the readers are gone
    record.cell = undefined;
    record.observers = undefined;
    if (this.layerRoots.has(record)) return true;
    // the response to an older request in flight must find the newer data of this record
    const { inflight } = this.#policy;
    const oldest = inflight.oldestIssued();
    const latest = Math.max(record.latestTime, lastLogTimes.get(record) ?? 0);
    return oldest < latest || inflight.has(record.pk);
  }

  /** `first`: the table of the first record. */
  #evictRecords(records: ReadonlySet<StoreRecord> | undefined, first?: GcTable): void {
    let table = first;
    for (const record of records ?? []) {
      table ??= this.#policy.heap.gcTableOf(record);
      if (table?.tryEvict(record.pk) === true)
        eachRecord(record.gcEdges(), (part) => this.#policy.unlinkPart(record, part));
      table = undefined;
    }
  }
}

/** The epoch in which a record was last used: a number that grows with time. */
export function lastUsedEpoch(record: StoreRecord): number {
  return Math.floor(record.flags / LOWEST_GC_EPOCH_BIT);
}

function latestEpoch(records: Iterable<StoreRecord>): number {
  let latest = 0;
  for (const record of records) latest = Math.max(latest, lastUsedEpoch(record));
  return latest;
}
