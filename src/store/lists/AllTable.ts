/** The one list of all entities of a table. */
import type { StoredKind } from '../../schema/schema.ts';
import { AllRecord } from './AllRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';

export class AllTable {
  readonly kind: StoredKind;
  lastOwnWriteTime = 0;
  readonly records: Map<string, AllRecord> = new Map();
  readonly #entityTable: EntityTable;

  constructor(kind: StoredKind, of: EntityTable) {
    this.kind = kind;
    this.#entityTable = of;
  }

  createRecord(pk: string): AllRecord {
    const record = new AllRecord(this.kind, this.#entityTable);
    this.#entityTable.allRecord = record;
    this.records.set(pk, record);
    return record;
  }

  /** Does nothing: an `AllRecord` left by a rejected draft reads the same as no record. */
  drop(): void {}

  tryEvict(pk: string): boolean {
    const all = this.#entityTable.allRecord as AllRecord;
    for (const record of this.#entityTable.records.values()) record.removeParent(all);
    this.#entityTable.allRecord = undefined;
    return this.records.delete(pk);
  }

  clear(): void {
    for (const record of this.records.values()) record.clear();
  }
}
