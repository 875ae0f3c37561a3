/** The draft: everything a response or an optimistic write says, staged before anything is written. */
import { EntityKind } from '../../schema/EntityKind.ts';
import { isPlainObject } from '../../schema/fieldOf.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { normalize } from '../../schema/normalize.ts';
import type { NormalizeOptions } from '../../schema/normalize.ts';
import { INVALID, wrapOpaque } from '../../schema/schema.ts';
import type {
  Args,
  Fields,
  ListChangeOp,
  ListFillMode,
  ListKind,
  NormalizedNode,
  Ref,
  Schema,
  Sink,
  StoredKind,
} from '../../schema/schema.ts';
import type { Store } from '../Store.ts';
import type { StoreLayers } from '../StoreLayers.ts';
import {
  createPatch,
  mergeSameEntity,
  mostDerived,
  withoutSupersededFields,
  withoutUnreceivedDefaults,
} from '../entities/EntityContent.ts';
import type { EntityPatch } from '../entities/EntityContent.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import type { GarbageCollector, GcTable, RequestsInFlight } from '../gc/GarbageCollector.ts';
import { preferStagedValues } from '../lists/FilterLookup.ts';
import type { PagePlacement, StoredList } from '../lists/ListRecord.ts';
import type { ListTable, ListTables, MatchedMember, Table } from '../lists/ListTable.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import type { Builder, StoreRecord } from '../records/StoreRecord.ts';
import type { Stamp } from '../records/versioning.ts';
import type { PageCall } from '../results/LoadedPages.ts';
import type { Failure } from '../results/Result.ts';
import type { ResultRecord } from '../results/ResultRecord.ts';
import { KeyChanges } from './KeyChanges.ts';
import type { UpdateCall, TableMap } from './KeyChanges.ts';
import type { ListChanges } from './ListChanges.ts';
import { mergeResponseByClass } from './mergeResponseByClass.ts';
import { placePages } from './placePages.ts';
import type { FetchedPages } from './placePages.ts';
import { moveRow, writeDraft, writePatch } from './writeDraft.ts';

export interface DraftStore extends Builder {
  readonly time: number;
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
  noteOverwrite(entities: StoredKind['tableKey']): void;
  /** The tables of lists that may contain these entities, and whose rows follow their fields. */
  tablesFollowing(entities: StoredKind['tableKey']): readonly ListTable[];
  readonly pagedResults: Set<ResultRecord>;
  readonly results: ReadonlyMap<string, ResultRecord>;
  beforeWrite<R extends StoreRecord>(record: R): R;
  loadAll(): void;
}

/** An optimistic write whose entities get the keys of a draft. */
export interface ReplacedLayer {
  /** Undefined if the layer creates no entities. */
  createKeyChanges(store: DraftStore, stamp: Stamp | undefined): KeyChanges | undefined;
}

/** Options of a draft. */
export interface DraftOptions {
  /** The optimistic result shown so far: entities with temporary keys are matched with entities of this draft. */
  readonly layer?: ReplacedLayer | undefined;
  readonly addTempPk?: Sink['addTempPk'];
}

interface StagedFill {
  readonly list: StoredList;
  readonly members: readonly NormalizedNode[];
  readonly mode: ListFillMode;
  /** Where the rows of pages stand in the list. */
  placement?: PagePlacement;
}

/** A staged change to the lists of a table. */
export interface StagedListChange {
  readonly table: ListTable;
  readonly change: ListChangeOp;
  /** Tables of lists of the same entities at other addresses, only in the first staged change of an entry. */
  readonly tablesAtOtherAddresses: readonly ListTable[];
  preparedChange: PreparedListChange | undefined;
}

/**
 * Missing records are created at once, but empty, which changes nothing for readers. `discard` removes the records that
 * this draft created. A response is written by `writeDraft`. An optimistic write becomes a layer.
 */
export class Draft implements Sink {
  /** In the order of the entities in the input. During staging, `record.stagedPatch` also refers to the record's patch. */
  patches: EntityPatch[] = EMPTY;
  /** Entities to delete: `process` returned undefined, or a schema deletes. */
  readonly removals: Set<EntityRecord> = new Set();
  readonly fills: StagedFill[] = [];
  readonly listChanges: StagedListChange[] = [];
  /** Tables of the records that the draft refers to; undefined for an optimistic write, which mostly has one record. */
  readonly tablesByKind: Map<StoredKind, Table> | undefined;
  readonly replacedLayer: ReplacedLayer | undefined;
  /** Undefined unless the draft may give an entity another primary key. */
  keyChanges: KeyChanges | undefined;
  readonly addTempPk: Sink['addTempPk'];
  readonly #store: DraftStore;
  readonly #stamp: Stamp | undefined;
  #update: UpdateCall | undefined;
  #patchesByRecord: Map<EntityRecord, EntityPatch> | undefined;
  readonly #createdRecords: StoreRecord[] = [];
  /** New entities with a key that another entity had before. */
  reusingKeys: EntityRecord[] = EMPTY;

  /**
   * `stamp`: the time as of which the data are true. Undefined: an optimistic write. `update`: the call whose response may
   * give the entity in the arguments another primary key.
   */
  constructor(
    store: DraftStore,
    stamp: Stamp | undefined,
    { layer, addTempPk }: DraftOptions = {},
    update?: UpdateCall,
  ) {
    this.#store = store;
    this.#stamp = stamp;
    this.#update = update;
    this.tablesByKind = stamp && new Map();
    this.replacedLayer = layer;
    this.keyChanges = layer?.createKeyChanges(store, stamp);
    this.addTempPk = addTempPk;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    let table = this.tablesByKind?.get(kind);
    if (table === undefined) {
      table = this.#store.table(kind);
      this.tablesByKind?.set(kind, table);
    }
    if (top && this.#update) this.#findKeyChange(this.#update, table, pk);
    const { gc } = this.#store;
    const known =
      top && this.keyChanges !== undefined
        ? this.keyChanges.resolveRecord(table, pk)
        : (gc.findAndMarkUsed<StoreRecord>(table, pk) ??
          (table as Partial<EntityTable>).findRenamed?.(gc, pk, this.#stamp?.time));
    if (known !== undefined) return known;
    const created = gc.track<StoreRecord>(table.createRecord(pk));
    this.#createdRecords.push(created);
    if ((table as Partial<EntityTable>).aliases?.has(pk))
      this.reusingKeys = append(this.reusingKeys, created as EntityRecord);
    return created;
  }

  /** Most responses of an update have the primary key of the arguments. */
  #findKeyChange(update: UpdateCall, table: Table, pk: string): void {
    const known = table.records.get(pk) as { readonly kind: Partial<EntityKind> } | undefined;
    if (known?.kind.pkInArgs?.(update.args) === pk) return;
    this.#update = undefined;
    (this.keyChanges ??= new KeyChanges(this.#store, this.#stamp)).findUpdated(update);
  }

  /** Runs user-defined merge functions of the entity class here: an exception leaves the store unchanged. */
  put(ref: Ref, incoming: Fields, incomingNodes: readonly NormalizedNode[], as: StoredKind): void {
    const record = ref as EntityRecord;
    const incomingKind = as as EntityKind;
    const kind =
      record.kind === incomingKind ? incomingKind : this.#resolveKind(record, incomingKind);
    let fields = kind === incomingKind ? incoming : kind.fieldsNestedAlike(incoming, incomingKind);
    let nodes = incomingNodes;
    let classStamp: Stamp | undefined;
    if (kind.descriptor.hasAnyMerge && this.#stamp)
      ({ fields, nodes, classStamp } = mergeResponseByClass(
        record,
        { fields, nodes, kind },
        this.#stamp,
        this,
      ));
    let patch = record.stagedPatch;
    if (patch === undefined) {
      patch = record.stagedPatch = createPatch(record, fields, nodes, kind);
      this.patches = append(this.patches, patch);
    } else {
      if (patch.kind !== kind) patch.fields = kind.fieldsNestedAlike(patch.fields, patch.kind);
      patch.kind = kind;
      mergeSameEntity(patch, fields, nodes);
    }
    patch.classStamp = classStamp ?? patch.classStamp;
    // the same response deleted the entity before: now the entity exists again
    if (this.removals.size > 0) this.removals.delete(record);
  }

  /** If classes share a table, a response may make the class more derived; an optimistic write may not. */
  #resolveKind(record: EntityRecord, as: EntityKind): EntityKind {
    if (this.#stamp !== undefined)
      return mostDerived(record.stagedPatch?.kind ?? (record.isConfirmed ? record.kind : as), as);
    // an unknown entity gets the class under which it is created
    if (!record.exists && !record.isConfirmed) record.kind = as;
    return record.kind;
  }

  /** The patch of an entity. */
  patchOf(record: EntityRecord): EntityPatch | undefined {
    this.#patchesByRecord ??= new Map(this.patches.map((patch) => [patch.record, patch]));
    return this.#patchesByRecord.get(record);
  }

  exists(ref: Ref): boolean {
    return (ref as EntityRecord).isConfirmed;
  }

  remove(ref: Ref): void {
    // any list may contain the entity, also a list that is not loaded yet
    this.#store.loadAll();
    this.removals.add(ref as EntityRecord);
  }

  fill(ref: Ref, members: NormalizedNode, mode: ListFillMode = 'fill'): void {
    this.fills.push({ list: ref as StoredList, members: members as NormalizedNode[], mode });
  }

  stageListChange(kind: ListKind, entry: ListChangeOp): void {
    if (entry.creates) {
      for (const member of entry.members) {
        const { stagedPatch } = member as EntityRecord;
        if (stagedPatch !== undefined) stagedPatch.isOwnCreation = true;
      }
    }
    const change = preferStagedValues(entry, kind);
    const tables = this.#store.listTablesForChange(kind, entry.listAddress);
    let tablesAtOtherAddresses = tables.atOtherAddresses;
    for (const table of tables.matchedByConditions) {
      this.listChanges.push({ table, change, tablesAtOtherAddresses, preparedChange: undefined });
      tablesAtOtherAddresses = EMPTY;
    }
  }

  /** Runs user code now (getters, constructors, filters): an exception leaves the store unchanged. */
  prepare(): void {
    const stamp = this.#stamp;
    if (stamp) this.keyChanges?.keepNestedLists?.((list, members) => this.fill(list, members));
    for (const patch of this.patches) {
      const { record, kind } = patch;
      const isNew = stamp !== undefined && !record.isConfirmed;
      if (!isNew) {
        if (stamp?.derived === true)
          patch.fields = withoutUnreceivedDefaults(patch.fields, record, stamp);
      } else if (stamp.own && record.versions.ownIssued)
        patch.fields = withoutSupersededFields(patch.fields, record, stamp.own, stamp.time);
      patch.recordShape = kind.shapeOf(patch.fields);
      if (isNew) patch.instance = kind.createInstance(patch.fields, patch.recordShape);
    }
    if (stamp)
      for (const staged of this.listChanges)
        staged.preparedChange = runListCallbacks(staged.table, staged.change);
    // set during staging only
    for (const { record } of this.patches) record.stagedPatch = undefined;
  }

  /** Undoes everything that staging changed in the store. */
  discard(): void {
    for (const { record } of this.patches) record.stagedPatch = undefined;
    this.keyChanges?.undo();
    for (const { kind, pk } of this.#createdRecords) this.#store.table(kind as StoredKind).drop(pk);
  }
}

interface PreparedListChange {
  readonly matched: readonly MatchedMember[];
  /** Functions that write the results of merges. `time`: logical time of the memberships. */
  readonly merges: readonly {
    readonly list: StoredList;
    readonly apply: (time: number | undefined) => void;
  }[];
}

/** Runs the filter and merge functions of the application, which may throw, because nothing has been written yet. */
function runListCallbacks(table: ListTable, change: ListChangeOp): PreparedListChange | undefined {
  const { merge, filter } = change;
  if (merge === undefined && filter === undefined) return undefined;
  const matched = table.matchMembers(change);
  if (merge === undefined) return { matched, merges: [] };
  const incomingByList = new Map<StoredList, MatchedMember[]>();
  for (const match of matched)
    for (const list of match.certain)
      if (!incomingByList.get(list)?.push(match)) incomingByList.set(list, [match]);
  const merges = Array.from(incomingByList, ([list, incoming]) => ({
    list,
    apply: list.prepareMerge(merge, incoming),
  }));
  return { matched, merges };
}

export interface WriteRequest extends NormalizeOptions {
  readonly schema: Schema;
  readonly value: unknown;
  readonly stamp: Stamp;
  /** The write changes an entity that the arguments name. */
  readonly updatesEntityInArgs?: boolean | undefined;
  /** Adds the writes that follow from the node of this write: see `addLinkedWrite`. */
  readonly stageLinkedWrites?: ((staged: StagedWrite) => void) | undefined;
  /** The optimistic layer that the response replaces: entities created by the layer get the keys of the response. */
  readonly layer?: ReplacedLayer | undefined;
  /** Adds temporary keys to entities without a key in the response. */
  readonly addTempPk?: Sink['addTempPk'];
  /** Logical time at which the response arrived. */
  readonly arrivedAt?: number | undefined;
  /** The value is made of these pages of a list. */
  readonly fetchedPages?: FetchedPages | undefined;
  /** The value is this page of a list. */
  readonly page?: PageCall | undefined;
}

/** A staged write to a result, mostly of another request. */
export interface LinkedWrite {
  write(): void;
  discard(): void;
}

/** A write, staged completely before anything is stored: if the value is invalid, the store is unchanged. */
export class StagedWrite {
  readonly draft: Draft;
  readonly node: NormalizedNode;
  readonly stamp: Stamp;
  readonly request: WriteRequest;
  readonly args: Args;
  /** See `writeDraft`: a pushed value, or the response of a result that has had one before. */
  isAddition: boolean;
  readonly #store: Store;
  #linkedWrites: LinkedWrite[] = EMPTY;

  /** If the value is invalid, throws a diagnostic and leaves the store unchanged. */
  constructor(store: Store, request: WriteRequest) {
    const { schema, value, stamp, updatesEntityInArgs } = request;
    this.#store = store;
    this.request = request;
    this.stamp = stamp;
    this.args = request.args;
    this.isAddition = stamp.isPush === true && !stamp.derived;
    const update = updatesEntityInArgs && stamp.own ? request : undefined;
    this.draft = new Draft(store, stamp, request, update);
    try {
      this.node =
        schema === undefined ? wrapOpaque(value) : normalize(schema, value, this.draft, request);
      request.stageLinkedWrites?.(this);
      this.draft.prepare();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Adds a write that is made after this write, or discarded with it. */
  addLinkedWrite(linked: LinkedWrite): void {
    this.#linkedWrites = append(this.#linkedWrites, linked);
  }

  /** Undoes the staging. */
  discard(): void {
    this.draft.discard();
    for (const linked of this.#linkedWrites) linked.discard();
  }

  /** Must be called within a commit. */
  write(): void {
    writeDraft(this.#store, this.draft, this.stamp, this);
    for (const linked of this.#linkedWrites) linked.write();
  }

  /**
   * Writes the response of `result`, within a commit. `createMissingDataFailure`: returns the failure to store if the
   * response does not contain its data.
   */
  writeResponse(result: ResultRecord, createMissingDataFailure?: () => Failure): void {
    const placed = placePages(result, this);
    this.isAddition ||= result.hasResponse;
    writeDraft(this.#store, this.draft, this.stamp, this);
    this.#store.layers.rebase();
    result.setResponse(this.node, this.stamp, placed);
    for (const linked of this.#linkedWrites) linked.write();
    // incomplete: a response from before the deletion says nothing of the fields that are missing now
    if (createMissingDataFailure === undefined || result.isIncomplete || result.hasData()) return;
    // in the same commit, so that callers are notified once. Data hidden by an optimistic deletion are no failure
    const { layers } = this.#store;
    if (result.deletionIssued !== undefined && layers.dataBeforeDeletion(result) !== INVALID)
      result.notifyIfResultChanged();
    else result.setFailure(createMissingDataFailure());
  }
}

/*
 *   set(Todo, {id: 5}, {title: 'x'})      stored, no nested member, no custom merge or key       written at once
 *   set(Todo, {id: 9}, {title: 'y'})      missing: its constructor may throw                     ┐
 *   set(Todo, {id: 5}, {author: {…}})     several entities                                       ├ staged (Draft)
 *   set([Todo], [{id: 5, title: 'x'}])    a list                                                 ┘
 */

/** Returns the entity, and a function that writes the value, for a commit; undefined: needs a draft. */
export function prepareFastWrite(
  store: Store,
  schema: Schema,
  value: unknown,
  stamp: Stamp,
): readonly [EntityRecord, () => void] | undefined {
  const kind = kindOf(schema, 'schema');
  if (!(kind instanceof EntityKind) || !kind.descriptor.hasPlainWrites || !isPlainObject(value))
    return undefined;
  const pk = kind.pkIn(value, []);
  if (pk === undefined) return undefined;
  const record = store.gc.findAndMarkUsed(store.table(kind) as EntityTable, pk);
  if (record?.kind !== kind || !record.isConfirmed) return undefined;
  const fields = stamp.derived ? withoutUnreceivedDefaults(value, record, stamp) : value;
  const shape = kind.shapeOf(fields);
  if (shape.nestedIndexes.length > 0) return undefined;
  const patch = createPatch(record, fields, kind.descriptor.undefinedNodes, kind);
  patch.recordShape = shape;
  const write = () => {
    store.inflight.notePush(record, stamp, patch);
    const change = writePatch(store, store.beforeWrite(record), patch, stamp);
    if (change !== undefined) moveRow(store, change);
  };
  return [record, write];
}
