/** The related rows that are members of the entities of a store, and of the values that readers hold. */
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import type { Store } from '../../store/Store.ts';
import { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityTable } from '../../store/entities/EntityTable.ts';
import { FieldIndex } from '../../store/entities/FieldIndex.ts';
import { findFieldCell } from '../../store/records/RecordObservers.ts';
import { DIRTY, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import { markDirty, recomputeAtCommitEnd } from '../../store/records/markDirty.ts';
import type { TreeOwner } from '../MemberRows.ts';
import { RelationTree } from './RelationTree.ts';
import type { RelationSource, RelatedRecord } from './RelationTree.ts';
import type { KeyFields } from './ForeignKeyIndex.ts';
import type { RelatedClasses } from './RelatedClasses.ts';
import type { CreateRequests } from './requestsIn.ts';

/** The relations of a store, to which the members belong. */
interface MembersOwner {
  readonly tree: RelationTree;
  /** Must be called before the first member of an entity is read. */
  follow(entity: EntityRecord): void;
}

/** A relation that is a member of a class. */
export interface MemberSource extends RelationSource {
  /** True if a function of the relation asks for the arguments of a query. */
  readonly readsArgs: boolean;
  /** The value of instances that are not in a store. */
  readonly emptyValue: unknown;
  /** Undefined if the relation names no endpoint. */
  readonly createRequests: CreateRequests | undefined;
  /** The key in the rows with the relation, of `belongsTo`. */
  readonly ownKey: OwnKey | undefined;
}

/** The key by which rows name a single other row. */
export interface OwnKey {
  readonly fields: KeyFields;
  /** The fields of the other row that the key equals; undefined: its primary key. */
  readonly references: KeyFields | undefined;
  readonly classes: () => RelatedClasses;
}

// a member that nobody reads any more is followed for this number of changes
const MAX_UNREAD_CHANGES = 8;

/** The members of an entity, created on access. */
export class EntityMembers {
  readonly #entity: EntityRecord;
  readonly #owner: MembersOwner;
  #members: RelatedMember[] | undefined;

  constructor(entity: EntityRecord, owner: MembersOwner) {
    this.#entity = entity;
    this.#owner = owner;
  }

  /** The member that `value`, a value of the entity, shows: always the same. */
  read(name: string, relation: MemberSource, value: object): unknown {
    return this.#getOrCreate(name, relation).read(value);
  }

  /** The member with live objects instead of values. */
  readLive(name: string, relation: MemberSource, row: (member: StoreRecord) => object): unknown {
    return this.#getOrCreate(name, relation).readLive(row);
  }

  #getOrCreate(name: string, relation: MemberSource): RelatedMember {
    if (this.#members === undefined) this.#owner.follow(this.#entity);
    const members = (this.#members ??= []);
    // a row that becomes a row of a subclass may have another relation of the same name: earlier values still show the
    // former relation
    const known = members.find((member) => member.name === name && member.relation === relation);
    if (known !== undefined) return known;
    const made = new RelatedMember(name, this.#entity, relation, this.#owner.tree);
    members.push(made);
    return made;
  }

  /** Ends the links to the store. */
  unlink(): void {
    for (const member of this.#members ?? []) member.unlink();
  }
}

/** What a value shows if a function of the relation threw. */
class Failure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/*
 *   comment ──► RelatedRows of post 5 ──► RelatedMember "comments" ──► post 5     only if its present value has shown
 *                                                                                 the comments to somebody
 *
 * Values are immutable, so that a post gets another value when its comments change. A post of which nobody has read the
 * comments keeps the same value. A new value has shown nothing yet: a change stops there, also in a cycle.
 */
class RelatedMember extends StoreRecord {
  readonly pk = '';
  readonly name: string;
  readonly relation: MemberSource;
  readonly #entity: EntityRecord;
  readonly #tree: RelationTree;
  /** The related rows while somebody reads the member. */
  #related: RelatedRecord | undefined;
  /** What each value of the entity has shown. */
  readonly #shown = new WeakMap<object, unknown>();
  #unreadChanges = 0;
  /** The round of `settle` in which this member last gave the entity another value. */
  #renewedIn = -1;

  constructor(name: string, entity: EntityRecord, relation: MemberSource, tree: RelationTree) {
    super();
    this.name = name;
    this.#entity = entity;
    this.relation = relation;
    this.#tree = tree;
    // garbage collection finds the entity above the related rows
    this.addParent(entity);
  }

  get cachedValue(): unknown {
    return this.#related?.cachedValue ?? INVALID;
  }

  protected build(): void {}

  parts(): NormalizedNode {
    return this.#related;
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  read(value: object): unknown {
    if (!this.#shown.has(value)) this.#shown.set(value, this.#readRelated());
    const shown = this.#shown.get(value);
    if (shown instanceof Failure) throw shown.error;
    return shown;
  }

  #readRelated(): unknown {
    const tree = this.#tree;
    try {
      tree.settle(tree.store);
      const value = tree.store.read(this.#getOrCreateRelated());
      // a function of the relation reads the member during its computation
      return value === INVALID ? this.relation.emptyValue : value;
    } catch (error) {
      return new Failure(error);
    }
  }

  readLive(row: (member: StoreRecord) => object): unknown {
    const tree = this.#tree;
    tree.settle(tree.store);
    return this.#getOrCreateRelated().buildLive(tree.store, row);
  }

  #getOrCreateRelated(): RelatedRecord {
    this.#unreadChanges = 0;
    if (this.#related !== undefined) return this.#related;
    const related = this.relation.createRecord(this.#entity, { tree: this.#tree, depth: 0 });
    related.addParent(this);
    return (this.#related = related);
  }

  /** The related rows have another value: so does the entity, if its present value has shown the related rows. */
  override onPartDirty(): void {
    const value = this.#entity.cachedValue as object;
    if (!this.#shown.has(value)) return;
    const { round } = this.#tree;
    // within a round a function may read the new value of the entity and change the entity again: nobody else has that
    // value yet
    if (this.#renewedIn === round) this.#shown.delete(value);
    else this.#renewEntity();
    this.#renewedIn = round;
  }

  /** Gives readers another value of the entity, although no field has changed. */
  #renewEntity(): void {
    const entity = this.#entity;
    markDirty(entity, !entity.mayBeIncomplete);
    // a copy, since readers have the present object
    void entity.valueInCycle;
  }

  /** Live readers get other rows. */
  protected override onPartVisibilityChange(): void {
    this.#entity.observers?.fieldReaders?.notifyField(this.name);
  }

  /** Computes the related rows anew after a function of the relation threw. */
  restart(): void {
    this.unlink();
    this.onPartDirty();
    this.onPartVisibilityChange();
  }

  /** Must be called after changes of the related rows. Drops related rows that nobody has read for a while. */
  countUnread(): void {
    const related = this.#related;
    if (related === undefined || !(related.flags & DIRTY)) return;
    if (findFieldCell(this.#entity.observers?.firstField, this.name) !== undefined) return;
    if (++this.#unreadChanges > MAX_UNREAD_CHANGES) this.unlink();
  }

  unlink(): void {
    const related = this.#related;
    this.#related = undefined;
    related?.removeParent(this);
    related?.unlink(this.#tree);
  }
}

const relationsOfStores = new WeakMap<object, StoreRelations>();
const membersOfRecords = new WeakMap<EntityRecord, EntityMembers>();

/** An index of each table whose entities have members, in order to learn which entities the garbage collector drops. */
export class StoreRelations extends FieldIndex implements TreeOwner {
  readonly tree: RelationTree;
  readonly #store: Store;
  /** Entities that have changed, and may have left their table. */
  readonly #changed = new Set<EntityRecord>();

  private constructor(store: Store) {
    super('relations', []);
    this.#store = store;
    // functions of the relations of a class get no arguments
    this.tree = new RelationTree(this, [], store);
    store.onWrite((record) => this.#noteFormerKey(record));
  }

  /** Rows that hold the former key of an entity are related to a new entity with that key. */
  #noteFormerKey(written: StoreRecord): void {
    if (!(written instanceof EntityRecord)) return;
    const table = this.#store.table(written.kind) as EntityTable;
    const alias = table.aliases.get(written.pk);
    const renamed = alias && table.records.get(table.resolveKey(alias.pk));
    if (renamed !== undefined) markDirty(renamed, false);
  }

  static of(store: Store): StoreRelations {
    let relations = relationsOfStores.get(store);
    if (relations === undefined)
      relationsOfStores.set(store, (relations = new StoreRelations(store)));
    return relations;
  }

  /** The members of an entity, if the value of the entity was read before. */
  static findMembers(record: EntityRecord): EntityMembers | undefined {
    return membersOfRecords.get(record);
  }

  membersOf(record: EntityRecord): EntityMembers {
    let members = membersOfRecords.get(record);
    if (members === undefined)
      membersOfRecords.set(record, (members = new EntityMembers(record, this)));
    return members;
  }

  follow(record: EntityRecord): void {
    (this.#store.table(record.kind) as EntityTable).indexes.set(this.pk, this);
    record.addParent(this);
  }

  onRelatedChange(): void {
    recomputeAtCommitEnd(this);
  }

  override add(): void {}

  override onPartDirty(child: StoreRecord): void {
    this.#changed.add(child as EntityRecord);
    recomputeAtCommitEnd(this);
  }

  override recompute(builder: Builder): void {
    this.tree.settle(builder);
    for (const record of this.#changed) {
      const { records } = this.#store.table(record.kind) as EntityTable;
      if (records.get(record.pk) !== record) this.moveTo(record);
    }
    this.#changed.clear();
  }

  onSettled(related: RelatedRecord, failed: boolean): void {
    if (failed) return restartAbove(related);
    for (const member of related.allParents)
      if (member instanceof RelatedMember) member.countUnread();
  }

  /** An entity has left its table. */
  override moveTo(record: EntityRecord): void {
    membersOfRecords.get(record)?.unlink();
    membersOfRecords.delete(record);
    record.removeParent(this);
  }
}

/** Computes the members anew that show these related rows, directly or within others. */
function restartAbove(related: RelatedRecord): void {
  const above = new Set<StoreRecord>([related]);
  for (const record of above) {
    if (record instanceof RelatedMember) record.restart();
    else for (const parent of record.allParents) above.add(parent);
  }
}
