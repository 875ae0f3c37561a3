/** The records of an entity class by primary key. */
import { DEV } from '../../errors.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import { schemaChecks } from '../../schema/schemaChecks.ts';
import { withPk } from '../../schema/toPk.ts';
import type { AllRecord } from '../lists/All.ts';
import { markDirty } from '../records/markDirty.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex } from './FieldIndex.ts';
import { NO_VERSIONS } from './FieldVersions.ts';

// replaced keys mostly serve links to a row that was just created
const MAX_REMEMBERED_KEYS = 1_000;

/** The primary key that replaced another. */
interface Alias {
  readonly pk: string;
  /** Logical time: in data issued later the old key names another entity, because the server has reused the key. */
  readonly until: number;
}

/** The part of the garbage collector that this table uses. */
interface RecordTracker {
  findAndMarkUsed(table: EntityTable, pk: string): EntityRecord | undefined;
  track(record: EntityRecord): EntityRecord;
}

export class EntityTable {
  /** Classes that share the table extend each other. This is the most derived class seen so far. */
  kind: EntityKind;
  /** Logical time of the last own write confirmed in this table. */
  lastOwnWriteTime = 0;
  readonly records: Map<string, EntityRecord> = new Map();

  constructor(kind: EntityKind) {
    this.kind = kind;
  }

  readonly indexes: Map<string, FieldIndex> = new Map();
  /** From temporary keys, and from keys that a mutation changed, to the new keys. */
  readonly aliases: Map<string, Alias> = new Map();
  /** True once a mutation has changed the primary key of an entity. */
  hasKeyChanges = false;
  /** The list of all entities of this table, created at the first use. */
  allRecord: AllRecord | undefined;

  /** Another class uses the key of this table. Throws S5 in development if neither class extends the other. */
  addClass(kind: EntityKind): void {
    const known = this.kind;
    if (kind.isOrExtends(known)) this.kind = kind;
    else if (DEV && !known.isOrExtends(kind))
      schemaChecks?.refuseSecondClass(kind.tableKey, kind, known);
  }

  /** Creates the record of a key that is not in `records`. */
  createRecord(pk: string): EntityRecord {
    const record = new EntityRecord(this.kind, pk);
    this.records.set(pk, record);
    if (this.allRecord !== undefined) record.addParent(this.allRecord);
    if (this.indexes.size > 0) for (const index of this.indexes.values()) index.add(record);
    return record;
  }

  /** The index of a field, created at the first query by this field. */
  getOrCreateIndex(field: string): FieldIndex {
    let index = this.indexes.get(field);
    if (index === undefined) {
      this.indexes.set(field, (index = new FieldIndex(field, this.byArrival())));
    }
    return index;
  }

  /** The records in the order of their arrival. */
  byArrival(): EntityRecord[] {
    return [...this.records.values()].sort((one, other) => one.arrivalNumber - other.arrivalNumber);
  }

  drop(pk: string): void {
    this.records.delete(pk);
  }

  tryEvict(pk: string, record: EntityRecord): boolean {
    for (const index of this.indexes.values()) index.moveTo(record, undefined);
    return this.records.get(pk) !== record || this.records.delete(pk);
  }

  /** The key under which an entity is stored, if data issued at logical time `time` name the entity by `pk`. */
  resolveKey(pk: string, time = 0): string {
    const alias = this.records.has(pk) ? undefined : this.aliases.get(pk);
    return alias === undefined || time > alias.until ? pk : this.resolveKey(alias.pk, time);
  }

  /** For a key that no record has: the entity that had this key before. `time`: as of `resolveKey`. */
  findRenamed(gc: RecordTracker, pk: string, time?: number): EntityRecord | undefined {
    if (this.aliases.size === 0) return undefined;
    const key = this.resolveKey(pk, time);
    // the renamed record may have been garbage collected: created again under the last key
    return key === pk
      ? undefined
      : (gc.findAndMarkUsed(this, key) ?? gc.track(this.createRecord(key)));
  }

  /** Moves an entity from a temporary or outdated key to the server key. The old key becomes an alias. */
  rename(record: EntityRecord, pk: string, until: number = Infinity): void {
    this.addAlias(record.pk, pk, until);
    record.pk = pk;
    this.records.set(pk, record);
    const { base } = record;
    const { declaredPkField } = this.kind.descriptor;
    // data pushed under a temporary key get the new key here; after other key changes the response brings the field
    if (base === undefined || declaredPkField === undefined || until < Infinity) return;
    const fields = withPk(this.kind.descriptor, this.kind.copyInstance(base.fields), pk);
    record.setConfirmed({ ...base, fields });
  }

  /** Makes lookups of `old` find `pk` from now on. */
  addAlias(old: string, pk: string, until: number = Infinity): void {
    // rows that hold one of the keys have another related row
    for (const key of [old, pk]) {
      const record = this.records.get(key);
      if (record !== undefined) markDirty(record, false);
    }
    this.records.delete(old);
    this.aliases.delete(pk);
    this.aliases.delete(old);
    if (old !== pk) this.aliases.set(old, { pk, until });
    this.hasKeyChanges ||= until < Infinity;
    forgetOldest(this.aliases);
  }

  /** Returns a function that restores what `pk` leads to now. */
  createRestore(pk: string): () => void {
    const record = this.records.get(pk);
    const alias = this.aliases.get(pk);
    return () => {
      this.aliases.delete(pk);
      if (record !== undefined) this.records.set(pk, record);
      if (alias !== undefined) this.aliases.set(pk, alias);
    };
  }

  /** Observed records stay, empty. Aliases of temporary keys stay as well, since no such key may be sent to a server. */
  clear(): void {
    this.lastOwnWriteTime = 0;
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

/** Drops the oldest entries of a map by replaced keys. */
export function forgetOldest(byKey: Map<string, unknown>): void {
  for (const oldest of byKey.keys()) {
    if (byKey.size <= MAX_REMEMBERED_KEYS) break;
    byKey.delete(oldest);
  }
}
