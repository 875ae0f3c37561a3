/** The interface of the store that drafts, layers and primary-key changes use. */
import type { ListChangeOp, ListKind, StoredKind } from '../../schema/schema.ts';
import type { StoreLayers } from '../StoreLayers.ts';
import type { ListChanges } from './ListChanges.ts';
import type { ListTable } from '../lists/ListTable.ts';
import type { ListTables } from '../lists/findListTables.ts';
import type { Builder, StoreRecord } from '../records/StoreRecord.ts';
import type { TableMap } from './renameEntity.ts';
import type { RequestsInFlight } from '../gc/GcOptions.ts';
import type { GarbageCollector } from '../gc/GarbageCollector.ts';
import type { GcTable } from '../gc/RecordAges.ts';
import type { Table } from '../lists/Table.ts';

export interface DraftStore extends Builder {
  ref(kind: StoredKind, pk: string): StoreRecord;
  table(kind: StoredKind): Table;
  readonly tables: TableMap;
  /** `oldestIssued` returns Infinity without a request. */
  readonly inflight: RequestsInFlight;
  readonly layers: StoreLayers;
  readonly gc: GarbageCollector;
  gcTables(): Iterable<GcTable>;
  /** The tables of lists that an entry of `kind` changes, and of lists that it may change. */
  listTablesForChange(kind: ListKind, address?: ListChangeOp['listAddress']): ListTables;
  /** All tables of lists that may contain entities of this table. */
  listTablesByEntity(entities: StoredKind['tableKey']): readonly ListTable[];
  affectedLists: ListChanges | undefined;
  beforeWrite<R extends StoreRecord>(record: R): R;
  loadAll(): void;
}
