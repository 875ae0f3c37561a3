/** The store: tables, results and logical clock; the only writer of signals: one draft, one commit, one batch. */
import { reportException } from '../diagnostics.ts';
import { batch, deref, totalTickCount } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { kindOf } from '../schema/kindOf.ts';
import { normalize } from '../schema/normalize.ts';
import { tableKeysIn } from '../schema/tableKeysIn.ts';
import type { NormalizeOptions } from '../schema/normalize.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { unwrapOpaque, wrapOpaque, INVALID } from '../schema/schema.ts';
import type {
  Args,
  ListChangeOp,
  ListKind,
  Node,
  Ref,
  Schema,
  Sink,
  StoredKind,
} from '../schema/schema.ts';
import { buildIteratively } from './buildIteratively.ts';
import { findByAlias } from './findByAlias.ts';
import { Draft } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import type { Layer } from './Layer.ts';
import { ListChanges } from './ListChanges.ts';
import type { ListTable } from './ListTable.ts';
import { findListTablesContaining, findListTables } from './findListTables.ts';
import type { ListTables } from './findListTables.ts';
import { Layers } from './Layers.ts';
import { EMPTY } from './append.ts';
import type { Stamp } from './versioning.ts';
import { DIRTY } from './flags.ts';
import { flush } from './markDirty.ts';
import { RecordCell } from './RecordCell.ts';
import type { StoreRecord } from './StoreRecord.ts';
import { ResultRecord } from './ResultRecord.ts';
import { primaryKeyChangeOf } from './PrimaryKeyChange.ts';
import { ResultTable } from './ResultTable.ts';
import type { Failure } from './Result.ts';
import { GarbageCollector } from './GarbageCollector.ts';
import type { GcDeps } from './GarbageCollector.ts';
import type { GcTable } from './RecordAges.ts';
import { EntityTable } from './EntityTable.ts';
import { createTable } from './Table.ts';
import type { Table } from './Table.ts';
import { writeDraft } from './writeDraft.ts';

// records are built recursively up to this depth; below it, parts are built first
const MAX_BUILD_DEPTH = 200;

/** The batch function of a framework, which wraps a commit. */
export type BatchWrapper = (commit: () => void) => void;

/** One write to the store. */
export interface WriteRequest extends NormalizeOptions {
  readonly schema: Schema;
  readonly value: unknown;
  readonly stamp: Stamp;
  /** The write changes an entity that its arguments name. */
  readonly updatesEntityInArgs?: boolean | undefined;
  /** Returns the writes to results of other requests, from the node of this write. */
  readonly createLinkedWrites?: ((node: Node) => readonly LinkedWrite[]) | undefined;
  /** The optimistic layer that the response replaces: entities created by the layer get the keys of the response. */
  readonly layer?: Layer | undefined;
  /** Numbers the temporary keys of entities without a key in the response. */
  readonly nextTempId?: Sink['nextTempId'];
}

/** A write to the result of another request: a value in the form of its schema. */
export interface LinkedWrite {
  readonly result: ResultRecord;
  readonly value: unknown;
  readonly stamp: Stamp;
}

/** The request that waits for a response, and the failure to store if the response does not contain its data. */
export interface CommitStagedOptions {
  readonly result?: ResultRecord | undefined;
  readonly createMissingDataFailure?: () => Failure;
  /** The optimistic layer that the response replaces. */
  readonly layer?: Layer | undefined;
  /** Runs in the same commit. */
  readonly onWritten?: () => void;
}

/** A staged value, not yet written. */
export interface StagedWrite {
  readonly draft: Draft;
  readonly node: Node;
  readonly stamp: Stamp;
  readonly linkedWrites?: readonly StagedLinkedWrite[] | undefined;
}

/** A staged change to the result of another request. */
interface StagedLinkedWrite extends StagedWrite {
  readonly result: ResultRecord;
}

export class Store implements DraftStore {
  readonly hasImmutableValues = true;
  readonly tables: Map<string | object, Table> = new Map();
  readonly #results = new ResultTable(this);
  readonly #derivedResults = new ResultTable(this, true);
  readonly oldestIssued: () => number;
  readonly layers: Layers = new Layers(this);
  /** Logical time. */
  time = 0;
  #buildDepth = 0;
  #inBatch = false;
  readonly #batchWrappers = new Set<{ readonly wrap: BatchWrapper }>();

  /** Loads the rest of the persisted data. Must be called before a change that may concern any record. */
  loadAllPersisted: (() => void) | undefined;

  readonly gc: GarbageCollector;
  readonly affectedLists: ListChanges = new ListChanges();

  /** `inflight` knows when the oldest request in flight was issued; older history is not kept. */
  constructor(deps: GcDeps) {
    this.oldestIssued = () => deps.inflight.oldestIssued();
    this.gc = new GarbageCollector(this, deps);
  }

  /** Advances logical time to that of another store, if that is ahead. */
  advanceClock(time: number): void {
    this.time = Math.max(this.time, time);
  }

  /** Advances logical time by one tick. Returns the new time. */
  tick(): number {
    return ++this.time;
  }

  /** The table of a kind. Throws S5 in development if two classes have one key and neither extends the other. */
  table(kind: StoredKind): Table {
    const known = this.tables.get(kind.tableKey);
    if (known === undefined) {
      const { pendingLists } = this.layers;
      const made = createTable(kind, { tableOf: (of) => this.table(of), pendingLists });
      this.tables.set(kind.tableKey, made);
      return made;
    }
    if (known.kind !== kind && typeof kind.tableKey === 'string')
      (known as EntityTable).addClass(kind as EntityKind);
    return known;
  }

  listTablesForChange(kind: ListKind, address: ListChangeOp['listAddress']): ListTables {
    // the table of the entry's kind is created if missing
    const own = this.table(kind) as ListTable;
    return findListTables(this.tables, own, address);
  }

  listTablesByEntity(entities: StoredKind['tableKey']): readonly ListTable[] {
    return findListTablesContaining(this.tables, entities);
  }

  /** The record of a kind and primary key, created empty if missing: its readers are notified of this record alone. */
  ref(kind: StoredKind, pk: string): StoreRecord {
    const table = this.table(kind);
    const found =
      this.gc.findAndMarkUsed<StoreRecord>(table, pk) ?? findByAlias(this.gc, table, pk);
    return found ?? this.gc.track(table.createRecord(pk));
  }

  findByField(kind: StoredKind, field: string, value: string): StoreRecord {
    const index = (this.table(kind) as EntityTable).getOrCreateIndex(field);
    index.pruneHistory();
    const found = index.records.get(value) ?? this.gc.track(index.lookupOf(value));
    return this.gc.markUsed(found);
  }

  get results(): ReadonlyMap<string, ResultRecord> {
    return this.#results.records;
  }

  /** The record of a request. Before any response, the node is inferred from the arguments. */
  result(key: string, schema: Schema, args: Args): ResultRecord {
    return this.#results.getOrCreate(key, schema, args);
  }

  /** The record of a value that is found by arguments alone. */
  derived(key: string, schema: Schema, args: Args): ResultRecord {
    return this.#derivedResults.getOrCreate(key, schema, args);
  }

  /** The value that a reader outside of the store gets for `record`, or undefined. */
  peek(record: StoreRecord): unknown {
    const value = this.read(record);
    return value === INVALID ? undefined : projectForReader(value, record);
  }

  cell(record: StoreRecord): ReadonlySignal<unknown> {
    const known = deref(record.cell);
    if (known !== undefined) return known;
    const cell = new RecordCell(record, this);
    record.cell = new WeakRef(cell);
    this.gc.markUsed(record);
    return cell;
  }

  /** Stages one value. If the value is invalid, throws a diagnostic and leaves the store unchanged. */
  stage(request: WriteRequest): StagedWrite {
    const { stamp, createLinkedWrites, updatesEntityInArgs } = request;
    const keyChange =
      updatesEntityInArgs && stamp.own ? primaryKeyChangeOf(this, request, stamp) : undefined;
    const draft = new Draft(this, stamp, request, keyChange);
    const changed: StagedLinkedWrite[] = [];
    try {
      const { schema: run, value } = request;
      const node = run === undefined ? wrapOpaque(value) : normalize(run, value, draft, request);
      for (const { result, ...other } of createLinkedWrites?.(node) ?? EMPTY) {
        const { schema, args } = result;
        const { endpoint } = request;
        changed.push({
          result,
          ...this.stage({ ...other, endpoint, schema, args, hasPks: true }),
        });
      }
      draft.prepare();
      return { draft, node, stamp, linkedWrites: changed };
    } catch (error) {
      this.discard({ draft, linkedWrites: changed });
      throw error;
    }
  }

  /** Undoes the staging. */
  discard({ draft, linkedWrites = EMPTY }: Pick<StagedWrite, 'draft' | 'linkedWrites'>): void {
    draft.discard();
    for (const other of linkedWrites) other.draft.discard();
  }

  /** Writes a staged value, whether it is the response to a request or not. */
  commitStaged(
    staged: StagedWrite,
    { result, createMissingDataFailure, layer, onWritten }: CommitStagedOptions,
  ): number {
    const { node, stamp } = staged;
    return this.commit(() => {
      this.writeStaged(staged);
      onWritten?.();
      if (layer !== undefined) this.layers.remove(layer);
      this.layers.rebase();
      if (result === undefined) return;
      result.setResponse(node, stamp);
      // incomplete: a response from before the deletion says nothing of the fields that are missing now
      if (createMissingDataFailure === undefined || result.isIncomplete || result.hasData()) return;
      // in the same commit, so that callers are notified once. Data hidden by an optimistic deletion are no failure
      if (result.deletionIssued !== undefined && result.confirmedData() !== INVALID)
        result.notifyIfResultChanged();
      else result.setFailure(createMissingDataFailure());
    });
  }

  /** Writes a staged value within a commit. */
  writeStaged({ draft, node, stamp, linkedWrites = EMPTY }: StagedWrite): void {
    writeDraft(this, draft, stamp, node);
    for (const { result, ...other } of linkedWrites) {
      writeDraft(this, other.draft, other.stamp, other.node);
      result.applyUpdate(other.node, other.stamp);
    }
  }

  /** Logical time after which a read must have been issued to bring anything new for `result`. */
  lastOvertakenTime({ kind, invalidatedAt = 0, updateAppliedAt }: ResultRecord): number {
    let latest = Math.max(invalidatedAt, updateAppliedAt);
    for (const identity of tableKeysIn(kind)) {
      latest = Math.max(latest, this.tables.get(identity)?.lastOwnWriteTime ?? 0);
    }
    return latest;
  }

  /** The data that readers get for a node under a schema; undefined if missing. */
  denormalize(schema: Schema, node: Node, args: Args): unknown {
    if (this.#inBatch) this.layers.rebase();
    if (schema === undefined) return unwrapOpaque(node);
    const kind = kindOf(schema, 'schema');
    const value = kind.denormalize(node, this);
    return value === INVALID ? undefined : projectForReader(value, { kind, args });
  }

  /** Runs one atomic change: readers see all or nothing, and run at most once. Returns the count of signals written. */
  commit(change: () => void): number {
    if (this.#inBatch) {
      change();
      return 0;
    }
    const before = totalTickCount();
    let done = false;
    const run = () => {
      change();
      this.layers.rebase();
      flush(this);
      done = true;
    };
    try {
      if (this.#batchWrappers.size === 0) batch(run);
      else this.#wrapCommit(() => batch(run))();
    } catch (error) {
      if (!done) throw error;
      // thrown by a reader: the commit itself is complete
      reportException(error);
    }
    this.gc.checkLimit();
    return totalTickCount() - before;
  }

  #wrapCommit(run: () => void): () => void {
    for (const { wrap } of this.#batchWrappers) {
      const inner = run;
      run = () => wrap(inner);
    }
    return run;
  }

  /** Runs several changes as one commit. Reads in between include the layers added so far. */
  batchCommits(changes: () => void): number {
    return this.commit(() => {
      const outer = this.#inBatch;
      this.#inBatch = true;
      try {
        changes();
      } finally {
        this.#inBatch = outer;
      }
    });
  }

  /** Lets a framework with its own reactive graph flush once per commit. Returns a function that removes `wrap`. */
  wrapCommits(wrap: BatchWrapper): () => void {
    // a separate entry: one wrapper may be passed twice and removed once
    const entry = { wrap };
    this.#batchWrappers.add(entry);
    return () => void this.#batchWrappers.delete(entry);
  }

  read(record: StoreRecord): unknown {
    if (this.#inBatch) this.layers.rebase();
    return record.current(this);
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    if (!(record.flags & DIRTY)) return record.current(this);
    if (this.#buildDepth >= MAX_BUILD_DEPTH) buildIteratively(record, this);
    this.#buildDepth++;
    try {
      return record.current(this);
    } finally {
      this.#buildDepth--;
    }
  }

  /** Empties the store in one commit. Observed records stay, empty, and notify. Returns the number of signals. */
  clear(): number {
    this.tick();
    const written = this.commit(() => {
      this.layers.clear();
      for (const table of this.tables.values()) table.clear();
      this.layers.rebase();
      // no last value survives a logout
      for (const { records } of this.tables.values())
        for (const { observers } of records.values()) observers?.showLastContent(undefined);
      this.#results.clear();
      this.#derivedResults.clear();
    });
    this.gc.onCleared();
    return written;
  }

  /** All tables. Results are collected before the lists they show, and lists before their rows. */
  *gcTables(): Generator<GcTable> {
    yield this.#results;
    yield this.#derivedResults;
    for (const table of this.tables.values()) {
      yield table;
      if (table instanceof EntityTable) yield* table.indexes.values();
    }
  }

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
    for (const table of this.tables.values()) {
      if (table instanceof EntityTable) count += table.records.size;
    }
    return count;
  }
}
