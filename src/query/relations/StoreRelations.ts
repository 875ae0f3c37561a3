/** The related rows that are members of the entities of one store. */
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityTable } from '../../store/entities/EntityTable.ts';
import { FieldIndex } from '../../store/entities/FieldIndex.ts';
import { recomputeAtCommitEnd } from '../../store/records/markDirty.ts';
import type { Builder, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Store } from '../../store/Store.ts';
import type { TreeOwner } from '../MemberRows.ts';
import { EntityMembers, RelatedMember } from './EntityMembers.ts';
import { RelationTree } from './RelationTree.ts';
import type { RelatedRecord } from './RelationTree.ts';

const relationsOfStores = new WeakMap<object, StoreRelations>();
const membersOfRecords = new WeakMap<EntityRecord, EntityMembers>();

/** An index of each table whose entities have members: so it learns which entities the garbage collector drops. */
export class StoreRelations extends FieldIndex implements TreeOwner {
  readonly tree: RelationTree;
  readonly #store: Store;
  /** Entities that have changed: they may have left their table. */
  readonly #changed = new Set<EntityRecord>();

  private constructor(store: Store) {
    super('relations', []);
    this.#store = store;
    // functions of the relations of a class get no arguments
    this.tree = new RelationTree(this, [], store);
  }

  static of(store: Store): StoreRelations {
    let relations = relationsOfStores.get(store);
    if (relations === undefined)
      relationsOfStores.set(store, (relations = new StoreRelations(store)));
    return relations;
  }

  /** The members of an entity, if its value was read before. */
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
