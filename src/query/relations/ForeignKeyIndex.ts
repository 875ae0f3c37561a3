/** An index of the entities of a class by the values of a field, or of several: the foreign key of a relation. */
import { Decoded } from '../../schema/DecoderKind.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import type { Fields, ListKind, StoredKind } from '../../schema/schema.ts';
import { toIndexKey } from '../../schema/toPk.ts';
import type { Store } from '../../store/Store.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { EntityTable } from '../../store/entities/EntityTable.ts';
import { FieldIndex, IndexRecord } from '../../store/entities/FieldIndex.ts';
import { filterValueIn } from '../../store/lists/FilterLookup.ts';
import { listsWithValues, valuesFor, verdictOf } from '../../store/lists/ListGroups.ts';
import type { ListGroup } from '../../store/lists/ListGroups.ts';
import type { StoredList } from '../../store/lists/ListRecord.ts';
import { findListTablesContaining } from '../../store/lists/ListTable.ts';
import type { ListTable } from '../../store/lists/ListTable.ts';
import { StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import { isVisible } from '../../store/records/diffMembers.ts';
import { recomputeAtCommitEnd } from '../../store/records/markDirty.ts';
import { fieldTime } from '../../store/records/versioning.ts';
import { ResultRecord } from '../../store/results/ResultRecord.ts';
import { classNamesIn, isUnion, classPlaceIn } from './RelatedClasses.ts';

/** The fields of a key, in order. */
export type KeyFields = readonly string[];

/** A key in the rows of a class, or of several classes. */
export interface IndexedKey {
  readonly kinds: readonly EntityKind[];
  readonly fields: KeyFields;
  /** If the key begins with the name of a class of a union: the names that an entity looks for. */
  readonly namesOf: ((kind: EntityKind, row: Fields) => readonly string[]) | undefined;
  /** True if the rows do not have this name as a field: the name is the place of the class in `kinds`. */
  readonly isByClass: boolean;
}

/** How an entity names another entity by primary key. */
export interface PkReference {
  readonly fields: KeyFields;
  /** The class of the other entity; undefined: the class that is named is none of the relation. */
  kindFor(holder: EntityRecord): EntityKind | undefined;
}

/** A record that follows the entities of a key. */
export interface LookupFollower {
  /** `member` came under the key, or left the key. */
  onLookupChange(member: EntityRecord): void;
}

/** The entities of a key. Without a value, unlike the base class: reports each entity that comes or leaves. */
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

/*
 *   row of key "9"       GET /comments?issueId=9            filed
 *   written at time 3    not read                           under "9"
 *   written at time 3    read at time 2, without the row    under "9"
 *   written at time 3    read at time 5, without the row    not: the server has deleted the row, or changed the key
 *   written at time 3    read at time 5, a page             under "9"
 */
export class ForeignKeyIndex extends FieldIndex {
  readonly #key: IndexedKey;
  /** By the table of the rows: an index may have the rows of several tables. */
  readonly #lists = new Map<StoredKind['tableKey'], KeyLists>();
  readonly #rowsLeftOut = new WeakSet<StoreRecord>();
  /** Lists that were written in the current commit. */
  readonly #writtenLists = new Set<StoredList>();

  constructor(name: string, key: IndexedKey, store: Store) {
    // `keyOf` reads `#key`: the base class must not call `keyOf` before `#key` is set
    super(name, []);
    this.#key = key;
    store.onWrite((record) => this.#noteWrite(record));
  }

  /** Files the rows of a table of the classes, or of classes that extend these, also those that come later. */
  addTable(table: unknown, store: Store): void {
    if (!(table instanceof EntityTable)) return;
    const { kind } = table;
    const { tableKey } = kind;
    const isOfClass = (own: EntityKind) => own.tableKey === tableKey || kind.isOrExtends(own);
    if (this.#lists.has(tableKey) || !this.#key.kinds.some(isOfClass)) return;
    this.#lists.set(tableKey, new KeyLists(this.#key.fields, kind, store));
    // the index files a record that is read already once, and is told of the next change
    for (const record of table.records.values()) isVisible(record, store);
    for (const record of table.records.values()) this.add(record);
    table.indexes.set(this.pk, this);
  }

  protected override keyOf(record: EntityRecord): string | undefined {
    const key = this.#rowKeyOf(record);
    if (key === undefined || !this.#lists.get(record.kind.tableKey)?.isLeftOut(record)) return key;
    this.#rowsLeftOut.add(record);
    return undefined;
  }

  #rowKeyOf(record: EntityRecord): string | undefined {
    const { fields, isByClass } = this.#key;
    if (!isByClass) return keyIn(record, fields);
    const texts = textsIn(record, fields);
    return texts && this.#toRowKey(texts, record.kind);
  }

  #toRowKey(texts: readonly string[], kind: EntityKind): string {
    const { isByClass, kinds } = this.#key;
    return toKey(isByClass ? [classPlaceIn(kinds, kind), ...texts] : texts);
  }

  /** An equal row that arrives again changes no record. */
  #noteWrite(record: StoreRecord): void {
    if (this.#rowsLeftOut.delete(record)) this.onPartDirty(record);
    if (!isListOfAny(record, this.#lists)) return;
    this.#writtenLists.add(record);
    recomputeAtCommitEnd(this);
  }

  override recompute(builder: Builder): void {
    for (const list of this.#writtenLists) this.#compareRows(list);
    this.#writtenLists.clear();
    super.recompute(builder);
  }

  /** The list may leave out rows of its key. */
  #compareRows(list: StoredList): void {
    const keys = [...this.#lists.values()].flatMap((lists) =>
      lists.keysOfNewRead(list).map((texts) => this.#toRowKey(texts, lists.kind)),
    );
    for (const key of keys)
      for (const row of this.records.get(key)?.records ?? []) this.onPartDirty(row);
  }

  override lookupOf(value: string): KeyLookup {
    const known = this.records.get(value);
    if (known !== undefined) return known;
    const made = new KeyLookup(value);
    this.records.set(value, made);
    return made;
  }
}

/** The stored lists whose only conditions are the fields of a key. */
class KeyLists {
  readonly #fields: KeyFields;
  /** The class of the rows. */
  readonly kind: EntityKind;
  readonly #store: Store;
  #groups: readonly ListGroup[] = [];
  /** The time of the read with which the rows were last compared. */
  readonly #readTimes = new WeakMap<StoredList, number>();

  constructor(fields: KeyFields, kind: EntityKind, store: Store) {
    this.#fields = fields;
    this.kind = kind;
    this.#store = store;
    this.#findGroups();
  }

  #findGroups(): void {
    const tables = findListTablesContaining(this.#store.tables, [this.kind.tableKey]);
    this.#groups = tables.flatMap(({ followsFields, groups, kind: { listOrigin } }) => {
      const { options, listEndpoint } = listOrigin;
      const isCustom = options.createCollectionFilter !== undefined || !followsFields;
      return isCustom || listEndpoint?.paginationField !== undefined
        ? []
        : [...groups.all].filter((group) => this.#hasSameFields(group));
    });
  }

  #hasSameFields({ filters, undecided, hasChoices }: ListGroup): boolean {
    const names = filters.map(({ name }) => name);
    const isSame =
      names.length === this.#fields.length && this.#fields.every((field) => names.includes(field));
    return isSame && undecided.length === 0 && !(hasChoices && names.length > 1);
  }

  /** The keys of the rows of a list that was read since the last call; none if the list has other conditions. */
  keysOfNewRead(list: StoredList): readonly (readonly string[])[] {
    const { time } = list.stamp;
    if (this.#readTimes.get(list) === time) return [];
    this.#readTimes.set(list, time);
    this.#findGroups();
    const place = (this.#store.table(list.kind) as ListTable).groups.placeOf(list);
    if (place === undefined || !this.#groups.includes(place.group)) return [];
    const { group, texts, choices } = place;
    const at = this.#fields.map((field) => group.filters.findIndex(({ name }) => name === field));
    const values = at.map((index) => texts[index] as string);
    return choices[0]?.map((choice) => [choice]) ?? [values];
  }

  /** True if a list of the key of the row was read later than the row was written, and does not have the row. */
  isLeftOut(row: EntityRecord): boolean {
    return this.#groups.some((group) => {
      const values = valuesFor(group, (name) => filterValueIn(row.content, row, name));
      return [...listsWithValues(group, values)].some(
        (alike) =>
          verdictOf(alike, values) === 'in' &&
          alike.lists.some((list) => this.#isLaterWithout(list, row)),
      );
    });
  }

  #isLaterWithout(list: StoredList, row: EntityRecord): boolean {
    const { time } = list.stamp;
    const isLater = this.#fields.every((field) => fieldTime(field, row.versions) < time);
    return isLater && !list.containsAnywhere(row) && isWhole(list);
  }
}

/** True for a list that may have rows of these tables. */
function isListOfAny(
  record: StoreRecord,
  tables: ReadonlyMap<StoredKind['tableKey'], unknown>,
): record is StoredList {
  const { memberTableKeys = [] } = (record.kind ?? {}) as Partial<ListKind>;
  return memberTableKeys.some((key) => tables.has(key));
}

/** True for the whole response of a request: an envelope, or a page, may leave out rows. */
function isWhole(list: StoredList): boolean {
  if ('hasFurtherPages' in list && list.hasFurtherPages) return false;
  for (const parent of list.allParents)
    if (parent instanceof ResultRecord && parent.node === list) return true;
  return false;
}

/** The values of the fields as a text; undefined as of `textsIn`. */
function keyIn(record: EntityRecord, fields: KeyFields): string | undefined {
  const [only] = fields;
  // most keys: without lists
  if (fields.length === 1) return record.instance && fieldText(record, only as string);
  const texts = textsIn(record, fields);
  return texts && toKey(texts);
}

/**
 * The values of the fields, each as a text; undefined if the entity is missing, or a value is no identity. A nested
 * entity stands for its primary key.
 */
export function textsIn(record: EntityRecord, fields: KeyFields): readonly string[] | undefined {
  if (record.instance === undefined) return undefined;
  const texts = fields.map((field) => fieldText(record, field));
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

export function toKey(texts: readonly string[]): string {
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : JSON.stringify(texts);
}

function fieldText({ instance, kind, nodes }: EntityRecord, field: string): string | undefined {
  const at = kind.descriptor.nestedIndexes.get(field);
  if (at === undefined) return toIndexKey(instance?.[field]);
  const node = nodes[at];
  if (node instanceof StoreRecord) {
    const union: unknown = kind.descriptor.nested[at]?.kind;
    if (!isUnion(union)) return node.pk;
    return toKey([classNamesIn(union, node.kind as EntityKind)[0] ?? '', node.pk]);
  }
  if (!(node instanceof Decoded)) return toIndexKey(node);
  // an object stands for the JSON from which a decoder has made the object
  return toIndexKey(node.value) ?? toIndexKey(node.raw);
}

/** The index of a key, created at the first use. Shared by relations with the same fields of the same classes. */
export function foreignKeyIndexOf(store: Store, key: IndexedKey): ForeignKeyIndex {
  const indexes = indexesOf(store);
  // an index of a single field has the name of the field; no field has this name
  const name = `key ${JSON.stringify([key.fields, key.isByClass, ...key.kinds.map(numberOf)])}`;
  const known = indexes.get(name);
  if (known !== undefined) return known;
  for (const kind of key.kinds) store.table(kind);
  // every row of the tables may belong to a key
  store.loadAll();
  const made = new ForeignKeyIndex(name, key, store);
  for (const table of store.tables.values()) made.addTable(table, store);
  indexes.set(name, made);
  return made;
}

const indexesOfStores = new WeakMap<Store, Map<string, ForeignKeyIndex>>();

/** The indexes of a store, by name. They follow tables that are created later. */
function indexesOf(store: Store): Map<string, ForeignKeyIndex> {
  const known = indexesOfStores.get(store);
  if (known !== undefined) return known;
  const indexes = new Map<string, ForeignKeyIndex>();
  indexesOfStores.set(store, indexes);
  store.listeners.add((table) => {
    for (const index of indexes.values()) index.addTable(table, store);
  });
  return indexes;
}

const numbers = new WeakMap<EntityKind, number>();
let lastNumber = 0;

/** A number for each class. */
function numberOf(kind: EntityKind): number {
  const number = numbers.get(kind) ?? ++lastNumber;
  numbers.set(kind, number);
  return number;
}

/** The entity, in the store or not yet, that `holder` names; undefined: there is no key, or no such class. */
export function referencedBy(
  holder: EntityRecord,
  reference: PkReference,
  store: Store,
): EntityRecord | undefined {
  const key = keyIn(holder, reference.fields);
  const kind = key === undefined ? undefined : reference.kindFor(holder);
  return kind && (store.ref(kind, key as string) as EntityRecord);
}
