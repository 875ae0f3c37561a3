/** Reads entities that are deleted as they were before; all other records as readers see them. */
import { INVALID } from '../schema/schema.ts';
import type { Ref, StoredKind } from '../schema/schema.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { copyAsOf, equalsCopyAsOf } from './LayerReadView.ts';
import { pendingOf } from './PendingEntity.ts';
import type { Builder, StoreRecord } from '../store/records/StoreRecord.ts';

/** A record that was read, and its value. `copy`: of a deleted entity, read in its place. */
interface Seen {
  readonly copy: StoreRecord | undefined;
  readonly value: unknown;
}

export class BeforeDeletion implements Builder {
  readonly hasImmutableValues = true;
  readonly #builder: Builder;
  readonly #seen = new Map<StoreRecord, Seen>();

  /** `deleted`: a deleted entity, and a copy of the entity as it was before. */
  constructor(now: Builder, deleted?: StoreRecord, copy?: StoreRecord) {
    this.#builder = now;
    if (deleted && copy) this.#read(deleted, copy);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#builder.ref(kind, pk);
  }

  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#builder.findByField(kind, field, value);
  }

  read(record: StoreRecord): unknown {
    return this.value(record);
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    const known = this.#seen.get(record);
    if (known !== undefined) return known.value;
    const value = this.#builder.read(record);
    if (value === INVALID && record.deletionIssued !== undefined)
      return this.#read(record, copyAsOf(record, deletedAt(record)));
    this.#seen.set(record, { copy: undefined, value });
    return value;
  }

  #read(record: StoreRecord, copy: StoreRecord): unknown {
    // in a cycle the copy returns its unfinished instance
    const value = (copy === record ? INVALID : copy.current(this)) ?? INVALID;
    this.#seen.set(record, { copy, value });
    return value;
  }

  /** True if all records that were read have the same values now. */
  isCurrent(): boolean {
    for (const [record, { copy, value }] of this.#seen) {
      const isHidden = copy !== undefined && record.deletionIssued !== undefined;
      if (isHidden ? !equalsCopyAsOf(record, deletedAt(record), copy) : copy) return false;
      if (!copy && this.#builder.read(record) !== value) return false;
    }
    return true;
  }
}

/** The logical time at which the first deletion was issued that is not confirmed. */
function deletedAt(record: StoreRecord): number {
  return (record instanceof EntityRecord && pendingOf(record)?.deletionTimes[0]) || 0;
}
