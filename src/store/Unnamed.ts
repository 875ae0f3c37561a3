/** Entities shown under temporary keys, on their way to the keys that the server gives them. */
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import type { Table } from './Table.ts';

interface Renamed {
  readonly table: EntityTable;
  readonly record: EntityRecord;
  readonly pk: string;
}

export class Unnamed {
  readonly #from: { readonly made: EntityRecord[] } | undefined;
  #left: EntityRecord[] | undefined;
  #renamed: Renamed[] | undefined;

  /** What the layer has made is named in its order. */
  constructor(layer: { readonly made: EntityRecord[] } | undefined) {
    this.#from = layer;
  }

  /** The entity of this table that is to have this key from now on; undefined where none is left. */
  name(table: Table, pk: string): EntityRecord | undefined {
    this.#left ??= this.#from?.made ?? [];
    const at = this.#left.findIndex(({ kind }) => kind === table.kind);
    const [record] = at < 0 ? [] : this.#left.splice(at, 1);
    if (record === undefined) return undefined;
    (this.#renamed ??= []).push({ table: table as EntityTable, record, pk: record.pk });
    (table as EntityTable).rename(record, pk);
    return record;
  }

  /** Gives the temporary keys back. */
  undo(): void {
    for (const { table, record, pk } of this.#renamed ?? []) table.rename(record, pk);
  }
}
