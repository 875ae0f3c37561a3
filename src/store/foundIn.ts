/** What stands in a table under a key. */
import { EntityTable } from './EntityTable.ts';
import type { Record } from './Record.ts';
import type { Sweep } from './Sweep.ts';
import type { Table } from './Table.ts';

/** The record of this key, or the entity that had it before it got another one; `time`: when the data that name it were issued. */
export function foundIn(sweep: Sweep, table: Table, pk: string, time = 0): Record | undefined {
  const found = sweep.find<Record>(table, pk);
  if (found !== undefined || !(table instanceof EntityTable)) return found;
  const key = table.keyOf(pk, time);
  // it may have been swept, and is known by its last key
  return key === pk ? undefined : (sweep.find<Record>(table, key) ?? sweep.born(table.make(key)));
}
