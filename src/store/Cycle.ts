/** One search for what nobody needs: it tells by tracing what is needed, in units of work between which it may pause. */
import type { Node } from '../schema/schema.ts';
import { EntityRecord } from './EntityRecord.ts';
import { NO_NODES } from './EntityValue.ts';
import { layeredOf } from './Layered.ts';
import { eachRecord } from './eachRecord.ts';
import { AGE, COLOURS, GONE } from './Record.ts';
import type { Record } from './Record.ts';

/*
 *   scan    every record: wanted ones are marked, the others wait by their age
 *   trace   what marked ones need is marked, and is as young as they are
 *   spare   of those that wait, the youngest first: who is not old enough to go is marked with all it needs
 *   drop    what is not marked leaves its table; then parents that went are forgotten
 *
 * While it pauses the program goes on. What holds throughout:
 *
 *   1. Whoever is marked: all it needed when it was marked is marked, or waits in `gray`.
 *   2. A record is found by name, or held for the first time, through `Sweep`, which marks it. An edge is changed only
 *      by who found one of its two ends just before. So what was needed when the cycle began, or came to be needed
 *      since, ends up marked, whoever points to it by then.
 *   3. From the instant at which `gray` is empty, what is not marked is needed by nobody: it is missing for whoever
 *      asks by name, be it in its table still.
 */

// how many records one unit of work looks at; how many members a chunk of a long list has
const STEPS = 32;
const CHUNK = 256;
const COLOUR = COLOURS & -COLOURS;

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
  /** They pin what writes that are not confirmed yet lie on, or were made of. */
  readonly layers: { pins(record: Record): boolean };
  /** How many entities are stored. */
  readonly entities: number;
}

/** What a cycle is lent. */
export interface Plan {
  readonly stock: Stock;
  readonly flights: Flights;
  /** Readers need this record now. */
  rejuvenate(record: Record): void;
  /** True for a record that nobody wants, and whose time has not come. */
  stays(record: Record): boolean;
  /** How many entities may stay; Infinity: all whose time has not come. */
  readonly room: number;
}

export type Work<T = void> = Generator<undefined, T>;

export class Cycle {
  readonly #plan: Plan;
  readonly #colour: number;
  readonly #gray: Node[] = [];
  /** What is marked is needed by readers. */
  #wanted = true;
  /** From the instant at which it is certain that nobody needs what is not marked. */
  dropping = false;
  /** Entities that are marked. */
  #entities = 0;
  #steps = 0;

  /** `turn` numbers the cycles of a store. The third cycle after this one may have its colour: none has it by then. */
  constructor(plan: Plan, turn: number) {
    this.#plan = plan;
    this.#colour = COLOUR * ((turn % 3) + 1);
  }

  /** True for a record that nobody needs, and which is in its table still. */
  doomed(record: Record): boolean {
    return this.dropping && !this.#isMarked(record);
  }

  #isMarked(record: Record): boolean {
    return (record.flags & COLOURS) === this.#colour;
  }

  mark(record: Record): void {
    if (this.#isMarked(record)) return;
    record.flags = (record.flags & ~COLOURS) | this.#colour;
    if (record instanceof EntityRecord) this.#entities++;
    if (this.#wanted) this.#plan.rejuvenate(record);
    const needs = record.needs();
    if (needs !== NO_NODES) this.#gray.push(needs);
    const layered = layeredOf(record);
    if (layered !== undefined) this.#gray.push(layered.needs);
  }

  *run(): Work {
    const oldest = this.#plan.flights.oldest();
    // keys that are integers stand in their order
    const waiting: { [age: number]: Record[] } = {};
    yield* this.#each((record) => {
      record.settle(oldest);
      if (this.#needed(record, oldest)) this.mark(record);
      else (waiting[ageOf(record)] ??= []).push(record);
    });
    yield* this.#trace();
    this.#wanted = false;
    yield* this.#spare(Object.values(waiting).reverse());
    yield* this.#trace();
    // no yield in between: the end of marking and the doom of all others are one instant
    this.dropping = true;
    let went = false;
    yield* this.#each((record, shelf) => {
      if (this.doomed(record)) went = drop(shelf, record) || went;
    });
    if (went) yield* this.#each(unlink);
  }

  *#each(visit: (record: Record, shelf: Shelf) => void): Work {
    for (const shelf of this.#plan.stock.shelves()) {
      for (const record of shelf.records.values()) {
        visit(record, shelf);
        if (this.#pauses()) yield;
      }
    }
  }

  /** True at each last of some steps that make one unit of work. */
  #pauses(): boolean {
    return ++this.#steps % STEPS === 0;
  }

  #needed(record: Record, oldest: number): boolean {
    if (record.wanted) return true;
    // who read it has gone
    record.cell = undefined;
    record.fine = undefined;
    if (this.#plan.stock.layers.pins(record)) return true;
    // an answer on its way that is older than what is known here must find it
    return oldest < Infinity && (oldest < record.latest || this.#plan.flights.has(record.pk));
  }

  *#trace(): Work {
    yield* walk(this.#gray, (record) => this.mark(record));
  }

  /** Marks those whose time has not come, as far as there is room; the youngest stand first. */
  *#spare(waiting: readonly Record[][]): Work {
    const { room } = this.#plan;
    for (const peers of waiting) {
      for (const record of peers) {
        if (this.#pauses()) yield;
        if (this.#isMarked(record) || !this.#plan.stays(record)) continue;
        if (room === Infinity || (yield* this.#fits(record, room))) this.mark(record);
      }
    }
  }

  /** True when there is room for the entities that would stay with the record. */
  *#fits(record: Record, room: number): Work<boolean> {
    yield* this.#trace();
    let entities = this.#entities;
    const seen = new Set<Record>();
    const gray: Node[] = [record];
    const count = (each: Record): void => {
      if (seen.has(each) || this.#isMarked(each)) return;
      seen.add(each);
      if (each instanceof EntityRecord) entities++;
      gray.push(each.needs());
    };
    for (const _ of walk(gray, count)) {
      if (entities > room) return false;
      yield;
    }
    return entities <= room;
  }
}

/** Who stays forgets those parents that went. */
function unlink(record: Record): void {
  for (const parent of Array.from(record.allParents))
    if (parent.flags & GONE) record.removeParent(parent);
}

/** Takes one out of its table; true when it went. */
export function drop(shelf: Shelf, record: Record): boolean {
  const goes = shelf.release(record.pk);
  // who must stay though nobody needs it is as if made anew
  record.flags = (record.flags & ~COLOURS) | (goes ? GONE : 0);
  return goes;
}

/** The age in which somebody last needed the record: a number that grows with time. */
export function ageOf(record: Record): number {
  return Math.floor(record.flags / AGE);
}

/** Visits each record in the nodes of `gray` until it is empty. Lists may change meanwhile: long ones are copied. */
function* walk(gray: Node[], visit: (record: Record) => void): Work {
  for (let steps = 1; gray.length > 0; steps++) {
    const node = gray.pop();
    const long = Array.isArray(node) && node.length >= CHUNK;
    if (long && node.length > CHUNK) {
      for (let at = 0; at < node.length; at += CHUNK) gray.push(node.slice(at, at + CHUNK));
    } else eachRecord(node, visit);
    if (long || steps % STEPS === 0) yield;
  }
}
