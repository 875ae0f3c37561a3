/** The records of one entity class by primary key. */
import { DEV } from '../diagnostics.ts';
import { badData } from '../schema/badData.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { withKey } from '../schema/EntityDescriptor.ts';
import type { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { NO_VERSIONS } from './FieldVersions.ts';
import { FieldIndex } from './FieldIndex.ts';

// aliases mostly serve links to a row that was just created
const MOST_ALIASES = 1_000;

/** The primary key that replaced another. */
interface Alias {
  readonly pk: string;
  /** Logical time: in data issued later the old key names another entity, because the server has reused the key. */
  readonly until: number;
}

export class EntityTable {
  /** Classes that share the table extend each other. This is the most derived class seen so far. */
  kind: EntityKind;
  /** Logical time of the last own write confirmed in this table. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();

  constructor(kind: EntityKind) {
    this.kind = kind;
  }

  readonly indexes: Map<string, FieldIndex> = new Map();
  /** From temporary keys, and from keys that a mutation changed, to the new keys. */
  readonly aliases: Map<string, Alias> = new Map();
  /** True once a mutation has changed the primary key of an entity. */
  rekeyed = false;
  /** The list of all entities of this table, created at the first use. */
  all: AllRecord | undefined = undefined;

  /** Another class uses the key of this table. Throws S5 in development if neither class extends the other. */
  addClass(kind: EntityKind): void {
    const known = this.kind;
    if (kind.is(known)) this.kind = kind;
    else if (DEV && !known.is(kind)) {
      const [entity, other] = [kind.Class.name, known.Class.name];
      throw badData('S5', { key: kind.table, entity, other });
    }
  }

  /** Creates the record of a key that is not in `records`. */
  make(pk: string): EntityRecord {
    const record = new EntityRecord(this.kind, pk);
    this.records.set(pk, record);
    if (this.all !== undefined) record.addParent(this.all);
    if (this.indexes.size > 0) for (const index of this.indexes.values()) index.add(record);
    return record;
  }

  /** The index of a field, created at the first query by this field. */
  indexBy(field: string): FieldIndex {
    let index = this.indexes.get(field);
    if (index === undefined) {
      this.indexes.set(field, (index = new FieldIndex(field, this.byArrival())));
    }
    return index;
  }

  /** The records in the order of their arrival. */
  byArrival(): EntityRecord[] {
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

  /** The key under which an entity is stored, if data issued at logical time `time` name the entity by `pk`. */
  keyOf(pk: string, time = 0): string {
    const alias = this.records.has(pk) ? undefined : this.aliases.get(pk);
    return alias === undefined || time > alias.until ? pk : this.keyOf(alias.pk, time);
  }

  /** True for keys that lead to an entity, directly or by an alias. */
  knows(pk: string): boolean {
    return this.records.has(this.keyOf(pk));
  }

  /** Moves an entity from a temporary or outdated key to the server key. The old key becomes an alias. */
  rename(record: EntityRecord, pk: string, until: number = Infinity): void {
    this.alias(record.pk, pk, until);
    record.pk = pk;
    this.records.set(pk, record);
    const { base } = record;
    const { pkFieldInfo } = this.kind.plan;
    // data pushed under a temporary key get the new key here; after other key changes the response brings the field
    if (base === undefined || pkFieldInfo === undefined || until < Infinity) return;
    const fields = withKey(this.kind.plan, this.kind.copy(base.fields), pk);
    record.setContentSilently({ ...base, fields });
  }

  /** Makes lookups of `old` find `pk` from now on. */
  alias(old: string, pk: string, until: number = Infinity): void {
    this.records.delete(old);
    this.aliases.delete(pk);
    this.aliases.delete(old);
    if (old !== pk) this.aliases.set(old, { pk, until });
    this.rekeyed ||= until < Infinity;
    const [oldest] = this.aliases.keys();
    if (this.aliases.size > MOST_ALIASES) this.aliases.delete(oldest as string);
  }

  /** Undoes `rename`. */
  undoRename(record: EntityRecord, old: string): void {
    const { pk } = record;
    this.rename(record, old);
    this.aliases.delete(pk);
  }

  clear(): void {
    this.writtenAt = 0;
    for (const record of this.records.values()) {
      // as if the entity had never been stored
      record.versions = NO_VERSIONS;
      record.setConfirmed(undefined);
      if (!record.isObserved) this.drop(record.pk);
    }
    // aliases of temporary keys stay: a temporary key must never be sent, also after a logout
    for (const [pk, { until }] of this.aliases) if (until < Infinity) this.aliases.delete(pk);
  }
}
