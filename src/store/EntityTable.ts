/** The records of one entity class by primary key. */
import { DEV } from '../diagnostics.ts';
import { badData } from '../schema/badData.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign } from '../schema/equal.ts';
import type { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex } from './FieldIndex.ts';
import { confirmed } from './Layered.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

// for links to a row that was just made
const MOST_ALIASES = 1_000;

/** True for a record that is in its table, and about to be taken out by a sweep. */
export type Doomed = (record: Record) => boolean;

export class EntityTable {
  /** Of the classes that share it, each of which extends the one before: the last that was met. */
  kind: EntityKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();
  readonly #doomed: Doomed;

  constructor(kind: EntityKind, doomed: Doomed) {
    this.kind = kind;
    this.#doomed = doomed;
  }

  readonly indexes: Map<string, FieldIndex> = new Map();
  /** Temporary keys to those that the server gave. */
  readonly #aliases = new Map<string, string>();
  /** The list of all entities here, if anybody asked for it. */
  all: AllRecord | undefined = undefined;

  /** Another class has its key; throws S5, in development, where neither extends the other. */
  share(kind: EntityKind): void {
    const known = this.kind;
    if (kind.is(known)) this.kind = kind;
    else if (DEV && !known.is(kind)) {
      const [entity, other] = [kind.Class.name, known.Class.name];
      throw badData('S5', { key: kind.table, entity, other });
    }
  }

  /** Of a key that is not in `records`. */
  make(pk: string): EntityRecord {
    const alias = this.#aliases.size > 0 ? this.#aliases.get(pk) : undefined;
    const known = alias === undefined ? undefined : this.records.get(alias);
    if (known !== undefined) return known;
    const record = new EntityRecord(this.kind, pk);
    this.records.set(pk, record);
    if (this.all !== undefined) record.addParent(this.all);
    if (this.indexes.size > 0) for (const index of this.indexes.values()) index.add(record);
    return record;
  }

  /** The index of a field, made when it is first asked for. */
  by(field: string): FieldIndex {
    let index = this.indexes.get(field);
    if (index === undefined) {
      this.indexes.set(field, (index = new FieldIndex(field, this.staying())));
    }
    return index;
  }

  /** Its records in the order in which they came, but those that a sweep is about to take out. */
  staying(): EntityRecord[] {
    const records = [...this.records.values()].filter((record) => !this.#doomed(record));
    return records.sort((one, other) => one.turn - other.turn);
  }

  drop(pk: string): void {
    this.records.delete(pk);
  }

  release(pk: string): boolean {
    const record = this.records.get(pk) as EntityRecord;
    for (const index of this.indexes.values()) index.forget(record);
    return this.records.delete(pk);
  }

  /** True for keys that lead to an entity, be they temporary. */
  knows(pk: string): boolean {
    return this.records.has(this.#aliases.get(pk) ?? pk);
  }

  /** The server named an entity that had a temporary key: that key leads to it for a while longer. */
  rename(record: EntityRecord, pk: string): void {
    this.alias(record.pk, pk);
    record.pk = pk;
    this.records.set(pk, record);
    const { image } = confirmed(record);
    const { namedBy } = this.kind.plan;
    // pushed under the temporary key: it stays what it is under this one
    if (image === undefined || namedBy === undefined) return;
    const fields = this.kind.copy(image.fields);
    assign(fields, namedBy.field, namedBy.numeric ? Number(pk) : pk);
    confirmed(record).hold({ ...image, fields });
  }

  /** What was looked for under a temporary key is found under this one from now on. */
  alias(temporary: string, pk: string): void {
    this.records.delete(temporary);
    this.#aliases.delete(pk);
    this.#aliases.set(temporary, pk);
    const [oldest] = this.#aliases.keys();
    if (this.#aliases.size > MOST_ALIASES) this.#aliases.delete(oldest as string);
  }

  clear(stamp: Stamp): void {
    for (const record of this.records.values()) {
      confirmed(record).remove(stamp);
      if (!record.read) this.drop(record.pk);
    }
  }
}
