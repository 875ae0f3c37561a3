/** All layers, that is optimistic writes: keeps them in order of issue, and rebases them after changes. */
import type { Draft } from './Draft.ts';
import type { StagedListChange } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { eachRecord } from './eachRecord.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import type { Layer } from './Layer.ts';
import { ListRecord } from './ListRecord.ts';
import type { PendingChange } from './foldChanges.ts';
import type { FillMode, Node } from '../schema/schema.ts';
import { containingLists, isStoredList } from './StoredList.ts';
import type { StoredList } from './StoredList.ts';
import { append, EMPTY } from './append.ts';
import { UNWRITTEN_STAMP } from './versioning.ts';
import { StoreRecord } from './StoreRecord.ts';

/*
 *   a response   ──►  changes confirmed data (`beforeWrite`)      ─┐
 *   a new layer  ──►  adds patches and list changes (`add`)        ├─►  `rebase`: layers with changed dependencies are
 *   a layer that succeeds or fails  ──►  is removed (`remove`)    ─┘    computed again in order of issue; then each
 *                                                                       touched record shows base and layers folded
 */
export class Layers {
  readonly #store: DraftStore;
  /** The active layers, in the order in which they were added. */
  readonly active: Set<Layer> = new Set();
  /** The layers computed from a record, in order of issue. */
  readonly #dependents = new Map<StoreRecord, Layer[]>();
  /** Lists, and entities with layers, that must be folded again. */
  readonly #toRefold = new Set<EntityRecord | StoredList>();
  /** Entities that layers delete. */
  readonly #deletedEntities = new Set<EntityRecord>();
  /** Layers to rebase if a dependency has changed, in order of issue. */
  #toRebase: Layer[] = [];
  /** Lists with changes by layers. */
  readonly pendingLists: Set<StoredList> = new Set();

  constructor(store: DraftStore) {
    this.#store = store;
  }

  /** Must be called before the confirmed data of a record change. Returns the record. */
  beforeWrite<R extends StoreRecord>(record: R): R {
    if (this.active.size === 0) return record;
    this.#queueRefold(record);
    // a layer may delete an incoming member: readers must see the final list only
    if (this.#deletedEntities.size > 0 && record instanceof ListRecord && record.isFromResponses)
      this.#beginPending(record);
    return record;
  }

  /** A creation is confirmed: changes by layers issued earlier to lists with the entity may no longer hold. */
  onCreateConfirmed(record: EntityRecord): void {
    if (record.pending)
      for (const list of containingLists(record, this.pendingLists)) this.#queueRefold(list);
  }

  /** Adds a layer. Readers see its writes from the end of this commit on. */
  add(layer: Layer): void {
    this.#detach(layer);
    this.active.add(layer);
    this.#attach(layer);
  }

  /** Applies the patches that layers have for `record` to `other` from now on. */
  movePatches(record: EntityRecord, other: EntityRecord): void {
    for (const layer of this.active) {
      if (!layer.writtenRecords.includes(record) && !layer.writtenRecords.includes(other)) continue;
      layer.draft?.copyPatchTo(record, other);
      this.rebaseLater(layer);
      // before `other` is written: readers must see the final value only
      other.beginPending();
      this.#queueRefold(other);
    }
    this.#deleteConfirmedData(record);
  }

  /** Rebases the layer at the end of this commit, because the arguments of its call have changed. */
  rebaseLater(layer: Layer): void {
    this.#queueRebase(layer, undefined);
  }

  /** True if there are no optimistic writes. */
  get isEmpty(): boolean {
    return this.active.size === 0;
  }

  has(layer: Layer): boolean {
    return this.active.has(layer);
  }

  /** The records that layers were computed from, and the records that layers change, with their parts. */
  gcRoots(): ReadonlySet<StoreRecord> {
    const roots: Set<StoreRecord> = new Set(this.#dependents.keys());
    for (const { writtenRecords } of this.active)
      for (const record of writtenRecords) {
        roots.add(record);
        eachRecord(record.gcEdges(), (part) => roots.add(part));
      }
    return roots;
  }

  /** Removes this layer only. `failed`: also deletes data pushed to its rows, which will never get server keys. */
  remove(layer: Layer, failed = false): void {
    if (!this.active.has(layer)) return;
    if (failed) for (const record of layer.createdEntities) this.#deleteConfirmedData(record);
    this.active.delete(layer);
    this.#detach(layer);
  }

  #deleteConfirmedData(record: EntityRecord): void {
    if (record.isConfirmed)
      this.beforeWrite(record).remove({ ...UNWRITTEN_STAMP, time: record.latestTime });
  }

  /** At the end of a commit: rebases layers and folds the changed records. */
  rebase(): void {
    if (this.#toRefold.size + this.#toRebase.length === 0) return;
    for (let layer = this.#toRebase.shift(); layer; layer = this.#toRebase.shift())
      this.#rebaseLayer(layer);
    // cleared first: reading rows while lists are folded may call `rebase` for the rest
    const toRefold = [...this.#toRefold];
    this.#toRefold.clear();
    const lists = toRefold.filter(isStoredList);
    for (const list of lists) if (list.isFromResponses) this.#attachLayersToList(list);
    for (const record of toRefold) if (record instanceof EntityRecord) record.refold();
    for (const list of lists) {
      list.refold();
      if (!list.pending) this.pendingLists.delete(list);
    }
  }

  /** Removes all layers. */
  clear(): void {
    for (const layer of this.active) this.remove(layer);
  }

  /** `issued`: time of the layer that changes the record; layers issued earlier do not see the change. */
  #queueRefold(record: StoreRecord, issued = -1): void {
    // an entity without layers needs no fold
    if (isStoredList(record) || (record instanceof EntityRecord && record.pending))
      this.#toRefold.add(record);
    if (this.#dependents.size === 0) return;
    this.invalidateDependents(record, issued);
    if (record instanceof EntityRecord)
      this.invalidateDependents((this.#store.table(record.kind) as EntityTable).allRecord, issued);
  }

  /** Queues the layers that were computed from `record` and issued after the layer that changes it. */
  invalidateDependents(record: StoreRecord | undefined, issued = -1): void {
    const dependents = (record && this.#dependents.get(record)) ?? EMPTY;
    if (dependents.length === 0 || issued >= (dependents.at(-1) as Layer).issued) return;
    for (const layer of dependents) if (layer.issued > issued) this.#queueRebase(layer, record);
  }

  #queueRebase(layer: Layer, record: StoreRecord | undefined): void {
    if (layer.changedDependencies.length === 0)
      this.#toRebase = insertByIssueTime(this.#toRebase, layer);
    if (!layer.changedDependencies.includes(record))
      layer.changedDependencies = append(layer.changedDependencies, record);
  }

  #rebaseLayer(layer: Layer): void {
    const { changedDependencies, dependencies, issued } = layer;
    layer.changedDependencies = EMPTY;
    const copyOf = (record: StoreRecord | undefined) => record && dependencies.get(record);
    const isSame = (record: StoreRecord | undefined) =>
      record?.equalsCopyAsOf(issued, copyOf(record) ?? record) === true;
    if (!this.has(layer) || changedDependencies.every(isSame)) return;
    this.#detach(layer);
    layer.tryRebase(this.#store);
    this.#attach(layer);
  }

  #detach(layer: Layer): void {
    const { issued, writtenRecords, subscribedTo } = layer;
    for (const record of subscribedTo) {
      const others = this.#dependents.get(record)?.filter((other) => other !== layer) ?? EMPTY;
      if (others.length === 0) this.#dependents.delete(record);
      else this.#dependents.set(record, others);
    }
    for (const record of writtenRecords) {
      if (record instanceof EntityRecord) this.#detachPatch(record, issued);
      else (record as StoredList).dropChange(issued);
      this.#queueRefold(record, issued);
    }
    layer.writtenRecords = layer.subscribedTo = EMPTY;
  }

  #detachPatch(record: EntityRecord, issued: number): void {
    record.pending?.dropPatch(issued);
    if (!this.#deletedEntities.has(record)) return;
    this.#queueListsOf(record, issued);
    if (!record.pending?.deletePatches.length) this.#deletedEntities.delete(record);
  }

  /** Queues the lists that an entity leaves, or returns to, because a layer deletes it. */
  #queueListsOf(record: EntityRecord, issued: number): void {
    for (const list of containingLists(record, this.pendingLists))
      if (list instanceof ListRecord && list.isFromResponses) {
        this.#beginPending(list);
        this.#queueRefold(list, issued);
      }
  }

  #attach(layer: Layer): void {
    const { draft, issued, dependencies } = layer;
    for (const record of dependencies.keys()) this.#subscribe(layer, record);
    if (draft === undefined) return;
    this.#attachPatches(layer, draft);
    for (const { list, mode, members } of draft.fills)
      if (list.isFromResponses)
        this.#addListChange(layer, list, toFillChange(issued, mode, members));
    for (const staged of draft.listChanges) {
      // the target lists depend on the previous content of the members
      const { op, members } = staged.change;
      if (op === 'move' || op === 'out')
        eachRecord(members, (member) => {
          if (!dependencies.has(member)) dependencies.set(member, member.copyAsOf(issued));
          this.#subscribe(layer, member);
        });
      this.#attachListChange(layer, staged);
    }
  }

  #attachPatches(layer: Layer, { patches, removals }: Draft): void {
    const { issued } = layer;
    const createsEntity = layer.createdEntityTest(this.#store);
    for (const patch of patches) {
      const { record } = patch;
      if (removals.has(record)) continue;
      const isCreated = createsEntity(record);
      layer.writtenRecords = append(layer.writtenRecords, record);
      record.beginPending().addPatch({ issued, patch, createsEntity: isCreated });
      this.#queueRefold(record, issued);
    }
    for (const record of removals) {
      layer.writtenRecords = append(layer.writtenRecords, record);
      this.#deletedEntities.add(record);
      record.beginPending().addPatch({ issued, patch: undefined, createsEntity: false });
      this.#queueRefold(record, issued);
      this.#queueListsOf(record, issued);
    }
  }

  #subscribe(layer: Layer, record: StoreRecord): void {
    const dependents = this.#dependents.get(record) ?? EMPTY;
    if (dependents.includes(layer)) return;
    this.#dependents.set(record, insertByIssueTime(dependents, layer));
    layer.subscribedTo = append(layer.subscribedTo, record);
  }

  /** `only`: changes this list alone. */
  #attachListChange(layer: Layer, { table, change }: StagedListChange, only?: StoredList): void {
    const { issued } = layer;
    const { merge } = change;
    for (const { list, member, op, mapKey } of table.memberOps(change, { time: issued }))
      if (list === (only ?? list))
        this.#addListChange(layer, list, { issued, op, members: [member], keys: [mapKey], merge });
  }

  #addListChange(layer: Layer, list: StoredList, change: PendingChange): void {
    if (!layer.writtenRecords.includes(list))
      layer.writtenRecords = append(layer.writtenRecords, list);
    this.#beginPending(list);
    list.addChange(change);
    this.#queueRefold(list, layer.issued);
  }

  #beginPending(list: StoredList): void {
    if (list.pending) return;
    list.beginPending(this.#deletedEntities);
    this.pendingLists.add(list);
  }

  /** Applies the list changes of layers to a list that was just stored, or has other members now. */
  #attachLayersToList(list: StoredList): void {
    for (const layer of this.active)
      for (const staged of layer.draft?.listChanges ?? EMPTY)
        if (staged.table.kind === list.kind && !layer.writtenRecords.includes(list))
          this.#attachListChange(layer, staged, list);
  }
}

function toFillChange(issued: number, op: FillMode, nodes: Node): PendingChange {
  const entries = Object.entries(nodes as object).filter(
    (entry): entry is [string, StoreRecord] => entry[1] instanceof StoreRecord,
  );
  const members = entries.map(([, member]) => member);
  return { issued, op, members, keys: entries.map(([key]) => key) };
}
