/** Entities shown under temporary keys, on their way to the keys that the server gives them. */
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import type { Table } from './Table.ts';

interface Named {
  readonly table: EntityTable;
  readonly record: EntityRecord;
  /** The temporary key. */
  readonly pk: string;
}

interface Met extends Named {
  /** Who has its name. */
  readonly known: EntityRecord;
}

/** What a layer expects, and what of it has no name. */
interface Expecting {
  readonly made: readonly EntityRecord[];
  readonly overlay: { said(record: EntityRecord): unknown } | undefined;
}

export class Unnamed {
  readonly #from: Expecting;
  #left: EntityRecord[] | undefined;
  #renamed: Named[] | undefined;
  met: Met[] | undefined;

  /** What the layer has made is named in its order. */
  constructor(layer: Expecting) {
    this.#from = layer;
  }

  /** The entity of this table that is to have this key from now on; undefined where none is left. */
  name(table: Table, pk: string): EntityRecord | undefined {
    const record = this.#take(table, pk);
    if (record === undefined) return undefined;
    (this.#renamed ??= []).push({ table: table as EntityTable, record, pk: record.pk });
    (table as EntityTable).rename(record, pk);
    return record;
  }

  /** An answer names an entity that was there, as a read had brought it: it takes the place of the one expected. */
  meet(table: Table, known: EntityRecord): void {
    if (this.#from.overlay === undefined || this.#from.overlay.said(known) !== undefined) return;
    const record = this.#take(table);
    if (record === undefined) return;
    (this.met ??= []).push({ table: table as EntityTable, record, pk: record.pk, known });
    (table as EntityTable).alias(record.pk, known.pk);
  }

  #take(table: Table, pk?: string): EntityRecord | undefined {
    this.#left ??= [...this.#from.made];
    const at = this.#left.findIndex(({ kind }) => kind === table.kind);
    if (at < 0 || (pk !== undefined && (table as EntityTable).knows(pk))) return undefined;
    return this.#left.splice(at, 1)[0];
  }

  /** Gives the temporary keys back. */
  undo(): void {
    for (const { table, record, pk } of this.#renamed ?? []) table.rename(record, pk);
    for (const { table, record, pk } of this.met ?? []) table.rename(record, pk);
  }
}
