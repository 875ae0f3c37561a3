/** The store: tables, results and logical clock; the only writer of signals, by a draft, a commit and a batch. */
import { reportException } from '../errors.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { kindOf, tableKeysIn } from '../schema/kindOf.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import { INVALID, unwrapOpaque } from '../schema/schema.ts';
import type {
  Args,
  ListChangeOp,
  ListKind,
  NormalizedNode,
  Ref,
  Schema,
  StoredKind,
} from '../schema/schema.ts';
import { batch, deref, tickCount } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import { NO_LAYERS } from './StoreLayers.ts';
import type { StoreLayers } from './StoreLayers.ts';
import { EntityTable } from './entities/EntityTable.ts';
import { GarbageCollector } from './gc/GarbageCollector.ts';
import type { GcDeps, GcTable, RequestsInFlight } from './gc/GarbageCollector.ts';
import { ListTable, findListTables, findListTablesContaining } from './lists/ListTable.ts';
import type { ListTables, Table } from './lists/ListTable.ts';
import { RecordCell } from './records/RecordObservers.ts';
import { buildDepth, DIRTY } from './records/StoreRecord.ts';
import type { Builder, StoreRecord } from './records/StoreRecord.ts';
import { eachRecord } from './records/eachRecord.ts';
import { flush } from './records/markDirty.ts';
import { ResultRecord, ResultTable } from './results/ResultRecord.ts';
import type { DraftStore } from './writes/Draft.ts';
import type { ListChanges } from './writes/ListChanges.ts';

// records are built recursively up to this depth; further down, parts are built first
const MAX_BUILD_DEPTH = 200;

/** The batch function of a framework, which wraps a commit. */
export type BatchWrapper = (commit: () => void) => void;

/** Records that are not in the store yet, for example on a disk. Called before the store is read or changed. */
export interface RecordSource {
  /** `table` has no record of this name. Returns true if records were loaded, perhaps this record. */
  load(table: GcTable, name: string): boolean;
  /** The next read or change may concern any record. */
  loadAll(): void;
  /** The store is about to be emptied. */
  clear(): void;
}

export interface StoreOptions extends GcDeps {
  readonly moveRows?: 'auto' | false | undefined;
}

export class Store implements DraftStore {
  readonly hasImmutableValues = true;
  readonly tables: Map<string | object, Table> = new Map();
  readonly #tablesFollowing: Map<StoredKind['tableKey'], readonly ListTable[]> = new Map();
  readonly #results = new ResultTable();
  readonly #derivedResults = new ResultTable();
  readonly inflight: RequestsInFlight;
  /** The optimistic writes. */
  layers: StoreLayers = NO_LAYERS;
  /** Logical time. */
  time = 0;
  hasInvalidations = false;
  readonly pagedResults: Set<ResultRecord> = new Set();
  /** True while several changes run as a single commit: reads in between include the layers added so far. */
  isInBatch = false;
  /** Called with each new table, before the first record. */
  readonly listeners: Set<(table: Table) => void> = new Set();
  readonly #batchWrappers = new Set<{ readonly wrap: BatchWrapper }>();
  /** The listeners of `onWrite`; undefined before the first. */
  #writeListeners: Set<(record: StoreRecord) => void> | undefined;
  /** The sources of `provide`; undefined before the first. */
  #sources: Set<RecordSource> | undefined;
  /** True while the change of a commit runs. */
  #isChanging = false;
  readonly gc: GarbageCollector;
  /** Lists that commits have made uncertain and `commit` in src/request has not taken yet. */
  affectedLists: ListChanges | undefined;

  readonly moveRows: 'auto' | false | undefined;

  constructor(deps: StoreOptions) {
    this.inflight = deps.inflight;
    this.moveRows = deps.moveRows;
    this.gc = new GarbageCollector(this, deps);
  }

  /** Advances logical time by a tick. Returns the new time. */
  tick(): number {
    return ++this.time;
  }

  /** Moves logical time forward to `time`, never back. */
  advanceTo(time: number): void {
    this.time = Math.max(this.time, time);
  }

  /** The table of a kind. Throws S5 in development if two classes share a key and neither extends the other. */
  table(kind: StoredKind): Table {
    let table = this.tables.get(kind.tableKey);
    if (table === undefined) {
      this.tables.set(kind.tableKey, (table = createTable(kind, this)));
      this.#tablesFollowing.clear();
      for (const listener of this.listeners) listener(table);
    } else if (table.kind !== kind && typeof kind.tableKey === 'string')
      (table as EntityTable).addClass(kind as EntityKind);
    return table;
  }

  listTablesForChange(kind: ListKind, address: ListChangeOp['listAddress']): ListTables {
    this.loadAll();
    // the table of the entry's kind is created if missing
    return findListTables(this.tables, this.table(kind) as ListTable, address);
  }

  listTablesByEntity(entities: StoredKind['tableKey']): readonly ListTable[] {
    this.loadAll();
    return findListTablesContaining(this.tables, [entities]);
  }

  /** Tables of entities that were written again while records were missing that other sources have. */
  readonly overwritten: Set<StoredKind['tableKey']> = new Set();

  /** Must be called before a stored entity is written again. */
  noteOverwrite(entities: StoredKind['tableKey']): void {
    if (this.#sources?.size) this.overwritten.add(entities);
  }

  tablesFollowing(entities: StoredKind['tableKey']): readonly ListTable[] {
    let tables = this.#tablesFollowing.get(entities);
    if (!tables) {
      tables = findListTablesContaining(this.tables, [entities]).filter(
        ({ followsFields }) => followsFields,
      );
      this.#tablesFollowing.set(entities, tables);
    }
    return tables;
  }

  /** The record of a kind and primary key, created empty if missing: its readers are notified of this record alone. */
  ref(kind: StoredKind, pk: string): StoreRecord {
    const table = this.table(kind);
    const { gc } = this;
    return (
      gc.findAndMarkUsed<StoreRecord>(table, pk) ??
      (table as Partial<EntityTable>).findRenamed?.(gc, pk) ??
      gc.track(table.createRecord(pk))
    );
  }

  findByField(kind: StoredKind, field: string, value: string): StoreRecord {
    this.loadAll();
    const index = (this.table(kind) as EntityTable).getOrCreateIndex(field);
    index.recompute(this);
    return this.gc.markUsed(index.records.get(value) ?? this.gc.track(index.lookupOf(value)));
  }

  get results(): ReadonlyMap<string, ResultRecord> {
    return this.#results.records;
  }

  /** The record of a request that was stored; undefined if there is none. The lookup does not count as a use. */
  findResult(key: string): ResultRecord | undefined {
    const { records } = this.#results;
    if (!records.has(key)) this.#load(this.#results, key);
    return records.get(key);
  }

  /** The record of a request. Before any response, the node is inferred from the arguments. */
  result(key: string, schema: Schema, args: Args): ResultRecord {
    return this.#results.getOrCreate(this, key, schema, args);
  }

  /** The record of a value that is found by arguments alone: shows known data, complete or not. */
  derived(key: string, schema: Schema, args: Args): ResultRecord {
    const record = this.#derivedResults.getOrCreate(this, key, schema, args);
    record.returnsPartial = true;
    return record;
  }

  /** The value that a reader outside of the store gets for `record`, or undefined. */
  peek(record: StoreRecord): unknown {
    const value = this.read(record);
    return value === INVALID ? undefined : projectForReader(value, record);
  }

  cell(record: StoreRecord): ReadonlySignal<unknown> {
    const known = deref(record.cell);
    if (known) return known;
    const cell = new RecordCell(record, this);
    record.cell = new WeakRef(cell);
    this.gc.markUsed(record);
    return cell;
  }

  /** Logical time after which a read must have been issued to bring anything new for `result`. */
  lastOvertakenTime(result: ResultRecord): number {
    const { kind, invalidatedAt = 0, updateAppliedAt, uncertainSince } = result;
    let latest = Math.max(invalidatedAt, updateAppliedAt, uncertainSince);
    for (const identity of tableKeysIn(kind)) {
      latest = Math.max(latest, this.tables.get(identity)?.lastOwnWriteTime ?? 0);
    }
    return latest;
  }

  /** The data that readers get for a node under a schema; undefined if missing. */
  denormalize(schema: Schema, node: NormalizedNode, args: Args): unknown {
    if (this.isInBatch) this.layers.rebase();
    if (schema === undefined) return unwrapOpaque(node);
    const kind = kindOf(schema, 'schema');
    const value = kind.denormalize(node, this);
    return value === INVALID ? undefined : projectForReader(value, { kind, args });
  }

  /** Runs an atomic change: readers see all or nothing, and run at most once. Returns the count of signals written. */
  commit(change: () => void): number {
    if (this.isInBatch) {
      change();
      return 0;
    }
    const before = tickCount;
    let done = false;
    let run: () => void = batch.bind(null, () => {
      const isInside = this.#isChanging;
      this.#isChanging = true;
      try {
        change();
      } finally {
        this.#isChanging = isInside;
      }
      this.layers.rebase();
      flush(this);
      done = true;
    });
    for (const { wrap } of this.#batchWrappers) run = wrap.bind(null, run);
    try {
      run();
    } catch (error) {
      if (!done) throw error;
      // thrown by a reader: the commit itself is complete
      reportException(error);
    }
    this.gc.checkLimit();
    return tickCount - before;
  }

  /** Lets a framework with its own reactive graph flush once per commit. Returns a function that removes `wrap`. */
  wrapCommits(wrap: BatchWrapper): () => void {
    // a separate entry: the same wrapper may be passed twice and removed once
    const entry = { wrap };
    this.#batchWrappers.add(entry);
    return () => void this.#batchWrappers.delete(entry);
  }

  /** Like `commit`; during the change of another commit, `change` is a part of that commit. */
  joinCommit(change: () => void): void {
    if (this.#isChanging) change();
    else this.commit(change);
  }

  /**
   * Must be called before the confirmed data of a record change, or when a push ends the invalidation of a result. Returns
   * the record.
   */
  beforeWrite<R extends StoreRecord>(record: R): R {
    if (this.#writeListeners) for (const listener of this.#writeListeners) listener(record);
    if (this.layers.active.size > 0) this.layers.beforeWrite(record);
    return record;
  }

  /**
   * Calls `listener` before each change of the confirmed data of a record, and for a result whose invalidation a push has
   * ended. Returns a function that stops.
   */
  onWrite(listener: (record: StoreRecord) => void): () => void {
    (this.#writeListeners ??= new Set()).add(listener);
    return () => void this.#writeListeners?.delete(listener);
  }

  /** Adds a source of records that are not in the store. Returns a function that removes the source. */
  provide(source: RecordSource): () => void {
    (this.#sources ??= new Set()).add(source);
    this.gc.loadMissing = (table, name) => this.#load(table, name);
    return () => void this.#sources?.delete(source);
  }

  #load(table: GcTable, name: string): boolean {
    for (const source of this.#sources ?? []) if (source.load(table, name)) return true;
    return false;
  }

  /** Loads all records of all sources. Must be called before a change that may concern any record. */
  loadAll(): void {
    for (const source of this.#sources ?? []) source.loadAll();
  }

  read(record: StoreRecord): unknown {
    if (this.isInBatch) this.layers.rebase();
    return record.current(this);
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    if (record.flags & DIRTY && buildDepth >= MAX_BUILD_DEPTH) buildIteratively(record, this);
    return record.current(this);
  }

  /** Empties the store in a single commit. Observed records stay, empty, and notify. Returns the number of signals. */
  clear(): number {
    for (const source of this.#sources ?? []) source.clear();
    this.tick();
    const written = this.commit(() => {
      this.layers.clear();
      for (const table of this.tables.values()) table.clear();
      this.layers.rebase();
      // no last value survives a logout
      for (const { records } of this.tables.values())
        for (const { observers } of records.values())
          observers?.fieldReaders?.showContent(undefined);
      this.#results.clear(this);
      this.#derivedResults.clear(this);
    });
    this.gc.endCycle();
    return written;
  }

  /** All tables. Results are collected before their lists, and lists before their rows. */
  *gcTables(): Generator<GcTable> {
    yield this.#results;
    yield this.#derivedResults;
    for (const table of this.tables.values()) {
      yield table;
      if (table instanceof EntityTable) yield* table.indexes.values();
    }
  }

  /** The table that can evict the record; undefined for records without a kind (index lookups, queries). */
  gcTableOf(record: StoreRecord): GcTable | undefined {
    const { kind } = record;
    if (record instanceof ResultRecord)
      return this.#results.records.get(record.key) === record
        ? this.#results
        : this.#derivedResults;
    return kind && this.tables.get((kind as StoredKind).tableKey);
  }

  get entityCount(): number {
    let count = 0;
    for (const table of this.tables.values())
      if (table instanceof EntityTable) count += table.records.size;
    return count;
  }
}

/** Builds `root` and all dirty records below, parts first: each build finds clean parts. */
function buildIteratively(root: StoreRecord, builder: Builder): void {
  const stack: StoreRecord[] = [root];
  const opened = new Set<StoreRecord>();
  for (let record = stack.at(-1); record !== undefined; record = stack.at(-1)) {
    opened.add(record);
    let next: StoreRecord | undefined;
    eachRecord(record.parts(), (part) => {
      if (part.flags & DIRTY && !opened.has(part)) next ??= part;
    });
    if (next === undefined) stack.pop()?.current(builder);
    else stack.push(next);
  }
}

function createTable(kind: StoredKind, store: Store): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind, store);
  return kind.createTable?.((of) => store.table(of)) as Table;
}
