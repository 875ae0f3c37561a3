/** The table of a kind, whatever it stores. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { ListKind, StoredKind } from '../schema/schema.ts';
import type { AllTable } from './AllTable.ts';
import { EntityTable } from './EntityTable.ts';
import type { ListRecord } from './ListRecord.ts';
import { ListTable } from './ListTable.ts';

export type Table = EntityTable | ListTable | AllTable;

/** What a table needs of the others: those that it rests on, and the lists over which unconfirmed writes lie. */
export interface TableDeps {
  readonly tableOf: (kind: StoredKind) => Table;
  readonly pending: Iterable<ListRecord>;
}

export function makeTable(kind: StoredKind, { tableOf, pending }: TableDeps): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind, pending);
  return kind.opens?.(tableOf) as Table;
}
