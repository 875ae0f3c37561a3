/** The rows of a query with `include`: a row for each member, with its related rows. */
import { INVALID } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { Builder, StoreRecord } from '../../store/records/StoreRecord.ts';
import { PlainRows } from '../MemberRows.ts';
import type { RowsQuery } from '../MemberRows.ts';
import { RelationTree } from './RelationTree.ts';
import { StoreRelations } from './StoreRelations.ts';
import type { RowRelations } from './RelationTree.ts';

export class IncludedRows extends PlainRows {
  readonly #include: RowRelations;
  readonly #query: RowsQuery;
  readonly #tree: RelationTree;

  constructor(include: RowRelations, query: RowsQuery) {
    super(query.pipeline);
    this.#include = include;
    this.#query = query;
    this.#tree = new RelationTree(
      query.owner,
      query.args,
      query.store,
      StoreRelations.of(query.store).tree,
    );
  }

  override setMember(member: StoreRecord, rank: number, builder: Builder): void {
    const { owner, pipeline } = this.#query;
    const row = this.#tree.link(member as EntityRecord, this.#include, owner, 0);
    const value = builder.value(row);
    pipeline.setRow(member, rank, value === INVALID ? undefined : value);
  }

  override removeMember(member: StoreRecord): void {
    super.removeMember(member);
    this.#tree.release(member as EntityRecord, this.#include, this.#query.owner);
  }

  override settle(builder: Builder): void {
    this.#tree.settle(builder);
  }

  override dispose(): void {
    this.#tree.dispose();
  }
}
