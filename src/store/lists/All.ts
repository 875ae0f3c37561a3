/** `All`: every entity of a table. Only applications that use `All` load this file, with table and record. */
import type { ArrayMember } from '../../schema/ArraySchema.ts';
import { memberKindOf } from '../../schema/Union.ts';
import type { Choice } from '../../schema/Union.ts';
import { ArrayKind } from '../../schema/containers.ts';
import type {
  Kind,
  NormalizeContext,
  NormalizedNode,
  Ref,
  Schema,
  Source,
  StoredKind,
} from '../../schema/schema.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import type { Stamp } from '../records/versioning.ts';
import { ListRecord } from './ListRecord.ts';

const EMPTY: readonly never[] = Object.freeze([]);

/**
 * `new All(Todo)`: all stored todos, in the order of their addition, from any response or write. With a union,
 * the entities of each member class, class after class; `new All({dog: Dog, cat: Cat}, 'type')` is
 * `new All(new Union({dog: Dog, cat: Cat}, 'type'))`.
 */
export class All<S extends Schema, C extends Choice | undefined = undefined> implements Kind<
  ArrayMember<S, C>[]
> {
  declare readonly denormalizedType?: ArrayMember<S, C>[];
  readonly schema: S;
  readonly #choice: Choice | undefined;
  #member: Kind | undefined;
  #listKindsCache: readonly StoredKind[] | undefined;

  // `| Choice`: contextual types for the parameters of a function while C is not inferred yet
  constructor(schema: S, choice?: C | Choice) {
    this.schema = schema;
    this.#choice = choice;
  }

  /** @internal */ get member(): Kind {
    return (this.#member ??= memberKindOf(this.schema, this.#choice, 'All'));
  }

  get title(): string {
    return `All(${this.member.title})`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.member];
  }

  #listKinds(): readonly StoredKind[] {
    const { member } = this;
    const kinds = 'stores' in member ? [member] : (member.innerKinds?.() ?? []);
    return (this.#listKindsCache ??= kinds.map((kind) =>
      allOf((kind as StoredKind).rootKind ?? (kind as StoredKind)),
    ));
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    new ArrayKind(this.member).normalize(input, parent, key, walk);
    const lists = this.#listKinds().map((all) => walk.sink.ref(all, ''));
    for (const list of lists) walk.sink.fill(list, []);
    return lists;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    if (!Array.isArray(node)) return node;
    const [first, ...rest] = (node as Ref[]).map((list) => source.value(list));
    // a single table: all readers share the list
    if (rest.length === 0) return first;
    return [first, ...rest].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  }

  /** @internal */ listRefs(node: NormalizedNode): readonly Ref[] {
    return node as Ref[];
  }

  /** @internal */ queryKey(_args: readonly unknown[], source: Source): NormalizedNode {
    return this.#listKinds().map((all) => source.ref(all, ''));
  }

  /** @internal */ emptyValue(): unknown {
    return EMPTY;
  }
}

const lists = new WeakMap<StoredKind, StoredKind>();

/** The kind of the list of a whole table: made once per table. */
function allOf(of: StoredKind): StoredKind {
  const known = lists.get(of);
  if (known !== undefined) return known;
  const made: StoredKind = {
    stores: 'all',
    createTable: (tableOf) => new AllTable(made, tableOf(of) as EntityTable),
    tableKey: { all: of },
    title: `All(${of.title})`,
    normalize: (input) => input,
    denormalize: (node) => node,
    emptyValue: () => EMPTY,
  };
  lists.set(of, made);
  return made;
}

/** The part of the table that this file needs. */
interface RowSource {
  /** The records in the order in which their entities were added. */
  byArrival(): EntityRecord[];
}

/**
 * Every record of the table has this record as a parent from its creation on, so `onPartVisibilityChange` is called for
 * each entity that appears or disappears. Unknown, not empty, until the first entity or an empty response arrives.
 */
export class AllRecord extends ListRecord {
  override readonly followsEntities = true;
  readonly #rows: RowSource;
  /** The records that are members, with their arrival numbers. */
  readonly #visibleRows = new Map<StoreRecord, number>();
  /** All members come from optimistic creations. */
  #isOnlyOptimistic = false;

  constructor(kind: StoredKind, rows: RowSource) {
    super(kind, '');
    this.#rows = rows;
    for (const record of rows.byArrival()) {
      record.addParent(this);
      if (record.exists) this.#addVisible(record);
      // the entity existed and was deleted: the table is known
      else if (this.members === undefined && record.time > 0) this.replaceMembers([]);
    }
  }

  /** Every response makes the table known, even an empty response. */
  override fill(_members: readonly NormalizedNode[], stamp: Stamp): boolean {
    this.stamp = stamp;
    this.#isOnlyOptimistic = false;
    if (this.members === undefined) this.replaceMembers([]);
    return false;
  }

  override includesPart(part: StoreRecord): boolean {
    return this.#visibleRows.has(part);
  }

  /** Nothing to link: all records of the table are linked already, members or not. */
  protected override relink(): void {}

  /** Nothing to do: deletions arrive in `onPartVisibilityChange`. */
  override removeMember(): void {}

  protected override onPartVisibilityChange(child: StoreRecord): void {
    const record = child as EntityRecord;
    if (record.exists) {
      const place = this.#visibleRows.get(record);
      if (place === record.arrivalNumber) return super.onPartVisibilityChange(child);
      // deleted while incomplete, and added again
      if (place !== undefined) this.deleteMember(record);
      this.#addVisible(record);
    } else if (this.#visibleRows.delete(record)) {
      this.deleteMember(record);
      if (this.#isOnlyOptimistic && this.#visibleRows.size === 0) super.clear();
    }
  }

  #addVisible(record: EntityRecord): void {
    const real = record.isConfirmed;
    this.#visibleRows.set(record, record.arrivalNumber);
    if (this.members === undefined) {
      this.#isOnlyOptimistic = !real;
      this.replaceMembers([]);
    } else if (real) this.#isOnlyOptimistic = false;
    const members = (this.members ?? []) as EntityRecord[];
    let at = members.length;
    // mostly the end; an entity with a rolled back deletion returns to its old place
    while (at > 0 && (members[at - 1] as EntityRecord).arrivalNumber > record.arrivalNumber) at--;
    this.insertMember(record, at);
  }

  override replaceParts(): void {}

  /** All records of the table in the order in which their entities were added; undefined while unknown. */
  get storedRows(): EntityRecord[] | undefined {
    return this.members && this.#rows.byArrival();
  }

  override clear(): void {
    this.#visibleRows.clear();
    super.clear();
  }
}

export class AllTable {
  readonly kind: StoredKind;
  lastOwnWriteTime = 0;
  readonly records: Map<string, AllRecord> = new Map();
  readonly #entityTable: EntityTable;

  constructor(kind: StoredKind, of: EntityTable) {
    this.kind = kind;
    this.#entityTable = of;
  }

  createRecord(pk: string): AllRecord {
    const record = new AllRecord(this.kind, this.#entityTable);
    this.#entityTable.allRecord = record;
    this.records.set(pk, record);
    return record;
  }

  /** Does nothing: an `AllRecord` left by a rejected draft reads the same as no record. */
  drop(): void {}

  tryEvict(pk: string): boolean {
    const all = this.#entityTable.allRecord as AllRecord;
    for (const record of this.#entityTable.records.values()) record.removeParent(all);
    this.#entityTable.allRecord = undefined;
    return this.records.delete(pk);
  }

  clear(): void {
    for (const record of this.records.values()) record.clear();
  }
}
