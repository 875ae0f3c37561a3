/** The record of a declared query over stored lists: follows changes of their members and notifies its parents. */
import { replaceEqualDeep } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { NormalizedNode } from '../schema/schema.ts';
import { observersOf } from '../store/lists/ListRecord.ts';
import type { ListObserver, ListRecord } from '../store/lists/ListRecord.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import type { Builder } from '../store/records/StoreRecord.ts';
import { DIRTY } from '../store/records/flags.ts';
import { markDirty, recomputeAtCommitEnd } from '../store/records/markDirty.ts';
import type { DeferredRecord } from '../store/records/markDirty.ts';
import { SAME, SHAPE } from './engine/Partition.ts';
import type { ChangeLevel, RowEntry, RowPresenter } from './engine/Partition.ts';
import type { Pipeline } from './engine/Pipeline.ts';

/*
 *   todo ──► list ──note──► query ──► result        The list does not mark the query dirty; the change is noted.
 *                             ┆                      At the end of the commit the query applies the noted changes, and
 *                        QuerySource ◄── reader      marks itself and its parents dirty only if its result changes.
 *
 * Readers hold the QuerySource. Without it, the first note marks the query dirty, and no more notes arrive until the
 * next read, which derives everything anew.
 */
export class QueryRecord extends StoreRecord implements ListObserver, DeferredRecord {
  readonly pk = '';
  readonly lists: readonly ListRecord[];
  readonly #createPipeline: () => Pipeline<unknown>;
  #source: WeakRef<QuerySource> | undefined;
  #value: unknown = INVALID;
  /** A change was noted, and not applied yet. */
  #hasUnappliedChange = false;

  constructor(lists: readonly ListRecord[], start: () => Pipeline<unknown>) {
    super();
    this.lists = lists;
    this.#createPipeline = start;
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
    if ([...this.allParents].length === 0) for (const list of this.lists) list.removeParent(this);
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  onListChange(list: ListRecord, member?: StoreRecord, at?: number): void {
    const source = this.derivedCache();
    if (source === undefined) for (const each of this.lists) observersOf(each).delete(this);
    else source.recordChange(list, member, at);
    this.#hasUnappliedChange = true;
    recomputeAtCommitEnd(this);
  }

  /** Called at the end of a commit. Readers get the exceptions of user functions, the writer does not. */
  recompute(builder: Builder): void {
    if (!this.#hasUnappliedChange) return;
    this.#hasUnappliedChange = false;
    let level: ChangeLevel = SHAPE;
    try {
      level = this.derivedCache()?.applyChanges(builder) ?? SHAPE;
    } catch {
      this.#source = undefined;
    }
    if (level === SAME) return;
    markDirty(this);
    if (level === SHAPE) this.notifyVisibilityChange();
  }

  override current(builder: Builder): unknown {
    this.recompute(builder);
    return super.current(builder);
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
    return this.#getOrCreateSource(builder).value(({ key }) => row(key as StoreRecord), true);
  }

  /** The source with the rows. If no reader held the last one, creates a source and scans all members. */
  #getOrCreateSource(builder: Builder): QuerySource {
    const known = this.derivedCache();
    if (known !== undefined) return known;
    const source = new QuerySource(this.lists, this.#createPipeline());
    // also if `applyChanges` throws: the next change then leads to another build
    for (const list of this.lists) observersOf(list).add(this);
    source.applyChanges(builder);
    this.#source = new WeakRef(source);
    return source;
  }
}

function rowOfEntry({ row }: RowEntry<unknown>): unknown {
  return row;
}

/** The rank of a member that left. */
const REMOVED_RANK = -Infinity;
// the number of ranks per list: more than all members that ever enter at its ends
const RANKS_PER_LIST = 2 ** 40;

class QuerySource {
  readonly #lists: readonly ListRecord[];
  readonly #pipeline: Pipeline<unknown>;
  /** Changed members, with a rank if they came or left. */
  readonly #changes = new Map<StoreRecord, number | undefined>();
  /** The members of the lists, and their order, must be scanned. */
  #needsFullScan = true;
  #areListsKnown = false;
  #lowestRank = 0;
  #highestRank = 0;

  constructor(lists: readonly ListRecord[], pipeline: Pipeline<unknown>) {
    this.#lists = lists;
    this.#pipeline = pipeline;
  }

  recordChange(list: ListRecord, member?: StoreRecord, at?: number): void {
    if (member === undefined) this.#needsFullScan = true;
    else if (at === undefined) {
      if (!this.#changes.has(member)) this.#changes.set(member, undefined);
    } else this.#changes.set(member, at < 0 ? REMOVED_RANK : this.#rankAt(list, at));
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
      const rank = newRank ?? this.#pipeline.entries.get(member)?.rank;
      if (rank === REMOVED_RANK) this.#pipeline.removeRow(member);
      // lists also report records that are not their members
      else if (rank !== undefined) {
        const value = builder.value(member);
        this.#pipeline.setRow(member, rank, value === INVALID ? undefined : value);
      }
    }
    this.#changes.clear();
    const areListsKnown = this.#areAllListsKnown();
    const level = areListsKnown === this.#areListsKnown ? SAME : SHAPE;
    this.#areListsKnown = areListsKnown;
    return Math.max(level, this.#pipeline.takeChangeLevel()) as ChangeLevel;
  }

  /** Examines all members. If the remaining members kept their order, only ranks are new, otherwise all rows. */
  #scanMembers(): void {
    const { entries } = this.#pipeline;
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
      if (!ordered || !ranks.has(member as StoreRecord)) this.#pipeline.removeRow(member);
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
