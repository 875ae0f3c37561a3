/** The rows of a declared query over lists, and the changes noted since they were last examined. */
import { SAME, SHAPE } from '../query/Partition.ts';
import type { ChangeLevel, Show } from '../query/Partition.ts';
import type { Pipeline } from '../query/Pipeline.ts';
import { INVALID } from '../schema/schema.ts';
import type { ListRecord } from './ListRecord.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

/** The rank of a member that left. */
const GONE = -Infinity;
// the number of ranks per list: more than all members that ever enter at its ends
const SPAN = 2 ** 40;

export class QuerySource {
  readonly #lists: readonly ListRecord[];
  readonly #pipeline: Pipeline<unknown>;
  /** Members to examine, with a rank if they came or left. */
  readonly #noted = new Map<StoreRecord, number | undefined>();
  /** The members of the lists, and their order, must be examined. */
  #unsure = true;
  #known = false;
  #lowest = 0;
  #highest = 0;

  constructor(lists: readonly ListRecord[], pipeline: Pipeline<unknown>) {
    this.#lists = lists;
    this.#pipeline = pipeline;
  }

  note(list: ListRecord, member?: StoreRecord, at?: number): void {
    if (member === undefined) this.#unsure = true;
    else if (at === undefined) {
      if (!this.#noted.has(member)) this.#noted.set(member, undefined);
    } else this.#noted.set(member, at < 0 ? GONE : this.#rankAt(list, at));
  }

  #rankAt(list: ListRecord, at: number): number {
    const base = this.#lists.indexOf(list) * SPAN;
    if (at === (list.members?.length ?? 0) - 1) return base + ++this.#highest;
    this.#unsure ||= at > 0;
    return base + --this.#lowest;
  }

  look(builder: Builder): ChangeLevel {
    if (this.#unsure) this.#survey();
    for (const [member, noted] of this.#noted) {
      const rank = noted ?? this.#pipeline.entries.get(member)?.rank;
      if (rank === GONE) this.#pipeline.drop(member);
      // lists also note records that are not their members
      else if (rank !== undefined) {
        const value = builder.value(member);
        this.#pipeline.change(member, rank, value === INVALID ? undefined : value);
      }
    }
    this.#noted.clear();
    const known = this.#isKnown();
    const news = known === this.#known ? SAME : SHAPE;
    this.#known = known;
    return Math.max(news, this.#pipeline.settle()) as ChangeLevel;
  }

  /** Examines all members. If the remaining members kept their order, only ranks are new, otherwise all rows. */
  #survey(): void {
    const { entries } = this.#pipeline;
    const ranks = this.#ranked();
    let last = GONE;
    let ordered = true;
    for (const member of ranks.keys()) {
      const rank = entries.get(member)?.rank ?? last;
      if (rank < last) ordered = false;
      last = rank;
    }
    for (const member of this.#noted.keys()) this.#noted.set(member, ranks.get(member) ?? GONE);
    // removals come first: rows are found by their present ranks
    for (const member of entries.keys()) {
      if (!ordered || !ranks.has(member as StoreRecord)) this.#pipeline.drop(member);
    }
    for (const [member, rank] of ranks) {
      const entry = entries.get(member);
      if (entry === undefined) this.#noted.set(member, rank);
      else entry.rank = rank;
    }
    this.#unsure = false;
  }

  #ranked(): Map<StoreRecord, number> {
    const ranks = new Map<StoreRecord, number>();
    this.#lowest = 0;
    this.#highest = 0;
    this.#lists.forEach(({ members = [] }, at) => {
      for (const member of members) ranks.set(member, at * SPAN + ++this.#highest);
    });
    return ranks;
  }

  /** A single list that was never stored is unknown, not empty. Several lists always count as known. */
  #isKnown(): boolean {
    const [only] = this.#lists;
    return this.#lists.length > 1 || only?.members !== undefined;
  }

  value(show: Show<unknown>, live: boolean): unknown {
    return this.#known ? this.#pipeline.value(show, live) : INVALID;
  }
}
