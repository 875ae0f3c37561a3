/** Entities shown under temporary keys, on their way to the keys that the server gives them. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { more, NONE } from './more.ts';
import type { Table } from './Table.ts';

interface Named {
  readonly table: EntityTable;
  readonly record: EntityRecord;
  /** The temporary key. */
  readonly pk: string;
}

/** An entity shown, and the one that was there and is the same. */
interface Met {
  readonly record: EntityRecord;
  readonly known: EntityRecord;
}

/** What a layer expects, and what of it has no name. */
interface Expecting {
  readonly made: EntityRecord[];
  readonly overlay: { said(record: EntityRecord): unknown } | undefined;
}

export class Unnamed {
  readonly #from: Expecting;
  #left: EntityRecord[] | undefined;
  #taken: Named[] = NONE;
  met: Met[] = NONE;

  /** What the layer has made is named in its order. */
  constructor(layer: Expecting) {
    this.#from = layer;
  }

  /** The entity of this table that is to have this key from now on; undefined where none is left. */
  name(table: Table, pk: string): EntityRecord | undefined {
    const its = table as EntityTable;
    const record = its.knows(pk) ? undefined : this.#take(its);
    if (record !== undefined) its.rename(record, pk);
    return record;
  }

  /** An answer names an entity that was there, as a read had brought it: it takes the place of the one expected. */
  meet(table: Table, known: EntityRecord): void {
    if (this.#from.overlay?.said(known) !== undefined) return;
    const record = this.#take(table as EntityTable);
    if (record === undefined) return;
    this.met = more(this.met, { record, known });
    (table as EntityTable).alias(record.pk, known.pk);
  }

  #take(table: EntityTable): EntityRecord | undefined {
    const record = takeFirst((this.#left ??= this.#from.made), table.kind);
    if (record !== undefined) this.#taken = more(this.#taken, { table, record, pk: record.pk });
    return record;
  }

  /** Gives the temporary keys back. */
  undo(): void {
    for (const { table, record, pk } of this.#taken) table.rename(record, pk);
  }
}

/** Takes the first of a kind out. */
export function takeFirst(records: EntityRecord[], of: EntityKind): EntityRecord | undefined {
  const at = records.findIndex(({ kind }) => kind.table === of.table);
  return at < 0 ? undefined : records.splice(at, 1)[0];
}
