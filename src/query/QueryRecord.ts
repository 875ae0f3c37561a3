/** The record of a declared query over stored lists: follows changes of the members and notifies its parents. */
import { replaceEqualDeep } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { NormalizedNode } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import { observersOf } from '../store/lists/ListRecord.ts';
import type { ListObserver, ListRecord } from '../store/lists/ListRecord.ts';
import { StoreRecord, DIRTY } from '../store/records/StoreRecord.ts';
import type { Builder } from '../store/records/StoreRecord.ts';
import { markDirty, recomputeAtCommitEnd } from '../store/records/markDirty.ts';
import type { DeferredRecord } from '../store/records/markDirty.ts';
import { PlainRows } from './MemberRows.ts';
import type { MemberRows, RowsQuery, TreeOwner } from './MemberRows.ts';
import { SAME, SHAPE } from './engine/Partition.ts';
import type { ChangeLevel, RowEntry, RowPresenter } from './engine/Partition.ts';
import type { Pipeline } from './engine/Pipeline.ts';
import type { IncludedRow } from './relations/IncludedRow.ts';

/*
 *   todo ──► list ──note──► query ──► result        The list does not mark the query dirty; the change is noted.
 *                             ┆                      At the end of the commit the query applies the noted changes, and
 *                        QuerySource ◄── reader      marks itself and its parents dirty only if the result changes.
 *
 * Readers hold the QuerySource. Without a QuerySource, the first note marks the query dirty, and no more notes arrive
 * until the next read, which derives everything anew.
 */
export class QueryRecord extends StoreRecord implements ListObserver, DeferredRecord, TreeOwner {
  readonly pk = '';
  readonly lists: readonly ListRecord[];
  readonly #createPipeline: () => Pipeline<unknown>;
  /** Undefined: rows have no related rows. */
  readonly #relations: QueryRelations | undefined;
  /** The rows with their related rows, of the present or the previous source. */
  #rows: MemberRows | undefined;
  #source: WeakRef<QuerySource> | undefined;
  #value: unknown = INVALID;
  /** A change was noted, and not applied yet. */
  #hasUnappliedChange = false;

  constructor(
    lists: readonly ListRecord[],
    start: () => Pipeline<unknown>,
    relations?: QueryRelations,
  ) {
    super();
    this.lists = lists;
    this.#createPipeline = start;
    this.#relations = relations;
    this.flags |= DIRTY;
  }

  get cachedValue(): unknown {
    return this.#value;
  }

  override derivedCache(): QuerySource | undefined {
    return this.#source?.deref();
  }

  parts(): NormalizedNode {
    return this.lists;
  }

  /** Keeps the lists from garbage collection while the query has parents. */
  override addParent(parent: StoreRecord, isNew?: boolean): void {
    for (const list of this.lists) list.addParent(this);
    super.addParent(parent, isNew);
  }

  override removeParent(parent: StoreRecord): void {
    super.removeParent(parent);
    if ([...this.allParents].length > 0) return;
    for (const list of this.lists) list.removeParent(this);
    if (this.#rows !== undefined) this.flags |= DIRTY;
    this.#dropRows();
  }

  /** Disposes the rows, which the links of the related rows would otherwise hold. */
  #dropRows(): void {
    this.#rows?.dispose();
    this.#source = this.#rows = undefined;
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  onListChange(list: ListRecord, member?: StoreRecord, at?: number): void {
    const source = this.derivedCache();
    if (source === undefined) for (const each of this.lists) observersOf(each).delete(this);
    else source.recordChange(list, member, at);
    this.#noteChange();
  }

  #noteChange(): void {
    this.#hasUnappliedChange = true;
    recomputeAtCommitEnd(this);
  }

  /** A row has changed together with its related rows. */
  override onPartDirty(child: StoreRecord): void {
    if (this.#rows === undefined || this.lists.includes(child as ListRecord)) return;
    this.derivedCache()?.recordRowChange((child as IncludedRow).entity);
    this.#noteChange();
  }

  onRelatedChange(): void {
    this.#noteChange();
  }

  /** Called at the end of a commit. Readers get the exceptions of user functions, the writer does not. */
  recompute(builder: Builder): void {
    if (!this.#hasUnappliedChange) return;
    this.#hasUnappliedChange = false;
    const level = this.#applyChanges(builder);
    if (level === SAME) return;
    markDirty(this);
    if (level === SHAPE) this.notifyVisibilityChange();
  }

  #applyChanges(builder: Builder): ChangeLevel {
    try {
      const source = this.derivedCache();
      if (source === undefined) this.#dropRows();
      else this.#rows?.settle(builder);
      const level = source?.applyChanges(builder) ?? SHAPE;
      // settling notes the rows that have changed; these changes are applied now
      this.#hasUnappliedChange = false;
      // live readers get the same rows as readers of snapshots
      return level !== SAME && this.#relations !== undefined ? SHAPE : level;
    } catch {
      this.#dropRows();
      return SHAPE;
    }
  }

  override current(builder: Builder): unknown {
    // within a commit, keys of related rows may have changed that nobody has applied yet
    if (this.derivedCache() !== undefined) this.#settle(builder);
    this.recompute(builder);
    return super.current(builder);
  }

  /** Rebuilds related rows left half changed by an exception, which throws the exception to the reader. */
  #settle(builder: Builder): void {
    try {
      this.#rows?.settle(builder);
    } catch {
      this.#dropRows();
      markDirty(this);
    }
  }

  protected build(builder: Builder): void {
    const known = this.derivedCache();
    const source = this.#getOrCreateSource(builder);
    const value = source.value(rowOfEntry, false);
    // a known source keeps the references of equal values; for a new source, `replaceEqualDeep` does
    this.#value = source === known ? value : replaceEqualDeep(this.#value, value);
  }

  override buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown {
    this.recompute(builder);
    const source = this.#getOrCreateSource(builder);
    return this.#relations === undefined
      ? source.value(({ key }) => row(key as StoreRecord), true)
      : source.value(rowOfEntry, false);
  }

  /** The source with the rows. If no reader held the last source, creates a source and scans all members. */
  #getOrCreateSource(builder: Builder): QuerySource {
    const known = this.derivedCache();
    if (known !== undefined) return known;
    this.#dropRows();
    const pipeline = this.#createPipeline();
    const rows = this.#createRows(pipeline, builder);
    const source = new QuerySource(this.lists, pipeline, rows);
    // also if `applyChanges` throws: the next change then leads to another build
    for (const list of this.lists) observersOf(list).add(this);
    source.applyChanges(builder);
    this.#source = new WeakRef(source);
    return source;
  }

  #createRows(pipeline: Pipeline<unknown>, builder: Builder): MemberRows {
    const relations = this.#relations;
    if (relations === undefined) return new PlainRows(pipeline);
    // related rows are built by the store itself
    const store = builder as Store;
    return (this.#rows = relations({ owner: this, store, pipeline }));
  }
}

/** Creates the rows of a query with relations. */
export type QueryRelations = (query: Omit<RowsQuery, 'args'>) => MemberRows;

function rowOfEntry({ row }: RowEntry<unknown>): unknown {
  return row;
}

/** The rank of a member that left. */
const REMOVED_RANK = -Infinity;
// the number of ranks per list: more than all members that ever enter at the ends of a list
const RANKS_PER_LIST = 2 ** 40;

class QuerySource {
  readonly #lists: readonly ListRecord[];
  readonly #pipeline: Pipeline<unknown>;
  readonly #rows: MemberRows;
  /** Changed members, with a rank for a member that came or left. */
  readonly #changes = new Map<StoreRecord, number | undefined>();
  /** The members of the lists, and their order, must be scanned. */
  #needsFullScan = true;
  #areListsKnown = false;
  #lowestRank = 0;
  #highestRank = 0;

  constructor(lists: readonly ListRecord[], pipeline: Pipeline<unknown>, rows: MemberRows) {
    this.#lists = lists;
    this.#pipeline = pipeline;
    this.#rows = rows;
  }

  /** A member or a related row has changed. A member that came or left in this commit stays noted as that. */
  recordRowChange(member: StoreRecord): void {
    if (!this.#changes.has(member)) this.#changes.set(member, undefined);
  }

  recordChange(list: ListRecord, member?: StoreRecord, at?: number): void {
    if (member === undefined) this.#needsFullScan = true;
    else if (at === undefined) this.recordRowChange(member);
    else this.#changes.set(member, at < 0 ? REMOVED_RANK : this.#rankAt(list, at));
  }

  #rankAt(list: ListRecord, at: number): number {
    const base = this.#lists.indexOf(list) * RANKS_PER_LIST;
    if (at === (list.members?.length ?? 0) - 1) return base + ++this.#highestRank;
    this.#needsFullScan ||= at > 0;
    return base + --this.#lowestRank;
  }

  applyChanges(builder: Builder): ChangeLevel {
    if (this.#needsFullScan) this.#scanMembers();
    for (const [member, newRank] of this.#changes) {
      const rank = newRank ?? this.#rows.entries.get(member)?.rank;
      if (rank === REMOVED_RANK) this.#rows.removeMember(member);
      // lists also report records that are not their members
      else if (rank !== undefined) this.#rows.setMember(member, rank, builder);
    }
    this.#changes.clear();
    this.#rows.applyChanges?.();
    const areListsKnown = this.#areAllListsKnown();
    const level = areListsKnown === this.#areListsKnown ? SAME : SHAPE;
    this.#areListsKnown = areListsKnown;
    return Math.max(level, this.#pipeline.takeChangeLevel()) as ChangeLevel;
  }

  /** Examines all members. If the remaining members kept their order, only ranks are new, otherwise all rows. */
  #scanMembers(): void {
    const { entries } = this.#rows;
    const ranks = this.#computeRanks();
    let last = REMOVED_RANK;
    let ordered = true;
    for (const member of ranks.keys()) {
      const rank = entries.get(member)?.rank ?? last;
      if (rank < last) ordered = false;
      last = rank;
    }
    for (const member of this.#changes.keys())
      this.#changes.set(member, ranks.get(member) ?? REMOVED_RANK);
    // removals come first: rows are found by their present ranks
    for (const member of entries.keys()) {
      if (!ranks.has(member as StoreRecord)) this.#rows.removeMember(member as StoreRecord);
      else if (!ordered) this.#rows.detachMember(member as StoreRecord);
    }
    for (const [member, rank] of ranks) {
      const entry = entries.get(member);
      if (entry === undefined) this.#changes.set(member, rank);
      else entry.rank = rank;
    }
    this.#needsFullScan = false;
  }

  #computeRanks(): Map<StoreRecord, number> {
    const ranks = new Map<StoreRecord, number>();
    this.#lowestRank = 0;
    this.#highestRank = 0;
    this.#lists.forEach(({ members = [] }, at) => {
      for (const member of members) ranks.set(member, at * RANKS_PER_LIST + ++this.#highestRank);
    });
    return ranks;
  }

  /** A single list that was never stored is unknown, not empty. Several lists always count as known. */
  #areAllListsKnown(): boolean {
    const [only] = this.#lists;
    return this.#lists.length > 1 || only?.members !== undefined;
  }

  value(show: RowPresenter<unknown>, live: boolean): unknown {
    return this.#areListsKnown ? this.#pipeline.value(show, live) : INVALID;
  }
}
