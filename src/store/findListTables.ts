/** Finds the tables of lists that a change to their members concerns. */
import type { ListChangeOp, StoredKind } from '../schema/schema.ts';
import { ListTable } from './ListTable.ts';
import type { Table } from './Table.ts';

export interface ListTables {
  /** Lists that are updated by their conditions: lists at the address of the change, and nested lists. */
  readonly certain: readonly ListTable[];
  /** Lists of the same entities at other addresses. */
  readonly atOtherAddresses: readonly ListTable[];
}

type TableMap = ReadonlyMap<unknown, Table>;

/** Lookups found among this number of tables. There are few tables, and tables are never removed. */
interface ListDirectory {
  readonly tableCount: number;
  readonly byEntity: Map<StoredKind['tableKey'], readonly ListTable[]>;
  readonly byChange: Map<ListTable, Map<ListChangeOp['listAddress'], ListTables>>;
}

const directories = new WeakMap<TableMap, ListDirectory>();

function directoryOf(tables: TableMap): ListDirectory {
  const { size } = tables;
  let known = directories.get(tables);
  if (known?.tableCount !== size)
    directories.set(
      tables,
      (known = { tableCount: size, byEntity: new Map(), byChange: new Map() }),
    );
  return known;
}

/** All tables of lists that may contain entities of this table. */
export function findListTablesContaining(
  tables: TableMap,
  entities: StoredKind['tableKey'],
): readonly ListTable[] {
  const { byEntity } = directoryOf(tables);
  let lists = byEntity.get(entities);
  if (lists === undefined) {
    lists = [...tables.values()].filter(
      (table): table is ListTable =>
        table instanceof ListTable && table.kind.memberTableKeys.includes(entities),
    );
    byEntity.set(entities, lists);
  }
  return lists;
}

/** `own`: the table of the entry's kind. `address`: the address of the request. */
export function findListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  const { byChange } = directoryOf(tables);
  const known = byChange.get(own) ?? new Map<ListChangeOp['listAddress'], ListTables>();
  byChange.set(own, known);
  let lists = known.get(address);
  if (lists === undefined) known.set(address, (lists = computeListTables(tables, own, address)));
  return lists;
}

function computeListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  const { kind } = own;
  const all = new Set(
    kind.memberTableKeys.flatMap((entities) => findListTablesContaining(tables, entities)),
  );
  const sameForm = [...all].filter((table) => table.kind.isMap === kind.isMap);
  const atAddress = sameForm.filter(
    (table) => address !== undefined && table.kind.listOrigin.listEndpoint?.listAddress === address,
  );
  const targets = atAddress.length > 0 ? atAddress : [own];
  const certain = [
    ...targets,
    ...sameForm.filter(({ kind: { listOrigin } }) => listOrigin.isNestedOnly),
  ];
  return { certain, atOtherAddresses: [...all].filter((table) => !certain.includes(table)) };
}
