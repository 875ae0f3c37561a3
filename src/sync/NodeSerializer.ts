/** From records to plain data without schemas, and back: for disks and for other tabs. */
import { Derivation } from '../query/Query.ts';
import { QueryRecord } from '../query/QueryRecord.ts';
import { setOwn } from '../schema/fieldOf.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type { Fields, Kind, NormalizedNode, Ref, Source, StoredKind } from '../schema/schema.ts';
import { EntityRecord, ListRecord, MapRecord } from '../store/StorePort.ts';
import type { EntityContent, Store, StoreRecord } from '../store/StorePort.ts';
import type { PksByTable, References } from './PersistedRecord.ts';
import type { PersistableNames } from './Registry.ts';

/** Converts nodes to the form of responses, with primary keys in the place of entities, and empty lists. */
export class NodeSerializer implements Source {
  readonly hasImmutableValues = false;
  /** The records met so far. */
  readonly records: Set<StoreRecord> = new Set();
  readonly #lists: StoreRecord[] = [];
  readonly #tables = new Set<string>();
  readonly #store: Store;
  readonly #names: PersistableNames;
  #lost = false;

  constructor(store: Store, names: PersistableNames) {
    this.#store = store;
    this.#names = names;
  }

  /** INVALID if the node has none, or a part of it is not persisted. */
  serialize(kind: Kind, node: NormalizedNode): unknown {
    // a query has the form of the inner schema
    if (kind instanceof Derivation && node instanceof Composite)
      return this.serialize((kind as Derivation<unknown, unknown>).kind, node.inner);
    const value =
      node instanceof QueryRecord ? this.#all(node.lists) : kind.denormalize(node, this);
    return this.#lost ? INVALID : value;
  }

  get refs(): References {
    const entities = [...this.records].filter((record) => record instanceof EntityRecord);
    return {
      entities: this.#pksOf(entities),
      lists: this.#pksOf(this.#lists),
      tables: [...this.#tables],
    };
  }

  #pksOf(records: readonly StoreRecord[]): PksByTable {
    const pks: { [name: string]: string[] } = {};
    for (const record of records)
      (pks[this.#nameOf(record) as string] ??= []).push((record as EntityRecord).pk);
    return pks;
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    const { stores, tableKey } = record.kind as StoredKind;
    if (stores === 'all') {
      const name = this.#names.tableOf((tableKey as { all: StoredKind }).all);
      if (name === undefined) return this.rejectDerivedValue();
      this.#tables.add(name);
      return [];
    }
    if (this.#nameOf(record) === undefined) return this.rejectDerivedValue();
    this.records.add(record);
    if (record instanceof EntityRecord) return record.pk;
    this.#lists.push(record);
    if (record.confirmedParts() === undefined) return INVALID;
    return record instanceof MapRecord ? {} : [];
  }

  #all(refs: readonly Ref[]): unknown[] {
    for (const ref of refs) this.value(ref);
    return [];
  }

  #nameOf({ kind }: StoreRecord): string | undefined {
    return this.#names.tableOf(kind as StoredKind);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#store.ref(kind, pk);
  }

  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#store.findByField(kind, field, value);
  }

  kindOf(ref: Ref): StoredKind {
    return (ref as StoreRecord).kind as StoredKind;
  }

  rejectDerivedValue(): unknown {
    this.#lost = true;
    return INVALID;
  }
}

/** The fields of an entity as persisted: nested values serialized. No serializer: there are no nested values. */
export function storedFieldsOf(
  record: EntityRecord,
  { fields, nodes }: EntityContent,
  serializer: NodeSerializer | undefined,
): Fields {
  const { nested, nestedIndexes } = record.kind.descriptor;
  const { unreceived } = record.versions;
  const stored: Fields = {};
  // a default of a field that was never received is not kept
  for (const name of Object.keys(fields))
    if (!nestedIndexes.has(name) && !unreceived.includes(name)) setOwn(stored, name, fields[name]);
  if (serializer === undefined) return stored;
  nested.forEach(({ name, kind: inner }, at) => {
    const value = nodes[at] === undefined ? undefined : serializer.serialize(inner, nodes[at]);
    if (value !== undefined && value !== INVALID) setOwn(stored, name, value);
  });
  return stored;
}

/** The confirmed members of a list or a map, with their keys in a map; undefined if none were received. */
export function confirmedMembersOf(
  list: ListRecord | MapRecord,
): readonly (readonly [member: StoreRecord, key?: string])[] | undefined {
  if (list instanceof ListRecord) return list.base?.map((member) => [member]);
  return list.base && Array.from(list.base, ([key, member]) => [member, key]);
}
