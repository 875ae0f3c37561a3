/** Primary keys that change: of the entity that an update names, and of records that a response gives keys. */
import { collectTopEntities, onlyTopEntityIn } from '../../schema/EntityKind.ts';
import { replaceEqualDeep } from '../../schema/equal.ts';
import { isPlainObject } from '../../schema/fieldOf.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { Composite } from '../../schema/schema.ts';
import type { Args, NormalizedNode, Schema, StoredKind } from '../../schema/schema.ts';
import { deref } from '../../signals.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { EntityTable } from '../entities/EntityTable.ts';
import type { GarbageCollector } from '../gc/GarbageCollector.ts';
import type { StoredList } from '../lists/ListRecord.ts';
import { ListTable } from '../lists/ListTable.ts';
import type { Table } from '../lists/ListTable.ts';
import type { RecordCell } from '../records/RecordObservers.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { containsRecord, recordsIn } from '../records/eachRecord.ts';
import { UNWRITTEN_STAMP, hasLaterOwnWrite } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { DraftStore } from './Draft.ts';

/** A call that updates the entity in its arguments. */
export interface UpdateCall {
  readonly schema: Schema;
  readonly args: Args;
}

export type FillList = (list: StoredList, members: NormalizedNode) => void;

/** Two records of the same entity: the second stays. */
export type Duplicates = readonly [EntityRecord, EntityRecord];

/*
 *   record of the new key    entity with a temporary key          entity named by the arguments of an update
 *   none                     is renamed: lists, readers and layers keep the record
 *   confirmed                the record of the new key replaces it
 *   not confirmed            the same                             is renamed, and replaces that record
 */
export class KeyChanges {
  protected readonly store: DraftStore;
  protected readonly stamp: Stamp | undefined;
  /** The entity named by the arguments of an update, to which the response may give another primary key. */
  #updated: EntityRecord | undefined;
  /** The entity named by the arguments, and another record with its new key. */
  #updatedTwice: Duplicates | undefined;
  #changesUpdated = false;
  protected undoRenames: (() => void)[] = EMPTY;

  /** `stamp`: undefined for an optimistic write. */
  constructor(store: DraftStore, stamp: Stamp | undefined) {
    this.store = store;
    this.stamp = stamp;
  }

  /** Finds the entity that the call updates, unless schema and arguments rule out a change of the key. */
  findUpdated({ schema, args }: UpdateCall): void {
    const store = this.store;
    const kind = kindOf(schema, 'schema');
    const root = onlyTopEntityIn(kind);
    const pk = root?.pkInArgs(args);
    if (root === undefined || pk === undefined) return;
    // with several rows of the class in the response, the others are other entities
    if (collectTopEntities(kind).filter(({ tableKey }) => tableKey === root.tableKey).length > 1)
      return;
    const time = this.stamp?.time ?? 0;
    const record = findRecord(store.gc, store.table(root), pk, time);
    // a deletion that the response does not supersede applies to the new key, too
    if (record?.isConfirmed || record?.deletedSince(time)) this.#updated = record;
  }

  /** The record of an entity at the top of the response; undefined if a record must be created. */
  resolveRecord(table: Table, pk: string): StoreRecord | undefined {
    const updated = this.#updated;
    const { gc } = this.store;
    if (updated?.kind.tableKey === table.kind.tableKey && table.records.get(pk) !== updated)
      return this.#resolveUpdated(table as EntityTable, pk, updated);
    const known = findRecord(gc, table, pk, this.stamp?.time);
    return this.resolveCreated(table, pk, known);
  }

  /** The record of an entity that no call names: `known`, or an entity that an optimistic write has created. */
  protected resolveCreated(
    _table: Table,
    _pk: string,
    known: EntityRecord | undefined,
  ): StoreRecord | undefined {
    return known;
  }

  #resolveUpdated(table: EntityTable, pk: string, updated: EntityRecord): StoreRecord {
    const { gc, tables } = this.store;
    this.store.loadAll();
    const { time, ownTime = time } = this.stamp as Stamp;
    const found = findRecord(gc, table, pk, time);
    const other = found === updated ? undefined : found;
    // a change issued later has already given the entity another key
    if (hasLaterOwnWrite(keyFieldOf(updated) ?? '', time, updated.versions)) {
      if (other?.isConfirmed === true) return other;
      if (other !== undefined) this.#updatedTwice = [other, updated];
      const restore = table.createRestore(pk);
      table.addAlias(pk, updated.pk, ownTime);
      this.undoRenames = append(this.undoRenames, restore);
      return updated;
    }
    this.#changesUpdated = true;
    // also if a mutation issued later has deleted the entity under the new key
    if (other?.isConfirmed || other?.deletedSince(time)) {
      this.#updatedTwice = [updated, other];
      this.undoRenames = [...this.undoRenames, ...rekeyLists(tables, updated, other.pk, false)];
      return other;
    }
    if (other !== undefined) this.#updatedTwice = [other, updated];
    this.undoRenames = append(this.undoRenames, renameEntity(tables, updated, pk, ownTime));
    return updated;
  }

  /** Keeps optimistic lists nested in created entities if missing in the response: passes each to `fill`. */
  keepNestedLists?(fill: FillList): void;

  /** Must be called before the response is written. Returns the stamp, with a changed key as an own write. */
  apply(stamp: Stamp): Stamp {
    if (this.#updatedTwice !== undefined) this.#replaceDuplicate(this.#updatedTwice, stamp);
    return this.#changesUpdated
      ? this.#applyToUpdated(this.#updated as EntityRecord, stamp)
      : stamp;
  }

  #applyToUpdated(updated: EntityRecord, stamp: Stamp): Stamp {
    const field = keyFieldOf(updated);
    if (field === undefined) return stamp;
    // reads of `id` are not tracked, so the readers of all fields are notified
    updated.observers?.fieldReaders?.notifyAllFields();
    return { ...stamp, own: new Set(stamp.own).add(field) };
  }

  #replaceDuplicate([from, to]: Duplicates, { ownTime }: Stamp): void {
    const store = this.store;
    if (from === this.#updated)
      (store.table(from.kind) as EntityTable).addAlias(from.pk, to.pk, ownTime);
    const { isConfirmed, time } = from;
    // read under the new key, and deleted under the old key
    if (from === this.#updated && !isConfirmed) to.remove({ ...UNWRITTEN_STAMP, time });
    joinRecords(store, from, to);
  }

  /** Restores the keys. */
  undo(): void {
    for (const undoRename of this.undoRenames) undoRename();
  }
}

function keyFieldOf({ kind }: EntityRecord): string | undefined {
  return kind.descriptor.declaredPkField?.field;
}

/** Two records are the same entity: `to` takes the place of `from` everywhere. */
export function joinRecords(store: DraftStore, from: EntityRecord, to: EntityRecord): void {
  replaceEntity(store, from, to);
  store.layers.movePatches(from, to);
  deleteConfirmedData(store, from);
  (deref(from.cell) as RecordCell | undefined)?.moveTo(to);
}

/** Deletes what is confirmed of an entity that another record replaces. */
export function deleteConfirmedData(store: DraftStore, record: EntityRecord): void {
  if (record.isConfirmed)
    store.beforeWrite(record).remove({ ...UNWRITTEN_STAMP, time: record.latestTime });
}

/**
 * Replaces a record in the confirmed data of all records, which scans the whole store; `Layers.movePatches` moves the
 * patches of layers. Needed if a read brought the new key before the response of the key change did.
 */
function replaceEntity(store: DraftStore, from: EntityRecord, to: EntityRecord): void {
  const swap = (node: NormalizedNode): NormalizedNode =>
    replaceEqualDeep(node, replaceIn(node, from, to));
  for (const { records } of store.gcTables())
    for (const record of records.values())
      if (containsRecord(record.gcEdges(), from))
        store.beforeWrite(record).replaceParts?.(swap, store);
}

/** A copy of the node with `to` in place of `from`; an array with both keeps `to` in its place. */
function replaceIn(node: NormalizedNode, from: StoreRecord, to: StoreRecord): NormalizedNode {
  if (node === from) return to;
  if (node instanceof StoreRecord) return node;
  const replace = (inner: NormalizedNode): NormalizedNode => replaceIn(inner, from, to);
  if (Array.isArray(node)) {
    const members: readonly NormalizedNode[] = node;
    return (members.includes(to) ? members.filter((one) => one !== from) : members).map(replace);
  }
  if (node instanceof Composite) return node.withInner?.(replace(node.inner)) ?? node;
  if (!isPlainObject(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, replace(inner)]));
}

/** The record of this key, or the entity that had this key before. `time`: time of issue of the data with this key. */
function findRecord(
  gc: GarbageCollector,
  table: Table,
  pk: string,
  time?: number,
): EntityRecord | undefined {
  return (gc.findAndMarkUsed<StoreRecord>(table, pk) ??
    (table as Partial<EntityTable>).findRenamed?.(gc, pk, time)) as EntityRecord | undefined;
}

export type TableMap = ReadonlyMap<StoredKind['tableKey'], Table>;

/**
 * Gives an entity the key of the server; the old key becomes an alias. `until`: see `Alias`; absent for a temporary key,
 * which no other entity ever had. If another record has the new key already, that record stays in the place of an entity
 * with a temporary key, and gives way to any other entity. Returns a function that undoes the change.
 */
export function renameEntity(
  tables: TableMap,
  record: EntityRecord,
  pk: string,
  until?: number,
): () => void {
  const table = tables.get(record.kind.tableKey) as EntityTable;
  const { pk: from } = record;
  const before = table.records.get(pk);
  const restore = table.createRestore(pk);
  const undoLists = rekeyLists(tables, record, pk, until === undefined);
  if (until === undefined && before !== undefined) table.addAlias(from, pk);
  else table.rename(record, pk, until);
  return () => {
    for (const undo of undoLists) undo();
    table.rename(record, from);
    restore();
  };
}

/*
 *   temporary key   every list with the key in its identity, under any name: {"projectId":"-9007199254740990"}
 *   another key     lists nested in the entity (`nestKey`), and lists with the key under the name of the entity's key
 *                   field: {"slug":"old"}, if only a single class has a primary key of this name
 */

/** Renames the lists that contain the old key in their identity. Returns functions that undo the changes. */
export function rekeyLists(
  tables: TableMap,
  record: EntityRecord,
  pk: string,
  isTemporary: boolean,
): (() => void)[] {
  const { kind, pk: from } = record;
  const name = kind.descriptor.declaredPkField?.field ?? '';
  const isSole = soleTableByPkField(tables, name)?.kind.tableKey === kind.tableKey;
  const nested = recordsIn(record.gcEdges());
  const undo: (() => void)[] = [];
  for (const table of tables.values()) {
    if (!(table instanceof ListTable)) continue;
    for (const list of table.records.values()) {
      const old = list.pk;
      const isUnderAnyName = isTemporary || nested.has(list);
      if (!isUnderAnyName && !isSole) continue;
      const prefix = isUnderAnyName ? '' : `${JSON.stringify(name)}:`;
      const next = old.split(prefix + JSON.stringify(from)).join(prefix + JSON.stringify(pk));
      if (next === old || table.records.has(next)) continue;
      table.rename(list, next);
      undo.push(() => table.rename(list, old));
    }
  }
  return undo;
}

/** The only table of entities with a primary key of this name; undefined if there are several. */
export function soleTableByPkField(tables: TableMap, name: string): EntityTable | undefined {
  const found = [...tables.values()].filter(
    (table): table is EntityTable =>
      table instanceof EntityTable && table.kind.descriptor.declaredPkField?.field === name,
  );
  return found.length === 1 ? found[0] : undefined;
}
