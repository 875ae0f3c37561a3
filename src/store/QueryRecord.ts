/** The record of a declared query over stored lists: it follows their members and tells who shows it. */
import type { Pipeline } from '../query/Pipeline.ts';
import { SAME, SHAPE } from '../query/Part.ts';
import type { Entry, News } from '../query/Part.ts';
import { share } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { Following } from './Following.ts';
import { followersOf } from './followersOf.ts';
import type { Follower } from './followersOf.ts';
import type { ListRecord } from './ListRecord.ts';
import { changed, DIRTY, Record } from './Record.ts';
import type { Builder } from './Record.ts';
import { suspect } from './suspect.ts';
import type { Suspect } from './suspect.ts';

/*
 *   todo ──► list ──note──► query ──► result        The list does not mark the query: it says which member it is about.
 *                             ┆                      At the end of the commit the query looks at these alone, and only
 *                         Following ◄── reader       if readers get something else does it mark what shows it.
 *
 * The Following is held by who reads. Without it the first note marks the query dirty, and it hears no more until
 * somebody reads: then all is derived anew.
 */
export class QueryRecord extends Record implements Follower, Suspect {
  readonly pk = '';
  readonly late = true;
  readonly lists: readonly ListRecord[];
  readonly #start: () => Pipeline<unknown>;
  #following: WeakRef<Following> | undefined;
  #value: unknown = INVALID;
  /** Readers would get something else than `#value`. */
  #stale = true;
  /** It was noted in a commit that has not ended. */
  #due = false;
  /** What was found since then by whoever looked. */
  #news: News = SAME;

  constructor(lists: readonly ListRecord[], start: () => Pipeline<unknown>) {
    super();
    this.lists = lists;
    this.#start = start;
    this.flags |= DIRTY;
  }

  protected get held(): unknown {
    return this.#value;
  }

  get shown(): boolean {
    return this.#value !== INVALID;
  }

  override kept(): Following | undefined {
    return this.#following?.deref();
  }

  parts(): Node {
    return this.lists;
  }

  holds(child: Record): boolean {
    if (!this.lists.includes(child as ListRecord)) return false;
    if (this.kept() !== undefined) return true;
    for (const parent of this.allParents) if (parent.holds(this)) return true;
    return false;
  }

  /** All that it needs to know comes by `note`. */
  taint(): boolean {
    return false;
  }

  note(list: ListRecord, member?: Record, at?: number): void {
    const following = this.kept();
    if (following === undefined) for (const each of this.lists) followersOf(each).delete(this);
    else following.note(list, member, at);
    if (this.flags & DIRTY) return;
    this.flags |= DIRTY;
    this.#due = true;
    suspect(this);
  }

  /** The end of a commit. A function of the user's that throws does so to who reads, not to who writes. */
  judge(_before: boolean, builder: Builder): void {
    if (this.kept() === undefined) this.#news = SHAPE;
    else {
      try {
        this.#look(builder);
      } catch {
        this.#news = SHAPE;
      }
    }
    const news = this.#news;
    this.#news = SAME;
    this.#due = false;
    if (news === SAME) return;
    this.#stale = true;
    if (news === SHAPE) this.reshape();
    changed(this);
  }

  override current(builder: Builder): unknown {
    if (this.#stale || this.flags & DIRTY) this.build(builder);
    return this.#value;
  }

  protected build(builder: Builder): void {
    const known = this.kept();
    const following = this.#look(builder);
    const value = following.value(rowOf, false);
    // what was known keeps the references of what it gave; else what is the same is found out here
    this.#value = following === known ? value : share(this.#value, value);
    this.#stale = false;
  }

  override lively(builder: Builder, row: (member: Record) => object): unknown {
    return this.#look(builder).value(({ key }) => row(key as Record), true);
  }

  /** Takes in what was noted; all of it, where nobody held what was known. */
  #look(builder: Builder): Following {
    const { owner } = builder;
    // members are linked to their list alone
    builder.owner = undefined;
    this.flags &= ~DIRTY;
    try {
      const known = this.kept();
      const following = known ?? this.#follow();
      const news = following.look(builder);
      if (news !== SAME) this.#stale = true;
      if (this.#due) this.#news = Math.max(this.#news, known === undefined ? SHAPE : news) as News;
      return following;
    } catch (error) {
      // the next note tells whoever shows it
      this.#following = undefined;
      this.#stale = true;
      throw error;
    } finally {
      builder.owner = owner;
    }
  }

  #follow(): Following {
    const following = new Following(this.lists, this.#start());
    this.#following = new WeakRef(following);
    for (const list of this.lists) {
      list.addParent(this);
      followersOf(list).add(this);
    }
    return following;
  }
}

function rowOf({ row }: Entry<unknown>): unknown {
  return row;
}
