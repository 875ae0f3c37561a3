/** Records written by responses that must not be kept; all other data of these records are not kept either. */
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import type { MapRecord } from '../store/lists/MapRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';

export class UnpersistableRecords {
  readonly #times = new WeakMap<StoreRecord, number>();

  /** A response of this logical time has written the record. */
  add(record: StoreRecord, time: number): void {
    this.#times.set(record, Math.max(time, this.#times.get(record) ?? 0));
  }

  /** True until all parts of the record came again, by responses that may be kept. */
  has(record: StoreRecord): boolean {
    const time = this.#times.get(record);
    return time !== undefined && oldestIn(record) <= time;
  }
}

/** The logical time of the oldest part. */
function oldestIn(record: StoreRecord): number {
  if (!(record instanceof EntityRecord)) return (record as ListRecord | MapRecord).stamp.time;
  const { time, times } = record.versions;
  return Math.min(time, ...Object.values(times ?? {}));
}
