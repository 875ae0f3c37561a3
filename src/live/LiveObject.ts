/** The live object of one entity: its fields are tracked one by one when they are read. */
import { Cell } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import { RecordObservers, findFieldCell } from '../store/RecordObservers.ts';
import type { FieldCell } from '../store/RecordObservers.ts';
import type { EntityContent } from '../store/EntityContent.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';
import { membershipSignal } from './membershipSignal.ts';

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

/** What it asks of the source that made it. */
export interface LiveSourcePort {
  /** What the readers of a field get now. */
  readField(live: LiveObject, name: string): unknown;
  /** The snapshots of a stored thing, as a signal. */
  cell(record: StoreRecord): ReadonlySignal<unknown>;
  /** The present snapshot of a stored thing, untracked. */
  peek(record: StoreRecord): unknown;
}

class LiveFieldCell extends Cell<unknown> implements FieldCell {
  override readonly name: string;
  next: LiveFieldCell | undefined = undefined;
  readonly #live: LiveObject;
  /** INVALID: not looked up since it changed. */
  #value: unknown = INVALID;

  constructor(live: LiveObject, name: string) {
    super();
    this.name = name;
    this.#live = live;
  }

  protected hold(firm: boolean): void {
    this.#live.hold(firm);
  }

  protected current(): unknown {
    const { lender } = this.#live;
    if (this.#value === INVALID) this.#value = lender.readField(this.#live, this.name);
    return this.#value;
  }

  override tick(): void {
    this.#value = INVALID;
    super.tick();
  }
}

export class LiveObject {
  readonly lender: LiveSourcePort;
  readonly record: EntityRecord;
  /** What readers get. */
  readonly proxy: object;
  first: LiveFieldCell | undefined = undefined;
  /** Of a deleted entity: what it was. */
  last: EntityContent | undefined = undefined;
  /** Kept here by an adapter whose components read snapshots: one for all of them. */
  source: object | undefined = undefined;
  readonly #weak = new WeakRef(this);
  #watched = 0;

  constructor(lender: LiveSourcePort, record: EntityRecord) {
    this.lender = lender;
    this.record = record;
    this.proxy = new Proxy(this, handler);
    (record.observers ??= new RecordObservers()).live = this.#weak;
  }

  /** A cell has its first watcher, or lost its last. */
  hold(firm: boolean): void {
    this.#watched += firm ? 1 : -1;
    const { observers: fine } = this.record;
    if (fine !== undefined && this.#watched === Number(firm)) fine.live = firm ? this : this.#weak;
  }

  /** The signal of one field, with live nested things. */
  field(name: string): ReadonlySignal<unknown> {
    return findFieldCell(this.first, name) ?? this.#add(new LiveFieldCell(this, name));
  }

  /** Behind the first: what is read first is what is read most, the key of a row. */
  #add(cell: LiveFieldCell): LiveFieldCell {
    if (this.first === undefined) return (this.first = cell);
    cell.next = this.first.next;
    return (this.first.next = cell);
  }

  /**
   * True for the `id` of what is stored, so that lists which read the key of each row depend on none of them. A natural
   * key (a slug) may change, and one that the server has not named yet is going to: these are tracked as all fields are.
   */
  isIdentity(name: string | symbol): name is string {
    const { record } = this;
    const { pkField, shows } = record.kind.plan;
    if (name !== 'id' || name !== pkField || shows !== undefined) return false;
    return record.exists && record.isConfirmed;
  }

  /** True for the names that are fields of the entity now. */
  has(name: string | symbol): name is string {
    return typeof name === 'string' && Object.hasOwn(this.content?.fields ?? {}, name);
  }

  /** What is read through it. */
  get content(): EntityContent | undefined {
    const { instance: fields, nodes } = this.record;
    return fields === undefined ? this.last : { fields, nodes };
  }
}

const handler: ProxyHandler<LiveObject> = {
  get(live, name, receiver) {
    if (name === LIVE) return live;
    if (live.isIdentity(name)) return (live.record.instance as Fields)[name];
    const known = findFieldCell(live.first, name);
    if (known !== undefined) return known.value;
    const { prototype } = live.record.kind.Class;
    // tracked are fields, also those that may come
    if (live.has(name) || (typeof name === 'string' && !(name in prototype)))
      return live.field(name).value;
    // the members of the class are not; getters run on the live object, so what they read is tracked
    return Reflect.get(prototype, name, receiver);
  },
  has(live, name) {
    void membershipSignal(live.record).value;
    return live.has(name) || name in live.record.kind.Class.prototype;
  },
  ownKeys(live) {
    void membershipSignal(live.record).value;
    return Object.keys(live.content?.fields ?? {});
  },
  getOwnPropertyDescriptor(live, name) {
    void membershipSignal(live.record).value;
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
