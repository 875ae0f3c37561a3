/** Finds the tables of lists that a change to their members concerns. */
import type { ListChangeOp, StoredKind } from '../schema/schema.ts';
import { append, EMPTY } from './append.ts';
import { ListTable } from './ListTable.ts';
import type { Table } from './Table.ts';

export interface ListTables {
  /**
   * Tables at the address of the change, else the table of its own lists; and nested lists. Conditions decide for each
   * list.
   */
  readonly matchedByConditions: readonly ListTable[];
  /** Lists of the same entities at other addresses. */
  readonly atOtherAddresses: readonly ListTable[];
  readonly address: ListChangeOp['listAddress'];
  /** The number of all tables at the time of the lookup. Tables are never removed. */
  readonly tableCount: number;
}

type TableMap = ReadonlyMap<unknown, Table>;

/** All tables of lists that may contain entities of one of these tables. */
export function findListTablesContaining(
  tables: TableMap,
  entities: readonly StoredKind['tableKey'][],
): ListTable[] {
  let found: ListTable[] = EMPTY;
  for (const table of tables.values())
    if (table instanceof ListTable)
      for (const one of table.kind.memberTableKeys)
        if (entities.includes(one) && found.at(-1) !== table) found = append(found, table);
  return found;
}

/** `own`: the table of the entry's kind. `address`: the address of the request. */
export function findListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  // the changes of a table mostly come from one address
  const { lastLookup: last } = own;
  if (last?.address === address && last?.tableCount === tables.size) return last;
  const { isMap, memberTableKeys } = own.kind;
  const all = findListTablesContaining(tables, memberTableKeys);
  const isAtAddress = ({ kind }: ListTable): boolean =>
    kind.isMap === isMap && kind.listOrigin.listEndpoint?.listAddress === address;
  const hasAddress = address !== undefined && all.some(isAtAddress);
  const matchedByConditions: ListTable[] = [];
  const atOtherAddresses: ListTable[] = [];
  for (const table of all) {
    const isMatched =
      (hasAddress ? isAtAddress(table) : table === own) ||
      (table.kind.isMap === isMap && table.kind.listOrigin.isNestedOnly);
    (isMatched ? matchedByConditions : atOtherAddresses).push(table);
  }
  return (own.lastLookup = {
    matchedByConditions,
    atOtherAddresses,
    address,
    tableCount: tables.size,
  });
}
