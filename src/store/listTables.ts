/** Which tables of lists a change to their members concerns. */
import type { Entry, StoredKind } from '../schema/schema.ts';
import { ListTable } from './ListTable.ts';
import type { Table } from './Table.ts';

export interface ListTables {
  /** Their lists are updated by their conditions: those at the address of the change, and nested ones. */
  readonly certain: readonly ListTable[];
  /** Lists of the same entities at other addresses. */
  readonly others: readonly ListTable[];
}

/** All tables of lists that entities of this table may be in. */
export function listsOf(tables: Iterable<Table>, entities: StoredKind['table']): ListTable[] {
  return [...tables].filter(
    (table): table is ListTable =>
      table instanceof ListTable && table.kind.holds.includes(entities),
  );
}

/** `own`: the table of `kind`; `address`: that of the request. */
export function listTables(
  tables: Iterable<Table>,
  own: ListTable,
  address: Entry['address'],
): ListTables {
  const { kind } = own;
  const all = new Set(kind.holds.flatMap((entities) => listsOf([...tables], entities)));
  const alike = [...all].filter((table) => table.kind.keyed === kind.keyed);
  const there = alike.filter((table) => address !== undefined && table.kind.at.address === address);
  const home = there.length > 0 ? there : [own];
  const certain = [...home, ...alike.filter(({ kind: { at } }) => at.nested)];
  return { certain, others: [...all].filter((table) => !certain.includes(table)) };
}
