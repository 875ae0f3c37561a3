/** The table of a kind: of entities, of lists, or of all entities of a class. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { ListKind, StoredKind } from '../schema/schema.ts';
import type { AllTable } from './AllTable.ts';
import { EntityTable } from './EntityTable.ts';
import { ListTable } from './ListTable.ts';
import type { StoredList } from './StoredList.ts';

export type Table = EntityTable | ListTable | AllTable;

/** Dependencies of a table: the tables it is based on, and the lists with optimistic writes. */
export interface TableDeps {
  readonly tableOf: (kind: StoredKind) => Table;
  readonly pendingLists: Iterable<StoredList>;
}

export function createTable(kind: StoredKind, { tableOf, pendingLists }: TableDeps): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind, pendingLists);
  return kind.createTable?.(tableOf) as Table;
}
