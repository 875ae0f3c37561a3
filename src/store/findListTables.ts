/** Finds the tables of lists that a change to their members concerns. */
import type { ListChangeOp, StoredKind } from '../schema/schema.ts';
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

/** Lookups among this number of tables. Tables are never removed. */
interface ListDirectory {
  readonly tableCount: number;
  readonly byEntity: Map<StoredKind['tableKey'], readonly ListTable[]>;
  /** The last lookup of each table: its changes mostly come from one address. */
  readonly byChange: Map<
    ListTable,
    { readonly address: ListChangeOp['listAddress']; readonly found: ListTables }
  >;
}

const directories = new WeakMap<TableMap, ListDirectory>();

function directoryOf(tables: TableMap): ListDirectory {
  const { size: tableCount } = tables;
  let directory = directories.get(tables);
  if (directory?.tableCount !== tableCount) {
    directory = { tableCount, byEntity: new Map(), byChange: new Map() };
    directories.set(tables, directory);
  }
  return directory;
}

/** All tables of lists that may contain entities of this table. */
export function findListTablesContaining(
  tables: TableMap,
  entities: StoredKind['tableKey'],
): readonly ListTable[] {
  const { byEntity } = directoryOf(tables);
  let found = byEntity.get(entities);
  if (found === undefined) {
    found = [...tables.values()].filter(
      (table): table is ListTable =>
        table instanceof ListTable && table.kind.memberTableKeys.includes(entities),
    );
    byEntity.set(entities, found);
  }
  return found;
}

/** `own`: the table of the entry's kind. `address`: the address of the request. */
export function findListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  const { byChange } = directoryOf(tables);
  const known = byChange.get(own);
  if (known !== undefined && known.address === address) return known.found;
  const found = computeListTables(tables, own, address);
  byChange.set(own, { address, found });
  return found;
}

function computeListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  const { isMap, memberTableKeys } = own.kind;
  const all = [
    ...new Set(memberTableKeys.flatMap((entities) => findListTablesContaining(tables, entities))),
  ];
  const sameForm = all.filter(({ kind }) => kind.isMap === isMap);
  const atAddress = sameForm.filter(
    ({ kind }) => address !== undefined && kind.listOrigin.listEndpoint?.listAddress === address,
  );
  const matchedByConditions = [
    ...(atAddress.length > 0 ? atAddress : [own]),
    ...sameForm.filter(({ kind }) => kind.listOrigin.isNestedOnly),
  ];
  return {
    matchedByConditions,
    atOtherAddresses: all.filter((table) => !matchedByConditions.includes(table)),
  };
}
