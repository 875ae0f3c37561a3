/** A primary-key change: the response of an update gives the entity named by its arguments another key. */
import { held } from '../reactive.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { rootIn, topsIn } from '../schema/rootIn.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { resolveAlias } from './resolveAlias.ts';
import { isSuperseded } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { RecordCell } from './RecordCell.ts';
import { renameEntity } from './renameEntity.ts';
import type { Tables } from './renameEntity.ts';
import { replaceEntity } from './replaceEntity.ts';
import type { Stored } from './replaceEntity.ts';
import type { GarbageCollector } from './GarbageCollector.ts';
import type { Table } from './Table.ts';

interface Places extends Stored {
  readonly tables: Tables;
  table(kind: EntityKind): Table;
  readonly gc: GarbageCollector;
  readonly complete: (() => void) | undefined;
}

/** The key change that a response may contain; undefined if its schema and arguments rule out a change. */
export function primaryKeyChangeOf(
  store: Places,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  stamp: Stamp,
): PrimaryKeyChange | undefined {
  const kind = kindOf(schema, 'schema');
  const root = rootIn(kind);
  const pk = root?.pkOf(args);
  if (root === undefined || pk === undefined) return undefined;
  // with several rows of the class in the response, the others are other entities
  if (topsIn(kind).filter(({ table }) => table === root.table).length > 1) return undefined;
  const table = store.table(root) as EntityTable;
  const record = store.gc.find(table, table.keyOf(pk, stamp.time));
  return record?.isConfirmed === true ? new PrimaryKeyChange(store, record, stamp) : undefined;
}

/*
 *   no record has the new key   the record is renamed: lists, readers and layers keep the record
 *   a read brought the new key  the new record stays, and replaces the record with the old key everywhere
 */
export class PrimaryKeyChange {
  readonly #store: Places;
  readonly #record: EntityRecord;
  readonly #stamp: Stamp;
  #undo: (() => void) | undefined;
  /** Two records of the same entity: the second stays. */
  #twins: readonly [EntityRecord, EntityRecord] | undefined;

  constructor(store: Places, record: EntityRecord, stamp: Stamp) {
    this.#store = store;
    this.#record = record;
    this.#stamp = stamp;
  }

  /**
   * The record of the entity at the top of the response. `known`: the record stored under its key. Undefined if the
   * entity is not the one named by the arguments, or has kept its key.
   */
  resolve(table: Table, pk: string, known: StoreRecord | undefined): StoreRecord | undefined {
    const { kind } = this.#record;
    if (table.kind.table !== kind.table || known === this.#record) return undefined;
    this.#store.complete?.();
    const field = kind.plan.pkFieldInfo?.field ?? '';
    const { time, ownTime = time } = this.#stamp;
    // the response of a change issued later may have replaced the key since
    const { gc } = this.#store;
    const found = known ?? gc.find<StoreRecord>(table, pk) ?? resolveAlias(gc, table, pk, time);
    const twin = found === this.#record ? undefined : (found as EntityRecord | undefined);
    // a change issued later has already given the entity another key
    if (isSuperseded(field, time, this.#record.versions)) {
      if (twin === undefined) (table as EntityTable).alias(pk, this.#record.pk, ownTime);
      return twin ?? this.#record;
    }
    if (twin?.isConfirmed === true) {
      this.#twins = [this.#record, twin];
      return twin;
    }
    if (twin !== undefined) this.#twins = [twin, this.#record];
    this.#undo = renameEntity(this.#store.tables, this.#record, pk, ownTime);
    return this.#record;
  }

  /** Must be called before the response is written. Returns its stamp, with the new key as an own write. */
  apply(stamp: Stamp): Stamp {
    const { layers } = this.#store;
    const [from, to] = this.#twins ?? [];
    if (from !== undefined && to !== undefined) {
      if (from === this.#record)
        (this.#store.table(from.kind) as EntityTable).alias(from.pk, to.pk, stamp.ownTime);
      replaceEntity(this.#store, from, to);
      layers.move(from, to);
      (held(from.cell) as RecordCell | undefined)?.follow(to);
    }
    const field = this.#record.kind.plan.pkFieldInfo?.field;
    if ((this.#undo ?? this.#twins) === undefined || field === undefined) return stamp;
    // reads of `id` are not tracked, so the readers of all fields are notified
    this.#record.observers?.tickFields();
    return { ...stamp, own: new Set([...(stamp.own ?? []), field]) };
  }

  undo(): void {
    this.#undo?.();
  }
}
