/** The rows that the members of the lists of a query give: a row for each member, unless the query has relations. */
import { INVALID } from '../schema/schema.ts';
import type { Args } from '../schema/schema.ts';
import type { Builder, StoreRecord } from '../store/records/StoreRecord.ts';
import type { Store } from '../store/Store.ts';
import type { Pipeline } from './engine/Pipeline.ts';

/** Sets the rows of the members in the pipeline of the query. */
export interface MemberRows {
  /** The members that have a place, with their position. */
  readonly entries: ReadonlyMap<unknown, { rank: number }>;
  /** Adds a member, or applies the change of a known member. */
  setMember(member: StoreRecord, rank: number, builder: Builder): void;
  removeMember(member: StoreRecord): void;
  /** The member gets another place by `setMember`. */
  detachMember(member: StoreRecord): void;
  /** Brings related rows up to date. */
  settle(builder: Builder): void;
  /** Must be called after all changes: the pipeline has all rows then. */
  applyChanges?(): void;
  /** Ends the links to the store. */
  dispose(): void;
}

/** The query that shows the rows, or the relations of the classes. */
export interface TreeOwner {
  /** Related rows have changed. */
  onRelatedChange(): void;
  /**
   * Noted changes of related rows were applied, or a function of the relation threw meanwhile. Without `onSettled`,
   * `settle` throws.
   */
  onSettled?(related: StoreRecord, failed: boolean): void;
}

/** The query that shows the rows. */
export interface RowsQuery {
  readonly owner: StoreRecord & TreeOwner;
  readonly args: Args;
  readonly store: Store;
  readonly pipeline: Pipeline<unknown>;
}

/** Each member is a row. */
export class PlainRows implements MemberRows {
  readonly #pipeline: Pipeline<unknown>;

  constructor(pipeline: Pipeline<unknown>) {
    this.#pipeline = pipeline;
  }

  get entries(): ReadonlyMap<unknown, { rank: number }> {
    return this.#pipeline.entries;
  }

  setMember(member: StoreRecord, rank: number, builder: Builder): void {
    const value = builder.value(member);
    this.#pipeline.setRow(member, rank, value === INVALID ? undefined : value);
  }

  removeMember(member: StoreRecord): void {
    this.#pipeline.removeRow(member);
  }

  detachMember(member: StoreRecord): void {
    this.#pipeline.removeRow(member);
  }

  settle(_builder: Builder): void {}

  dispose(): void {}
}
