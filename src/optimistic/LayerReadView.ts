/** How optimistic writes read: the store as seen by a layer, and deleted entities as before the deletion. */
import { INVALID } from '../schema/schema.ts';
import type { Fields, Ref, StoredKind } from '../schema/schema.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import { EntityRecord, NO_NODES } from '../store/entities/EntityRecord.ts';
import { IndexRecord } from '../store/entities/FieldIndex.ts';
import type { AllRecord } from '../store/lists/All.ts';
import { ListRecord, isStoredList } from '../store/lists/ListRecord.ts';
import type { MapRecord } from '../store/lists/Values.ts';
import { DIRTY, REREAD_PARTS, SHARED } from '../store/records/StoreRecord.ts';
import type { Builder, StoreRecord } from '../store/records/StoreRecord.ts';
import { sameEntries, shallowEqualArrays } from '../store/records/diffMembers.ts';
import { pendingOf } from './PendingEntity.ts';
import { foldChanges } from './foldChanges.ts';
import type { PendingList } from './foldChanges.ts';
import { overlayFields } from './foldPatches.ts';

/** Records that were read, each with the copy that was read instead. */
export type Dependencies = Map<StoreRecord, StoreRecord>;

// below this depth, values are the values that readers see
const MAX_DEPTH = 200;

/** Builds values from copies of the records, so that the values of readers stay untouched. */
export class LayerReadView implements Builder {
  readonly hasImmutableValues = false;
  readonly #builder: Builder;
  readonly #issuedBefore: number;
  /** Every record that was read; undefined until the first read. */
  dependencies: Dependencies | undefined = undefined;
  #depth = 0;

  /** `before`: logical time; writes issued then or later are not visible. */
  constructor(now: Builder, before: number) {
    this.#builder = now;
    this.#issuedBefore = before;
  }

  /** Adds a dependency. The result of a request is a dependency, whatever the result was. */
  addDependency(record: StoreRecord, copy: StoreRecord = record): void {
    (this.dependencies ??= new Map()).set(record, copy);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#builder.ref(kind, pk);
  }

  /** The lookup in the present store, whatever the layer sees; `value` adds the dependency. */
  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#builder.findByField(kind, field, value);
  }

  read(record: StoreRecord): unknown {
    return this.value(record);
  }

  /** Some fields of an entity, or undefined if the entity is missing. Changes of other fields do not count. */
  fieldsOf(record: EntityRecord, names: readonly string[]): Fields | undefined {
    const known = this.dependencies?.get(record);
    const copy = known ?? copyAsOf(record, this.#issuedBefore);
    if (known === undefined) {
      this.addDependency(record, copy);
      if (copy instanceof EntityCopy) copy.readFields = names;
    }
    return (copy as EntityRecord).instance;
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    let copy = this.dependencies?.get(record);
    if (copy === undefined || readFieldsOf(copy) !== undefined) {
      if (this.#depth >= MAX_DEPTH) return this.#builder.read(record);
      copy = copyAsOf(record, this.#issuedBefore);
      this.addDependency(record, copy);
    }
    // a leaf, or a value derived by a separate engine
    if (copy === record) return this.#builder.read(record);
    this.#depth++;
    const value = copy.current(this);
    this.#depth--;
    return value ?? INVALID;
  }
}

/** Of a copy that a layer has read: the fields that count; undefined: all. */
export function readFieldsOf(copy: StoreRecord): readonly string[] | undefined {
  return copy instanceof EntityCopy ? copy.readFields : undefined;
}

/** The entity as seen by a layer. */
export class EntityCopy extends EntityRecord {
  /** The fields that the layer depends on; undefined: all. */
  readFields: readonly string[] | undefined = undefined;

  constructor({ kind, pk }: EntityRecord, content: EntityContent | undefined) {
    super(kind, pk);
    this.instance = content?.fields;
    this.nodes = content?.nodes ?? NO_NODES;
    this.flags |= SHARED | DIRTY | REREAD_PARTS;
  }
}

/**
 * A copy without readers, with the content that optimistic writes issued at this logical time see: the confirmed
 * content with the writes issued before. A record without content of its own returns itself.
 */
export function copyAsOf(record: StoreRecord, time: number): StoreRecord {
  if (record instanceof EntityRecord)
    // without pending writes and parts the content is the same at all times
    return record.pending === undefined && record.nodes.length === 0
      ? record
      : new EntityCopy(record, record.contentAsOf(time));
  if (record instanceof ListRecord) {
    const copy = new ListRecord(record.kind, record.pk);
    copy.members = membersAsOf(record, time);
    copy.flags |= DIRTY;
    return copy;
  }
  if (isMap(record)) {
    // an application without maps does not carry their class
    const copy = new (record.constructor as typeof MapRecord)(record.kind, record.pk);
    copy.entries = record.entriesAsOf(time);
    copy.flags |= DIRTY;
    return copy;
  }
  return record instanceof IndexRecord ? new IndexRecord(record.pk, record.records) : record;
}

/** True if a write issued at this logical time sees the same content now as in `copy`. */
export function equalsCopyAsOf(record: StoreRecord, time: number, copy: StoreRecord): boolean {
  if (copy === record) return false;
  if (record instanceof EntityRecord) return equalsEntity(record, time, copy as EntityCopy);
  if (record instanceof ListRecord) {
    const [was, is] = [(copy as ListRecord).members, membersAsOf(record, time)];
    return was && is ? shallowEqualArrays(was, is) : was === is;
  }
  if (!isMap(record)) return false;
  const [was, is] = [(copy as MapRecord).entries, record.entriesAsOf(time)];
  return was === is || (was !== undefined && is !== undefined && sameEntries(was, is));
}

function equalsEntity(record: EntityRecord, time: number, copy: EntityCopy): boolean {
  const { content: seen } = copy;
  const content = record.contentAsOf(time);
  if (seen === undefined || content === undefined) return seen === content;
  const names = copy.readFields ?? copy.fieldNamesToCompare(content.fields);
  return overlayFields(record.kind, seen, { ...content, names }, seen) === seen;
}

/** The members with the optimistic writes that were issued before this logical time. */
export function membersAsOf(list: ListRecord, time: number): StoreRecord[] | undefined {
  // an entity missing at that time is left out when the copy is built
  if (list.followsEntities) return (list as AllRecord).storedRows;
  const pending = list.pending as PendingList | undefined;
  return pending === undefined ? list.members?.slice() : foldChanges(list.kind, pending, time);
}

function isMap(record: StoreRecord): record is MapRecord {
  return isStoredList(record) && !(record instanceof ListRecord);
}

/** A record that was read, and the value. `copy`: of a deleted entity, read instead. */
interface Seen {
  readonly copy: StoreRecord | undefined;
  readonly value: unknown;
}

export class BeforeDeletion implements Builder {
  readonly hasImmutableValues = true;
  readonly #builder: Builder;
  readonly #seen = new Map<StoreRecord, Seen>();

  /** `deleted`: a deleted entity; `copy`: the entity before the deletion. */
  constructor(now: Builder, deleted?: StoreRecord, copy?: StoreRecord) {
    this.#builder = now;
    if (deleted && copy) this.#read(deleted, copy);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#builder.ref(kind, pk);
  }

  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#builder.findByField(kind, field, value);
  }

  read(record: StoreRecord): unknown {
    return this.value(record);
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    const known = this.#seen.get(record);
    if (known !== undefined) return known.value;
    const value = this.#builder.read(record);
    if (value === INVALID && record.deletionIssued !== undefined)
      return this.#read(record, copyAsOf(record, deletedAt(record)));
    this.#seen.set(record, { copy: undefined, value });
    return value;
  }

  #read(record: StoreRecord, copy: StoreRecord): unknown {
    // in a cycle the copy returns the unfinished instance
    const value = (copy === record ? INVALID : copy.current(this)) ?? INVALID;
    this.#seen.set(record, { copy, value });
    return value;
  }

  /** True if all records that were read have the same values now. */
  isCurrent(): boolean {
    for (const [record, { copy, value }] of this.#seen) {
      const isHidden = copy !== undefined && record.deletionIssued !== undefined;
      if (isHidden ? !equalsCopyAsOf(record, deletedAt(record), copy) : copy) return false;
      if (!copy && this.#builder.read(record) !== value) return false;
    }
    return true;
  }
}

/** The logical time at which the first deletion was issued that is not confirmed. */
function deletedAt(record: StoreRecord): number {
  return (record instanceof EntityRecord && pendingOf(record)?.deletionTimes[0]) || 0;
}
