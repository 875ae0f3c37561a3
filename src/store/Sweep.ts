/** When what nobody needs goes: after its time, in slices that hold no frame. */
import type { Clock } from '../clock.ts';
import { eachRecord } from './eachRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { isFleeting, NEVER } from './order.ts';
import type { Stamp } from './order.ts';
import { AGE } from './Record.ts';
import type { Record } from './Record.ts';
import type { Failure } from './Result.ts';

/*
 *   result ──► list ──► row ──► author     A record is needed while it, or something whose value is made of it, is read,
 *     ▲          ▲       ▲        │        was used lately or is fresh. Links are exact, so this is asked upward, one
 *     └──────────┴───────┴────────┘        record after the other, and nothing has to be remembered between slices.
 *
 * Where nobody needs a record, nobody needs any of those that were asked: they go together.
 */

// ms; a frame has 16, and what the engine does meanwhile (compiling, collecting) comes on top
const SLICE = 2;
const PAUSE = 16;
// the most units of work in one slice, should the clock stand, and how many records one of them looks at
const MOST = 500;
const STEPS = 32;
// how often in `sweepAfter` a round begins, and how many ages of records `maxEntities` tells apart
const CYCLES = 4;
const AGES = 16;
// flags stay small integers
const LAST_AGE = 262_144;
// the longest that a timer can wait
const LONGEST = 2_147_483_647;
const FIVE_MINUTES = 300_000;

/** When what nobody reads goes. */
export interface Lifetimes {
  /**
   * Milliseconds that what nobody reads stays in memory, from when it was last read, written or asked for, or from its
   * expiry if that is later. It goes within a quarter of this time after. Default 300,000; Infinity: for ever.
   */
  readonly sweepAfter?: number | undefined;
  /**
   * When more entities than this are stored, those that nobody reads go before their time, the least recently used
   * first, and so do requests that nobody shows. Default: no limit.
   */
  readonly maxEntities?: number | undefined;
}

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

/** What a sweep is lent. */
export interface Surroundings extends Lifetimes {
  readonly clock: Clock;
  readonly flights: Flights;
}

export class Sweep {
  readonly #stock: Stock;
  readonly #flights: Flights;
  readonly #clock: Clock;
  readonly #after: number;
  readonly #most: number;
  #timer: unknown;
  #round: Generator<undefined, void> | undefined;
  /** Grows with each round; what is used is stamped with it, so that using costs no look at the clock. */
  #age = 1;
  /** Wall time at which each age ended, as far back as it matters; Infinity: it has not. */
  readonly #ended = new Map<number, number>();
  #births = 0;
  /** More entities than this are too many. */
  #limit: number;
  /** Wall time, and what layers need, as of this slice. */
  #now = 0;
  #pinned: ReadonlySet<Record> = new Set();

  constructor(stock: Stock, surroundings: Surroundings) {
    const { clock, flights, sweepAfter = FIVE_MINUTES, maxEntities = Infinity } = surroundings;
    this.#stock = stock;
    this.#flights = flights;
    this.#clock = clock;
    this.#after = sweepAfter;
    this.#most = maxEntities;
    this.#limit = maxEntities;
  }

  /** What stands there under a name. */
  find<R extends Record>(shelf: Shelf<R>, name: string): R | undefined {
    const record = shelf.records.get(name);
    return record && this.use(record);
  }

  /** A record was made. */
  born<R extends Record>(record: R): R {
    this.#timer ??= this.#wait(this.#period);
    if (++this.#births > this.#most / AGES) this.#grow();
    return this.use(record);
  }

  /** Somebody takes hold of a record. */
  use<R extends Record>(record: R): R {
    record.flags = (record.flags & (AGE - 1)) | (this.#age * AGE);
    return record;
  }

  /** To be run after each commit: too many entities do not wait for the next round. */
  watch(): void {
    if (this.#limit === Infinity || this.#round !== undefined) return;
    if (this.#stock.entities <= this.#limit) return;
    this.#clock.clear(this.#timer);
    this.#timer = this.#wait(0);
  }

  /** Everything that nobody needs goes now, whatever its age. Gives how many records stay. */
  now(): number {
    this.#look();
    for (const _ of this.#begin(true));
    this.#rest();
    return this.#size;
  }

  /** Waits no longer, until the next record is made. */
  stop(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }

  /** To be run when the store was emptied. */
  emptied(): void {
    if (this.#size === 0) this.#rest();
  }

  /** The round is over. */
  #rest(): void {
    this.stop();
    this.#round = undefined;
    if (this.#size > 0) this.#timer = this.#wait(this.#period);
    const { entities } = this.#stock;
    // those that must stay are not gone through again for each that comes
    this.#limit = entities <= this.#most ? this.#most : entities + this.#most / AGES;
  }

  get #period(): number {
    return Math.max(this.#after / CYCLES, PAUSE);
  }

  get #size(): number {
    let size = 0;
    for (const { records } of this.#stock.shelves()) size += records.size;
    return size;
  }

  /** The timer holds nobody: a store that was let go is not kept by its sweep. */
  #wait(ms: number): unknown {
    if (ms === Infinity) return undefined;
    const self = new WeakRef(this);
    return this.#clock.after(Math.min(ms, LONGEST), () => {
      const sweep = self.deref();
      if (sweep !== undefined) sweep.#slice();
    });
  }

  #slice(): void {
    const clock = this.#clock;
    const until = this.#look() + SLICE;
    const round = (this.#round ??= this.#begin(false));
    for (let units = 1; units < MOST; units++) {
      if (round.next().done === true) return this.#rest();
      if (clock.now() >= until) break;
    }
    this.#timer = this.#wait(PAUSE);
  }

  #look(): number {
    this.#pinned = this.#stock.layers.pinned();
    return (this.#now = this.#clock.now());
  }

  *#begin(atOnce: boolean): Generator<undefined, void> {
    this.#grow();
    const { entities } = this.#stock;
    const needed = new Set<Record>();
    const stays = (record: Record) => this.#wanted(record) || (!atOnce && this.#isYoung(record));
    for (const one of this.#each()) {
      if (one === undefined) yield;
      else this.#drop(this.#unneeded(one.record, stays, needed), one.shelf);
    }
    // some room is made for those to come
    if (entities > this.#most) yield* this.#makeRoom(Math.ceil(this.#most * (1 - 1 / AGES)));
  }

  /** All records, and at times undefined: there a slice may end. */
  *#each(): Generator<{ readonly record: Record; readonly shelf: Shelf } | undefined> {
    const oldest = this.#flights.oldest();
    let steps = 0;
    for (const shelf of this.#stock.shelves()) {
      for (const record of shelf.records.values()) {
        record.settle(oldest);
        yield { record, shelf };
        if (++steps % STEPS === 0) yield undefined;
      }
    }
  }

  /** Drops the least recently used, and what is made of them. */
  *#makeRoom(room: number): Generator<undefined, void> {
    const stays = (record: Record) => this.#wanted(record);
    const needed = new Set<Record>();
    const spare: (readonly [number, Record])[] = [];
    for (const one of this.#each()) {
      const record = one?.record;
      if (record === undefined) yield;
      else if (record instanceof EntityRecord) {
        const line = this.#unneeded(record, stays, needed);
        if (line !== undefined) spare.push([youngest(line), record]);
      }
    }
    for (const [age, record] of spare.sort(([one], [other]) => one - other)) {
      if (this.#stock.entities <= room) return;
      // who was used since stays
      const line = this.#unneeded(record, stays, new Set());
      if (line !== undefined && youngest(line) <= age) this.#drop(line);
      yield;
    }
  }

  /** All that is made of a record, and itself, where nobody needs any of them. `needed`: known in this round. */
  #unneeded(
    record: Record,
    stays: (record: Record) => boolean,
    needed: Set<Record>,
  ): ReadonlySet<Record> | undefined {
    const line = new Set([record]);
    for (const one of line) {
      if (needed.has(one) || stays(one)) {
        needed.add(one).add(record);
        return undefined;
      }
      for (const parent of one.allParents) if (parent.shows(one)) line.add(parent);
    }
    return line;
  }

  #wanted(record: Record): boolean {
    if (record.wanted) return true;
    // who read it has gone
    record.cell = undefined;
    record.fine = undefined;
    if (this.#pinned.has(record)) return true;
    // an answer on its way that is older than what is known here must find it
    const oldest = this.#flights.oldest();
    return oldest < Infinity && (oldest < record.latest || this.#flights.has(record.pk));
  }

  /** It was used lately, or is fresh. */
  #isYoung(record: Record): boolean {
    if (isFleeting(stampIn(record))) return false;
    const used = this.#ended.get(ageOf(record)) ?? 0;
    return this.#now < Math.max(used, expiryOf(record)) + this.#after;
  }

  /** `first`: where the first of them is. */
  #drop(line: ReadonlySet<Record> | undefined, first?: Shelf): void {
    let shelf = first;
    for (const record of line ?? []) {
      shelf ??= this.#stock.shelfOf(record);
      if (shelf?.release(record.pk) === true)
        eachRecord(record.needs(), (part) => part.removeParent(record));
      shelf = undefined;
    }
  }

  /** What is used from now on is younger than all that was used before. */
  #grow(): void {
    const now = this.#clock.now();
    this.#births = 0;
    this.#ended.set(this.#age, now);
    this.#age = (this.#age + 1) % LAST_AGE;
    this.#ended.set(this.#age, Infinity);
    for (const [age, ended] of this.#ended) {
      if (ended + this.#after > now) return;
      this.#ended.delete(age);
    }
  }
}

/** The age in which somebody last took hold of the record: a number that grows with time. */
function ageOf(record: Record): number {
  return Math.floor(record.flags / AGE);
}

function youngest(records: Iterable<Record>): number {
  let age = 0;
  for (const record of records) age = Math.max(age, ageOf(record));
  return age;
}

/** Wall time, ms, until when what is stored there is fresh. */
function expiryOf(record: Record): number {
  const { failure } = record as { readonly failure?: Failure };
  return Math.max(stampIn(record).expiresAt, failure?.expiresAt ?? 0);
}

function stampIn(record: Record): Stamp {
  return (record as { readonly stamp?: Stamp }).stamp ?? NEVER;
}
