/** All layers, that is optimistic writes: kept in order of issue, and rebased after changes. */
import { replaceEqualDeep } from '../schema/equal.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import { INVALID } from '../schema/schema.ts';
import type { NormalizedNode } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { StoreLayers } from '../store/StoreLayers.ts';
import type { EntityContent, EntityPatch } from '../store/entities/EntityContent.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { EntityTable } from '../store/entities/EntityTable.ts';
import { dropPushedCreation } from '../store/entities/FieldVersions.ts';
import { ListRecord, containingLists, isStoredList } from '../store/lists/ListRecord.ts';
import type { StoredList } from '../store/lists/ListRecord.ts';
import { EMPTY, append } from '../store/records/SmallSet.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { eachRecord } from '../store/records/eachRecord.ts';
import { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Draft, DraftStore, StagedListChange } from '../store/writes/Draft.ts';
import { deleteConfirmedData, joinRecords, renameEntity } from '../store/writes/KeyChanges.ts';
import type { Layer } from './Layer.ts';
import {
  BeforeDeletion,
  EntityCopy,
  LayerReadView,
  equalsCopyAsOf,
  membersAsOf,
  readFieldsOf,
} from './LayerReadView.ts';
import { beginPending, pendingOf } from './PendingEntity.ts';
import type { PendingEntity } from './PendingEntity.ts';
import { PendingList, PendingMembers, pendingMembersOf } from './foldChanges.ts';
import type { PendingChange } from './foldChanges.ts';
import type { PendingPatch } from './foldPatches.ts';
import { countBefore, insertByIssueTime } from './insertByIssueTime.ts';
import { copyPatchTo } from './patchOf.ts';
import { findMoves } from './findMoves.ts';
import type { PendingMove } from './findMoves.ts';

/*
 *   optimistic         { title: 'a' } temporary ─── 204 ────────────────── { id: 9, title: 'a' }
 *   push, or a read                                  { id: 9, title: 'a' } takes the place of the row
 */

/** A row that is confirmed, without a key from the server. */
interface RowWithoutKey {
  readonly layer: Layer;
  /** The lists that contain the row: a list that has dropped the row was fetched again. */
  readonly lists: readonly StoredList[];
}

/** The layer of patches that hide echoes. */
const ECHO: PendingPatch['layer'] = { creates: () => false, hidesEcho: true };

/** Runs `reveal` in a commit, after the time for which an entity may be hidden. */
export type RevealLater = (reveal: () => void) => void;

/** Stands for all fields of a record in the place of a name. */
const ALL_FIELDS = '';

/** A change of some fields of a record that is there before and after. */
interface FieldChange {
  readonly names: readonly string[];
  /** Logical time of the next write of the field: layers issued later do not see the change. */
  until(name: string): number;
}

/** The data of a result without the deletion that hides the data, and the reader and node behind the data. */
interface BeforeData {
  readonly reader: BeforeDeletion;
  readonly node: NormalizedNode;
  readonly value: unknown;
}

/*
 *   a response   ──►  changes confirmed data (`beforeWrite`)      ─┐
 *   a new layer  ──►  adds patches and list changes (`add`)        ├─►  `rebase`: layers with changed dependencies are
 *   a layer that succeeds or fails  ──►  is removed (`remove`)    ─┘    computed again in order of issue; then each
 *                                                                       touched record shows base and layers folded
 */
export class Layers implements StoreLayers {
  readonly #store: DraftStore;
  /** The layers to compute again, or whose dependencies may have changed, in the order of issue. */
  #queue: Layer[] = [];
  /** The layers that depend on each record, by the fields that were read, in the order of issue. */
  readonly #dependents: Map<StoreRecord, Map<string, Layer[]>> = new Map();
  /**
   * The records that have changed since the last rebase, each with the logical time from which on layers see the change.
   * Empty while no layer has dependencies.
   */
  readonly #changedSince: Map<StoreRecord, number> = new Map();
  /** As `changedSince`, of the changes of all fields. */
  readonly #replacedSince: Map<StoreRecord, number> = new Map();
  /** The active layers, in the order of addition. */
  readonly active: Set<Layer> = new Set();
  /** Entities with layers that must be folded again. */
  #entitiesToRefold: EntityRecord[] = EMPTY;
  /** Lists that must be folded again. */
  #listsToRefold = new Set<StoredList>();
  /** Entities that layers delete. */
  readonly #deletedEntities = new Set<EntityRecord>();
  /** Entities with changes that were refused in this commit. */
  readonly #rolledBack = new Map<EntityRecord, PendingEntity>();
  /** The data of results that an optimistic deletion hides, without the deletion. */
  readonly #beforeDeletion = new WeakMap<ResultRecord, BeforeData>();
  /** Entities that may move between other lists now, because of fields that writes from this logical time on changed. */
  readonly #entitiesToMove = new Map<EntityRecord, number>();
  /** The patches that change fields by which lists are filtered, in the order of issue. */
  readonly #movedPatches = new Map<EntityRecord, PendingPatch[]>();
  /** Layers that have succeeded in this commit, and that created rows under temporary keys. */
  #succeeded: Layer[] = EMPTY;
  /** Their layers stay active, without effect: echoes stay hidden, and rows like these are compared. */
  readonly #rowsWithoutKey = new Map<EntityRecord, RowWithoutKey>();
  /** Lists with changes by layers. */
  readonly pendingLists: Set<StoredList> = new Set();

  readonly #revealLater: RevealLater;

  /** `revealLater`: called for each entity that is hidden, and for each row that waits for a key. */
  constructor(store: DraftStore, revealLater: RevealLater) {
    this.#store = store;
    this.#revealLater = revealLater;
  }

  /** Called before the confirmed data of a record change. */
  beforeWrite(record: StoreRecord): void {
    this.#queueRefold(record);
  }

  /*
   *   optimistic    { title: 'a' } temporary ──────────── { id: 9, title: 'a' }
   *   push                             { id: 9, title: 'a' } hidden             the same row is shown once
   */

  /** Hides an entity that may be the row that a creation in flight has made. */
  onNewEntity(patch: EntityPatch, isAddition: boolean): void {
    const { record } = patch;
    if (this.#rowsWithoutKey.size > 0 && this.#replaceLike(record, patch)) return;
    let isHidden = false;
    for (const layer of this.active) {
      if (!layer.mayHaveCreated(patch, isAddition)) continue;
      layer.echoes.add(record);
      this.#addDeletion(layer, record, ECHO);
      isHidden = true;
    }
    if (isHidden) this.#revealLater(() => this.reveal(record));
  }

  reveal(record: EntityRecord): void {
    // a hidden entity has a pending deletion
    if (record.pending === undefined) return;
    for (const { echoes, issued } of this.active) {
      if (!echoes.delete(record)) continue;
      this.#queueRefold(record, issued, pendingOf(record)?.drop(issued));
      this.#endDeletion(record, issued);
    }
  }

  /** An entity like a row without a key is that row, and replaces the optimistic row. */
  #replaceLike(record: EntityRecord, content: EntityContent): boolean {
    for (const [row, { layer }] of this.#rowsWithoutKey)
      if (row.kind.tableKey === record.kind.tableKey && layer.isLike(row, content, 1)) {
        renameEntity(this.#store.tables, row, record.pk);
        joinRecords(this.#store, row, record);
        dropPushedCreation(record);
        this.#endWait(row);
        this.reveal(record);
        return true;
      }
    return false;
  }

  /** Of the creations that succeeded without telling a key: their rows are looked for among the echoes, and awaited. */
  findKeys(): void {
    const succeeded = this.#succeeded;
    this.#succeeded = EMPTY;
    for (const layer of succeeded) {
      for (const row of layer.rowsWithoutKey) {
        if (!row.isConfirmed) continue;
        layer.isDone = true;
        this.active.add(layer);
        this.#rowsWithoutKey.set(row, { layer, lists: this.#listsWith(row) });
        this.#revealLater(() => this.#endWait(row));
      }
      for (const echo of layer.echoes) if (echo.base) this.#replaceLike(echo, echo.base);
      if (!this.active.has(layer)) continue;
      for (const echo of layer.echoes) this.#addDeletion(layer, echo, ECHO);
    }
  }

  /** Forgets the rows that a newer response has dropped. */
  #forgetDropped(): void {
    for (const [row, { lists }] of this.#rowsWithoutKey) {
      if (row.isConfirmed && lists.every((list) => list.hasConfirmed(row))) continue;
      this.#endWait(row);
      if (this.#listsWith(row).length === 0) deleteConfirmedData(this.#store, row);
    }
  }

  #listsWith(row: EntityRecord): StoredList[] {
    const lists = containingLists(row, this.pendingLists);
    return lists.filter((list) => !list.followsEntities && list.hasConfirmed(row));
  }

  #endWait(row: EntityRecord): void {
    const { layer } = this.#rowsWithoutKey.get(row) ?? {};
    this.#rowsWithoutKey.delete(row);
    if (!layer || [...this.#rowsWithoutKey.values()].some((other) => other.layer === layer)) return;
    this.#drop(layer);
  }

  /** A creation is confirmed: changes by layers issued earlier to lists with the entity may no longer hold. */
  onCreateConfirmed(record: EntityRecord): void {
    if (record.pending)
      for (const list of containingLists(record, this.pendingLists)) this.#queueRefold(list);
  }

  /** Adds a layer. Readers see the writes from the end of this commit on. */
  add(layer: Layer): void {
    if (this.active.has(layer)) this.#detach(layer);
    this.active.add(layer);
    this.#attach(layer);
  }

  /** Applies the patches that layers have for `record` to `other` from now on. */
  movePatches(record: EntityRecord, other: EntityRecord): void {
    for (const layer of this.active) {
      if (!layer.writtenRecords.some((one) => one === record || one === other)) continue;
      copyPatchTo(layer.draft, record, other);
      this.rebaseLater(layer);
      // before `other` is written: readers must see the final value only
      beginPending(other);
      this.#queueRefold(other);
    }
  }

  /** Rebases the layer at the end of this commit, because the arguments of the call have changed. */
  rebaseLater(layer: Layer): void {
    layer.isOutdated = true;
    this.#queueLayer(layer);
  }

  /** The records that layers were computed from, and the records that layers change, with their parts. */
  gcRoots(): ReadonlySet<StoreRecord> {
    // also lists whose rows are deleted: a rollback brings the rows back
    const roots = new Set<StoreRecord>(this.pendingLists);
    for (const { dependencies, writtenRecords } of this.active) {
      for (const record of dependencies?.keys() ?? EMPTY) roots.add(record);
      for (const record of writtenRecords) {
        roots.add(record);
        eachRecord(record.gcEdges(), (part) => roots.add(part));
      }
    }
    return roots;
  }

  /** Removes this layer only. `failed`: also deletes data pushed to its rows, which will never get server keys. */
  remove(layer: Layer, failed = false): void {
    if (!this.active.has(layer)) return;
    if (failed)
      for (const record of layer.createdEntities) deleteConfirmedData(this.#store, record);
    const { writtenRecords, issued } = layer;
    for (const record of writtenRecords) {
      if (!(record instanceof EntityRecord)) continue;
      const pending = pendingOf(record);
      if (!failed) pending?.keepInDeleted(issued);
      else if (pending) this.#rolledBack.set(record, pending);
    }
    this.#drop(layer);
    if (!failed && layer.hasTempPks && !layer.isDone)
      this.#succeeded = append(this.#succeeded, layer);
  }

  #drop(layer: Layer): void {
    this.active.delete(layer);
    this.#detach(layer);
    // a list may have waited for this layer with the positions of its members
    for (const list of this.pendingLists)
      if (!pendingMembersOf(list)?.changes.length) this.#listsToRefold.add(list);
  }

  /** At the end of a commit: rebases layers and folds the changed records. */
  rebase(): void {
    if (this.#succeeded.length > 0) this.findKeys();
    if (this.#rowsWithoutKey.size > 0) this.#forgetDropped();
    if (this.#dependents.size > 0)
      for (const record of this.#entitiesToRefold) this.#noteConfirmedChanges(record);
    if (this.#listsToRefold.size > 0) this.#queueMovesToNewLists();
    if (this.#entitiesToMove.size > 0) this.#moveEntities();
    if (this.#queue.length > 0) this.#rebaseLayers();
    // to clear an empty map has a cost too
    if (this.#changedSince.size > 0) {
      this.#changedSince.clear();
      this.#replacedSince.clear();
    }
    const entities = this.#entitiesToRefold;
    const lists = this.#listsToRefold;
    // taken out first: reading rows while lists are folded may call `rebase` for the rest
    this.#entitiesToRefold = EMPTY;
    if (lists.size > 0) {
      this.#listsToRefold = new Set();
      for (const list of lists) this.#attachLayersToList(list);
    }
    for (const record of entities) pendingOf(record)?.show();
    // to iterate over an empty set has a cost too
    if (lists.size > 0)
      for (const list of lists) {
        showFold(list, this.active);
        if (!list.pending) this.pendingLists.delete(list);
      }
    if (this.#rolledBack.size > 0) this.#showRolledBack();
  }

  /** Readers that keep a deleted entity must not keep a value that was refused. */
  #showRolledBack(): void {
    const rolledBack = [...this.#rolledBack];
    // taken out first: reading results may call `rebase`
    this.#rolledBack.clear();
    for (const [record, { contentBeforeDeletion: content }] of rolledBack) {
      if (content === undefined) continue;
      const copy = new EntityCopy(record, content);
      record.observers?.fieldReaders?.showContent(copy.content);
      for (const parent of record.allParents)
        if (parent instanceof ResultRecord) this.#showDeletedCopy(parent, record, copy);
    }
  }

  /** Shows readers that keep deleted data the entity as after a rollback. */
  #showDeletedCopy(result: ResultRecord, record: StoreRecord, copy: StoreRecord): void {
    // the write that was refused may have shown the entity until now
    const lastResult = result.result();
    if (lastResult.status !== 'success' || !lastResult.deleted) return;
    const reader = new BeforeDeletion(this.#store, record, copy);
    const data = projectForReader(result.kind.denormalize(result.node, reader), result);
    if (data === INVALID) return;
    result.lastResult = { ...lastResult, data };
    result.notifyResult();
  }

  dataBeforeDeletion(result: ResultRecord): unknown {
    const { node, kind } = result;
    let known = this.#beforeDeletion.get(result);
    if (known === undefined || known.node !== node || !known.reader.isCurrent()) {
      const reader = new BeforeDeletion(this.#store);
      const value = replaceEqualDeep(known?.value, kind.denormalize(node, reader));
      this.#beforeDeletion.set(result, (known = { reader, node, value }));
    }
    return projectForReader(known.value, result);
  }

  confirmedView(): LayerReadView | undefined {
    return this.active.size > 0 ? new LayerReadView(this.#store, 0) : undefined;
  }

  /** Removes all layers. */
  clear(): void {
    for (const layer of this.active) this.remove(layer);
  }

  /**
   * `issued`: time of the layer that changes the record; layers issued earlier do not see the change. `names`: fields of
   * an entity that change; undefined: all.
   */
  #queueRefold(record: StoreRecord, issued = -1, names?: readonly string[]): void {
    if (record instanceof EntityRecord) {
      const pending = pendingOf(record);
      if (pending !== undefined) this.#queueMove(record, issued);
      // an entity without layers needs no fold
      if (pending?.needsRefold === false) {
        pending.needsRefold = true;
        this.#entitiesToRefold = append(this.#entitiesToRefold, record);
      }
      if (this.#dependents.size === 0) return;
      this.noteChange((this.#store.table(record.kind) as EntityTable).allRecord, issued);
      // which confirmed fields change is known when all is written, unless `pending` ends before
      if (issued >= 0 || !pending?.patches.length) this.#noteFields(record, issued, names);
      return;
    } else if (isStoredList(record)) {
      // a layer may hide members, also incoming ones: readers must see the final list only
      if (this.#deletedEntities.size + this.#movedPatches.size > 0 && !record.followsEntities)
        this.#beginPending(record);
      this.#listsToRefold.add(record);
    }
    this.noteChange(record, issued);
  }

  #queueMove(record: EntityRecord, issued: number): void {
    const mayMove = this.#store.tablesFollowing(record.kind.tableKey).length > 0;
    if (mayMove || this.#movedPatches.has(record))
      this.#entitiesToMove.set(
        record,
        Math.min(issued, this.#entitiesToMove.get(record) ?? issued),
      );
  }

  /** Lists that were stored in this commit may have filters by which layers change fields. */
  #queueMovesToNewLists(): void {
    for (const { writtenRecords } of this.active)
      for (const record of writtenRecords)
        if (record instanceof EntityRecord) this.#queueMove(record, -1);
  }

  /** Shows entities in the lists that follow from the fields changed by layers. */
  #moveEntities(): void {
    for (const [record, from] of this.#entitiesToMove) {
      this.#entitiesToMove.delete(record);
      const moved = this.#movedPatches.get(record) ?? [];
      const old = new Set(moved.splice(countBefore(moved, from)).flatMap(movesOf));
      const present = findMoves(this.#store, record, from);
      moved.push(...present);
      // also without a move now: the lists must not show confirmed moves that the writes undo
      if (moved.length > 0) this.#movedPatches.set(record, moved);
      else this.#movedPatches.delete(record);
      const added = present.flatMap(movesOf).filter((move) => !old.delete(move));
      for (const { list, change } of old) pendingMembersOf(list)?.dropChange(change);
      for (const { list, change } of added) this.#beginPending(list).add(change);
      for (const { list, change } of [...old, ...added]) this.#queueRefold(list, change.issued);
    }
  }

  #noteConfirmedChanges(record: EntityRecord): void {
    const names = pendingOf(record)?.changedFields;
    if (names?.length !== 0) this.#noteFields(record, -1, names);
  }

  #noteFields(record: EntityRecord, issued: number, names?: readonly string[]): void {
    const until = names && pendingOf(record)?.visibilityOf(issued);
    this.noteChange(record, issued, names && until && { names, until });
  }

  /** In the order of issue, since each layer sees the changes by the layers before. */
  #rebaseLayers(): void {
    // a function of a layer may read rows, which calls this method for the layers left
    for (let layer = this.#queue.shift(); layer; layer = this.#queue.shift()) {
      const isChanged = layer.isOutdated || this.#hasChangedDependency(layer);
      if (isChanged && this.active.has(layer)) {
        const { dependencies } = layer;
        const patchesOfDeleted = layer.writtenRecords.flatMap((record) =>
          findPatchOfDeleted(record, layer),
        );
        layer.isOutdated = false;
        this.#detach(layer);
        layer.dependencies = undefined;
        if (!layer.tryRebase()) layer.dependencies = dependencies;
        this.#attach(layer);
        for (const patch of patchesOfDeleted) this.#keepPatch(layer, patch);
        if (this.#entitiesToMove.size > 0) this.#moveEntities();
      }
      layer.isDue = false;
    }
  }

  /**
   * A layer that has read a deleted row no longer changes the row. Readers that keep the row show that change until
   * the change is refused.
   */
  #keepPatch(layer: Layer, patch: EntityPatch): void {
    const { record } = patch;
    if (layer.writtenRecords.includes(record)) return;
    const patchOver = (content: EntityContent) =>
      layer.computePatchOver(record, new EntityCopy(record, content));
    this.#addPatch(layer, record, patch, { creates: () => false, patchOver });
  }

  #detach(layer: Layer): void {
    const { issued, writtenRecords } = layer;
    if (layer.subscribedTo !== undefined) this.#unsubscribe(layer);
    layer.writtenRecords = EMPTY;
    for (const record of writtenRecords) {
      this.#queueRefold(
        record,
        issued,
        record instanceof EntityRecord
          ? pendingOf(record)?.drop(issued)
          : pendingMembersOf(record)?.drop(issued),
      );
      if (record instanceof EntityRecord && this.#deletedEntities.has(record))
        this.#endDeletion(record, issued);
    }
  }

  #addDeletion(layer: Layer, record: EntityRecord, as: PendingPatch['layer'] = layer): void {
    this.#deletedEntities.add(record);
    this.#addPatch(layer, record, undefined, as);
    this.#queueListsOf(record, layer.issued);
  }

  /** A layer deletes the entity no more. */
  #endDeletion(record: EntityRecord, issued: number): void {
    this.#queueListsOf(record, issued);
    if (!pendingOf(record)?.deletePatches.length) this.#deletedEntities.delete(record);
  }

  /** Queues the lists that an entity leaves, or returns to, because of a deletion by a layer. */
  #queueListsOf(record: EntityRecord, issued: number): void {
    for (const list of containingLists(record, this.pendingLists)) this.#queueRefold(list, issued);
  }

  #attach(layer: Layer): void {
    const { draft } = layer;
    if (draft !== undefined) {
      const { patches, removals, fills, listChanges } = draft;
      for (const patch of patches)
        if (!removals.has(patch.record)) this.#addPatch(layer, patch.record, patch);
      for (const record of removals) this.#addDeletion(layer, record);
      for (const record of layer.echoes) this.#addDeletion(layer, record, ECHO);
      if (fills.length + listChanges.length > 0) this.#attachToLists(layer, draft);
    }
    if (layer.dependencies !== undefined) this.#subscribe(layer);
  }

  #attachToLists(layer: Layer, { fills, listChanges }: Draft): void {
    const { issued } = layer;
    for (const { list, mode, members } of fills)
      if (!list.followsEntities)
        this.#addListChange(layer, list, {
          issued,
          op: mode,
          members: Object.values(members),
          keys: Object.keys(members),
        });
    for (const staged of listChanges) {
      // the target lists depend on the previous content of the members, and on own writes that are confirmed meanwhile,
      // also of an equal value: no copy counts as equal
      const dependencies = (layer.dependencies ??= new Map());
      eachRecord(staged.change.members, (member) => dependencies.set(member, member));
      this.#attachListChange(layer, staged);
    }
  }

  #addPatch(
    layer: Layer,
    record: EntityRecord,
    patch: EntityPatch | undefined,
    patchLayer: PendingPatch['layer'] = layer,
  ): void {
    const { issued } = layer;
    beginPending(record).addPatch({ issued, patch, layer: patchLayer });
    layer.writtenRecords = append(layer.writtenRecords, record);
    this.#queueRefold(record, issued, patch?.recordShape?.names);
  }

  /** `only`: changes this list alone. */
  #attachListChange(layer: Layer, { table, change }: StagedListChange, only?: StoredList): void {
    const { issued } = layer;
    const { merge } = change;
    const matched = table.matchMembers(change, issued);
    for (const { list, member, op, mapKey } of table.memberOps(change, matched))
      if (list === (only ?? list))
        this.#addListChange(layer, list, { issued, op, members: [member], keys: [mapKey], merge });
  }

  #addListChange(layer: Layer, list: StoredList, change: PendingChange): void {
    this.#beginPending(list).add(change);
    // from the end: a layer mostly adds several members to the same list
    if (layer.writtenRecords.lastIndexOf(list) < 0)
      layer.writtenRecords = append<EntityRecord | StoredList>(layer.writtenRecords, list);
    this.#queueRefold(list, layer.issued);
  }

  #beginPending(list: StoredList): PendingMembers<unknown> {
    this.pendingLists.add(list);
    return beginPendingMembers(list, this.#deletedEntities);
  }

  /** Applies the list changes of layers to a list that was just stored, or has other members now. */
  #attachLayersToList(list: StoredList): void {
    for (const layer of this.active)
      for (const staged of (!layer.isDone && layer.draft?.listChanges) || EMPTY)
        if (staged.table.kind === list.kind && !layer.writtenRecords.includes(list))
          this.#attachListChange(layer, staged, list);
  }

  /**
   * Notes a change of this record, of all fields unless `change` is given: at the end of the commit, layers issued after
   * `issued` that saw another content are rebased.
   */
  noteChange(record: StoreRecord | undefined, issued = -1, change?: FieldChange): void {
    const changedSince = this.#changedSince;
    const replacedSince = this.#replacedSince;
    const dependents = this.#dependents;
    if (record === undefined || dependents.size === 0) return;
    if (issued >= (replacedSince.get(record) ?? Infinity)) return;
    if (change === undefined) replacedSince.set(record, issued);
    if (issued < (changedSince.get(record) ?? Infinity)) changedSince.set(record, issued);
    const byField = dependents.get(record);
    if (byField === undefined) return;
    if (change === undefined) {
      for (const layers of byField.values()) this.#queueLayers(layers, issued);
      return;
    }
    const all = byField.get(ALL_FIELDS);
    for (const name of change.names) {
      const some = byField.get(name);
      if (!all && !some) continue;
      const until = change.until(name);
      if (all) this.#queueLayers(all, issued, until);
      if (some) this.#queueLayers(some, issued, until);
    }
  }

  /** A new layer changes nothing that the layers before see, and nothing above the next write of the same field. */
  #queueLayers(layers: readonly Layer[], issued: number, until = Infinity): void {
    for (let at = countBefore(layers, issued); at < layers.length; at++) {
      const layer = layers[at] as Layer;
      if (layer.issued > until) return;
      if (layer.issued > issued) this.#queueLayer(layer);
    }
  }

  /** Queues the layer. `isDue` stays true until the layer is rebased. */
  #queueLayer(layer: Layer): void {
    if (!layer.isDue) this.#queue = insertByIssueTime(this.#queue, layer);
    layer.isDue = true;
  }

  #hasChangedDependency({ issued, dependencies }: Layer): boolean {
    for (const [record, copy] of dependencies ?? EMPTY) {
      const since = this.#changedSince.get(record) ?? Infinity;
      if (since < issued && !equalsCopyAsOf(record, issued, copy)) return true;
    }
    return false;
  }

  /** From now on the layer becomes due when a dependency changes. */
  #subscribe(layer: Layer): void {
    const changedSince = this.#changedSince;
    const dependents = this.#dependents;
    layer.subscribedTo = layer.dependencies;
    for (const [record, copy] of layer.dependencies ?? EMPTY) {
      let byField = dependents.get(record);
      if (byField === undefined) dependents.set(record, (byField = new Map()));
      for (const name of readFieldsOf(copy) ?? [ALL_FIELDS])
        byField.set(name, insertByIssueTime(byField.get(name) ?? EMPTY, layer));
      // changed in this commit, perhaps after the layer was computed
      if (changedSince.has(record)) this.#queueLayer(layer);
    }
  }

  #unsubscribe(layer: Layer): void {
    for (const [record, copy] of layer.subscribedTo ?? EMPTY) {
      const byField = this.#dependents.get(record);
      for (const name of readFieldsOf(copy) ?? [ALL_FIELDS]) {
        const layers = byField?.get(name) ?? EMPTY;
        const at = layers.indexOf(layer);
        if (at >= 0) layers.splice(at, 1);
        if (layers.length === 0) byField?.delete(name);
      }
      if (byField?.size === 0) this.#dependents.delete(record);
    }
  }
}

/** The patch that a layer has for an entity whose deletion is confirmed. */
const movesOf = ({ moves = EMPTY }: PendingPatch): readonly PendingMove[] => moves;

function findPatchOfDeleted(record: EntityRecord | StoredList, { issued }: Layer): EntityPatch[] {
  const pending = record instanceof EntityRecord ? pendingOf(record) : undefined;
  if (!pending?.deletedBase) return [];
  return pending.patches.flatMap((one) => (one.issued === issued && one.patch) || []);
}

function beginPendingMembers(
  list: StoredList,
  deletedEntities: Iterable<EntityRecord>,
): PendingMembers<unknown> {
  const known = pendingMembersOf(list);
  if (known !== undefined) return known;
  return (list.pending =
    list instanceof ListRecord
      ? new PendingList(list.members?.slice(), deletedEntities)
      : new PendingMembers(list.entries, deletedEntities));
}

/** Shows readers the fold: the confirmed members with the optimistic writes on top. `active`: all layers. */
function showFold(list: StoredList, active: ReadonlySet<Layer>): void {
  const pending = pendingMembersOf(list);
  if (pending === undefined) return;
  if (!(list instanceof ListRecord)) {
    list.setEntries(list.entriesAsOf(Infinity));
    if (pending.changes.length === 0) list.pending = undefined;
    return;
  }
  list.setMembers(membersAsOf(list, Infinity));
  if (pending.changes.length > 0) return;
  const hides = [...pending.deletedEntities].some((member) => list.base?.includes(member));
  const waits = pending instanceof PendingList && pending.needsPositions(active);
  if (!hides && !waits) list.pending = undefined;
}

/** The layers of a store that has, or had, an optimistic write. */
export function layersOf({ layers }: Store): Layers {
  return layers as Layers;
}
