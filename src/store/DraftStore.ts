/** What a draft, a layer and a renaming need of the store. */
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { ListChanges } from './ListChanges.ts';
import type { ListRecord } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import type { ListTables } from './listTables.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';
import type { Tables } from './renameEntity.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

/** What is to be told of what is written: see Layers. */
interface LayersOfStore {
  /** Lists over which unconfirmed writes lie. */
  readonly lists: Iterable<ListRecord>;
  beforeWrite<R extends StoreRecord>(record: R): R;
  onCreateConfirmed(record: EntityRecord): void;
  move(record: EntityRecord, other: EntityRecord): void;
}

export interface DraftStore extends Builder {
  ref(kind: StoredKind, pk: string): StoreRecord;
  table(kind: StoredKind): Table;
  readonly tables: Tables;
  /** Logical time at which the oldest request still under way was issued; Infinity without one. */
  readonly oldest: () => number;
  readonly layers: LayersOfStore;
  readonly gc: GarbageCollector;
  /** The tables of lists that an entry of `kind` enters, and of those that it may change. */
  listTables(kind: ListKind, address?: Entry['address']): ListTables;
  /** All tables of lists that entities of this table may be in. */
  listsOf(entities: StoredKind['table']): readonly ListTable[];
  readonly changes: ListChanges;
  /** Loads what persistence has not loaded yet. */
  readonly complete: (() => void) | undefined;
}
