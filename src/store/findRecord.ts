/** Finds a record by its primary key, also by a key that was replaced. */
import { EntityTable } from './EntityTable.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

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
