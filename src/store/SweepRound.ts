/** One search for what nobody needs, in units of work between which the program goes on. */
import { eachRecord } from './eachRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { AGE } from './flags.ts';
import type { Record } from './Record.ts';

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
export interface Shelf<R extends Record = Record> {
  readonly records: ReadonlyMap<string, R>;
  release(name: string): boolean;
}

export interface Flights {
  /** Logical time at which the oldest request under way was issued. */
  oldest(): number;
  has(key: string): boolean;
}

/** What there is to sweep. */
export interface Stock {
  shelves(): Iterable<Shelf>;
  /** Where a record is; undefined for what is kept by others. */
  shelfOf(record: Record): Shelf | undefined;
  /** What writes that are not confirmed yet lie on, or were made of. */
  readonly layers: { pinned(): ReadonlySet<Record> };
  /** How many entities are stored. */
  readonly entities: number;
}

/** What a round is lent. */
export interface Plan {
  readonly stock: Stock;
  readonly flights: Flights;
  /** True for a record that nobody wants, and whose time has not come. */
  isYoung(record: Record): boolean;
  /** A record was taken out: `part` is not shown by it any more. */
  leave(record: Record, part: Record): void;
  /** How many entities may stay; Infinity: all whose time has not come. */
  readonly room: number;
}

export type Work = Generator<undefined, void>;

export class SweepRound {
  readonly #plan: Plan;
  /** As of this slice. */
  pinned: ReadonlySet<Record> = new Set();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  *run(): Work {
    const needed = new Set<Record>();
    const stays = (record: Record) => this.#isWanted(record) || this.#plan.isYoung(record);
    for (const one of this.#each()) {
      if (one === undefined) yield;
      else this.#drop(this.#unneeded(one.record, stays, needed), one.shelf);
    }
    if (this.#plan.room < Infinity) yield* this.#makeRoom();
  }

  /** All records, and at times undefined: there a slice may end. */
  *#each(): Generator<{ readonly record: Record; readonly shelf: Shelf } | undefined> {
    const { stock, flights } = this.#plan;
    const oldest = flights.oldest();
    let steps = 0;
    for (const shelf of stock.shelves()) {
      for (const record of shelf.records.values()) {
        record.settle(oldest);
        yield { record, shelf };
        if (++steps % STEPS === 0) yield undefined;
      }
    }
  }

  /** Drops the least recently used entities, with what is made of them. */
  *#makeRoom(): Work {
    const { stock, room } = this.#plan;
    const stays = (record: Record) => this.#isWanted(record);
    const needed = new Set<Record>();
    const spare: (readonly [age: number, record: Record])[] = [];
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
    record: Record,
    stays: (record: Record) => boolean,
    needed: Set<Record>,
  ): ReadonlySet<Record> | undefined {
    const line = new Set([record]);
    // a set that grows while it is walked is walked to its end
    for (const one of line) {
      if (needed.has(one) || stays(one)) {
        needed.add(one).add(record);
        return undefined;
      }
      for (const parent of one.allParents) if (parent.shows(one)) line.add(parent);
    }
    return line;
  }

  #isWanted(record: Record): boolean {
    if (record.wanted) return true;
    // who read it has gone
    record.cell = undefined;
    record.fine = undefined;
    if (this.pinned.has(record)) return true;
    // an answer on its way that is older than what is known here must find it
    const { flights } = this.#plan;
    const oldest = flights.oldest();
    return oldest < Infinity && (oldest < record.latest || flights.has(record.pk));
  }

  /** `first`: where the first of them is. */
  #drop(line: ReadonlySet<Record> | undefined, first?: Shelf): void {
    let shelf = first;
    for (const record of line ?? []) {
      shelf ??= this.#plan.stock.shelfOf(record);
      if (shelf?.release(record.pk) === true)
        eachRecord(record.needs(), (part) => this.#plan.leave(record, part));
      shelf = undefined;
    }
  }
}

/** The age in which somebody last took hold of a record: a number that grows with time. */
export function ageOf(record: Record): number {
  return Math.floor(record.flags / AGE);
}

function youngest(records: Iterable<Record>): number {
  let age = 0;
  for (const record of records) age = Math.max(age, ageOf(record));
  return age;
}
