/** The live object of an entity, which tracks reads field by field. Snapshots of live objects. */
import { DEV, SignalboxError } from '../errors.ts';
import { isServer } from '../page.ts';
import { isContainer, snapshotOf } from '../schema/attachSnapshot.ts';
import { INVALID, LIVE } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import { Cell, computed, untracked } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import {
  RecordObservers,
  findFieldCell,
  membershipSignal,
} from '../store/records/RecordObservers.ts';
import type { FieldCell } from '../store/records/RecordObservers.ts';
import type { LiveSource } from './LiveSource.ts';

/*
 *   reader    ──► proxy ─► LiveObject ──► cell of `id` ──► cell of `title`     a cell per field that was read
 *                              ▲  ▲              │                   │
 *   record.observers.live ─────┘  └──────────────┴───────────────────┘
 *   a weak reference; strong while any of the cells is watched
 *
 * A write ticks only the cells of the changed fields. A reference to a cell, or to the proxy, keeps all of them in
 * memory, so a single weak reference per entity suffices. Cells are a linked list: a Map would cost more than the
 * cells.
 */

/** A cell in the list of a live object. */
interface LinkedCell extends FieldCell, ReadonlySignal {
  next: LinkedCell | undefined;
}

class LiveFieldCell extends Cell<unknown> implements LinkedCell {
  override readonly name: string;
  next: LinkedCell | undefined;
  readonly #live: LiveObject;
  /** INVALID: not read since the last change. */
  #value: unknown = INVALID;

  constructor(live: LiveObject, name: string) {
    super();
    this.name = name;
    this.#live = live;
  }

  protected setStrong(strong: boolean): void {
    this.#live.setWatched(strong);
  }

  protected current(): unknown {
    const { liveSource } = this.#live;
    if (this.#value === INVALID) this.#value = liveSource.readField(this.#live, this.name);
    return this.#value;
  }

  override tick(): void {
    this.#value = INVALID;
    super.tick();
  }
}

export class LiveObject {
  readonly liveSource: LiveSource;
  readonly record: EntityRecord;
  /** The object that readers get. */
  readonly proxy: object;
  first: LinkedCell | undefined;
  /** The last content of a deleted entity. */
  last: EntityContent | undefined;
  /** A slot for adapters whose components read snapshots: a shared object per entity. */
  source: object | undefined;
  readonly #weakSelf = new WeakRef(this);
  #watched = 0;

  constructor(liveSource: LiveSource, record: EntityRecord) {
    this.liveSource = liveSource;
    this.record = record;
    this.proxy = new Proxy(this, handler);
    (record.observers ??= new RecordObservers()).liveObject = this.#weakSelf;
  }

  /** Called when a cell gets the first watcher or loses the last. */
  setWatched(strong: boolean): void {
    this.#watched += strong ? 1 : -1;
    const { observers } = this.record;
    if (observers !== undefined && this.#watched === Number(strong))
      observers.liveObject = strong ? this : this.#weakSelf;
  }

  /** The signal of a field; nested entities and lists are live. */
  field(name: string): ReadonlySignal<unknown> {
    return findFieldCell(this.first, name) ?? this.add(new LiveFieldCell(this, name));
  }

  notifyField(name: string): void {
    findFieldCell(this.first, name)?.tick();
  }

  notifyAllFields(): void {
    for (let cell = this.first; cell !== undefined; cell = cell.next) cell.tick();
  }

  onClassChange(): void {
    this.notifyAllFields();
    const { prototype } = this.record.kind.Class;
    const fieldsFrom = (cell: LinkedCell | undefined): LinkedCell | undefined => {
      if (cell === undefined) return undefined;
      cell.next = fieldsFrom(cell.next);
      return cell.name in prototype ? cell.next : cell;
    };
    this.first = fieldsFrom(this.first);
  }

  keepContent(last: EntityContent | undefined): void {
    this.last = last;
  }

  showContent(last: EntityContent | undefined): void {
    if (this.last === last) return;
    this.last = last;
    this.notifyAllFields();
  }

  /** Inserts the cell after the first: the field read first, usually the key of a row, is read most often. */
  add<C extends LinkedCell>(cell: C): C {
    if (this.first === undefined) return (this.first = cell);
    cell.next = this.first.next;
    return (this.first.next = cell);
  }

  /**
   * True for the `id` of a confirmed entity: it is not tracked, so that lists which read the key of each row do not
   * depend on all rows. A natural key (a slug) may change, and a temporary key will be replaced: both are tracked like
   * any field.
   */
  isUntrackedId(name: string | symbol): name is string {
    const { record } = this;
    const { pkField, denormalizeOwn } = record.kind.descriptor;
    if (name !== 'id' || name !== pkField || denormalizeOwn !== undefined) return false;
    return record.exists && record.isConfirmed;
  }

  /** True if `name` is a field of the entity now. */
  has(name: string | symbol): name is string {
    return typeof name === 'string' && Object.hasOwn(this.content?.fields ?? {}, name);
  }

  /** The fields and nodes that readers see. */
  get content(): EntityContent | undefined {
    const { instance: fields, nodes } = this.record;
    return fields === undefined ? this.last : { fields, nodes };
  }
}

const handler: ProxyHandler<LiveObject> = {
  get(live, name, receiver) {
    if (name === LIVE) return live;
    if (live.isUntrackedId(name)) return (live.record.instance as Fields)[name];
    const known = findFieldCell(live.first, name);
    if (known !== undefined) return known.value;
    const { prototype } = live.record.kind.Class;
    // fields are tracked, even fields that do not exist yet
    if (live.has(name) || (typeof name === 'string' && !(name in prototype)))
      return live.field(name).value;
    // members of the class are not tracked; getters run on the live object, so the fields they read are tracked
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
    // a getter instead of the value: enumerating the fields reads no value
    const get = () => live.field(name).value;
    return { get, enumerable: true, configurable: true };
  },
  getPrototypeOf: (live) => live.record.kind.Class.prototype,
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
};

/** The LiveObject behind a proxy; undefined for any other value. */
export function liveOf(value: unknown): LiveObject | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  return (value as Fields & { [LIVE]?: LiveObject })[LIVE];
}

/** The record behind a live object; undefined for any other value. */
export function recordOf(value: unknown): EntityRecord | undefined {
  return liveOf(value)?.record;
}

/** A signal per field and getter; methods are left out. */
export type FieldSignals<T extends object> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]: ReadonlySignal<
    T[K]
  >;
};

const proxies = new WeakMap<object, object>();

/**
 * `<b title={$(todo).title}>{$(todo).title}</b>`: a new text is written into the page without a re-render. Each signal
 * is created on first access and stays the same. Throws A2 if `live` is not live.
 */
export function fields<T extends object>(live: T): FieldSignals<T> {
  let signals = proxies.get(live);
  if (signals === undefined)
    proxies.set(
      live,
      (signals = new Proxy(Object.create(null) as {}, new FieldSignalHandler(live))),
    );
  return signals as FieldSignals<T>;
}

class FieldSignalHandler implements ProxyHandler<Record<string, unknown>> {
  readonly #value: Fields;
  readonly #live: LiveObject | undefined;

  constructor(value: object) {
    this.#value = value as Fields;
    this.#live = liveOf(value);
    // hooks of a server return snapshots
    if (this.#live === undefined && !isServer())
      throw new SignalboxError('A2', { hook: '$', value });
  }

  get(signals: Record<string, unknown>, name: string | symbol): unknown {
    if (typeof name === 'symbol') return undefined;
    return (signals[name] ??= this.#signal(name));
  }

  /** The signal of a field. The signal of a getter follows the fields that the getter reads. */
  #signal(name: string): ReadonlySignal<unknown> {
    const live = this.#live;
    if (live !== undefined && !(name in live.record.kind.Class.prototype)) return live.field(name);
    return computed(() => this.#value[name]);
  }
}

/**
 * The immutable snapshot of a live object, of a live list, or of a value made of live objects: the same reference that
 * readers of snapshots have (`useSuspense` of React, `controller.get`), until something inside changes. So a snapshot
 * is suited to log, to clone, to send to a worker, to compare and to put in a dependency list. Reading is tracked: a
 * component or an effect that reads the snapshot runs again when anything inside changes; for a nested list, when
 * anything in the entity around the list changes. `peek` is not tracked. A list or object put together by hand, or an
 * outdated live list, is copied; any other value is returned unchanged. Undefined for an entity that does not exist.
 */
export function snapshot<T>(live: T): T {
  const target = liveOf(live);
  if (target !== undefined) return target.liveSource.cell(target.record).value as T;
  if (!isContainer(live)) return live;
  const mirror = snapshotOf(live);
  return (untracked(() => isCurrent(mirror, live)) ? mirror : copyContainer(live)) as T;
}

/**
 * The present snapshot of a live object, untracked: the same reference that `useSuspense` of React returns; undefined
 * for an entity that does not exist. Any other value is returned unchanged.
 */
export function peek<T>(live: T): T {
  const target = liveOf(live);
  return target === undefined ? live : (target.liveSource.peek(target.record) as T);
}

/** True if `mirror` holds, at every depth, the current snapshot of the matching part of `live`. */
function isCurrent(mirror: unknown, live: unknown): boolean {
  if (mirror === live) return true;
  const target = liveOf(live);
  if (target !== undefined) return target.liveSource.cell(target.record).peek() === mirror;
  if (!isContainer(live) || !isContainer(mirror)) return false;
  const names = Object.keys(live);
  if (names.length !== Object.keys(mirror).length) return false;
  return names.every((name) => isCurrent((mirror as Fields)[name], (live as Fields)[name]));
}

/** Returns the container itself if nothing inside is live. */
function copyContainer(live: object): unknown {
  const names = Object.keys(live);
  const parts = names.map((name) => snapshot((live as Fields)[name]));
  if (parts.every((part, at) => part === (live as Fields)[names[at] as string])) return live;
  const copy = Array.isArray(live)
    ? parts
    : Object.fromEntries(names.map((name, at) => [name, parts[at]]));
  return DEV ? Object.freeze(copy) : copy;
}
