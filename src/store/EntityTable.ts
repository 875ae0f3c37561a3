/** The records of one entity class by primary key. */
import { DEV } from '../diagnostics.ts';
import { badData } from '../schema/badData.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { withKey } from '../schema/EntityPlan.ts';
import type { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex } from './FieldIndex.ts';
import type { Stamp } from './versioning.ts';

// for links to a row that was just made
const MOST_ALIASES = 1_000;

/** The key that replaced another one. */
interface Alias {
  readonly pk: string;
  /** Logical time: in data issued later the old key names another entity, which the server gave it. */
  readonly until: number;
}

export class EntityTable {
  /** Of the classes that share it, each of which extends the one before: the last that was met. */
  kind: EntityKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();

  constructor(kind: EntityKind) {
    this.kind = kind;
  }

  readonly indexes: Map<string, FieldIndex> = new Map();
  /** From temporary keys, and keys that a mutation changed, to the keys that replaced them. */
  readonly #aliases = new Map<string, Alias>();
  /** A mutation has changed the key of an entity. */
  rekeyed = false;
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
      this.indexes.set(field, (index = new FieldIndex(field, this.inTurn())));
    }
    return index;
  }

  /** Its records in the order in which they came. */
  inTurn(): EntityRecord[] {
    return [...this.records.values()].sort((one, other) => one.sequence - other.sequence);
  }

  drop(pk: string): void {
    this.records.delete(pk);
  }

  release(pk: string): boolean {
    const record = this.records.get(pk) as EntityRecord;
    for (const index of this.indexes.values()) index.forget(record);
    return this.records.delete(pk);
  }

  /** The key under which an entity is stored, for data issued at a logical time that name it by `pk`. */
  keyOf(pk: string, time = 0): string {
    const alias = this.records.has(pk) ? undefined : this.#aliases.get(pk);
    return alias === undefined || time > alias.until ? pk : this.keyOf(alias.pk, time);
  }

  /** True for keys that lead to an entity, be they temporary. */
  knows(pk: string): boolean {
    return this.records.has(this.keyOf(pk));
  }

  /** The server named an entity that had a temporary key, or gave it another key: the old one leads to it. */
  rename(record: EntityRecord, pk: string, until: number = Infinity): void {
    this.alias(record.pk, pk, until);
    record.pk = pk;
    this.records.set(pk, record);
    const { base } = record;
    const { namedBy } = this.kind.plan;
    // pushed under the temporary key: it stays what it is under this one; else the response brings the field
    if (base === undefined || namedBy === undefined || until < Infinity) return;
    const fields = withKey(this.kind.plan, this.kind.copy(base.fields), pk);
    record.setContentSilently({ ...base, fields });
  }

  /** What was looked for under one key is found under another from now on. */
  alias(old: string, pk: string, until: number = Infinity): void {
    this.records.delete(old);
    this.#aliases.delete(pk);
    this.#aliases.delete(old);
    if (old !== pk) this.#aliases.set(old, { pk, until });
    this.rekeyed ||= until < Infinity;
    const [oldest] = this.#aliases.keys();
    if (this.#aliases.size > MOST_ALIASES) this.#aliases.delete(oldest as string);
  }

  /** Takes `rename` back. */
  unname(record: EntityRecord, old: string): void {
    const { pk } = record;
    this.rename(record, old);
    this.#aliases.delete(pk);
  }

  clear(stamp: Stamp): void {
    for (const record of this.records.values()) {
      record.remove(stamp);
      if (!record.isObserved) this.drop(record.pk);
    }
    // temporary keys are never sent, also after a log out
    for (const [pk, { until }] of this.#aliases) if (until < Infinity) this.#aliases.delete(pk);
  }
}
