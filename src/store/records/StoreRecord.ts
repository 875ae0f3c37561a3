/** The base class of all records: a value built on read, the parents that contain this value, and its subscribers. */
import { DEV } from '../../errors.ts';
import { INVALID, Ref } from '../../schema/schema.ts';
import type { Args, Kind, NormalizedNode, Source } from '../../schema/schema.ts';
import { deref, isWatched } from '../../signals.ts';
import type { Cell, CellSlot, Listener } from '../../signals.ts';
import { RecordObservers, onNotify } from './RecordObservers.ts';
import { withMember, hasMember, withoutMember, searchable } from './SmallSet.ts';
import type { SmallSet } from './SmallSet.ts';

/** The value must be built before a read. */
export const DIRTY = 1;
/** A reader holds the value: a write copies the value instead of changing it in place. */
export const SHARED = 2;
/** The value is being built further up the call stack. */
export const BUILDING = 4;
/** A part that the value needs is missing. */
export const INCOMPLETE = 8;
/** Another record in a cycle assumed this record to be complete while its value was being built. */
export const READ_IN_CYCLE = 16;
/** Visited, in an algorithm that visits each record once and clears this bit at the end. */
export const VISITED = 32;
/** A part may have changed: a build must read the parts again. */
export const REREAD_PARTS = 64;
/** Live readers are notified as well, if the value turns out to have changed. */
export const SHAPE_CHANGED = 256;
/** A user function threw when the value was built. */
export const THREW = 128;
/** Queued to notify its readers at the end of the commit if the value has changed (see markDirty.ts). */
export const QUEUED = 512;
/** As `QUEUED`, and the value has surely changed. */
export const CHANGED = 1024;
/** A read has brought the entity, which says nothing of other lists that the entity may fit. */
export const UNPLACED = 2048;
/** This bit and all higher ones hold the epoch of the last use of the record (see GarbageCollector.ts). */
export const LOWEST_GC_EPOCH_BIT = 4096;

/*
 *   list ───────────┐           A record holds the value that readers get, with the values of its parts inside.
 *    │   result     │           Before a write changes a record, `markDirty` flags the record and goes up along
 *    ▼     │        ▼           `parents`, because their values must be rebuilt. At the end of the commit `flush`
 *   todo ◄─┘      todo          notifies the readers. Values are built when read.
 *    │              │
 *    └──► author ◄──┘           Downward: `current` builds dirty values. Upward: `markDirty`, then `flush`.
 *
 * 1. `parents` are exactly the records that have this record as a part of their value: each write updates the links.
 * 2. If a record is dirty, all records above are dirty: `markDirty` stops at a dirty record.
 * 3. Readers of a clean record get the same reference until something in the value changes.
 */

/** A source that builds records. */
export interface Builder extends Source {
  /** The value that a reader outside the store gets for `record`, or INVALID. */
  read(record: StoreRecord): unknown;
}

/** The errors that user functions threw while values were built. */
const thrown = new WeakMap<StoreRecord, unknown>();

// optional, as most records have none: an accessor would be a further function on the way to the first row
export interface StoreRecord {
  /** True if this record may be stored and yet hidden, because a needed part is missing. */
  readonly mayBeIncomplete?: boolean;
  /** True if this record finds out by itself whether a change of a part changes its value: see `DeferredRecord`. */
  readonly detectsOwnChanges?: boolean;
  /** True for the related rows of an entity, which are no part of the responses with the entity. */
  readonly isRelated?: boolean;
}

export abstract class StoreRecord extends Ref {
  flags = 0;
  /** The records that have this record as a part of their value. */
  parents: SmallSet<StoreRecord>;
  cell: CellSlot<Cell<unknown>>;
  observers: RecordObservers | undefined;
  /** While optimistic writes affect this record: the confirmed content, and these writes. */
  readonly pending: object | undefined;
  declare readonly kind?: Kind;
  /** The arguments of a request, on which values of some schemas depend (see `projectForReader`). */
  declare readonly args?: Args;

  /** As `Composite.derivedCache`. */
  derivedCache?(): object | undefined;
  /** The value of a map, an index lookup or a query, with the result of `row` in place of each entity; or INVALID. */
  buildLive?(builder: Builder, row: (member: StoreRecord) => object): unknown;

  /** Replaces a part by another record, which `swap` puts into a node. */
  replaceParts?(swap: (node: NormalizedNode) => NormalizedNode, source: Source): void;

  /** The value for readers, or INVALID, as last built. */
  abstract get cachedValue(): unknown;
  /** Rebuilds the value from the parts. Everything equal to the old value keeps its reference. */
  protected abstract build(builder: Builder): void;
  /** The nodes that the value of this record is made of. */
  abstract parts(): NormalizedNode;

  /** As `parts`, without optimistic writes. */
  confirmedParts(): NormalizedNode {
    return this.parts();
  }

  /** The value that other records in a cycle get while this record is being built. */
  get valueInCycle(): unknown {
    return this.cachedValue;
  }

  /** True if a new value of a part always gives this record a new value. */
  get alwaysChangesWithParts(): boolean {
    return true;
  }

  /** True if the value contains `part`. Some records are linked to parts that their value does not contain. */
  includesPart(_part: StoreRecord): boolean {
    return true;
  }

  /** Called before a part changes. */
  onPartDirty?(child: StoreRecord): void;

  /** Called when a part has appeared or disappeared. */
  protected onPartVisibilityChange?(child: StoreRecord): void;

  /** The current value, or INVALID: the same reference until something inside changes. Rethrows errors of `build`. */
  current(builder: Builder): unknown {
    if (this.flags & BUILDING) {
      this.flags |= READ_IN_CYCLE;
      return this.valueInCycle;
    }
    if (this.flags & DIRTY) this.#rebuild(builder);
    this.flags |= SHARED;
    if (this.flags & THREW) throw thrown.get(this);
    return this.cachedValue;
  }

  #rebuild(builder: Builder): void {
    buildDepth++;
    // a part read in a cycle may turn out to be incomplete: then this record is dirty again
    while (this.flags & DIRTY) {
      this.flags = (this.flags & ~(DIRTY | THREW | READ_IN_CYCLE)) | BUILDING;
      try {
        this.build(builder);
      } catch (error) {
        this.flags |= THREW | REREAD_PARTS;
        thrown.set(this, error);
      }
      this.flags &= ~BUILDING;
      if (this.flags & READ_IN_CYCLE && (this.flags & THREW || this.cachedValue === INVALID))
        markIncomplete(this);
    }
    this.flags &= ~READ_IN_CYCLE;
    if (buildDepth === 1 && incomplete.size > 0) {
      // no record stays dirty below a clean record
      for (const record of madeOfIncomplete) if (record.flags & DIRTY) record.#rebuild(builder);
      madeOfIncomplete.clear();
      incomplete.clear();
    }
    buildDepth--;
  }

  /** True while a subscriber is notified of each change. */
  get hasSubscribers(): boolean {
    const { cell, observers } = this;
    return isWatched(cell) || isWatched(observers?.result) || Boolean(observers?.listeners?.size);
  }

  /** True while a reader outside the store holds this record. */
  get isObserved(): boolean {
    return deref(this.cell) !== undefined || this.observers?.isHeld === true;
  }

  /** As `isObserved`; a reader that exists without reading counts as well, because it could read at any time. */
  get isRetained(): boolean {
    return this.isObserved || this.observers?.readerRef?.deref() !== undefined;
  }

  /** The records that garbage collection keeps as long as this record: its parts, and parts that may come back. */
  gcEdges(): NormalizedNode {
    return this.parts();
  }

  /** Logical time of the newest data here. A response to an older request may still have to give way to these data. */
  get latestTime(): number {
    return 0;
  }

  /** Forgets history that no response can contradict any more: all requests issued before `oldest` have ended. */
  pruneHistory?(oldest: number): void;

  /** True if all that is known of this record was received at or after this logical time. */
  isReceivedSince?(time: number): boolean;

  /** Called when a part may have become complete or incomplete with an unchanged value. */
  onPartCompletenessChange?(): void;

  /** Of a deleted record: Infinity, or the logical time at which a deletion that is still optimistic was issued. */
  get deletionIssued(): number | undefined {
    return undefined;
  }

  /** True if this record was deleted after this logical time: list memberships known before are void. */
  deletedSince(_time: number): boolean {
    return false;
  }

  /** `isNew`: all links of the parent are added in a row, so only the last member is compared. */
  addParent(parent: StoreRecord, isNew = false): void {
    const { parents } = this;
    if (parents === undefined) this.parents = parent;
    else if (!isNew || !Array.isArray(parents)) this.parents = withMember(parents, parent);
    else if (parents.at(-1) !== parent) parents.push(parent);
  }

  removeParent(parent: StoreRecord): void {
    this.parents = withoutMember(this.parents, parent);
  }

  hasParent(parent: StoreRecord): boolean {
    this.parents = searchable(this.parents);
    return hasMember(this.parents, parent);
  }

  get allParents(): Iterable<StoreRecord> {
    const { parents } = this;
    return parents instanceof StoreRecord ? [parents] : (parents ?? []);
  }

  /** This record appeared, disappeared, or has other members: live readers here and of all parents read again. */
  notifyVisibilityChange(): void {
    this.notifyShape();
    if (this.parents === undefined) return;
    for (const parent of this.allParents) parent.onPartVisibilityChange?.(this);
  }

  /** Notifies live readers of this record alone. */
  notifyShape(): void {
    if (DEV) onNotify?.(this, true);
    if (this.observers?.shape !== undefined) deref(this.observers.shape)?.tick();
  }

  /** Notifies the readers of this record alone. */
  notify(): void {
    if (DEV) onNotify?.(this);
    if (this.cell !== undefined) deref(this.cell)?.tick();
    this.observers?.notifyResult();
  }

  /** As `RecordObservers.listen`. */
  listen(listener: Listener): () => void {
    return (this.observers ??= new RecordObservers()).listen(listener);
  }
}

/*
 *   a ──► b ──► a    `a` and `b` need each other. While `a` is built, `b` assumes that `a` is complete. If another part
 *                    of `a` turns out to be missing, `a` is incomplete for the rest of this read, and `b` is rebuilt.
 *                    Every round adds an incomplete record, so they end. The largest set of complete records is left.
 */
/** The nesting depth of the values that are being built. */
export let buildDepth = 0;
/** Incomplete records that others in a cycle assumed to be complete. Cleared when the outermost value is built. */
const incomplete = new Set<StoreRecord>();
/** The records made of `incomplete` ones. No reader has their values yet. */
const madeOfIncomplete = new Set<StoreRecord>();

function markIncomplete(record: StoreRecord): void {
  incomplete.add(record);
  const found = [record];
  for (const child of found)
    for (const parent of child.allParents) {
      if (parent.flags & DIRTY || incomplete.has(parent)) continue;
      parent.flags |= DIRTY | REREAD_PARTS;
      madeOfIncomplete.add(parent);
      found.push(parent);
    }
}
