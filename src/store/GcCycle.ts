/** One search for what nobody needs, in units of work between which the program goes on. */
import { eachRecord } from './eachRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { GC_AGE } from './flags.ts';
import type { StoreRecord } from './StoreRecord.ts';

/*
 *   result ──► list ──► row ──► author     A record is needed while it, or something whose value is made of it, is read,
 *     ▲          ▲       ▲        │        was used lately or is fresh. Links are exact, so this is asked upward, one
 *     └──────────┴───────┴────────┘        record after the other, and nothing has to be remembered between slices.
 *
 * Where nobody needs a record, nobody needs any of those that were asked: they go together.
 */

// how many records one unit of work looks at
const STEPS = 32;

/** Records by name, and how one is taken out: false where it must stay. */
export interface GcTable<R extends StoreRecord = StoreRecord> {
  readonly records: ReadonlyMap<string, R>;
  release(name: string): boolean;
}

export interface RequestRoots {
  /** Logical time at which the oldest request under way was issued. */
  oldest(): number;
  has(key: string): boolean;
}

/** What there is to sweep. */
export interface GcHeap {
  gcTables(): Iterable<GcTable>;
  /** Where a record is; undefined for what is kept by others. */
  gcTableOf(record: StoreRecord): GcTable | undefined;
  /** What writes that are not confirmed yet lie on, or were made of. */
  readonly layers: { gcRoots(): ReadonlySet<StoreRecord> };
  /** How many entities are stored. */
  readonly entities: number;
}

/** What a round is lent. */
export interface GcPolicy {
  readonly stock: GcHeap;
  readonly flights: RequestRoots;
  /** True for a record that nobody wants, and whose time has not come. */
  isYoung(record: StoreRecord): boolean;
  /** A record was taken out: `part` is not shown by it any more. */
  leave(record: StoreRecord, part: StoreRecord): void;
  /** How many entities may stay; Infinity: all whose time has not come. */
  readonly room: number;
}

export type GcWork = Generator<undefined, void>;

export class GcCycle {
  readonly #plan: GcPolicy;
  /** As of this slice. */
  pinned: ReadonlySet<StoreRecord> = new Set();

  constructor(plan: GcPolicy) {
    this.#plan = plan;
  }

  *run(): GcWork {
    const needed = new Set<StoreRecord>();
    const stays = (record: StoreRecord) => this.#isWanted(record) || this.#plan.isYoung(record);
    for (const one of this.#each()) {
      if (one === undefined) yield;
      else this.#drop(this.#unneeded(one.record, stays, needed), one.shelf);
    }
    if (this.#plan.room < Infinity) yield* this.#makeRoom();
  }

  /** All records, and at times undefined: there a slice may end. */
  *#each(): Generator<{ readonly record: StoreRecord; readonly shelf: GcTable } | undefined> {
    const { stock, flights } = this.#plan;
    const oldest = flights.oldest();
    let steps = 0;
    for (const shelf of stock.gcTables()) {
      for (const record of shelf.records.values()) {
        record.pruneHistory(oldest);
        yield { record, shelf };
        if (++steps % STEPS === 0) yield undefined;
      }
    }
  }

  /** Drops the least recently used entities, with what is made of them. */
  *#makeRoom(): GcWork {
    const { stock, room } = this.#plan;
    const stays = (record: StoreRecord) => this.#isWanted(record);
    const needed = new Set<StoreRecord>();
    const spare: (readonly [age: number, record: StoreRecord])[] = [];
    for (const one of this.#each()) {
      const record = one?.record;
      if (record === undefined) yield;
      else if (record instanceof EntityRecord) {
        const line = this.#unneeded(record, stays, needed);
        if (line !== undefined) spare.push([youngest(line), record]);
      }
    }
    for (const [age, record] of spare.sort(([one], [other]) => one - other)) {
      if (stock.entities <= room) return;
      const line = this.#unneeded(record, stays, new Set());
      // who was used since stays
      if (line !== undefined && youngest(line) <= age) this.#drop(line);
      yield;
    }
  }

  /** A record and all that is made of it, where nobody needs any of them. `needed`: known in this round. */
  #unneeded(
    record: StoreRecord,
    stays: (record: StoreRecord) => boolean,
    needed: Set<StoreRecord>,
  ): ReadonlySet<StoreRecord> | undefined {
    const line = new Set([record]);
    // a set that grows while it is walked is walked to its end
    for (const one of line) {
      if (needed.has(one) || stays(one)) {
        needed.add(one).add(record);
        return undefined;
      }
      for (const parent of one.allParents) if (parent.includesPart(one)) line.add(parent);
    }
    return line;
  }

  #isWanted(record: StoreRecord): boolean {
    if (record.isRetained) return true;
    // who read it has gone
    record.cell = undefined;
    record.observers = undefined;
    if (this.pinned.has(record)) return true;
    // an answer on its way that is older than what is known here must find it
    const { flights } = this.#plan;
    const oldest = flights.oldest();
    return oldest < Infinity && (oldest < record.latestTime || flights.has(record.pk));
  }

  /** `first`: where the first of them is. */
  #drop(line: ReadonlySet<StoreRecord> | undefined, first?: GcTable): void {
    let shelf = first;
    for (const record of line ?? []) {
      shelf ??= this.#plan.stock.gcTableOf(record);
      if (shelf?.release(record.pk) === true)
        eachRecord(record.gcEdges(), (part) => this.#plan.leave(record, part));
      shelf = undefined;
    }
  }
}

/** The age in which somebody last took hold of a record: a number that grows with time. */
export function ageOf(record: StoreRecord): number {
  return Math.floor(record.flags / GC_AGE);
}

function youngest(records: Iterable<StoreRecord>): number {
  let age = 0;
  for (const record of records) age = Math.max(age, ageOf(record));
  return age;
}
