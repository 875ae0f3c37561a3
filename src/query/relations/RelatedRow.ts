/** The record of the single row whose primary key an entity holds: `belongsTo`. */
import { projectForReader } from '../../schema/projectForReader.ts';
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { DIRTY, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import { markDirty } from '../../store/records/markDirty.ts';
import { referencedBy } from './ForeignKeyIndex.ts';
import type { PkReference } from './ForeignKeyIndex.ts';
import type {
  RelatedRecord,
  RelationPlace,
  RelationTree,
  RowFollower,
  RowRelations,
} from './RelationTree.ts';

/** A relation from an entity to the row whose primary key the entity holds. */
export interface RowByPk extends PkReference {
  readonly include: RowRelations | undefined;
}

export class RelatedRow extends StoreRecord implements RelatedRecord {
  readonly pk = '';
  readonly #relation: RowByPk;
  readonly #parent: EntityRecord;
  readonly #place: RelationPlace;
  /** The entity with the key, in the store or not yet; undefined: there is no key. */
  #target: EntityRecord | undefined;
  /** The record of the target, with the related rows of the target. */
  #row: StoreRecord | undefined;
  #value: unknown = INVALID;

  constructor(relation: RowByPk, parent: EntityRecord, place: RelationPlace) {
    super();
    this.#relation = relation;
    this.#parent = parent;
    this.#place = place;
    this.flags |= DIRTY;
    parent.addParent(this);
  }

  /** Undefined without a row: the member of the row is there, without a value. */
  get cachedValue(): unknown {
    return this.#value;
  }

  parts(): NormalizedNode {
    return this.#target;
  }

  override includesPart(part: StoreRecord): boolean {
    return part !== this.#parent || part === this.#target;
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  override get isRelated(): boolean {
    return true;
  }

  override onPartDirty(): void {
    this.#place.tree.note(this, this.#place.depth);
  }

  recompute(builder: Builder): void {
    // not read yet
    if (this.#value === INVALID) return;
    const before = this.#target;
    const value = this.#find(builder);
    if (value === this.#value) return;
    const { follower } = this.#place;
    if (follower !== undefined) return this.#report(value, follower);
    markDirty(this);
    // a live row follows its own changes
    const isOther =
      before !== this.#target || (value === undefined) !== (this.#value === undefined);
    if (isOther || this.#relation.include !== undefined) this.notifyVisibilityChange();
  }

  #report(value: unknown, follower: RowFollower): void {
    this.#value = value;
    follower.onRow(this.#target, value);
  }

  connect(builder: Builder): void {
    const { follower } = this.#place;
    const value = this.#find(builder);
    if (follower !== undefined) this.#report(value, follower);
  }

  protected build(builder: Builder): void {
    this.#value = this.#find(builder);
  }

  override buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown {
    const value = builder.value(this);
    if (value === undefined || this.#relation.include !== undefined) return value;
    return row(this.#target as EntityRecord);
  }

  #find(builder: Builder): unknown {
    const { include } = this.#relation;
    const { tree, depth } = this.#place;
    // a record that is not built does not report its next change
    builder.value(this.#parent);
    const target = referencedBy(this.#parent, this.#relation, tree.store);
    if (target !== this.#target) {
      const before = this.#target;
      this.#target = target;
      this.#row = target && tree.link(target, include, this, depth + 1);
      if (before !== undefined) this.#release(before);
    }
    const row = this.#row;
    const value = row === undefined ? INVALID : builder.value(row);
    if (target === undefined || value === INVALID) return undefined;
    return projectForReader(value, { kind: target.kind, args: tree.args });
  }

  #release(target: EntityRecord): void {
    this.#place.tree.release(target, this.#relation.include, this);
    // an entity that refers to itself still reports changes of its key
    if (target === this.#parent) target.addParent(this);
  }

  unlink(tree: RelationTree): void {
    tree.forget(this, this.#place.depth);
    if (this.#target !== undefined) tree.release(this.#target, this.#relation.include, this);
    this.#parent.removeParent(this);
  }
}
