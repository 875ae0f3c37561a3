/** Finds the record of a primary key, also by an alias. */
import { EntityTable } from './EntityTable.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

/** The record of this key, or the entity that had the key before. `time`: time of issue of the data with this key. */
export function resolveRecord(
  sweep: GarbageCollector,
  table: Table,
  pk: string,
  time = 0,
): StoreRecord | undefined {
  const found = sweep.find<StoreRecord>(table, pk);
  if (found !== undefined || !(table instanceof EntityTable)) return found;
  const key = table.keyOf(pk, time);
  // the renamed record may have been garbage collected: created again under the last key
  return key === pk
    ? undefined
    : (sweep.find<StoreRecord>(table, key) ?? sweep.track(table.make(key)));
}
