/** When records were used last, and how long they stay in memory unused. */
import { LOWEST_GC_EPOCH_BIT } from '../records/flags.ts';
import type { Failure } from '../results/Result.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { isNoStore, UNWRITTEN_STAMP } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';

// flags contain the epoch, and stay small integers
const MAX_EPOCH = 262_144;

/** Records by name. `tryEvict` drops a record and returns true, or returns false if the record must stay. */
export interface GcTable<R extends StoreRecord = StoreRecord> {
  readonly records: ReadonlyMap<string, R>;
  tryEvict(name: string): boolean;
}

export class RecordAges {
  /** Lifetimes set by endpoints, ms: of their results, and of the parts of results that were dropped. */
  protected readonly lifetimes: WeakMap<StoreRecord, number> = new WeakMap();
  /** A used record is stamped with the epoch, so that a use does not read the clock. */
  #currentEpoch = 1;
  /** Wall time at which each epoch ended; the current epoch has not ended. */
  readonly #epochEndTimes: number[] = [0];
  /** The number of records that were created in this epoch. */
  protected newRecordCount = 0;

  /** Loads a record that a table does not have: see `Store.provide`. True if records were loaded. */
  loadMissing: ((table: GcTable, name: string) => boolean) | undefined;

  /** The record of a name. The lookup counts as a use. */
  findAndMarkUsed<R extends StoreRecord>(table: GcTable<R>, name: string): R | undefined {
    let record = table.records.get(name);
    if (record === undefined && this.loadMissing?.(table, name)) record = table.records.get(name);
    return record === undefined ? undefined : this.markUsed(record);
  }

  /** Marks a record as used now. */
  markUsed<R extends StoreRecord>(record: R): R {
    record.flags =
      (record.flags & (LOWEST_GC_EPOCH_BIT - 1)) | (this.#currentEpoch * LOWEST_GC_EPOCH_BIT);
    return record;
  }

  /** Begins a new epoch: records used from now on are younger than all records used before. */
  protected beginEpoch(now: number): void {
    this.newRecordCount = 0;
    this.#epochEndTimes[this.#currentEpoch] = now;
    this.#currentEpoch = (this.#currentEpoch + 1) % MAX_EPOCH;
    this.#epochEndTimes[this.#currentEpoch] = Infinity;
  }

  /** True if a record was used recently, or if its data or its failure are fresh. `lifetime`: of most records, ms. */
  protected isYoung(record: StoreRecord, now: number, lifetime: number): boolean {
    const { stamp = UNWRITTEN_STAMP, failure } = record as { stamp?: Stamp; failure?: Failure };
    if (isNoStore(stamp)) return false;
    const used = this.#epochEndTimes[lastUsedEpoch(record)] ?? 0;
    const since = Math.max(used, stamp.expiresAt, failure?.expiresAt ?? 0);
    return now < since + (this.lifetimes.get(record) ?? lifetime);
  }
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
