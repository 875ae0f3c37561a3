/** Finds the record of a primary key that was replaced. */
import { EntityTable } from './EntityTable.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

/** The entity that had this key before; undefined: none. `time`: time of issue of the data with this key. */
export function findByAlias(
  sweep: GarbageCollector,
  table: Table,
  pk: string,
  time = 0,
): StoreRecord | undefined {
  if (!(table instanceof EntityTable) || table.aliases.size === 0) return undefined;
  const key = table.resolveKey(pk, time);
  // the renamed record may have been garbage collected: created again under the last key
  return key === pk
    ? undefined
    : (sweep.findAndMarkUsed<StoreRecord>(table, key) ?? sweep.track(table.createRecord(key)));
}
