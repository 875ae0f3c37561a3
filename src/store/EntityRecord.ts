/** The record of one entity: its instance, its nested nodes and its times. */
import { DEV } from '../diagnostics.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign, equal, share } from '../schema/equal.ts';
import { covers, fieldOf, hasField } from '../schema/namesIn.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { claim, claimOf } from './claim.ts';
import { confirmed } from './Layered.ts';
import { NEVER, replaces, retimed, stampTime, takes } from './order.ts';
import type { FieldTimes, Stamp, Times } from './order.ts';
import { BROKEN, BUILDING, changed, DIRTY, Record, SEEN, soil, UNLINKED } from './Record.ts';
import { reaches } from './eachRecord.ts';
import type { Builder } from './Record.ts';
import { suspect, wasShown } from './suspect.ts';
import type { Suspect } from './suspect.ts';

export const NO_NODES: readonly Node[] = Object.freeze([]);
/** What an answer says of one entity. */
export interface Laying {
  fields: Fields;
  /** The names of the fields that have a value. */
  names: readonly string[];
  /** Nested members in normalized form, in the order of the kind's plan. */
  nodes: readonly Node[];
  /** The instance to be, where the entity was missing. */
  instance: Fields | undefined;
  /** The answer is that of its creation, which stands: existence is what that wrote itself. */
  created?: boolean;
  /** What a class that decides of its meta made of the stamp. */
  stamp: Stamp | undefined;
}

/** What readers are to see of an entity. */
export type Image = Pick<Laying, 'fields' | 'nodes'>;

export class EntityRecord extends Record implements Suspect, Times {
  override readonly kind: EntityKind;
  /** A temporary one gives way to the server's. */
  pk: string;
  /** The immutable instance for readers; changed in place only while nobody has seen it. Undefined: missing. */
  instance: Fields | undefined = undefined;
  /** Nested members in normalized form, in the order of the kind's plan. */
  nodes: readonly Node[] = NO_NODES;
  /** The time of all fields but those in `times`; of a missing record, the time of its deletion. */
  time = 0;
  /** The time of fields that were never written: that of the deletion before, if there was one. */
  floor = 0;
  times: FieldTimes | undefined = undefined;
  ownIssued: FieldTimes | undefined = undefined;
  /** The stamp with the latest expiry that wrote here. */
  stamp: Stamp = NEVER;
  /** What a class that makes its instances by itself shows in the place of `instance`. */
  #made: object | undefined = undefined;

  constructor(kind: EntityKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    return this.shown ? (this.#made ?? this.instance) : INVALID;
  }

  get exists(): boolean {
    return this.instance !== undefined;
  }

  get shown(): boolean {
    return this.exists && !(this.flags & BROKEN);
  }

  override get mayHide(): boolean {
    return !this.exists || this.kind.plan.demanding;
  }

  override deletedSince(time: number): boolean {
    const base = confirmed(this);
    const last = base.exists ? (claimOf(base)?.gone ?? base.floor) : base.time;
    return last > time;
  }

  parts(): Node {
    return this.nodes;
  }

  override get latest(): number {
    return Math.max(this.time, this.floor, ...Object.values(this.times ?? {}));
  }

  /** Writes what is newer than what is stored; wakes readers only where something changed. */
  write(laying: Laying, stamp: Stamp): void {
    if (this.instance === undefined) this.#create(laying, stamp);
    else this.#merge(laying, stamp);
  }

  /** Empties the record, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!claim(this, { issued: stamp.time })) return false;
    } else if (!replaces(time, this.time)) return !this.exists;
    // which own writes stand is known for ever
    this.times = undefined;
    this.time = time;
    this.stamp = NEVER;
    this.#vanish();
    return true;
  }

  #vanish(): void {
    if (this.instance === undefined) return;
    const shown = wasShown(this, this.shown);
    this.instance = undefined;
    this.#made = undefined;
    this.nodes = NO_NODES;
    this.flags &= ~(DIRTY | SEEN | BROKEN);
    this.#turn(shown);
  }

  #create({ fields, names, nodes, instance, created }: Laying, stamp: Stamp): void {
    // servers give keys again: of a new entity all of the answer counts, and nothing from before
    if (created === true) {
      claim(this, { issued: stamp.time, gone: this.time });
      this.time = stamp.time;
    } else if (!replaces(stamp.time, this.time)) return;
    this.floor = this.time;
    this.time = stamp.time;
    // older data may still bring the declared fields that this write left out
    const left = this.kind.plan.declared.filter((name) => !hasField(fields, name));
    this.times = this.kind.timesOf(left, this.floor);
    if (stamp.own !== undefined) this.#retime(names, stamp, false);
    this.stamp = stamp;
    this.#appear(instance as Fields, nodes);
  }

  #appear(instance: Fields, nodes: readonly Node[]): void {
    this.instance = instance;
    this.nodes = nodes;
    if (nodes.length > 0 || this.kind.plan.shows !== undefined) this.flags |= DIRTY | UNLINKED;
    this.#seal();
    if (!this.kind.plan.demanding || this.#unseen) return this.#turn(true);
    this.flags |= BROKEN;
    suspect(this);
    this.#turn(false);
  }

  #merge({ fields, names: given, nodes, stamp: decided }: Laying, stamp: Stamp): void {
    // a class that decides by itself has done so: what it lays is taken
    const { decides } = this.kind.plan;
    const newest = replaces(stamp.time, this.time);
    const simple = newest && this.times === undefined && stamp.own === undefined;
    const names = simple || decides ? given : given.filter((name) => this.#takes(name, stamp));
    const whole = newest && covers(fields, this.instance as Fields);
    if (!simple || !whole || stamp.time !== this.time) this.#retime(names, stamp, whole);
    const touched = names.filter((name) => this.#put(name, fields[name], nodes));
    if (decided !== undefined) this.stamp = decided;
    else if (stamp.expiresAt >= this.stamp.expiresAt) this.stamp = stamp;
    if (touched.length > 0) this.#touched(touched);
  }

  #touched(names: readonly string[]): void {
    const { demanding, shows } = this.kind.plan;
    if (shows !== undefined) this.flags |= DIRTY | UNLINKED;
    this.#seal();
    this.#tick(names);
    // a write into what nobody sees is no news; with other members it may become whole, or break
    const turns = this.flags & BROKEN || (demanding && this.flags & UNLINKED);
    if (turns && !this.#unseen) suspect(this);
    if (!(this.flags & BROKEN)) changed(this);
  }

  get #unseen(): boolean {
    return this.parents === undefined && !this.read;
  }

  /** Lets readers see this, or nothing, whatever was confirmed. `names`: it has but these fields, all others stay. */
  show(image: Image | undefined, names?: readonly string[]): void {
    if (image === undefined) return this.#vanish();
    const { fields, nodes } = image;
    if (this.instance === undefined) return this.#appear(this.kind.copy(fields), nodes);
    const { positions } = this.kind.plan;
    const all = () =>
      new Set([...positions.keys(), ...Object.keys({ ...this.instance, ...fields })]);
    const touched = Array.from(names ?? all()).filter((name) =>
      positions.has(name) || Object.hasOwn(fields, name)
        ? this.#put(name, fields[name], nodes)
        : this.#take(name),
    );
    if (touched.length > 0) this.#touched(touched);
  }

  /** Takes a field away; true when it was there. */
  #take(name: string): boolean {
    if (!Object.hasOwn(this.instance as Fields, name)) return false;
    Reflect.deleteProperty(this.#open(), name);
    this.reshape();
    return true;
  }

  override aside(): EntityRecord {
    const copy = new EntityRecord(this.kind, this.pk);
    copy.hold(this.image);
    return copy;
  }

  /** What it holds, to be held by another record too; undefined: nothing. */
  get image(): Image | undefined {
    const { instance, nodes } = this;
    if (instance === undefined) return undefined;
    this.flags |= SEEN;
    return { fields: instance, nodes };
  }

  /** Holds this from now on. Nobody is told. */
  hold(image: Image | undefined): void {
    if (image === undefined) return;
    this.instance = image.fields;
    this.nodes = image.nodes;
    this.flags |= SEEN | DIRTY | UNLINKED;
  }

  /** Takes over when its content was written. */
  follow(other: EntityRecord): void {
    this.time = other.time;
    this.times = other.times;
    this.floor = other.floor;
    this.ownIssued = other.ownIssued;
    this.stamp = other.stamp;
    const claimed = claimOf(other);
    if (claimed !== undefined) claim(this, claimed);
  }

  #tick(names: readonly string[]): void {
    // whoever makes an instance by itself may make any field of any other
    if (this.kind.plan.shows !== undefined) this.fine?.tickFields();
    else if (this.fine?.live !== undefined) for (const name of names) this.fine.tickField(name);
  }

  /** A field never written before has no time: any data bring it. */
  #takes(name: string, stamp: Stamp): boolean {
    const at = this.kind.plan.positions.get(name);
    const own = this.instance as Fields;
    const known = at === undefined ? Object.hasOwn(own, name) : this.nodes[at] !== undefined;
    return known ? takes(name, stamp, this) : replaces(stampTime(name, stamp), this.floor);
  }

  /** Puts one field where its value is new; true when it was. */
  #put(name: string, value: unknown, nodes: readonly Node[]): boolean {
    const { positions, shadowed } = this.kind.plan;
    const at = positions.get(name);
    if (at !== undefined) return this.#putNode(at, nodes[at]);
    const instance = this.instance as Fields;
    // what every object inherits is no field; what a setter of the class took in, its getter tells
    const old = name in Object.prototype ? fieldOf(instance, name) : instance[name];
    const next = share(old, value);
    if (shadowed.has(name) || Object.is(next, old)) return false;
    // a field that was not there: whoever enumerates looks again
    if (!Object.hasOwn(instance, name)) this.reshape();
    assign(this.#open(), name, next);
    return true;
  }

  #putNode(at: number, node: Node): boolean {
    const old = this.nodes[at];
    const next = share(old, node);
    if (Object.is(next, old)) return false;
    const nodes = [...this.nodes];
    nodes[at] = next;
    this.nodes = nodes;
    // readers were shown the default
    const { needed, fallback } = this.kind.plan.nested[at] ?? {};
    if (old === undefined && needed === false && equal(next, fallback)) return false;
    this.flags |= DIRTY | UNLINKED;
    return true;
  }

  #retime(names: readonly string[], stamp: Stamp, covers: boolean): void {
    const next = retimed(this, names, stamp, covers);
    this.time = next.time;
    this.times = next.times;
    this.ownIssued = next.ownIssued;
  }

  /** The instance to write to: a copy when a reader holds the present one. */
  #open(): Fields {
    if (this.flags & SEEN) {
      this.instance = this.kind.copy(this.instance as Fields);
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
      // a stored thing keeps its own reference, and may be a list that is being built further up
      assign(instance, name, node instanceof Record ? value : share(instance[name], value));
    }
    if (this.kind.plan.shows !== undefined) this.#make(this.kind.plan.shows);
    const asked = this.flags & SEEN;
    this.flags &= ~BUILDING;
    this.#seal();
    // somebody below took this entity for whole
    if (asked && this.flags & BROKEN) soil(this);
  }

  /** Whoever shows this entity inside of itself was built before, and has the plain instance. */
  #make(shows: (fields: Fields) => object | undefined): void {
    const whole = this.instance !== undefined && !(this.flags & BROKEN);
    this.#made = whole ? shows(this.instance as Fields) : undefined;
    if (this.#made === undefined) this.flags |= BROKEN;
    else if (DEV) Object.freeze(this.#made);
  }

  holds(child: Record): boolean {
    return reaches(this.nodes, child);
  }

  taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.#loosen(child);
    const news = (this.flags & (DIRTY | BROKEN)) === 0;
    if (this.flags & BROKEN || (flipped && this.kind.plan.demanding)) suspect(this);
    this.flags |= DIRTY;
    return news;
  }

  /** A nested thing came or went: live readers of that member must look again. */
  #loosen(child: Record): void {
    if (this.fine?.live === undefined) return;
    this.kind.plan.nested.forEach(({ name }, at) => {
      if (reaches(this.nodes[at], child)) this.fine?.tickField(name);
    });
  }

  judge(before: boolean, builder: Builder): void {
    builder.read(this);
    if (this.shown !== before) this.#turn(true);
  }

  /** It came or went; `shown`: readers of the whole entity can tell. */
  #turn(shown: boolean): void {
    this.reshape();
    this.fine?.tickFields();
    if (shown) changed(this, true);
  }
}
