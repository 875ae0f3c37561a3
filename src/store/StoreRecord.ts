/** What every stored thing is: a value built when read, the records that show it, and the readers to be told. */
import { DEV, report } from '../diagnostics.ts';
import { scheduleListeners, held, isWatched } from '../reactive.ts';
import type { Cell, Held, Listener } from '../reactive.ts';
import { INVALID, Ref } from '../schema/schema.ts';
import type { Args, Kind, Node, Source } from '../schema/schema.ts';
import { RecordObservers } from './RecordObservers.ts';
import { READ_IN_CYCLE, BUILDING, DIRTY, PARTS_DIRTY, SHARED, THREW } from './flags.ts';
import { onNotify } from './notifyHook.ts';

/*
 *   list ───────────┐           A record holds the value that readers get, with the values of other records inside.
 *    │   result     │           A write marks the record that it is about to change, and goes up along `parents`:
 *    ▼     │        ▼           what is made of it must be built anew. At the end of the commit `flush` tells the
 *   todo ◄─┘      todo          readers. Values are built when somebody reads.
 *    │              │
 *    └──► author ◄──┘           Downward: `current` builds what is dirty. Upward: `mark`, then `flush` tells.
 *
 * 1. `parents` are exactly the records whose value is made of this one's: links follow each write.
 * 2. Where a record is dirty, all that is made of it is dirty: `mark` stops where it finds such a record.
 * 3. The value of a clean record is what readers get: the same reference until something in it changes.
 */

/** A source that builds records. */
export interface Builder extends Source {
  /** What a reader outside gets for `record`, or INVALID. */
  read(record: StoreRecord): unknown;
}

// a set costs more than a short array
const FEW = 16;
/** What functions of the user's threw while values were built. */
const thrown = new WeakMap<StoreRecord, unknown>();

export abstract class StoreRecord extends Ref {
  flags = 0;
  /** The records whose value is made of this one's. */
  parents: StoreRecord | StoreRecord[] | Set<StoreRecord> | undefined = undefined;
  cell: Held<Cell<unknown>> = undefined;
  observers: RecordObservers | undefined = undefined;
  /** While unconfirmed writes lie over it: what is confirmed, and they. */
  readonly pending: object | undefined = undefined;
  declare readonly kind?: Kind;
  /** Of a request: who reads it. */
  declare readonly args?: Args;

  /** As `Composite.kept`. */
  derivedState?(): object | undefined;
  /** Of what is derived from entities: its value with what `row` gives in their place, or INVALID. */
  buildLive?(builder: Builder, row: (member: StoreRecord) => object): unknown;

  /** Shows another record in the place of one: `swap` gives a node with it. */
  replaceParts?(swap: (node: Node) => Node, source: Source): void;

  /** The value for readers or INVALID, as last built. */
  protected abstract get cachedValue(): unknown;
  /** Rebuilds the value from its parts. What is equal to the old value keeps its reference. */
  protected abstract build(builder: Builder): void;
  /** The nodes this record's value is made of. */
  abstract parts(): Node;

  /** The same, without unconfirmed writes. */
  confirmedParts(): Node {
    return this.parts();
  }

  /** What stands for the value while it is being built, for a record in a circle. */
  protected get provisional(): unknown {
    return this.cachedValue;
  }

  /** True where another value of a part is surely another value of this. */
  get alwaysChangesWithParts(): boolean {
    return true;
  }

  /** True where it may be stored and yet be hidden, as something that it needs is missing. */
  get mayBeIncomplete(): boolean {
    return false;
  }

  /** True for a part that is shown. */
  includesPart(_part: StoreRecord): boolean {
    return true;
  }

  /** True for a record that finds out by itself whether a change of a part is one of it: see `Late`. */
  get detectsOwnChanges(): boolean {
    return false;
  }

  /** A part is about to change. */
  onPartDirty(_child: StoreRecord): void {}

  /** A part came or went. */
  protected onPartVisibilityChange(_child: StoreRecord): void {}

  /**
   * A record that nobody shows, with the content that unconfirmed writes issued at this logical time see: the confirmed one,
   * and the writes issued before. This one, where it has no content of its own.
   */
  copyBefore(_time: number): StoreRecord {
    return this;
  }

  /** True where such a write sees now what it saw in this copy. */
  isUnchangedFor(_time: number, _copy: StoreRecord): boolean {
    return false;
  }

  /** What readers get now, or INVALID. The same reference until something in it changes. Throws what `build` threw. */
  current(builder: Builder): unknown {
    if (this.flags & BUILDING) {
      this.flags |= READ_IN_CYCLE;
      return this.provisional;
    }
    if (this.flags & DIRTY) this.#renew(builder);
    this.flags |= SHARED;
    if (this.flags & THREW) throw thrown.get(this);
    return this.cachedValue;
  }

  #renew(builder: Builder): void {
    depth++;
    // what it took in a circle may turn out not to be whole: then it is dirty again
    while (this.flags & DIRTY) {
      this.flags = (this.flags & ~(DIRTY | THREW | READ_IN_CYCLE)) | BUILDING;
      try {
        this.build(builder);
      } catch (error) {
        this.flags |= THREW;
        thrown.set(this, error);
      }
      this.flags &= ~BUILDING;
      if (this.flags & READ_IN_CYCLE && (this.flags & THREW || this.lastValue === INVALID))
        markIncomplete(this);
    }
    this.flags &= ~READ_IN_CYCLE;
    if (depth === 1 && incomplete.size > 0) {
      // none stays dirty below a clean one
      for (const record of madeOfIncomplete) if (record.flags & DIRTY) record.#renew(builder);
      madeOfIncomplete.clear();
      incomplete.clear();
    }
    depth--;
  }

  /** The value as last built. */
  get lastValue(): unknown {
    return this.cachedValue;
  }

  /** True while somebody looks at each change. */
  get hasSubscribers(): boolean {
    const { cell, observers: fine } = this;
    return isWatched(cell) || isWatched(fine?.result) || Boolean(fine?.listeners?.size);
  }

  /** True while it is built and somebody has taken what stands for it. */
  protected get wasReadInCycle(): boolean {
    return (this.flags & READ_IN_CYCLE) !== 0;
  }

  /** True when a reader outside holds on to this record. */
  get isObserved(): boolean {
    return held(this.cell) !== undefined || this.observers?.held === true;
  }

  /** As `read`; a reader that only is there, and could show it at any time, counts as well. */
  get isRetained(): boolean {
    return this.isObserved || this.observers?.reader?.deref() !== undefined;
  }

  /** What must stay as long as this does: its parts, and what may come back to it. */
  gcEdges(): Node {
    return this.parts();
  }

  /** Logical time of the latest that is known here: an answer to an older request may still have to give way to it. */
  get latestTime(): number {
    return 0;
  }

  /** Forgets what no answer can deny any more: all requests issued before `oldest` are over. */
  pruneHistory(_oldest: number): void {}

  /** A part may be complete now, or not any more, though it reads as it did. */
  onPartCompleted?(): void;

  /** Of what is deleted: Infinity, or when the deletion was issued that is only expected. */
  get deletedAt(): number | undefined {
    return undefined;
  }

  /** True when it was deleted after this logical time: what was known of lists before does not hold. */
  deletedSince(_time: number): boolean {
    return false;
  }

  /** Of a parent that was just made: its links come one after the other, so that they need not be looked for. */
  addNewParent(parent: StoreRecord): void {
    const { parents } = this;
    if (Array.isArray(parents)) {
      if (parents.at(-1) !== parent) parents.push(parent);
    } else this.addParent(parent);
  }

  addParent(parent: StoreRecord): void {
    const parents = this.#fewParents();
    if (parents === parent) return;
    if (parents === undefined) this.parents = parent;
    else if (parents instanceof StoreRecord) this.parents = [parents, parent];
    else if (parents instanceof Set) parents.add(parent);
    else if (!parents.includes(parent)) parents.push(parent);
  }

  removeParent(parent: StoreRecord): void {
    const parents = this.#fewParents();
    if (parents === parent) this.parents = undefined;
    else if (parents instanceof Set) parents.delete(parent);
    else if (Array.isArray(parents)) dropAt(parents, parents.indexOf(parent));
  }

  hasParent(parent: StoreRecord): boolean {
    const parents = this.#fewParents();
    if (parents instanceof Set) return parents.has(parent);
    return Array.isArray(parents) ? parents.includes(parent) : parents === parent;
  }

  /** A long array is a set from now on: one of them is looked for. */
  #fewParents(): StoreRecord['parents'] {
    const { parents } = this;
    if (Array.isArray(parents) && parents.length > FEW) this.parents = new Set(parents);
    return this.parents;
  }

  get allParents(): Iterable<StoreRecord> {
    const { parents } = this;
    return parents instanceof StoreRecord ? [parents] : (parents ?? []);
  }

  /** It came or went: live readers of it and of what is made of it look again. */
  notifyVisibilityChange(): void {
    this.notifyShape();
    for (const parent of this.allParents) parent.onPartVisibilityChange(this);
  }

  /** Tells live readers that this came, went, or has other members. */
  notifyShape(): void {
    if (DEV) onNotify?.(this, true);
    if (this.observers?.shape !== undefined) held(this.observers.shape)?.tick();
  }

  /** Tells the readers of this record alone. */
  notify(): void {
    if (DEV) onNotify?.(this);
    if (this.cell !== undefined) held(this.cell)?.tick();
    if (this.observers === undefined) return;
    if (this.observers.result !== undefined) held(this.observers.result)?.tick();
    scheduleListeners(this.observers);
  }

  /**
   * Runs `listener` once after each commit that changed this record, or the first such commit since the value was read.
   * An exception of `listener` is reported. Gives back how to stop.
   */
  listen(listener: Listener): () => void {
    const fine = (this.observers ??= new RecordObservers());
    const listeners = (fine.listeners ??= new Set());
    // a function of its own, so that one listener added twice is told twice and removed one by one
    const own = () => {
      try {
        listener();
      } catch (error) {
        report(error);
      }
    };
    listeners.add(own);
    return () => void listeners.delete(own);
  }
}

/*
 *   a ──► b ──► a    each needs the other. While `a` is built, `b` takes it for whole. If `a` turns out to lack something
 *                    else, it is incomplete for the rest of this read, and `b` is built again. Each round adds one more
 *                    incomplete record, so the rounds end, and the largest set of whole records is left.
 */
/** How many values are being built inside each other. */
let depth = 0;
/** Until the outermost of them is built: incomplete records that others in a circle took for whole. */
const incomplete = new Set<StoreRecord>();
/** The records whose values are made of those. No reader has these values yet. */
const madeOfIncomplete = new Set<StoreRecord>();

function markIncomplete(record: StoreRecord): void {
  incomplete.add(record);
  const found = [record];
  for (const child of found)
    for (const parent of child.allParents) {
      if (parent.flags & DIRTY || incomplete.has(parent)) continue;
      parent.flags |= DIRTY | PARTS_DIRTY;
      madeOfIncomplete.add(parent);
      found.push(parent);
    }
}

/** Removes one entry of an unordered array: the last takes its place. */
function dropAt<T>(array: T[], at: number): void {
  if (at < 0) return;
  const last = array.pop() as T;
  if (at < array.length) array[at] = last;
}
