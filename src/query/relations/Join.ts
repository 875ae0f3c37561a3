/** Joins: a query with a row for each combination of a member and its related rows. */
import { checkArgument, DEV } from '../../errors.ts';
import { badDataError } from '../../schema/badDataError.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Args } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { Builder, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { MemberRows, RowsQuery } from '../MemberRows.ts';
import type { Compare } from '../engine/SortedList.ts';
import { JoinNode, MISSING, RelatedSet } from './JoinNode.ts';
import type { PlacedRow } from './JoinNode.ts';
import { Relation } from './Relation.ts';
import type { WithIncluded } from './Relation.ts';
import { RelationTree } from './RelationTree.ts';
import type { RelatedRecord } from './RelationTree.ts';
import { StoreRelations } from './StoreRelations.ts';

/**
 * A relation of a query with a row for each related row. `Value` is the type of the joined row, `Parent` has the fields
 * that a row of the query must have.
 */
export class Join<Value, in Parent = unknown, A extends Args = Args> extends Relation<
  Value,
  Parent,
  A
> {
  /** The name of the join that has the rows with the relation; undefined: the members of the query. @internal */
  readonly source: string | undefined;
  /** True if there is a row without a related row, too. */
  readonly isLeft: boolean;

  /** @internal */
  constructor(relation: Relation<unknown>, source: string | undefined, isLeft: boolean) {
    if (DEV)
      checkArgument(relation instanceof Relation, 'a join', relation, 'a relation: hasMany(…)');
    super(relation.createRecord);
    this.source = source;
    this.isLeft = isLeft;
  }

  /** @internal */ override createRows(joins: AnyJoins, query: RowsQuery): MemberRows {
    return new JoinedRows(joins, query);
  }

  /** @internal */ override get compareKeys(): Compare<unknown> {
    return JoinNode.compare as Compare<unknown>;
  }
}

/** The joins of a query, by the names of the members that the rows get. */
// any: values and arguments of all types must fit
export type AnyJoins = Readonly<Record<string, Join<any, any, any>>>;

/** Refuses joins that do not start from a row with the required fields. */
export interface CheckedJoins<Row, J> {
  // any: as above
  readonly join: {
    readonly [K in keyof J]: J[K] extends Relation<any, WithIncluded<Row, J>, any> ? J[K] : never;
  };
}

/** A row that can be joined: an entity, not a figure. */
interface Joinable {
  pk(...args: never): unknown;
}

type JoinedRow<V> = V extends readonly (infer Row)[] ? Row : Exclude<V, undefined>;

/** The fields that a row of the query must have, if the join of the name `S` has the relation. */
type FieldsOf<P, S extends string> = [S] extends [never] ? P : { readonly [N in S]: P | undefined };

/**
 * A join of a query: `join: { issue: innerJoin(hasMany(Issue, 'projectId')) }`. A member has a row for each related
 * row, and none without. `source`: the name of a join above whose row has the relation.
 */
export function innerJoin<
  V extends Joinable | readonly Joinable[] | undefined,
  P,
  A extends Args,
  const S extends string = never,
>(relation: Relation<V, P, A>, source?: S): Join<JoinedRow<V>, FieldsOf<P, S>, A> {
  return new Join(relation as Relation<unknown>, source, false);
}

/** As `innerJoin`; a member without related rows has a single row, in which the joined row is undefined. */
export function leftJoin<
  V extends Joinable | readonly Joinable[] | undefined,
  P,
  A extends Args,
  const S extends string = never,
>(relation: Relation<V, P, A>, source?: S): Join<JoinedRow<V> | undefined, FieldsOf<P, S>, A> {
  return new Join(relation as Relation<unknown>, source, true);
}

/** A join: the children of the nodes of a level. */
interface Step {
  readonly join: AnyJoins[string];
  /** The level of the node whose entity has the relation. */
  readonly sourceLevel: number;
  readonly sets: Map<EntityRecord, ConnectedSet>;
}

interface ConnectedSet {
  readonly set: RelatedSet;
  readonly record: RelatedRecord;
}

/*
 * The rows of a query with `join`: a row for each combination of a member and its related rows.
 *
 *   comment ──► RelatedRows of issue 3 ──► RelatedSet of issue 3 ──► each node of issue 3 ──► rows of the query
 *
 * A change of a related row costs a search among its siblings, and a step for each row of the query that contains the
 * related row.
 */
class JoinedRows implements MemberRows {
  readonly entries: Map<StoreRecord, JoinNode> = new Map();
  /** Members without a place. */
  readonly #detached = new Map<StoreRecord, JoinNode>();
  readonly #query: RowsQuery;
  readonly #tree: RelationTree;
  readonly #names: readonly string[];
  readonly #steps: readonly Step[];
  /** Sets that no node has: mostly of an entity that moves to another parent. */
  readonly #unused = new Set<RelatedSet>();
  /** Nodes of the last level whose row is new. Until all is known: a commit may change several rows of a path. */
  readonly #changed = new Set<JoinNode>();

  /** Throws S25 if a join does not start from a join above. */
  constructor(joins: AnyJoins, query: RowsQuery) {
    this.#query = query;
    this.#tree = new RelationTree(
      query.owner,
      query.args,
      query.store,
      StoreRelations.of(query.store).tree,
    );
    this.#names = Object.keys(joins);
    this.#steps = this.#names.map((name, at) => {
      const join = joins[name] as AnyJoins[string];
      const { source } = join;
      const sourceLevel = source === undefined ? 0 : this.#names.indexOf(source) + 1;
      if (source !== undefined && (sourceLevel === 0 || sourceLevel > at))
        throw badDataError('S25', { name, source });
      return { join, sourceLevel, sets: new Map<EntityRecord, ConnectedSet>() };
    });
  }

  setMember(member: StoreRecord, rank: number, builder: Builder): void {
    const value = builder.value(member);
    const placed = { row: value === INVALID ? undefined : value, rank };
    const detached = this.#detached.get(member);
    const known = detached ?? this.entries.get(member);
    this.#detached.delete(member);
    // a member that cannot be read keeps its place
    const isShown = known?.row !== undefined;
    const stays = isShown && placed.row !== undefined;
    if (isShown && !stays) this.#drop(known);
    const root = stays ? known : new JoinNode(undefined, member as EntityRecord, placed);
    this.entries.set(member, root);
    if (stays) this.#replace(root, placed, detached === undefined);
    else if (placed.row !== undefined) this.#grow(root);
  }

  removeMember(member: StoreRecord): void {
    const node = this.entries.get(member);
    this.entries.delete(member);
    if (node !== undefined) this.#drop(node);
  }

  detachMember(member: StoreRecord): void {
    const node = this.entries.get(member) as JoinNode;
    this.entries.delete(member);
    this.#detached.set(member, node);
    for (const leaf of this.#leavesOf(node)) this.#query.pipeline.removeRow(leaf);
  }

  applyChanges(): void {
    for (const leaf of this.#changed) this.#query.pipeline.setRow(leaf, 0, leaf.join(this.#names));
    this.#changed.clear();
  }

  settle(builder: Builder): void {
    this.#tree.settle(builder);
    for (const set of this.#unused) {
      this.#unused.delete(set);
      if (set.nodes.size === 0) this.#dropSet(set);
    }
  }

  #dropSet(set: RelatedSet): void {
    for (const { sets } of this.#steps) {
      const known = sets.get(set.entity);
      if (known?.set !== set) continue;
      sets.delete(set.entity);
      known.record.unlink(this.#tree);
    }
  }

  dispose(): void {
    for (const { sets } of this.#steps)
      for (const { record } of sets.values()) record.unlink(this.#tree);
    this.#tree.dispose();
  }

  /** Adds the nodes below a new node. */
  #grow(node: JoinNode): void {
    const step = this.#steps[node.level];
    if (step === undefined) return void this.#changed.add(node);
    const { entity } = node.ancestor(step.sourceLevel);
    if (entity !== undefined) {
      node.related = this.#setOf(step, entity);
      node.related.nodes.add(node);
      for (const [child, placed] of node.related.rows) this.#grow(node.addChild(child, placed));
    }
    this.#updateMissing(node, step);
  }

  /** A node of a left join without other children has a child without a row. */
  #updateMissing(node: JoinNode, { join }: Step): void {
    const missing = node.children?.get(undefined);
    const isNeeded = join.isLeft && (node.related?.rows.size ?? 0) === 0;
    if (isNeeded && missing === undefined) this.#grow(node.addChild(undefined, MISSING));
    if (!isNeeded && missing !== undefined) this.#drop(missing);
  }

  #setOf(step: Step, entity: EntityRecord): RelatedSet {
    const known = step.sets.get(entity);
    if (known !== undefined) return known.set;
    const set = new RelatedSet(entity, (row, changed) => this.#update(row, changed, step));
    const place = { tree: this.#tree, depth: 0, follower: set };
    const record = step.join.createRecord(entity, place);
    // garbage collection finds the query above the related rows
    record.addParent(this.#query.owner);
    step.sets.set(entity, { set, record });
    record.connect(this.#query.store);
    return set;
  }

  /** A related row has changed, entered or left. */
  #update(entity: EntityRecord, { nodes, rows }: RelatedSet, step: Step): void {
    const placed = rows.get(entity);
    for (const node of nodes) {
      const child = node.children?.get(entity);
      if (placed === undefined && child !== undefined) this.#drop(child);
      else if (placed !== undefined && child !== undefined) this.#replace(child, placed);
      else if (placed !== undefined) this.#grow(node.addChild(entity, placed));
      this.#updateMissing(node, step);
    }
  }

  /** Gives a node another row, or another position. */
  #replace(node: JoinNode, placed: PlacedRow, hasPosition = true): void {
    const leaves = this.#leavesOf(node);
    // rows are found by their present position
    if (hasPosition && node.movesWith(placed))
      for (const leaf of leaves) this.#query.pipeline.removeRow(leaf);
    if (node.row !== placed.row) for (const leaf of leaves) leaf.forgetJoined();
    node.row = placed.row;
    node.rank = placed.rank;
    for (const leaf of leaves) this.#changed.add(leaf);
  }

  #drop(node: JoinNode): void {
    node.parent?.children?.delete(node.entity);
    this.#forget(node);
  }

  /** Removes the rows below a node, and the links of the nodes to their related rows. */
  #forget(node: JoinNode): void {
    if (node.level === this.#steps.length) {
      this.#changed.delete(node);
      this.#query.pipeline.removeRow(node);
    }
    for (const child of node.children?.values() ?? []) this.#forget(child);
    node.related?.nodes.delete(node);
    if (node.related?.nodes.size === 0) this.#unused.add(node.related);
  }

  #leavesOf(node: JoinNode): JoinNode[] {
    return node.leaves(this.#steps.length);
  }
}
