/** The record of a declared query over stored lists: it follows their members and tells who shows it. */
import type { Pipeline } from '../query/Pipeline.ts';
import { SAME, SHAPE } from '../query/Partition.ts';
import type { RowEntry, ChangeLevel } from '../query/Partition.ts';
import { share } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { Following } from './Following.ts';
import { followersOf } from './followersOf.ts';
import type { Follower } from './followersOf.ts';
import type { ListRecord } from './ListRecord.ts';
import { DIRTY } from './flags.ts';
import { Record } from './Record.ts';
import { lookAtCommitEnd, mark } from './mark.ts';
import type { Builder } from './Record.ts';
import type { Late } from './mark.ts';

/*
 *   todo ──► list ──note──► query ──► result        The list does not mark the query: it says which member it is about.
 *                             ┆                      At the end of the commit the query looks at these alone, and only
 *                         Following ◄── reader       if readers get something else does it mark what shows it.
 *
 * The Following is held by who reads. Without it the first note marks the query dirty, and it hears no more until
 * somebody reads: then all is derived anew.
 */
export class QueryRecord extends Record implements Follower, Late {
  readonly pk = '';
  readonly lists: readonly ListRecord[];
  readonly #start: () => Pipeline<unknown>;
  #following: WeakRef<Following> | undefined;
  #value: unknown = INVALID;
  /** It was noted, and has not looked since. */
  #due = false;

  constructor(lists: readonly ListRecord[], start: () => Pipeline<unknown>) {
    super();
    this.lists = lists;
    this.#start = start;
    this.flags |= DIRTY;
  }

  protected get held(): unknown {
    return this.#value;
  }

  override kept(): Following | undefined {
    return this.#following?.deref();
  }

  parts(): Node {
    return this.lists;
  }

  /** Lists stay as long as somebody shows it. */
  override addParent(parent: Record): void {
    for (const list of this.lists) list.addParent(this);
    super.addParent(parent);
  }

  override removeParent(parent: Record): void {
    super.removeParent(parent);
    if ([...this.allParents].length === 0) for (const list of this.lists) list.removeParent(this);
  }

  override get follows(): boolean {
    return true;
  }

  note(list: ListRecord, member?: Record, at?: number): void {
    const following = this.kept();
    if (following === undefined) for (const each of this.lists) followersOf(each).delete(this);
    else following.note(list, member, at);
    this.#due = true;
    lookAtCommitEnd(this);
  }

  /** The end of a commit. A function of the user's that throws does so to who reads, not to who writes. */
  look(builder: Builder): void {
    if (!this.#due) return;
    this.#due = false;
    let news: ChangeLevel = SHAPE;
    try {
      news = this.kept()?.look(builder) ?? SHAPE;
    } catch {
      this.#following = undefined;
    }
    if (news === SAME) return;
    mark(this);
    if (news === SHAPE) this.reshape();
  }

  override current(builder: Builder): unknown {
    this.look(builder);
    return super.current(builder);
  }

  protected build(builder: Builder): void {
    const known = this.kept();
    const following = this.#followed(builder);
    const value = following.value(rowOf, false);
    // what was known keeps the references of what it gave; else what is the same is found out here
    this.#value = following === known ? value : share(this.#value, value);
  }

  override lively(builder: Builder, row: (member: Record) => object): unknown {
    this.look(builder);
    return this.#followed(builder).value(({ key }) => row(key as Record), true);
  }

  /** Who knows the rows; all are looked at where nobody held what was known. */
  #followed(builder: Builder): Following {
    const known = this.kept();
    if (known !== undefined) return known;
    const following = new Following(this.lists, this.#start());
    // also where it throws: the next note has it built again
    for (const list of this.lists) followersOf(list).add(this);
    following.look(builder);
    this.#following = new WeakRef(following);
    return following;
  }
}

function rowOf({ row }: RowEntry<unknown>): unknown {
  return row;
}
