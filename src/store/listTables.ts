/** Which tables of lists a change to their members concerns. */
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
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

/** The address without the query that an endpoint always sends: `/todos?_expand=user` brings the lists of `/todos`. */
function withoutQuery(address: Entry['address']): Entry['address'] {
  return typeof address === 'string' ? address.replace(/\?.*/, '') : address;
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
  const base = withoutQuery(address ?? kind.at.address);
  // a query may tell lists apart; those of one Collection are meant together
  const isThere = ({ at }: ListKind): boolean =>
    (address !== undefined && at.address === address) ||
    (base !== undefined && at.origin === kind.at.origin && withoutQuery(at.address) === base);
  const there = alike.filter((table) => isThere(table.kind));
  const home = there.length > 0 ? there : [own];
  const certain = [...home, ...alike.filter(({ kind: { at } }) => at.nested)];
  return { certain, others: [...all].filter((table) => !certain.includes(table)) };
}
