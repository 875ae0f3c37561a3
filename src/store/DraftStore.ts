/** What a draft, a layer and a renaming need of the store. */
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { ListChanges } from './ListChanges.ts';
import type { ListRecord } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import type { ListTables } from './listTables.ts';
import type { Builder, Record } from './Record.ts';
import type { Tables } from './refile.ts';
import type { Sweep } from './Sweep.ts';
import type { Table } from './Table.ts';

/** What is to be told of what is written: see Layers. */
interface LayersOfStore {
  /** Lists over which unconfirmed writes lie. */
  readonly lists: Iterable<ListRecord>;
  touch<R extends Record>(record: R): R;
  claimed(record: EntityRecord): void;
  move(record: EntityRecord, other: EntityRecord): void;
}

export interface DraftStore extends Builder {
  ref(kind: StoredKind, pk: string): Record;
  table(kind: StoredKind): Table;
  readonly tables: Tables;
  /** Logical time at which the oldest request still under way was issued; Infinity without one. */
  readonly oldest: () => number;
  readonly layers: LayersOfStore;
  readonly sweep: Sweep;
  /** The tables of lists that an entry of `kind` enters, and of those that it may change. */
  listTables(kind: ListKind, address?: Entry['address']): ListTables;
  /** All tables of lists that entities of this table may be in. */
  listsOf(entities: StoredKind['table']): readonly ListTable[];
  readonly changes: ListChanges;
  /** Loads what persistence has not loaded yet. */
  readonly complete: (() => void) | undefined;
}
