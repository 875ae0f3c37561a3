/** An update whose response gives the entity that its arguments name another primary key. */
import { held } from '../reactive.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { rootIn, topsIn } from '../schema/rootIn.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { foundIn } from './foundIn.ts';
import { isOutrun } from './order.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';
import type { RecordCell } from './RecordCell.ts';
import { rename } from './refile.ts';
import type { Tables } from './refile.ts';
import { replaceEntity } from './replaceEntity.ts';
import type { Stored } from './replaceEntity.ts';
import type { Sweep } from './Sweep.ts';
import type { Table } from './Table.ts';

interface Places extends Stored {
  readonly tables: Tables;
  table(kind: EntityKind): Table;
  readonly sweep: Sweep;
  readonly complete: (() => void) | undefined;
}

/** The renaming that a response may be; undefined where it is none, whatever it says. */
export function renamingOf(
  store: Places,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  stamp: Stamp,
): Renaming | undefined {
  const kind = kindOf(schema, 'schema');
  const root = rootIn(kind);
  const pk = root?.pkOf(args);
  if (root === undefined || pk === undefined) return undefined;
  // other rows of the class in the response are other entities
  if (topsIn(kind).filter(({ table }) => table === root.table).length > 1) return undefined;
  const table = store.table(root) as EntityTable;
  const record = store.sweep.find(table, table.keyOf(pk, stamp.time));
  return record?.confirmed === true ? new Renaming(store, record, stamp) : undefined;
}

/*
 *   nothing has the new key     the record gets it: lists, readers and layers keep the record
 *   a read brought the new key  that record stays, and takes the places of the one with the old key
 */
export class Renaming {
  readonly #store: Places;
  readonly #record: EntityRecord;
  readonly #stamp: Stamp;
  #undo: (() => void) | undefined;
  /** Two records of the entity: the second stays. */
  #twins: readonly [EntityRecord, EntityRecord] | undefined;

  constructor(store: Places, record: EntityRecord, stamp: Stamp) {
    this.#store = store;
    this.#record = record;
    this.#stamp = stamp;
  }

  /**
   * The record of the entity at the top of the response; `known`: what is stored under that key. Undefined where it is not
   * the entity that the arguments name, or has the key that it had.
   */
  ref(table: Table, pk: string, known: Record | undefined): Record | undefined {
    const { kind } = this.#record;
    if (table.kind.table !== kind.table || known === this.#record) return undefined;
    this.#store.complete?.();
    const field = kind.plan.namedBy?.field ?? '';
    const { time, ownTime = time } = this.#stamp;
    // it may have been named anew since, by the response of a change that was issued later
    const found = known ?? foundIn(this.#store.sweep, table, pk, time);
    const twin = found === this.#record ? undefined : (found as EntityRecord | undefined);
    // the response of a change that was issued later gave it another key
    if (isOutrun(field, time, this.#record.known)) {
      if (twin === undefined) (table as EntityTable).alias(pk, this.#record.pk, ownTime);
      return twin ?? this.#record;
    }
    if (twin?.confirmed === true) {
      this.#twins = [this.#record, twin];
      return twin;
    }
    if (twin !== undefined) this.#twins = [twin, this.#record];
    this.#undo = rename(this.#store.tables, this.#record, pk, ownTime);
    return this.#record;
  }

  /** To be run before the response is written. Gives its stamp: the new key is what the mutation itself wrote. */
  settle(stamp: Stamp): Stamp {
    const { layers } = this.#store;
    const [from, to] = this.#twins ?? [];
    if (from !== undefined && to !== undefined) {
      if (from === this.#record)
        (this.#store.table(from.kind) as EntityTable).alias(from.pk, to.pk, stamp.ownTime);
      replaceEntity(this.#store, from, to);
      layers.move(from, to);
      (held(from.cell) as RecordCell | undefined)?.follow(to);
    }
    const field = this.#record.kind.plan.namedBy?.field;
    if ((this.#undo ?? this.#twins) === undefined || field === undefined) return stamp;
    // its `id` is not tracked: readers of any other field look again
    this.#record.fine?.tickFields();
    return { ...stamp, own: new Set([...(stamp.own ?? []), field]) };
  }

  undo(): void {
    this.#undo?.();
  }
}
