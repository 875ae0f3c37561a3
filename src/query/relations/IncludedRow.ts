/** The record of an entity together with its related rows: the value is a copy of the entity with further members. */
import { DEV } from '../../errors.ts';
import { defineOwn, setOwn } from '../../schema/fieldOf.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { DIRTY, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import type {
  RelatedRecord,
  RelationPlace,
  RelationTree,
  RowGroup,
  RowRelations,
} from './RelationTree.ts';

/*
 *   project 7 ──┐
 *               ├──► IncludedRow ──► value: {id: 7, title: …, issues: […]}
 *   issues of 7 ┘
 *
 * The value is copied again only if the entity or a related value has another reference.
 */
export class IncludedRow extends StoreRecord {
  readonly entity: EntityRecord;
  readonly #tree: RelationTree;
  readonly #group: RowGroup;
  readonly #related: readonly RelatedRecord[];
  #source: unknown = INVALID;
  #value: unknown = INVALID;

  constructor(entity: EntityRecord, group: RowGroup, place: RelationPlace) {
    super();
    this.#group = group;
    this.entity = entity;
    this.#tree = place.tree;
    this.flags |= DIRTY;
    entity.addParent(this);
    this.#related = group.relations.map((relation) => {
      const record = relation.createRecord(entity, place);
      record.addParent(this);
      return record;
    });
  }

  get include(): RowRelations {
    return this.#group.include;
  }

  get pk(): string {
    return this.entity.pk;
  }

  get cachedValue(): unknown {
    return this.#value;
  }

  parts(): NormalizedNode {
    return [this.entity, ...this.#related];
  }

  protected build(builder: Builder): void {
    const source = builder.value(this.entity);
    const last = source === this.#source ? this.#value : INVALID;
    this.#source = source;
    this.#value = source === INVALID ? INVALID : this.#rowOf(source as Fields, last, builder);
  }

  /** `last`, or a new copy of the entity if a related value has changed; INVALID: a required row is missing. */
  #rowOf(source: Fields, last: unknown, builder: Builder): unknown {
    const { names, relations } = this.#group;
    const values: unknown[] = [];
    let isSame = last !== INVALID;
    let isComplete = true;
    // all are built: what is not built reports no change
    for (let at = 0; at < this.#related.length; at++) {
      const value = builder.value(this.#related[at] as RelatedRecord);
      isComplete &&= value !== undefined || relations[at]?.isRequired !== true;
      isSame &&= (last as Fields)[names[at] as string] === value;
      values.push(value);
    }
    if (!isComplete) return INVALID;
    return isSame ? last : copyWithMembers(this.entity, source, names, values);
  }

  /** Ends the links to the store. */
  unlink(): void {
    this.entity.removeParent(this);
    for (const record of this.#related) record.unlink(this.#tree);
  }
}

/** A frozen copy of a value of an entity with further members. */
export function copyWithMembers(
  entity: EntityRecord,
  source: Fields,
  names: readonly string[],
  values: readonly unknown[],
): Fields {
  const row = copyOf(entity, source);
  const { relations } = entity.kind.descriptor;
  relations?.attachCopy(row, source);
  names.forEach((name, at) => {
    if (relations?.has(name) === true) defineOwn(row, name, values[at]);
    else setOwn(row, name, values[at]);
  });
  return DEV ? Object.freeze(row) : row;
}

/** A copy of the value of an entity. Classes that make their own values may return objects of another class. */
function copyOf({ kind }: EntityRecord, value: Fields): Fields {
  if (kind.descriptor.denormalizeOwn === undefined) return kind.copyInstance(value);
  return Object.assign(Object.create(Object.getPrototypeOf(value) as object) as Fields, value);
}
