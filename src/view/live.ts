/** Live objects: stable stand-ins for stored things whose fields are tracked one by one when they are read. */
import { DEV } from '../diagnostics.ts';
import { Cell, held, unseen } from '../reactive.ts';
import type { Held, ReadonlySignal } from '../reactive.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Ref, Source, StoredKind } from '../schema/schema.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { ListRecord } from '../store/ListRecord.ts';
import { Fine } from '../store/Fine.ts';
import { sameOrder } from '../store/joined.ts';
import { UNLINKED } from '../store/Record.ts';
import { eachRecord } from '../store/eachRecord.ts';
import type { Record } from '../store/Record.ts';
import { edited } from '../store/Rows.ts';
import type { Edit } from '../store/Rows.ts';
import type { Store } from '../store/Store.ts';
import { mirrored } from './mirrored.ts';
import { shapeOf } from './shapeOf.ts';

/*
 *   live todo ──► EntityRecord ──► fine.fields: title ─ cell     one cell per field that somebody read
 *     proxy           │                         author ─ cell    its value is the live author
 *                     └──────────► fine.shape ─ cell             woken when the entity comes or goes
 *
 * A write ticks the cells of the fields it changed and nothing else of the live side.
 */

const TARGET: unique symbol = Symbol('signalbox.target');

class FieldCell extends Cell<unknown> {
  readonly #fields: Map<string, Held<Cell<unknown>>>;
  readonly #name: string;
  readonly #look: () => unknown;
  #value: unknown;
  #fresh = false;

  constructor(fields: Map<string, Held<Cell<unknown>>>, name: string, look: () => unknown) {
    super();
    this.#fields = fields;
    this.#name = name;
    this.#look = look;
  }

  protected hold(firm: boolean): void {
    this.#fields.set(this.#name, firm ? this : new WeakRef(this));
  }

  protected current(): unknown {
    if (!this.#fresh) {
      // what it is made of ticks this cell: its reader needs no other
      this.#value = unseen(this.#look);
      this.#fresh = true;
    }
    return this.#value;
  }

  override tick(): void {
    this.#fresh = false;
    super.tick();
  }
}

export class LiveSource implements Source {
  readonly stable = false;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#store.ref(kind, pk);
  }

  find(kind: StoredKind, field: string, value: string): Ref {
    return this.#store.find(kind, field, value);
  }

  /** The live object or array of a stored thing, or INVALID; reading tracks whether it is there. */
  value(ref: Ref): unknown {
    if (ref instanceof EntityRecord) return this.#entity(ref);
    const live = ref instanceof ListRecord ? this.#list(ref) : this.#derived(ref as Record);
    return mirrored(live, () => this.cell(ref as Record).value);
  }

  /** The snapshots of a stored thing, as a signal. */
  cell(record: Record): ReadonlySignal<unknown> {
    return this.#store.cell(record);
  }

  #derived(record: Record): unknown {
    void shapeOf(record).value;
    return record.lively?.(this.#store, (member) => this.#row(member)) ?? INVALID;
  }

  #entity(record: EntityRecord): unknown {
    void shapeOf(record).value;
    return this.#whole(record) ? this.live(record) : INVALID;
  }

  #whole(record: EntityRecord): boolean {
    if (!record.exists) return false;
    return !record.kind.plan.demanding || this.#store.read(record) !== INVALID;
  }

  #list(record: ListRecord): unknown {
    const shape = shapeOf(record);
    void shape.value;
    const { members } = record;
    if (members === undefined) return INVALID;
    const { shown } = shape;
    const edits = shown && record.rows.since(shown.next);
    if (edits?.length === 0) return shown?.rows;
    // members that come or go tick the shape of the list: theirs need not be tracked
    let rows = edits && this.#edited(shown.rows, edits, members);
    if (rows === undefined && members.every(isPlainlyThere)) rows = this.#rows(members);
    if (rows !== undefined && shown !== undefined && sameOrder(rows, shown.rows)) rows = shown.rows;
    shape.shown = rows && { rows, next: record.rows.next };
    rows ??= this.#rows(members.filter((member) => this.#whole(member as EntityRecord)));
    return DEV ? Object.freeze(rows) : rows;
  }

  /** The rows shown last with the few edits since; undefined where all members are to be looked at. */
  #edited(
    before: readonly object[],
    edits: readonly Edit[],
    members: readonly Record[],
  ): readonly object[] | undefined {
    const { rows, places } = edited(before, edits);
    for (const at of places) {
      const member = members[at] as Record;
      if (!isPlainlyThere(member)) return undefined;
      rows[at] = this.#row(member);
    }
    return rows;
  }

  #rows(members: readonly Record[]): readonly object[] {
    return members.map((member) => this.#row(member));
  }

  #row(member: Record): object {
    return this.live(member as EntityRecord);
  }

  /** The one live object of an entity, whether it is there or not. */
  live(record: EntityRecord): object {
    const fine = (record.fine ??= new Fine());
    const known = fine.live?.deref();
    if (known !== undefined) return known;
    const live = new Proxy(new Target(this, record), handler);
    fine.live = new WeakRef(live);
    this.#store.sweep.use(record);
    return live;
  }

  /** The signal of one field, with live nested things. */
  field(record: EntityRecord, name: string): ReadonlySignal<unknown> {
    const fine = (record.fine ??= new Fine());
    const fields = (fine.fields ??= new Map<string, Held<Cell<unknown>>>());
    const known = held(fields.get(name));
    if (known !== undefined) return known;
    const cell = new FieldCell(fields, name, () => this.#look(record, name));
    fields.set(name, new WeakRef(cell));
    return cell;
  }

  #look(record: EntityRecord, name: string): unknown {
    const { plan } = record.kind;
    const at = plan.positions.get(name);
    // what a class makes of its fields by itself is known only of the whole
    const whole = plan.shows === undefined ? record.instance : this.#store.read(record);
    if (at === undefined) return (whole as Fields | undefined)?.[name];
    const { kind, fallback } = plan.nested[at] as (typeof plan.nested)[number];
    const node = record.nodes[at];
    // no snapshot has told them yet who shows them
    if (record.flags & UNLINKED) eachRecord(node, (part) => part.addParent(record));
    const value = node === undefined ? INVALID : kind.denormalize(node, this);
    if (value === INVALID) return fallback;
    return mirrored(value, () => (this.cell(record).value as Fields | undefined)?.[name]);
  }
}

function isPlainlyThere(member: Record): boolean {
  return member instanceof EntityRecord && !member.mayHide;
}

export class Target {
  readonly source: LiveSource;
  readonly record: EntityRecord;

  constructor(source: LiveSource, record: EntityRecord) {
    this.source = source;
    this.record = record;
  }
}

/** True for the names that are fields of the entity now. */
function isField({ record }: Target, name: string): boolean {
  return record.instance !== undefined && Object.hasOwn(record.instance, name);
}

/** True for what is tracked when it is read: fields, also those that may come. The members of the class are not. */
function isTracked(target: Target, name: string | symbol): name is string {
  if (typeof name !== 'string') return false;
  return isField(target, name) || !(name in target.record.kind.Class.prototype);
}

const handler: ProxyHandler<Target> = {
  get(target, name, receiver) {
    if (name === TARGET) return target;
    if (isTracked(target, name)) return target.source.field(target.record, name).value;
    // getters run on the live object, so what they read is tracked
    return Reflect.get(target.record.kind.Class.prototype, name, receiver);
  },
  has(target, name) {
    void shapeOf(target.record).value;
    const own = typeof name === 'string' && isField(target, name);
    return own || Reflect.has(target.record.kind.Class.prototype, name);
  },
  ownKeys(target) {
    void shapeOf(target.record).value;
    return Object.keys(target.record.instance ?? {});
  },
  getOwnPropertyDescriptor(target, name) {
    void shapeOf(target.record).value;
    if (typeof name !== 'string' || !isField(target, name)) return undefined;
    // not its value: who enumerates the fields reads none of them
    const get = () => target.source.field(target.record, name).value;
    return { get, enumerable: true, configurable: true };
  },
  getPrototypeOf: (target) => target.record.kind.Class.prototype,
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
};

/** What stands behind a live object, or undefined for anything else. */
export function targetOf(value: unknown): Target | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  return (value as Fields & { [TARGET]?: Target })[TARGET];
}

/** The record behind a live object, or undefined for anything else. */
export function recordOf(value: unknown): EntityRecord | undefined {
  return targetOf(value)?.record;
}
