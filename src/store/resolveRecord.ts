/** What stands in a table under a key. */
import { EntityTable } from './EntityTable.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

/** The record of this key, or the entity that had it before it got another one; `time`: when the data that name it were issued. */
export function resolveRecord(
  sweep: GarbageCollector,
  table: Table,
  pk: string,
  time = 0,
): StoreRecord | undefined {
  const found = sweep.find<StoreRecord>(table, pk);
  if (found !== undefined || !(table instanceof EntityTable)) return found;
  const key = table.keyOf(pk, time);
  // it may have been swept, and is known by its last key
  return key === pk
    ? undefined
    : (sweep.find<StoreRecord>(table, key) ?? sweep.track(table.make(key)));
}
