/** Builds live values: stable objects and arrays that stand for records. */
import type { Controller, Key } from '../Controller.ts';
import { DEV } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import { entityRecordBy } from '../request/queryStore.ts';
import type { NestedMember } from '../schema/EntityDescriptor.ts';
import { attachSnapshot } from '../schema/attachSnapshot.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Ref, Source, StoredKind, EntityClass } from '../schema/schema.ts';
import { deref, untrackedAll } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import type { Store } from '../store/Store.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { IndexRecord } from '../store/entities/FieldIndex.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { applyEdits } from '../store/lists/ListValueCache.ts';
import type { ListEdit } from '../store/lists/ListValueCache.ts';
import { membershipSignal } from '../store/records/RecordObservers.ts';
import type { AuxCell } from '../store/records/RecordObservers.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import { isVisible, shallowEqualArrays } from '../store/records/diffMembers.ts';
import { LiveObject } from './LiveObject.ts';

interface WithMethod {
  method(...args: readonly unknown[]): unknown;
}

const sources = new WeakMap<Store, LiveSource>();

/** The only LiveSource of a store, so that an entity has a single live object. */
export function liveSourceOf(store: Store): LiveSource {
  let source = sources.get(store);
  if (source === undefined) sources.set(store, (source = new LiveSource(store)));
  return source;
}

export class LiveSource implements Source {
  readonly hasImmutableValues = false;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#store.ref(kind, pk);
  }

  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#store.findByField(kind, field, value);
  }

  /** The live object or array of a record, or INVALID. Reading depends on the membership of the record. */
  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    const shape = membershipSignal(record);
    void shape.value;
    if (record instanceof EntityRecord)
      return this.#isComplete(record) ? this.live(record) : INVALID;
    const live = record instanceof ListRecord ? this.#list(record, shape) : this.#derived(record);
    return attachSnapshot(live, () => this.cell(record).value);
  }

  /** The snapshots of a record, as a signal. */
  cell(record: StoreRecord): ReadonlySignal<unknown> {
    return this.#store.cell(record);
  }

  /** The present snapshot of a record, untracked. */
  peek(record: StoreRecord): unknown {
    return this.#store.peek(record);
  }

  #derived(record: StoreRecord): unknown {
    if (!(record instanceof IndexRecord))
      return record.buildLive?.(this.#store, (member) => this.live(member)) ?? INVALID;
    const visible = [...record.records].find((member) => isVisible(member, this.#store));
    return visible === undefined ? INVALID : this.live(visible);
  }

  #isComplete(record: EntityRecord): boolean {
    if (!record.exists) return false;
    return !record.kind.descriptor.hasRequired || this.#store.read(record) !== INVALID;
  }

  #list(record: ListRecord, shape: AuxCell): unknown {
    const { members } = record;
    if (members === undefined) return INVALID;
    const { lastLiveRows } = shape;
    const edits = lastLiveRows && record.valueCache.editsSince(lastLiveRows.next);
    if (edits?.length === 0) return lastLiveRows?.rows;
    // added and removed members tick the shape cell of the list, so the cells of the members need no tracking
    let rows = edits && this.#applyEdits(lastLiveRows.rows, edits, members);
    if (rows === undefined && members.every(isSurelyVisible)) rows = this.#rows(members);
    // if a member may be hidden, the positions in the edits do not apply to the rows
    const next = rows === undefined ? -1 : record.valueCache.editCount;
    rows ??= this.#rows(members.filter((member) => this.#isComplete(member as EntityRecord)));
    if (lastLiveRows !== undefined && shallowEqualArrays(rows, lastLiveRows.rows))
      rows = lastLiveRows.rows;
    shape.lastLiveRows = { rows, next };
    return DEV ? Object.freeze(rows) : rows;
  }

  /** The last rows with the edits since then; undefined if all members must be checked. */
  #applyEdits(
    before: readonly object[],
    edits: readonly ListEdit[],
    members: readonly StoreRecord[],
  ): readonly object[] | undefined {
    const { rows, places } = applyEdits(before, edits);
    for (const at of places) {
      const member = members[at] as StoreRecord;
      if (!isSurelyVisible(member)) return undefined;
      rows[at] = this.live(member);
    }
    return rows;
  }

  #rows(members: readonly StoreRecord[]): readonly object[] {
    return members.map((member) => this.live(member));
  }

  /** The live object of an entity, also of an entity that does not exist. */
  live(entity: StoreRecord): object {
    const record = entity as EntityRecord;
    const known = deref(record.observers?.liveObject) as LiveObject | undefined;
    if (known !== undefined) return known.proxy;
    this.#store.gc.markUsed(record);
    return new LiveObject(this, record).proxy;
  }

  /**
   * The value of a field for its readers. Untracked: a change of a nested record ticks the cell of the field, so readers
   * need no further dependency.
   */
  readField(live: LiveObject, name: string): unknown {
    const { descriptor, defaults } = live.record.kind;
    const at = descriptor.nestedIndexes.get(name);
    if (at !== undefined) return untrackedAll(() => this.#nested(live, at));
    // a class that computes values is only known as a whole instance
    if (descriptor.denormalizeOwn !== undefined)
      return untrackedAll(() => this.#readOwn(live, name));
    const value = (live.content?.fields ?? (defaults as Fields))[name];
    if (typeof value !== 'function' || value === (defaults as Fields)[name]) return value;
    // the constructor made this function, which reads its own instance: the function of the present snapshot is called
    return (...args: readonly unknown[]) =>
      ((this.cell(live.record).value ?? (live.last as EntityContent).fields) as WithMethod)[
        name as 'method'
      ](...args);
  }

  #readOwn({ record, last }: LiveObject, name: string): unknown {
    const made = this.#store.read(record);
    return made === INVALID ? last?.fields[name] : (made as Fields)[name];
  }

  #nested({ record, content }: LiveObject, at: number): unknown {
    const { name, kind, absentValue } = record.kind.descriptor.nested[at] as NestedMember;
    const node = content?.nodes[at];
    const value = node === undefined ? INVALID : kind.denormalize(node, this);
    if (value === INVALID || value === undefined) return absentValue;
    if (node instanceof StoreRecord) return value;
    return attachSnapshot(value, () => (this.cell(record).value as Fields | undefined)?.[name]);
  }
}

function isSurelyVisible(member: StoreRecord): boolean {
  return member instanceof EntityRecord && member.exists && !member.mayBeIncomplete;
}

/**
 * `live(controller, Todo, 1)`: the live object of an entity, by primary key or by an object that contains the key. The
 * live object stays the same and tracks reads field by field. Throws S9 without a primary key, A7 if `controller` is
 * not a controller.
 */
export function live<E extends EntityClass>(
  controller: Controller,
  Entity: E,
  pk: Key<E>,
): InstanceType<E> {
  const { store } = contextOf(controller);
  return liveSourceOf(store).live(entityRecordBy(store, Entity, pk)) as InstanceType<E>;
}
