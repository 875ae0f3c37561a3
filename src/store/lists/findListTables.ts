/** Finds the tables of lists that a change to their members concerns. */
import type { ListChangeOp, StoredKind } from '../../schema/schema.ts';
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
}

type TableMap = ReadonlyMap<unknown, Table>;

/** All tables of lists that may contain entities of one of these tables. */
export function findListTablesContaining(
  tables: TableMap,
  entities: readonly StoredKind['tableKey'][],
): ListTable[] {
  return [...tables.values()].filter(
    (table): table is ListTable =>
      table instanceof ListTable &&
      table.kind.memberTableKeys.some((one) => entities.includes(one)),
  );
}

/** `own`: the table of the entry's kind. `address`: the address of the request. */
export function findListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
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
  return { matchedByConditions, atOtherAddresses };
}
