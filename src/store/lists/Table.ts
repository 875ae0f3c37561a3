/** The table of a kind: of entities, of lists, or of all entities of a class. */
import type { EntityKind } from '../../schema/EntityKind.ts';
import type { ListKind, StoredKind } from '../../schema/schema.ts';
import { EntityTable } from '../entities/EntityTable.ts';
import type { AllTable } from './AllTable.ts';
import { ListTable } from './ListTable.ts';
import type { ListStore } from './ListTable.ts';

export type Table = EntityTable | ListTable | AllTable;

/** The store as tables use it. */
interface TableStore extends ListStore {
  table(kind: StoredKind): Table;
}

export function createTable(kind: StoredKind, store: TableStore): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind, store);
  return kind.createTable?.((of) => store.table(of)) as Table;
}
