/** The record of one entity: its instance, its nested nodes and its times. */
import { DEV } from '../diagnostics.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign, equal, share } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { NEVER, replaces, retimed, stampTime, timeOf } from './order.ts';
import type { FieldTimes, Stamp } from './order.ts';
import {
  BROKEN,
  BUILDING,
  changed,
  DIRTY,
  reaches,
  Record,
  SEEN,
  soil,
  UNLINKED,
} from './Record.ts';
import type { Builder } from './Record.ts';

const NO_NODES: readonly Node[] = Object.freeze([]);

export class EntityRecord extends Record {
  readonly kind: EntityKind;
  readonly pk: string;
  /** The immutable instance for readers; changed in place only while nobody has seen it. Undefined: missing. */
  instance: Fields | undefined = undefined;
  /** Nested members in normalized form, in the order of the kind's plan. */
  nodes: readonly Node[] = NO_NODES;
  /** How many fields were ever written: a write of as many covers the whole record. */
  width = 0;
  /** The time of all fields but those in `times`; of a missing record, the time of its deletion. */
  time = 0;
  times: FieldTimes | undefined = undefined;
  /** The stamp with the latest expiry that wrote here. */
  stamp: Stamp = NEVER;

  constructor(kind: EntityKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    return this.instance === undefined || this.flags & BROKEN ? INVALID : this.instance;
  }

  get exists(): boolean {
    return this.instance !== undefined;
  }

  parts(): Node {
    return this.nodes;
  }

  /** Writes what is newer than what is stored; wakes readers only where something changed. */
  write(fields: Fields, nodes: readonly Node[], stamp: Stamp): void {
    if (this.instance === undefined) this.#create(fields, nodes, stamp);
    else if (this.kind.plan.merges) this.#mergeOwn(fields, nodes, stamp);
    else this.#merge(fields, nodes, stamp);
  }

  /** Empties the record, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (!replaces(time, this.time)) return !this.exists;
    const went = this.exists;
    this.instance = undefined;
    this.nodes = NO_NODES;
    this.times = undefined;
    this.width = 0;
    this.time = time;
    this.stamp = NEVER;
    this.flags &= ~(DIRTY | SEEN | BROKEN);
    if (went) this.#flip();
    return true;
  }

  #create(fields: Fields, nodes: readonly Node[], stamp: Stamp): void {
    if (!replaces(stamp.time, this.time)) return;
    const { Class, plan } = this.kind;
    const instance = new Class() as Fields;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined) continue;
      this.width++;
      // the raw form of nested members is let go
      if (!plan.positions.has(name) && !plan.shadowed.has(name)) assign(instance, name, value);
    }
    this.instance = instance;
    this.nodes = nodes;
    this.time = stamp.time;
    // older data may still bring the declared fields that this write left out
    const left = plan.declared.filter((name) => fields[name] === undefined);
    this.times = this.kind.absent(left);
    this.#retime(fields, stamp);
    this.stamp = stamp;
    if (nodes.length > 0) this.flags |= DIRTY | UNLINKED;
    this.#seal();
    this.#flip();
  }

  /** The merge() of the user's sees nested members in normalized form; what it changes counts as written. */
  #mergeOwn(fields: Fields, nodes: readonly Node[], stamp: Stamp): void {
    const { nested } = this.kind.plan;
    const existing = this.kind.normalized(this.instance as Fields, this.nodes);
    const incoming = this.kind.normalized(fields, nodes);
    const merged = this.kind.Class.merge(existing, incoming);
    const written = Object.entries(merged).filter(
      ([name, value]) => value !== existing[name] || Object.hasOwn(fields, name),
    );
    const mergedNodes = nested.map(({ name }) => merged[name]);
    this.#merge(Object.fromEntries(written), mergedNodes, stamp);
  }

  #merge(fields: Fields, nodes: readonly Node[], stamp: Stamp): void {
    const simple = this.times === undefined && stamp.own === undefined;
    if (simple && !replaces(stamp.time, this.time)) return;
    let touched: string[] | undefined;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined || !(simple || this.#takes(name, stamp))) continue;
      if (this.#put(name, value, nodes)) (touched ??= []).push(name);
    }
    this.#retime(fields, stamp);
    if (stamp.expiresAt >= this.stamp.expiresAt) this.stamp = stamp;
    if (touched === undefined) return;
    this.#seal();
    const live = this.fine?.fields;
    if (live !== undefined) for (const name of touched) live.get(name)?.tick();
    changed(this);
  }

  #takes(name: string, stamp: Stamp): boolean {
    return replaces(stampTime(name, stamp), timeOf(name, this.time, this.times));
  }

  /** Puts one field where its value is new; true when it was. */
  #put(name: string, value: unknown, nodes: readonly Node[]): boolean {
    const { positions, shadowed } = this.kind.plan;
    const at = positions.get(name);
    if (at !== undefined) return this.#putNode(at, nodes[at]);
    if (shadowed.has(name)) return false;
    const instance = this.instance as Fields;
    const known = Object.hasOwn(instance, name);
    const old = known ? instance[name] : undefined;
    if (!known || this.times?.[name] === 0) this.width++;
    if (equal(old, value)) return false;
    assign(this.#open(), name, share(old, value));
    return true;
  }

  #putNode(at: number, node: Node): boolean {
    const old = this.nodes[at];
    if (equal(old, node)) return false;
    if (old === undefined) this.width++;
    const nodes = [...this.nodes];
    nodes[at] = share(old, node);
    this.nodes = nodes;
    this.flags |= DIRTY | UNLINKED;
    return true;
  }

  #retime(fields: Fields, stamp: Stamp): void {
    const { time, times, width } = this;
    const next = retimed({ time, times, width }, fields, stamp);
    this.time = next.time;
    this.times = next.times;
  }

  /** The instance to write to: a copy when a reader holds the present one. */
  #open(): Fields {
    if (this.flags & SEEN) {
      const fresh = new this.kind.Class() as Fields;
      const instance = this.instance as Fields;
      for (const name of Object.keys(instance)) assign(fresh, name, instance[name]);
      this.instance = fresh;
      this.flags &= ~SEEN;
    }
    return this.instance as Fields;
  }

  /** In development a finished instance is frozen. */
  #seal(): void {
    if (!DEV || this.flags & (DIRTY | BUILDING)) return;
    Object.freeze(this.instance);
    this.flags |= SEEN;
  }

  protected build(builder: Builder): void {
    this.begin();
    this.finish(builder);
  }

  /** Opens the instance, so that cyclic entities find the object that is going to be theirs. */
  begin(): void {
    if (this.instance !== undefined) this.#open();
    this.flags = (this.flags & ~(DIRTY | BROKEN)) | BUILDING;
  }

  /** Fills in the nested members. */
  finish(builder: Builder): void {
    const { instance, nodes } = this;
    const { nested } = this.kind.plan;
    for (let at = 0; instance !== undefined && at < nested.length; at++) {
      const { name, kind, required, needed, fallback } = nested[at] as (typeof nested)[number];
      const node = nodes[at];
      let value = node === undefined ? fallback : kind.denormalize(node, builder);
      if (node === undefined ? needed : required && value === INVALID) this.flags |= BROKEN;
      if (value === INVALID) value = fallback;
      assign(instance, name, share(instance[name], value));
    }
    const asked = this.flags & SEEN;
    this.flags &= ~BUILDING;
    this.#seal();
    // somebody below took this entity for whole
    if (asked && this.flags & BROKEN) soil(this);
  }

  holds(child: Record): boolean {
    return reaches(this.nodes, child);
  }

  taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.#loosen(child);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    return true;
  }

  /** A nested thing came or went: live readers of that member must look again. */
  #loosen(child: Record): void {
    const live = this.fine?.fields;
    if (live === undefined) return;
    this.kind.plan.nested.forEach(({ name }, at) => {
      if (reaches(this.nodes[at], child)) live.get(name)?.tick();
    });
  }

  #flip(): void {
    const { fine } = this;
    fine?.shape?.tick();
    if (fine?.fields !== undefined) for (const cell of fine.fields.values()) cell.tick();
    changed(this, true);
  }
}
