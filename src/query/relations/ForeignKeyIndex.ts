/** An index of the entities of a class by the values of one or more fields: the foreign key of a relation. */
import { Decoded } from '../../schema/DecoderKind.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import { toIndexKey } from '../../schema/toPk.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityTable } from '../../store/entities/EntityTable.ts';
import { FieldIndex, IndexRecord } from '../../store/entities/FieldIndex.ts';
import { isVisible } from '../../store/records/diffMembers.ts';
import { StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import type { Store } from '../../store/Store.ts';

/** The fields of a key, in order. */
export type KeyFields = readonly string[];

/** A record that follows the entities of one key. */
export interface LookupFollower {
  /** `member` came under the key, or left it. */
  onLookupChange(member: EntityRecord): void;
}

/** The entities of one key. Unlike its base class, it has no value: it reports each entity that comes or leaves. */
export class KeyLookup extends IndexRecord {
  override setMember(record: EntityRecord, here: boolean): void {
    if (here) this.records.add(record);
    else this.records.delete(record);
    if (this.parents === undefined) return;
    // only followers link a lookup
    for (const follower of this.allParents as Iterable<StoreRecord & LookupFollower>)
      follower.onLookupChange(record);
  }
}

export class ForeignKeyIndex extends FieldIndex {
  readonly #fields: KeyFields;

  constructor(name: string, fields: KeyFields, records: Iterable<EntityRecord>) {
    // `keyOf` reads `#fields`, which the base class must not do before it is set
    super(name, []);
    this.#fields = fields;
    for (const record of records) this.add(record);
  }

  protected override keyOf(record: EntityRecord): string | undefined {
    return keyIn(record, this.#fields);
  }

  override lookupOf(value: string): KeyLookup {
    const known = this.records.get(value);
    if (known !== undefined) return known;
    const made = new KeyLookup(value);
    this.records.set(value, made);
    return made;
  }
}

/**
 * The values of the fields as one text; undefined if the entity is missing, or a value is no identity. A nested entity
 * stands for its primary key.
 */
export function keyIn(record: EntityRecord, fields: KeyFields): string | undefined {
  if (record.instance === undefined) return undefined;
  const [only] = fields;
  if (fields.length === 1 && only !== undefined) return fieldText(record, only);
  const texts = fields.map((field) => fieldText(record, field));
  if (texts.includes(undefined)) return undefined;
  return JSON.stringify(texts);
}

function fieldText({ instance, kind, nodes }: EntityRecord, field: string): string | undefined {
  const at = kind.descriptor.nestedIndexes.get(field);
  if (at === undefined) return toIndexKey(instance?.[field]);
  const node = nodes[at];
  if (node instanceof StoreRecord) return node.pk;
  if (!(node instanceof Decoded)) return toIndexKey(node);
  // an object stands for the JSON from which a decoder has made the object
  return toIndexKey(node.value) ?? toIndexKey(node.raw);
}

/** The index of these fields, created at the first use. Relations by the same fields share it. */
export function foreignKeyIndexOf(
  store: Store,
  kind: EntityKind,
  fields: KeyFields,
): ForeignKeyIndex {
  const table = store.table(kind) as EntityTable;
  // an index of one field has the name of the field; no field has this one
  const name = `key ${JSON.stringify(fields)}`;
  const known = table.indexes.get(name) as ForeignKeyIndex | undefined;
  if (known !== undefined) return known;
  // every row of the table may belong to a key
  store.loadAll();
  // the index files a record that is read already once, and is told of its next change
  for (const record of table.records.values()) isVisible(record, store);
  const made = new ForeignKeyIndex(name, fields, table.records.values());
  table.indexes.set(name, made);
  return made;
}

/** The key in a record whose changes the caller follows: a record that is not built does not report its next change. */
export function followedKeyIn(
  record: EntityRecord,
  fields: KeyFields,
  builder: Builder,
): string | undefined {
  builder.value(record);
  return keyIn(record, fields);
}
