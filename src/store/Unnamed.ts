/** Entities shown under temporary keys, on their way to the keys that the server gives them. */
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import type { Record } from './Record.ts';
import type { Table } from './Table.ts';

interface Met {
  readonly record: EntityRecord;
  /** Who has its name. */
  readonly known: EntityRecord;
}

interface Named {
  readonly table: EntityTable;
  readonly record: EntityRecord;
  /** The temporary key. */
  readonly pk: string;
}

export class Unnamed {
  readonly #left: EntityRecord[];
  readonly #expected: ReadonlyMap<Record, unknown> | undefined;
  readonly #renamed: Named[] = [];
  readonly met: (Named & Met)[] = [];

  /** `made` are named in their order; they are among those `expected`. */
  constructor(made: readonly EntityRecord[] = [], expected?: ReadonlyMap<Record, unknown>) {
    this.#left = [...made];
    this.#expected = expected;
  }

  /** The entity of this table that is to have this key from now on; undefined where none is left. */
  name(table: Table, pk: string): EntityRecord | undefined {
    const record = this.#take(table, pk);
    if (record === undefined) return undefined;
    this.#renamed.push({ table: table as EntityTable, record, pk: record.pk });
    (table as EntityTable).rename(record, pk);
    return record;
  }

  /** An answer names an entity that was there, as a read had brought it: it takes the place of the one expected. */
  meet(table: Table, known: Record): void {
    if (this.#left.length === 0 || this.#expected?.has(known) === true) return;
    const record = this.#take(table);
    if (record === undefined) return;
    const entity = known as EntityRecord;
    this.met.push({ table: table as EntityTable, record, pk: record.pk, known: entity });
    (table as EntityTable).alias(record.pk, entity.pk);
  }

  #take(table: Table, pk?: string): EntityRecord | undefined {
    const at = this.#left.findIndex(({ kind }) => kind === table.kind);
    if (at < 0 || (pk !== undefined && (table as EntityTable).knows(pk))) return undefined;
    return this.#left.splice(at, 1)[0];
  }

  /** Gives the temporary keys back. */
  undo(): void {
    for (const { table, record, pk } of this.#renamed) table.rename(record, pk);
    for (const { table, record, pk } of this.met) table.rename(record, pk);
  }
}
