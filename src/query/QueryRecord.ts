/** The record of a declared query over stored lists: follows changes of their members and notifies its parents. */
import type { Pipeline } from './engine/Pipeline.ts';
import { SAME, SHAPE } from './engine/Partition.ts';
import type { RowEntry, ChangeLevel } from './engine/Partition.ts';
import { replaceEqualDeep } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { QuerySource } from './QuerySource.ts';
import { observersOf } from '../store/lists/ListObserver.ts';
import type { ListObserver } from '../store/lists/ListObserver.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import { DIRTY } from '../store/records/flags.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import { recomputeAtCommitEnd, markDirty } from '../store/records/markDirty.ts';
import type { Builder } from '../store/records/StoreRecord.ts';
import type { DeferredRecord } from '../store/records/markDirty.ts';

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

  parts(): Node {
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
    let news: ChangeLevel = SHAPE;
    try {
      news = this.derivedCache()?.applyChanges(builder) ?? SHAPE;
    } catch {
      this.#source = undefined;
    }
    if (news === SAME) return;
    markDirty(this);
    if (news === SHAPE) this.notifyVisibilityChange();
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
