/** The rows with relations of a query: shared rows, the related rows that must be computed again, and their end. */
import type { Args } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { Builder, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Store } from '../../store/Store.ts';
import { Pipeline, PipelinePlan } from '../engine/Pipeline.ts';
import type { Declaration } from '../engine/Pipeline.ts';
import type { TreeOwner } from '../MemberRows.ts';
import { foreignKeyIndexOf } from './ForeignKeyIndex.ts';
import type { ForeignKeyIndex } from './ForeignKeyIndex.ts';
import { IncludedRow } from './IncludedRow.ts';
import type { RowsByKey } from './RelatedRows.ts';

/** The place of related rows in a query: `depth` is the number of relations above. */
export interface RelationPlace {
  readonly tree: RelationTree;
  readonly depth: number;
  /** Follows each row, in place of the value of all related rows. */
  readonly follower?: RowFollower;
}

/** Follows the related rows of an entity. */
export interface RowFollower {
  /** Of many rows: these have changed, come or left. */
  onRows(changed: Iterable<EntityRecord>, pipeline: Pipeline<unknown>): void;
  /** Of a single row: the present row. `value`: undefined if there is none. */
  onRow(entity: EntityRecord | undefined, value: unknown): void;
}

/** The relations of a row, by the names of the members. */
export type RowRelations = Readonly<Record<string, RelationSource>>;

/** The rows with the same relations. */
export interface RowGroup {
  readonly include: RowRelations;
  readonly names: readonly string[];
  readonly relations: readonly RelationSource[];
  readonly rows: Map<EntityRecord, IncludedRow>;
}

/** Creates the record of the related rows of an entity. */
export interface RelationSource {
  /** True if rows without a related row are left out. */
  readonly isRequired: boolean;
  /** True if the related rows are the same for all queries of a store: no function, and nothing that reads arguments. */
  readonly isConstant: boolean;
  createRecord(entity: EntityRecord, place: RelationPlace): RelatedRecord;
}

/** The related rows of an entity, as a record. */
export interface RelatedRecord extends StoreRecord {
  /** Applies the noted changes. Marks itself and the rows that contain it as dirty if the value has changed. */
  recompute(builder: Builder): void;
  /** The value with the result of `row` in place of each row. */
  buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown;
  unlink(tree: RelationTree): void;
  /** Must be called at first if the place has a follower. */
  connect(builder: Builder): void;
}

/*
 *   query ──► row of project 7 ──► issues of 7 ──► row of issue 3 ──► comments of 3 ──► comment
 *             depth 0              depth 0         depth 1            depth 1
 *
 * Each change is noted at the lowest related rows concerned. `settle` computes from the greatest depth upward, so
 * each record is computed once, and stops where nothing has changed.
 *
 * Rows whose relations are constant are in the tree of the store, which the queries share: with other arguments, a query
 * builds only the rows above anew.
 */
export class RelationTree {
  readonly args: Args;
  readonly store: Store;
  readonly #owner: TreeOwner;
  /** The tree of the store; undefined: this tree. */
  readonly #shared: RelationTree | undefined;
  readonly #groups = new Map<RowRelations, RowGroup>();
  /** The related rows with noted changes, by depth. */
  readonly #noted: Set<RelatedRecord>[] = [];
  /** Rows without parents: mostly a row that moves between lists. */
  readonly #orphans = new Set<IncludedRow>();
  readonly #indexes = new Map<RowsByKey, ForeignKeyIndex>();
  readonly #plans = new WeakMap<object, PipelinePlan<unknown>>();
  #isSettling = false;
  /** The number of calls of `settle`. */
  round = 0;

  constructor(owner: TreeOwner, args: Args, store: Store, shared?: RelationTree) {
    this.#owner = owner;
    this.args = args;
    this.store = store;
    this.#shared = shared;
  }

  /** The pipeline for the related rows of an entity. */
  // any: a declaration is contravariant in the rows
  createPipeline(declaration: Declaration<any>): Pipeline<unknown> {
    let plan = this.#plans.get(declaration);
    if (plan === undefined)
      this.#plans.set(declaration, (plan = new PipelinePlan<unknown>(declaration, this.args)));
    return new Pipeline(plan);
  }

  /** The record of an entity with these relations, or the entity. `parent` is notified of changes of the record. */
  link(
    entity: EntityRecord,
    include: RowRelations | undefined,
    parent: StoreRecord,
    depth: number,
  ): StoreRecord {
    let row: StoreRecord = entity;
    if (include !== undefined) {
      const tree = this.#treeOf(include);
      row = tree.#getOrCreateRow(entity, include, tree === this ? depth : 0);
    }
    row.addParent(parent);
    return row;
  }

  /** The record that `link` returned. */
  recordOf(entity: EntityRecord, include: RowRelations | undefined): StoreRecord {
    const rows = include && this.#treeOf(include).#groups.get(include)?.rows;
    return rows?.get(entity) ?? entity;
  }

  #treeOf(include: RowRelations): RelationTree {
    return this.#shared !== undefined && isConstant(include) ? this.#shared : this;
  }

  #getOrCreateRow(entity: EntityRecord, include: RowRelations, depth: number): IncludedRow {
    let group = this.#groups.get(include);
    if (group === undefined) {
      group = {
        include,
        names: Object.keys(include),
        relations: Object.values(include),
        rows: new Map(),
      };
      this.#groups.set(include, group);
    }
    let row = group.rows.get(entity);
    if (row === undefined) {
      row = new IncludedRow(entity, group, { tree: this, depth });
      group.rows.set(entity, row);
    }
    return row;
  }

  /** Ends `link`. A row without parents is dropped by `settle`, unless another parent links it before. */
  release(entity: EntityRecord, include: RowRelations | undefined, parent: StoreRecord): void {
    if (include === undefined) return entity.removeParent(parent);
    const tree = this.#treeOf(include);
    const row = tree.#groups.get(include)?.rows.get(entity);
    if (row === undefined) return;
    row.removeParent(parent);
    if (!isOrphan(row)) return;
    tree.#orphans.add(row);
    // this tree drops its own rows when settling
    if (tree !== this) tree.#owner.onRelatedChange();
  }

  #dropOrphans(): void {
    for (const row of this.#orphans) {
      this.#orphans.delete(row);
      if (!isOrphan(row)) continue;
      const rows = this.#groups.get(row.include)?.rows;
      rows?.delete(row.entity);
      if (rows?.size === 0) this.#groups.delete(row.include);
      // the related rows may be orphans now: the loop visits these, too
      row.unlink();
    }
  }

  /** The index of a relation, up to date. */
  indexOf(relation: RowsByKey, builder: Builder): ForeignKeyIndex {
    let index = this.#indexes.get(relation);
    if (index === undefined) {
      index = foreignKeyIndexOf(this.store, relation.key);
      this.#indexes.set(relation, index);
    }
    index.recompute(builder);
    return index;
  }

  /** Must be called when related rows may have changed. */
  note(related: RelatedRecord, depth: number): void {
    (this.#noted[depth] ??= new Set()).add(related);
    this.#owner.onRelatedChange();
  }

  /** Forgets the notes of related rows that are dropped. */
  forget(related: RelatedRecord, depth: number): void {
    this.#noted[depth]?.delete(related);
  }

  /** Brings all rows up to date. A function of a relation that reads members meanwhile gets their last values. */
  settle(builder: Builder): void {
    this.#shared?.settle(builder);
    if (this.#isSettling) return;
    this.#isSettling = true;
    this.round++;
    try {
      for (const index of this.#indexes.values()) index.recompute(builder);
      this.#recomputeNoted(builder);
    } finally {
      this.#isSettling = false;
    }
    if (this.#orphans.size > 0) this.#dropOrphans();
  }

  #recomputeNoted(builder: Builder): void {
    for (let depth = this.#deepestNoted; depth >= 0; depth = this.#deepestNoted) {
      for (const related of this.#noted[depth] ?? []) {
        this.forget(related, depth);
        this.#recompute(related, builder);
      }
    }
  }

  #recompute(related: RelatedRecord, builder: Builder): void {
    try {
      related.recompute(builder);
      this.#owner.onSettled?.(related, false);
    } catch (error) {
      if (this.#owner.onSettled === undefined) throw error;
      this.#owner.onSettled(related, true);
    }
  }

  get #deepestNoted(): number {
    let depth = this.#noted.length - 1;
    while (depth >= 0 && !this.#noted[depth]?.size) depth--;
    return depth;
  }

  /** Ends all links to the store. */
  dispose(): void {
    for (const { rows } of this.#groups.values()) for (const row of rows.values()) row.unlink();
    this.#groups.clear();
    this.#orphans.clear();
    this.#noted.length = 0;
  }
}

/** True if rows with these relations are the same for all queries of a store. */
export function isConstant(include: RowRelations): boolean {
  let constant = constants.get(include);
  if (constant === undefined) {
    constant = Object.values(include).every((relation) => relation.isConstant);
    constants.set(include, constant);
  }
  return constant;
}

const constants = new WeakMap<RowRelations, boolean>();

function isOrphan({ allParents }: IncludedRow): boolean {
  return [...allParents].length === 0;
}

/** The entity of a row with relations; an entity stands for itself. */
export function entityOf(row: StoreRecord): EntityRecord {
  return row instanceof IncludedRow ? row.entity : (row as EntityRecord);
}
