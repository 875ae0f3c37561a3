/** A row of a join, placed below the rows to which the row is joined, and the related rows of an entity. */
import type { Fields } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { RowEntry } from '../engine/Partition.ts';
import type { Pipeline } from '../engine/Pipeline.ts';
import type { Compare } from '../engine/SortedList.ts';
import { copyWithMembers } from './IncludedRow.ts';
import type { RowFollower } from './RelationTree.ts';

/** A row with its position: rows that compare as equal are ordered by rank. */
export interface PlacedRow {
  readonly row: unknown;
  readonly rank: number;
}

/** The missing row of a left join. */
export const MISSING: PlacedRow = { row: undefined, rank: 0 };

/*
 *   join: { issue: innerJoin(hasMany(Issue, …)), comment: leftJoin(hasMany(Comment, …), 'issue') }
 *
 *   project 7 ──┬──► issue 3 ──┬──► comment 1       a path to a node of the last level is a row of the query:
 *   level 0     │    level 1   └──► comment 4       {...project 7, issue: issue 3, comment: comment 1}
 *               └──► issue 5 ─────► no comment
 */
export class JoinNode {
  readonly parent: JoinNode | undefined;
  readonly level: number;
  /** Undefined: the missing row of a left join. */
  readonly entity: EntityRecord | undefined;
  row: unknown;
  rank: number;
  /** The rows of the children. */
  related: RelatedSet | undefined;
  children: Map<EntityRecord | undefined, JoinNode> | undefined;
  #joined: Fields | undefined;

  constructor(
    parent: JoinNode | undefined,
    entity: EntityRecord | undefined,
    { row, rank }: PlacedRow,
  ) {
    this.parent = parent;
    this.level = parent === undefined ? 0 : parent.level + 1;
    this.entity = entity;
    this.row = row;
    this.rank = rank;
  }

  /** The node of this path at a level. */
  ancestor(level: number): JoinNode {
    let node: JoinNode = this;
    while (node.level > level) node = node.parent as JoinNode;
    return node;
  }

  addChild(entity: EntityRecord | undefined, placed: PlacedRow): JoinNode {
    const child = new JoinNode(this, entity, placed);
    (this.children ??= new Map()).set(entity, child);
    return child;
  }

  /** The nodes of the last level below this node, or this node. */
  leaves(lastLevel: number, found: JoinNode[] = []): JoinNode[] {
    if (this.level === lastLevel) found.push(this);
    for (const child of this.children?.values() ?? []) child.leaves(lastLevel, found);
    return found;
  }

  /** The row of the query, of a node of the last level: the same until a row of the path changes. */
  join(names: readonly string[]): Fields {
    return (this.#joined ??= this.#copy(names));
  }

  #copy(names: readonly string[]): Fields {
    const { entity, row } = this.ancestor(0);
    const values = names.map((_, at) => this.ancestor(at + 1).row);
    return copyWithMembers(entity as EntityRecord, row as Fields, names, values);
  }

  /** True if the row has another position with `placed`. */
  movesWith(placed: PlacedRow): boolean {
    return this.rank !== placed.rank || this.#compareRows(this.row, placed.row) !== 0;
  }

  /** Must be called for the leaves as well if the row has changed. */
  forgetJoined(): void {
    this.#joined = undefined;
  }

  /** The order of the members, then of the rows of the first join, and so on. Both nodes have the same level. */
  static compare(this: void, a: JoinNode, b: JoinNode): number {
    if (a === b) return 0;
    const above = a.parent === undefined ? 0 : JoinNode.compare(a.parent, b.parent as JoinNode);
    return above || a.#compareRows(a.row, b.row) || a.rank - b.rank;
  }

  #compareRows(a: unknown, b: unknown): number {
    return this.parent?.related?.compare(a, b) ?? 0;
  }
}

/** The related rows of an entity in a join: the children of all nodes below this entity. */
export class RelatedSet implements RowFollower {
  readonly entity: EntityRecord;
  readonly nodes: Set<JoinNode> = new Set();
  readonly rows: Map<EntityRecord, PlacedRow> = new Map();
  /** The order of the rows, before their ranks. */
  compare: Compare<unknown> = () => 0;
  readonly #onChange: (entity: EntityRecord, set: RelatedSet) => void;

  constructor(entity: EntityRecord, onChange: (entity: EntityRecord, set: RelatedSet) => void) {
    this.entity = entity;
    this.#onChange = onChange;
  }

  onRows(changed: Iterable<EntityRecord>, pipeline: Pipeline<unknown>): void {
    this.compare = pipeline.compareRows;
    if (pipeline.isWindowed) return this.#setWindow(pipeline);
    for (const entity of changed) this.#set(entity, pipeline.entries.get(entity));
  }

  /** A change may move other rows into or out of the window. */
  #setWindow(pipeline: Pipeline<unknown>): void {
    const entries = pipeline.value((entry) => entry, true) as readonly RowEntry<unknown>[];
    const visible = new Set(entries.map(({ key }) => key));
    for (const entity of this.rows.keys()) if (!visible.has(entity)) this.#set(entity, undefined);
    for (const entry of entries) this.#set(entry.key as EntityRecord, entry);
  }

  onRow(entity: EntityRecord | undefined, row: unknown): void {
    for (const before of this.rows.keys()) if (before !== entity) this.#set(before, undefined);
    if (entity !== undefined) this.#set(entity, { row, rank: 0 });
  }

  #set(entity: EntityRecord, placed: PlacedRow | undefined): void {
    const before = this.rows.get(entity);
    if (placed?.row === undefined) {
      if (before === undefined) return;
      this.rows.delete(entity);
    } else {
      if (before?.row === placed.row && before.rank === placed.rank) return;
      // an entry changes in place
      this.rows.set(entity, { row: placed.row, rank: placed.rank });
    }
    this.#onChange(entity, this);
  }
}
