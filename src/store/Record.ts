/** What every stored thing is: a value built when read, the records that show it, and the readers to be told. */
import { DEV, report } from '../diagnostics.ts';
import { announce, held } from '../reactive.ts';
import type { Cell, Held, Listener } from '../reactive.ts';
import { Ref } from '../schema/schema.ts';
import type { Args, Kind, Node, Source } from '../schema/schema.ts';
import { Crowd } from './Crowd.ts';
import { Fine } from './Fine.ts';
import { witness } from './witness.ts';

/*
 *   list ───────────┐           A record holds the value that readers get, with the values of other records inside.
 *    │   result     │           A write changes one record, then `changed` goes up along `parents` and marks what
 *    ▼     │        ▼           embeds it dirty, stopping where it is dirty already. Values are rebuilt when somebody
 *   todo ◄─┘      todo          reads. Edges are plain pointers: no node of the signal engine is spent on them.
 *    │              │
 *    └──► author ◄──┘           Downward: `current` builds what is dirty. Upward: `changed` marks and tells.
 */

/** The value must be rebuilt before it is read. */
export const DIRTY = 1;
/** A reader holds the value: it must be copied, not changed. */
export const SEEN = 2;
/** The value is being built further up the call stack. */
export const BUILDING = 4;
/** Something the value needs is missing. */
export const BROKEN = 8;
/** What the value is made of changed since its parts were told who shows them. */
export const UNLINKED = 16;
/** Passed by a walk that visits each record once; cleared by that walk. */
export const MARKED = 32;
/** Layers above it are to be looked at, at the end of the commit. */
export const TOUCHED = 64;
/** All that show it are dirty already: a change of it is no news to them. */
const HEARD = 128;
/** It was found dirty while something was read, and nobody was told: the next change is news. */
export const SOILED = 256;
/** A sweep took it out of its table. */
export const GONE = 512;
/** Two bits: the colour of the cycle that last found the record needed; 0: made since (see Cycle). */
export const COLOURS: number = 1024 + 2048;
/** From this bit on stands the age in which somebody last needed the record (see Sweep). */
export const AGE = 4096;

/** A source that builds records and links them to who shows them. */
export interface Builder extends Source {
  /** Whom the parts that are asked next are to be linked to. */
  owner: Record | undefined;
  /** What a reader outside gets for `record`, or INVALID. */
  read(record: Record): unknown;
}

const FEW = 16;

export abstract class Record extends Ref {
  flags = 0;
  /** The records whose value shows this one's. Entries may be outdated: `holds` is asked when they are walked. */
  parents: Record | Record[] | Crowd<Record> | undefined = undefined;
  cell: Held<Cell<unknown>> = undefined;
  fine: Fine | undefined = undefined;
  /** Where unconfirmed writes lie above what is confirmed of it: see Layered. */
  layered: object | undefined = undefined;
  declare readonly kind?: Kind;
  /** Of a request: who reads it. */
  declare readonly args?: Args;

  /** As `Composite.kept`. */
  kept?(): object | undefined;
  /** Of what is derived from entities: its value with what `row` gives in their place, or INVALID. */
  lively?(builder: Builder, row: (member: Record) => object): unknown;

  /** Shows another record in the place of one: `swap` gives a node with it. */
  swap?(swap: (node: Node) => Node, source: Source): void;

  /** The value for readers or INVALID, as last built. */
  protected abstract get held(): unknown;
  /** Rebuilds the value from its parts and clears DIRTY. */
  protected abstract build(builder: Builder): void;
  /** True when this record's value shows `child`'s. */
  abstract holds(child: Record): boolean;
  /** Notes that a child changed (`flipped`: it came or went). True when this record was not known to be dirty. */
  abstract taint(child: Record, flipped: boolean): boolean;
  /** The nodes this record's value is made of. */
  abstract parts(): Node;

  /** True while a change of a part, which neither comes nor goes, is nothing new. */
  get deaf(): boolean {
    return false;
  }

  /** A record with the same content that nobody shows; this one, where it holds no content of its own. */
  aside(): Record {
    return this;
  }

  /** What readers get now, or INVALID. The same reference until something in it changes. */
  current(builder: Builder): unknown {
    if ((this.flags & (DIRTY | BUILDING)) === DIRTY) {
      const { owner } = builder;
      builder.owner = this.flags & UNLINKED ? this : undefined;
      this.flags &= ~SOILED;
      let failed = true;
      try {
        this.build(builder);
        failed = false;
      } finally {
        builder.owner = owner;
        // a function of the user's threw: the next read builds again, and the next change notifies again
        this.flags = failed ? (this.flags & ~BUILDING) | DIRTY | SOILED : this.flags & ~UNLINKED;
      }
    }
    this.flags = (this.flags | SEEN) & ~HEARD;
    return this.held;
  }

  /** True when a reader outside holds on to this record. */
  get read(): boolean {
    return held(this.cell) !== undefined || this.fine?.held === true;
  }

  /** As `read`; a reader that only is there, and could show it at any time, counts as well. */
  get wanted(): boolean {
    return this.read || this.fine?.reader?.deref() !== undefined;
  }

  /** What must stay as long as this does: its parts, and what may come back to it. */
  needs(): Node {
    return this.parts();
  }

  /** Logical time of the latest that is known here: an answer to an older request may still have to give way to it. */
  get latest(): number {
    return 0;
  }

  /** Forgets what no answer can deny any more: all requests issued before `oldest` are over. */
  settle(_oldest: number): void {}

  /** A part may be complete now, or not any more, though it reads as it did. */
  filled?(): void;

  /** True when readers of a list that holds it may not see it. */
  get mayHide(): boolean {
    return false;
  }

  /** Of what is deleted: Infinity, or when the deletion was issued that is only expected. */
  get gone(): number | undefined {
    return undefined;
  }

  /** True when it was deleted after this logical time: what was known of lists before does not hold. */
  deletedSince(_time: number): boolean {
    return false;
  }

  addParent(parent: Record): void {
    const { parents } = this;
    if (parents === parent) return;
    this.flags &= ~HEARD;
    if (parents === undefined) this.parents = parent;
    else if (parents instanceof Record) this.parents = [parents, parent];
    else if (!Array.isArray(parents)) parents.add(parent);
    else if (!parents.includes(parent) && parents.push(parent) > FEW)
      this.parents = new Crowd(parents);
  }

  removeParent(parent: Record): void {
    const { parents } = this;
    if (parents === parent) this.parents = undefined;
    else if (Array.isArray(parents)) dropAt(parents, parents.indexOf(parent));
    else if (parents instanceof Crowd) parents.members.delete(parent);
  }

  hasParent(parent: Record): boolean {
    const { parents } = this;
    if (parents === undefined || parents instanceof Record) return parents === parent;
    return Array.isArray(parents) ? parents.includes(parent) : parents.members.has(parent);
  }

  get allParents(): Iterable<Record> {
    const { parents } = this;
    if (parents instanceof Crowd) return parents.members;
    return parents instanceof Record ? [parents] : (parents ?? []);
  }

  /** Tells live readers that this came, went, or has other members. */
  reshape(): void {
    if (DEV) witness?.(this, true);
    if (this.fine?.shape !== undefined) held(this.fine.shape)?.tick();
  }

  /** Tells the readers of this record alone. */
  tell(): void {
    if (DEV) witness?.(this);
    if (this.cell !== undefined) held(this.cell)?.tick();
    if (this.fine === undefined) return;
    if (this.fine.result !== undefined) held(this.fine.result)?.tick();
    announce(this.fine);
  }

  /**
   * Runs `listener` once after each commit that changed this record, or the first such commit since the value was read.
   * An exception of `listener` is reported. Gives back how to stop.
   */
  listen(listener: Listener): () => void {
    const fine = (this.fine ??= new Fine());
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

// who is still to be climbed from: one for all walks, each from where it found it
const line: Record[] = [];

/** `record` changed: tells its readers and marks everything that shows it, upward, each record once. */
export function changed(record: Record, flipped = false): void {
  record.tell();
  const start = line.length;
  climb(record, flipped);
  while (line.length > start) {
    const child = line.pop() as Record;
    child.tell();
    climb(child, false);
  }
}

/** Marks everything that shows `record`, without telling: what it says was found while reading. */
export function soil(record: Record): void {
  const start = line.length;
  climb(record, true, SOILED);
  while (line.length > start) climb(line.pop() as Record, true, SOILED);
}

function climb(child: Record, flipped: boolean, soiled = 0): void {
  const { parents } = child;
  if (parents === undefined || (child.flags & HEARD && !flipped)) return;
  if (parents instanceof Record) {
    if (!stays(parents, child, flipped, soiled)) child.parents = undefined;
  } else if (Array.isArray(parents)) {
    for (let i = parents.length - 1; i >= 0; i--)
      if (!stays(parents[i] as Record, child, flipped, soiled)) dropAt(parents, i);
  } else {
    let deaf = true;
    for (const parent of parents.members) {
      if (!stays(parent, child, flipped, soiled)) child.removeParent(parent);
      else if (deaf) deaf = parent.deaf;
    }
    if (deaf) child.flags |= HEARD;
  }
}

/** Marks one that shows `child`; false where it does no more. */
function stays(parent: Record, child: Record, flipped: boolean, soiled: number): boolean {
  if (!parent.holds(child)) return false;
  if (parent.taint(child, flipped) || (soiled === 0 && parent.flags & SOILED)) {
    parent.flags = (parent.flags & ~SOILED) | soiled;
    line.push(parent);
  }
  return true;
}

/** Removes one entry of an unordered array: the last takes its place. */
function dropAt<T>(array: T[], at: number): void {
  if (at < 0) return;
  const last = array.pop() as T;
  if (at < array.length) array[at] = last;
}
