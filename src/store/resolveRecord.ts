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
  return sweep.find<StoreRecord>(table, pk) ?? resolveAlias(sweep, table, pk, time);
}

/** The entity that had this key before; undefined if no entity had it. */
export function resolveAlias(
  sweep: GarbageCollector,
  table: Table,
  pk: string,
  time = 0,
): StoreRecord | undefined {
  if (!(table instanceof EntityTable) || table.aliases.size === 0) return undefined;
  const key = table.keyOf(pk, time);
  // the renamed record may have been garbage collected: created again under the last key
  return key === pk
    ? undefined
    : (sweep.find<StoreRecord>(table, key) ?? sweep.track(table.make(key)));
}
