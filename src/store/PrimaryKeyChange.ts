/** A primary-key change: the response of an update gives the entity named by its arguments another key. */
import { deref } from '../reactive.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { onlyTopEntityIn, collectTopEntities } from '../schema/onlyTopEntityIn.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { findByAlias } from './findByAlias.ts';
import { hasLaterOwnWrite } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { RecordCell } from './RecordCell.ts';
import { renameEntity } from './renameEntity.ts';
import type { TableMap } from './renameEntity.ts';
import { replaceEntity } from './replaceEntity.ts';
import type { ReplacementStore } from './replaceEntity.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

interface KeyChangeStore extends ReplacementStore {
  readonly tables: TableMap;
  table(kind: EntityKind): Table;
  readonly gc: GarbageCollector;
  readonly loadAllPersisted: (() => void) | undefined;
}

/** The key change that a response may contain; undefined if its schema and arguments rule out a change. */
export function primaryKeyChangeOf(
  store: KeyChangeStore,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  stamp: Stamp,
): PrimaryKeyChange | undefined {
  const kind = kindOf(schema, 'schema');
  const root = onlyTopEntityIn(kind);
  const pk = root?.pkInArgs(args);
  if (root === undefined || pk === undefined) return undefined;
  // with several rows of the class in the response, the others are other entities
  if (collectTopEntities(kind).filter(({ tableKey }) => tableKey === root.tableKey).length > 1)
    return undefined;
  const table = store.table(root) as EntityTable;
  const record = store.gc.findAndMarkUsed(table, table.resolveKey(pk, stamp.time));
  return record?.isConfirmed === true ? new PrimaryKeyChange(store, record, stamp) : undefined;
}

/*
 *   no record has the new key   the record is renamed: lists, readers and layers keep the record
 *   a read brought the new key  the new record stays, and replaces the record with the old key everywhere
 */
export class PrimaryKeyChange {
  readonly #store: KeyChangeStore;
  readonly #record: EntityRecord;
  readonly #stamp: Stamp;
  #undoRename: (() => void) | undefined;
  /** Two records of the same entity: the second stays. */
  #duplicatePair: readonly [EntityRecord, EntityRecord] | undefined;

  constructor(store: KeyChangeStore, record: EntityRecord, stamp: Stamp) {
    this.#store = store;
    this.#record = record;
    this.#stamp = stamp;
  }

  /**
   * The record of the entity at the top of the response. `known`: the record stored under its key. Undefined if the
   * entity is not the one named by the arguments, or has kept its key.
   */
  resolveRecord(table: Table, pk: string, known: StoreRecord | undefined): StoreRecord | undefined {
    const { kind } = this.#record;
    if (table.kind.tableKey !== kind.tableKey || known === this.#record) return undefined;
    this.#store.loadAllPersisted?.();
    const field = kind.descriptor.declaredPkField?.field ?? '';
    const { time, ownTime = time } = this.#stamp;
    // the response of a change issued later may have replaced the key since
    const { gc } = this.#store;
    const found =
      known ?? gc.findAndMarkUsed<StoreRecord>(table, pk) ?? findByAlias(gc, table, pk, time);
    const duplicate = found === this.#record ? undefined : (found as EntityRecord | undefined);
    // a change issued later has already given the entity another key
    if (hasLaterOwnWrite(field, time, this.#record.versions)) {
      if (duplicate === undefined) (table as EntityTable).addAlias(pk, this.#record.pk, ownTime);
      return duplicate ?? this.#record;
    }
    if (duplicate?.isConfirmed === true) {
      this.#duplicatePair = [this.#record, duplicate];
      return duplicate;
    }
    if (duplicate !== undefined) this.#duplicatePair = [duplicate, this.#record];
    this.#undoRename = renameEntity(this.#store.tables, this.#record, pk, ownTime);
    return this.#record;
  }

  /** Must be called before the response is written. Returns its stamp, with the new key as an own write. */
  apply(stamp: Stamp): Stamp {
    const { layers } = this.#store;
    const [from, to] = this.#duplicatePair ?? [];
    if (from !== undefined && to !== undefined) {
      if (from === this.#record)
        (this.#store.table(from.kind) as EntityTable).addAlias(from.pk, to.pk, stamp.ownTime);
      replaceEntity(this.#store, from, to);
      layers.movePatches(from, to);
      (deref(from.cell) as RecordCell | undefined)?.moveTo(to);
    }
    const field = this.#record.kind.descriptor.declaredPkField?.field;
    if ((this.#undoRename ?? this.#duplicatePair) === undefined || field === undefined)
      return stamp;
    // reads of `id` are not tracked, so the readers of all fields are notified
    this.#record.observers?.tickAllFields();
    return { ...stamp, own: new Set([...(stamp.own ?? []), field]) };
  }

  undo(): void {
    this.#undoRename?.();
  }
}
