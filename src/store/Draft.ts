/** The draft: everything a response or an optimistic write says, staged before anything is written. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type {
  ListChangeOp,
  Fields,
  FillMode,
  ListKind,
  Node,
  Ref,
  Sink,
  StoredKind,
} from '../schema/schema.ts';
import { runListCallbacks } from './runListCallbacks.ts';
import type { PreparedListChange } from './runListCallbacks.ts';
import type { DraftStore } from './DraftStore.ts';
import {
  mergeSameEntity,
  createPatch,
  withoutUnreceivedDefaults,
  withoutSupersededFields,
  mostDerived,
} from './EntityPatch.ts';
import type { EntityPatch } from './EntityPatch.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { findByAlias } from './findByAlias.ts';
import type { ListTable } from './ListTable.ts';
import type { StoredList } from './StoredList.ts';
import { mergeResponseByClass } from './mergeResponseByClass.ts';
import { append, EMPTY } from './append.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { PrimaryKeyChange } from './PrimaryKeyChange.ts';
import { preferStagedValues } from './FilterLookup.ts';
import type { Table } from './Table.ts';
import { TempIdMatcher } from './TempIdMatcher.ts';
import type { OptimisticWrite } from './TempIdMatcher.ts';

/** Options of a draft. */
export interface DraftOptions {
  /** The optimistic result shown so far: its entities with temporary keys are matched with entities of this draft. */
  readonly layer?: OptimisticWrite | undefined;
  readonly nextTempId?: Sink['nextTempId'];
}

interface StagedFill {
  readonly list: StoredList;
  readonly members: readonly Node[];
  readonly mode: FillMode;
}

/** A staged change to the lists of one table. */
export interface StagedListChange {
  readonly table: ListTable;
  readonly change: ListChangeOp;
  /** Tables of lists of the same entities at other addresses. */
  readonly tablesAtOtherAddresses: readonly ListTable[];
  preparedChange: PreparedListChange | undefined;
}

const NO_REMOVALS: Set<EntityRecord> = new Set();

/**
 * Missing records are created at once, but empty, which changes nothing for readers. `discard` removes the records that
 * this draft created. A response is written by `writeDraft`. An optimistic write becomes a layer.
 */
export class Draft implements Sink {
  /** In the order of the entities in the input. During staging, `record.stagedPatch` also refers to the record's patch. */
  patches: EntityPatch[] = EMPTY;
  removals: Set<EntityRecord> = NO_REMOVALS;
  fills: StagedFill[] = EMPTY;
  listChanges: StagedListChange[] = EMPTY;
  /** Patches of the entities that enter lists. */
  newMemberPatches: EntityPatch[] = EMPTY;
  /** Tables of the records that the draft refers to. */
  readonly tablesByKind: Map<StoredKind, Table> = new Map();
  /** Matches entities that a layer shows under temporary keys with the server keys in this draft. */
  tempIdMatcher: TempIdMatcher | undefined;
  readonly replacedLayer: OptimisticWrite | undefined;
  readonly keyChange: PrimaryKeyChange | undefined;
  readonly nextTempId: Sink['nextTempId'];
  readonly #store: DraftStore;
  readonly #stamp: Stamp | undefined;
  #createdRecords: StoreRecord[] = EMPTY;

  /**
   * `stamp`: the time as of which the data are true. Undefined: an optimistic write. `keyChange`: set if the response may
   * give an entity another primary key.
   */
  constructor(
    store: DraftStore,
    stamp: Stamp | undefined,
    { layer, nextTempId }: DraftOptions = {},
    renaming?: PrimaryKeyChange,
  ) {
    this.#store = store;
    this.#stamp = stamp;
    this.replacedLayer = layer;
    this.keyChange = renaming;
    this.nextTempId = nextTempId;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    const table = this.tablesByKind.get(kind) ?? this.#addTable(kind);
    const { gc } = this.#store;
    const stored = gc.findAndMarkUsed<StoreRecord>(table, pk);
    const renamed = top ? this.keyChange?.resolveRecord(table, pk, stored) : undefined;
    if (renamed !== undefined) return renamed;
    const known = stored ?? findByAlias(gc, table, pk, this.#stamp?.time);
    if (top && this.replacedLayer !== undefined)
      this.tempIdMatcher ??= new TempIdMatcher(this.replacedLayer, this.#store.tables);
    if (known !== undefined) {
      if (top && this.#stamp) this.tempIdMatcher?.mergeWithExisting(table, known as EntityRecord);
      return known;
    }
    const renamedRecord = top ? this.tempIdMatcher?.assignServerId(table, pk) : undefined;
    if (renamedRecord !== undefined) return renamedRecord;
    const created = gc.track<StoreRecord>(table.createRecord(pk));
    this.#createdRecords = append(this.#createdRecords, created);
    return created;
  }

  #addTable(kind: StoredKind): Table {
    const table = this.#store.table(kind);
    this.tablesByKind.set(kind, table);
    return table;
  }

  /** Runs user-defined merge functions of the entity class here: an exception leaves the store unchanged. */
  put(ref: Ref, incoming: Fields, nodes: readonly Node[], as: StoredKind): void {
    const record = ref as EntityRecord;
    const incomingKind = as as EntityKind;
    const kind =
      record.kind === incomingKind ? incomingKind : this.#resolveKind(record, incomingKind);
    const fields =
      kind === incomingKind ? incoming : kind.fieldsNestedAlike(incoming, incomingKind);
    const merged =
      kind.descriptor.hasAnyMerge && this.#stamp
        ? mergeResponseByClass(record, { fields, nodes, kind }, this.#stamp, this)
        : undefined;
    const { stagedPatch } = record;
    if (stagedPatch === undefined) {
      const created = createPatch(record, merged?.fields ?? fields, merged?.nodes ?? nodes, kind);
      created.classStamp = merged?.classStamp;
      record.stagedPatch = created;
      this.patches = append(this.patches, created);
    } else {
      if (stagedPatch.kind !== kind)
        stagedPatch.fields = kind.fieldsNestedAlike(stagedPatch.fields, stagedPatch.kind);
      stagedPatch.kind = kind;
      mergeSameEntity(stagedPatch, merged?.fields ?? fields, merged?.nodes ?? nodes);
      stagedPatch.classStamp = merged?.classStamp ?? stagedPatch.classStamp;
    }
    // the same response deleted the entity before: it exists again
    if (this.removals.size > 0) this.removals.delete(record);
  }

  /** If classes share a table, a response may change the class to a more derived one; an optimistic write may not. */
  #resolveKind(record: EntityRecord, as: EntityKind): EntityKind {
    if (this.#stamp !== undefined)
      return mostDerived(record.stagedPatch?.kind ?? (record.isConfirmed ? record.kind : as), as);
    // an unknown entity gets the class under which it is created
    if (!record.exists && !record.isConfirmed) record.kind = as;
    return record.kind;
  }

  exists(ref: Ref): boolean {
    return (ref as EntityRecord).isConfirmed;
  }

  remove(ref: Ref): void {
    // any list may contain the entity, also one that is not loaded yet
    this.#store.loadAllPersisted?.();
    if (this.removals === NO_REMOVALS) this.removals = new Set();
    this.removals.add(ref as EntityRecord);
  }

  /** True if the draft deletes entities: `process` returned undefined, or a schema deletes. */
  get deletesEntities(): boolean {
    return this.removals.size > 0;
  }

  fill(ref: Ref, members: Node, mode: FillMode = 'fill'): void {
    this.fills = append(this.fills, { list: ref as StoredList, members: members as Node[], mode });
  }

  stageListChange(kind: ListKind, entry: ListChangeOp): void {
    if (entry.op === 'start' || entry.op === 'end') {
      for (const member of entry.members) {
        const { stagedPatch } = member as EntityRecord;
        if (stagedPatch !== undefined)
          this.newMemberPatches = append(this.newMemberPatches, stagedPatch);
      }
    }
    const change = preferStagedValues(entry, kind, ({ stagedPatch }) => stagedPatch);
    const { certain, atOtherAddresses } = this.#store.listTablesForChange(kind, entry.listAddress);
    let tablesAtOtherAddresses = atOtherAddresses;
    for (const table of certain) {
      const staged = { table, change, tablesAtOtherAddresses, preparedChange: undefined };
      this.listChanges = append<StagedListChange>(this.listChanges, staged);
      tablesAtOtherAddresses = EMPTY;
    }
  }

  /** Runs user code now (getters, constructors, filters): an exception leaves the store unchanged. */
  prepare(): void {
    if (this.#stamp)
      this.tempIdMatcher?.keepNestedLists((list, members) => this.fill(list, members));
    const stamp = this.#stamp;
    for (const patch of this.patches) {
      const { record, kind } = patch;
      const isNew = stamp !== undefined && !record.isConfirmed;
      if (stamp && !isNew) patch.fields = withoutUnreceivedDefaults(patch.fields, record, stamp);
      else if (stamp?.own && record.versions.ownIssued)
        patch.fields = withoutSupersededFields(patch.fields, record, stamp.own, stamp.time);
      patch.recordShape = kind.shapeOf(patch.fields);
      if (isNew) patch.instance = kind.createInstance(patch.fields, patch.recordShape);
    }
    if (this.#stamp)
      for (const staged of this.listChanges)
        staged.preparedChange = runListCallbacks(staged.table, staged.change);
    this.#endStaging();
  }

  /** Must be called at the end of staging, also by `discard`: `record.stagedPatch` is set during staging only. */
  #endStaging(): void {
    for (const { record } of this.patches) record.stagedPatch = undefined;
  }

  /** Undoes everything that staging changed in the store. */
  discard(): void {
    this.#endStaging();
    this.tempIdMatcher?.undo();
    this.keyChange?.undo();
    for (const { kind, pk } of this.#createdRecords) this.#store.table(kind as StoredKind).drop(pk);
  }

  /** The patch of an entity; undefined if there is none, or if the draft deletes the entity. */
  patchOf(record: EntityRecord): EntityPatch | undefined {
    if (this.removals.has(record)) return undefined;
    return this.patches.find((patch) => patch.record === record);
  }

  /** True if the draft adds this record to lists or maps. */
  addsToLists(record: Node): boolean {
    return this.listChanges.some(
      ({ change: { op, members } }) => op !== 'move' && op !== 'out' && members.includes(record),
    );
  }

  /** Copies the patch of `record`, if there is one, to `other`. */
  copyPatchTo(record: EntityRecord, other: EntityRecord): void {
    const patch = this.patchOf(record);
    if (patch !== undefined) this.patches = append(this.patches, { ...patch, record: other });
  }

  /** True if this draft creates every entity that `other` creates. */
  createsEntitiesOf(other: Draft): boolean {
    return other.patches.every(
      ({ record }) => other.removals.has(record) || this.patchOf(record) || record.isConfirmed,
    );
  }
}
