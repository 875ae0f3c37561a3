/** One row of a join at its place below the rows that it is joined to. */
import type { Fields } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { copyWithMembers } from './IncludedRow.ts';
import type { RelatedSet } from './RelatedSet.ts';

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

  /** The order of the members, then of the rows of the first join, and so on. Both nodes have one level. */
  static compare(this: void, a: JoinNode, b: JoinNode): number {
    if (a === b) return 0;
    const above = a.parent === undefined ? 0 : JoinNode.compare(a.parent, b.parent as JoinNode);
    return above || a.#compareRows(a.row, b.row) || a.rank - b.rank;
  }

  #compareRows(a: unknown, b: unknown): number {
    return this.parent?.related?.compare(a, b) ?? 0;
  }
}
