/** Finds a record by its primary key, also by a key that was replaced. */
import { EntityTable } from '../entities/EntityTable.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import type { GarbageCollector } from '../gc/GarbageCollector.ts';
import type { Table } from '../lists/Table.ts';

/** The record of this key, or the entity that had this key before. `time`: time of issue of the data with this key. */
export function findRecord(
  gc: GarbageCollector,
  table: Table,
  pk: string,
  time = 0,
): StoreRecord | undefined {
  const record = gc.findAndMarkUsed<StoreRecord>(table, pk);
  if (record !== undefined || !(table instanceof EntityTable) || table.aliases.size === 0)
    return record;
  const key = table.resolveKey(pk, time);
  // the renamed record may have been garbage collected: created again under the last key
  return key === pk
    ? undefined
    : (gc.findAndMarkUsed<StoreRecord>(table, key) ?? gc.track(table.createRecord(key)));
}
