/** The live object of one entity: its fields are tracked one by one when they are read. */
import { Cell, unseen } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import type { Fields } from '../schema/schema.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import type { Fine, Strand } from '../store/Fine.ts';
import type { Record } from '../store/Record.ts';
import { shapeOf } from './shapeOf.ts';

/*
 *   who reads ──► face ──► LiveObject ──► cell of `id` ──► cell of `title`     one per field that somebody read
 *                 proxy        ▲  ▲              │                   │
 *   record.fine.live ──────────┘  └──────────────┴───────────────────┘
 *   weakly; firmly while one of the cells is watched
 *
 * A write ticks the cells of the fields it changed and nothing else. Whoever holds a cell, or the face, holds all: one
 * weak reference serves an entity, and cells are a chain, for a Map would cost more than the few of them.
 */

const LIVE: unique symbol = Symbol('signalbox.live');
const STALE: unique symbol = Symbol('signalbox.stale');

/** What it asks of the source that made it. */
export interface Lender {
  /** The value of a field that is not plain: a nested member, or what a class makes by itself. */
  look(record: EntityRecord, name: string): unknown;
  /** The snapshots of a stored thing, as a signal. */
  cell(record: Record): ReadonlySignal<unknown>;
}

class FieldCell extends Cell<unknown> implements Strand {
  override readonly name: string;
  next: FieldCell | undefined = undefined;
  readonly #live: LiveObject;
  #value: unknown = STALE;

  constructor(live: LiveObject, name: string) {
    super();
    this.name = name;
    this.#live = live;
  }

  protected hold(firm: boolean): void {
    this.#live.hold(firm);
  }

  protected current(): unknown {
    if (this.#value === STALE) this.#value = this.#live.look(this.name);
    return this.#value;
  }

  override tick(): void {
    this.#value = STALE;
    super.tick();
  }
}

export class LiveObject {
  readonly lender: Lender;
  readonly record: EntityRecord;
  /** What readers get. */
  readonly face: object;
  first: FieldCell | undefined = undefined;
  readonly #fine: Fine;
  readonly #weak: WeakRef<LiveObject>;
  #watched = 0;

  constructor(lender: Lender, record: EntityRecord, fine: Fine) {
    this.lender = lender;
    this.record = record;
    this.face = new Proxy(this, handler);
    this.#fine = fine;
    fine.live = this.#weak = new WeakRef(this);
  }

  /** A cell has its first watcher, or lost its last. */
  hold(firm: boolean): void {
    this.#watched += firm ? 1 : -1;
    if (this.#watched === Number(firm)) this.#fine.live = firm ? this : this.#weak;
  }

  look(name: string): unknown {
    const { record, lender } = this;
    const { plan, Class } = record.kind;
    if (plan.shows === undefined && !plan.positions.has(name))
      return ((record.instance ?? Class.prototype) as Fields)[name];
    // what it is made of ticks its cell: the reader needs no other
    return unseen(() => lender.look(record, name));
  }

  known(name: string | symbol): FieldCell | undefined {
    let cell = this.first;
    while (cell !== undefined && cell.name !== name) cell = cell.next;
    return cell;
  }

  /** The signal of one field, with live nested things. */
  field(name: string): ReadonlySignal<unknown> {
    return this.known(name) ?? this.#add(new FieldCell(this, name));
  }

  /** Last in the chain: what is read first is what is read most, the key of a row. */
  #add(cell: FieldCell): FieldCell {
    let last = this.first;
    while (last?.next !== undefined) last = last.next;
    if (last === undefined) this.first = cell;
    else last.next = cell;
    return cell;
  }

  /** True for the names that are fields of the entity now. */
  has(name: string | symbol): name is string {
    const { instance } = this.record;
    return typeof name === 'string' && instance !== undefined && Object.hasOwn(instance, name);
  }

  /** True for what is tracked when it is read: fields, also those that may come. The members of the class are not. */
  tracks(name: string | symbol): name is string {
    return (
      this.has(name) || (typeof name === 'string' && !(name in this.record.kind.Class.prototype))
    );
  }
}

const handler: ProxyHandler<LiveObject> = {
  get(live, name, receiver) {
    if (name === LIVE) return live;
    const known = live.known(name);
    if (known !== undefined) return known.value;
    if (live.tracks(name)) return live.field(name).value;
    // getters run on the live object, so what they read is tracked
    return Reflect.get(live.record.kind.Class.prototype, name, receiver);
  },
  has(live, name) {
    void shapeOf(live.record).value;
    return live.has(name) || Reflect.has(live.record.kind.Class.prototype, name);
  },
  ownKeys(live) {
    void shapeOf(live.record).value;
    return Object.keys(live.record.instance ?? {});
  },
  getOwnPropertyDescriptor(live, name) {
    void shapeOf(live.record).value;
    if (!live.has(name)) return undefined;
    // not its value: who enumerates the fields reads none of them
    const get = () => live.field(name).value;
    return { get, enumerable: true, configurable: true };
  },
  getPrototypeOf: (live) => live.record.kind.Class.prototype,
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
};

/** What stands behind the face of a live object, or undefined for anything else. */
export function liveOf(value: unknown): LiveObject | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  return (value as Fields & { [LIVE]?: LiveObject })[LIVE];
}

/** The record behind a live object, or undefined for anything else. */
export function recordOf(value: unknown): EntityRecord | undefined {
  return liveOf(value)?.record;
}
