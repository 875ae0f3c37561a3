/** The rows of a declared query over lists, and the changes noted since they were last applied. */
import { SAME, SHAPE } from './engine/Partition.ts';
import type { ChangeLevel, RowPresenter } from './engine/Partition.ts';
import type { Pipeline } from './engine/Pipeline.ts';
import { INVALID } from '../schema/schema.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import type { Builder, StoreRecord } from '../store/records/StoreRecord.ts';

/** The rank of a member that left. */
const REMOVED_RANK = -Infinity;
// the number of ranks per list: more than all members that ever enter at its ends
const RANKS_PER_LIST = 2 ** 40;

export class QuerySource {
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
    const known = this.#isKnown();
    const news = known === this.#areListsKnown ? SAME : SHAPE;
    this.#areListsKnown = known;
    return Math.max(news, this.#pipeline.takeChangeLevel()) as ChangeLevel;
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
  #isKnown(): boolean {
    const [only] = this.#lists;
    return this.#lists.length > 1 || only?.members !== undefined;
  }

  value(show: RowPresenter<unknown>, live: boolean): unknown {
    return this.#areListsKnown ? this.#pipeline.value(show, live) : INVALID;
  }
}
