/** The related rows of one entity in a join: the children of all nodes below this entity. */
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { RowEntry } from '../engine/Partition.ts';
import type { Pipeline } from '../engine/Pipeline.ts';
import type { Compare } from '../engine/SortedList.ts';
import type { JoinNode, PlacedRow } from './JoinNode.ts';
import type { RowFollower } from './RelationTree.ts';

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

  /** A change may move other rows into the window, or out of it. */
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
