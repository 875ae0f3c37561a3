/** The value of one entity: its instance, built when it is read, and its nested nodes. */
import { DEV } from '../diagnostics.ts';
import { tells } from '../schema/accessors.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Nested } from '../schema/EntityPlan.ts';
import { assign, equal, share } from '../schema/equal.ts';
import type { Form } from '../schema/Form.ts';
import { fieldOf } from '../schema/namesIn.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { reaches } from './eachRecord.ts';
import type { Image } from './Laying.ts';
import { aboveOf } from './Layered.ts';
import { more, NONE } from './more.ts';
import {
  BROKEN,
  BUILDING,
  changed,
  DIRTY,
  Record,
  SEEN,
  soil,
  SOILED,
  UNLINKED,
} from './Record.ts';
import type { Builder } from './Record.ts';
import { fall, hasFallen, suspect, wasShown } from './suspect.ts';
import type { Suspect } from './suspect.ts';
import { witness } from './witness.ts';

export const NO_NODES: readonly Node[] = Object.freeze([]);

/** What classes that make their instances by themselves show in the place of those. */
const makes = new WeakMap<Record, object>();

export abstract class EntityValue extends Record implements Suspect {
  override kind: EntityKind;
  /** A temporary one gives way to the server's. */
  pk: string;
  /** The immutable instance for readers; changed in place only while nobody has seen it. Undefined: missing. */
  instance: Fields | undefined = undefined;
  /** Nested members in normalized form, in the order of the kind's plan. */
  nodes: readonly Node[] = NO_NODES;

  constructor(kind: EntityKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    if (!this.shown) return INVALID;
    return this.kind.plan.shows === undefined ? this.instance : (makes.get(this) ?? this.instance);
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

  parts(): Node {
    return this.nodes;
  }

  protected vanish(): void {
    if (this.instance === undefined) return;
    const shown = wasShown(this, this.shown);
    if (this.fine) this.fine.last = { fields: this.instance, nodes: this.nodes };
    this.instance = undefined;
    makes.delete(this);
    this.nodes = NO_NODES;
    this.flags &= ~(DIRTY | SEEN | BROKEN);
    this.reshape();
    if (shown) changed(this, true);
  }

  protected appear(instance: Fields, nodes: readonly Node[]): void {
    this.instance = instance;
    this.nodes = nodes;
    aboveOf(this)?.note?.(undefined);
    if (nodes.length > 0 || this.kind.plan.shows !== undefined) this.flags |= DIRTY | UNLINKED;
    this.#seal();
    if (!this.kind.plan.demanding || this.#unseen) return this.#turn(true);
    this.flags |= BROKEN;
    this.#doubt();
    this.#turn(false);
  }

  protected touched(names: readonly string[]): void {
    const above = aboveOf(this);
    if (above !== undefined) return above.note?.(names);
    if (DEV) witness?.(this, names);
    const { demanding, shows } = this.kind.plan;
    if (shows !== undefined) this.flags |= DIRTY | UNLINKED;
    this.#seal();
    this.#tick(names);
    // a write into what nobody sees is no news; with other members it may become whole, or break
    const turns = this.flags & BROKEN || (demanding && this.flags & UNLINKED);
    if (turns && !this.#unseen) this.#doubt();
    if (!(this.flags & BROKEN)) changed(this);
  }

  /** It may be whole now; and with it those that were not without it, also where they need each other in a circle. */
  #doubt(): void {
    const line: EntityValue[] = [this];
    for (const record of line) {
      // what it is half-way through is nothing that anybody sees
      if (!(record.flags & BUILDING)) suspect(record);
      if (!(record.flags & BROKEN)) continue;
      for (const parent of record.allParents) {
        const waits = (parent.flags & (BROKEN | DIRTY)) === BROKEN;
        if (!waits || !(parent instanceof EntityValue) || !parent.holds(record)) continue;
        parent.flags |= DIRTY;
        line.push(parent);
      }
    }
  }

  get #unseen(): boolean {
    return this.parents === undefined && !this.read;
  }

  /** Lets readers see this, or nothing, whatever was confirmed. `names`: it has but these fields, all others stay. */
  show(image: Image | undefined, names?: readonly string[]): void {
    if (image === undefined) return this.vanish();
    const { fields, nodes } = image;
    if (this.instance === undefined) return this.appear(this.kind.copy(fields), nodes);
    let touched: string[] = NONE;
    for (const name of names ?? this.#allNames(fields)) {
      const says = this.kind.plan.positions.has(name) || tells(fields, name, this.kind.plan);
      if (says ? this.putAny(name, fields[name], nodes) : this.#lose(name))
        touched = more(touched, name);
    }
    if (touched.length > 0) this.touched(touched);
  }

  /** Of the fields that it has, or is to have. */
  #allNames(fields: Fields): Iterable<string> {
    const { positions, accessors } = this.kind.plan;
    const own = { ...this.instance, ...fields };
    return new Set([...positions.keys(), ...Object.keys(own), ...accessors]);
  }

  /** Takes a field away; true when it was there. */
  #lose(name: string): boolean {
    if (!Object.hasOwn(this.instance as Fields, name)) return false;
    Reflect.deleteProperty(this.#open(), name);
    this.reshape();
    return true;
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

  #tick(names: readonly string[]): void {
    // whoever makes an instance by itself may make any field of any other
    if (this.kind.plan.shows !== undefined) this.fine?.tickFields();
    else if (this.fine?.live !== undefined) for (const name of names) this.fine.tickField(name);
  }

  /** Takes the fields of a form; gives the names of those that are news. */
  protected take({ own, places }: Form, fields: Fields, nodes: readonly Node[]): readonly string[] {
    let touched: string[] = NONE;
    for (const name of own) {
      const value = fields[name];
      if (value !== (this.instance as Fields)[name] && this.#putField(name, value))
        touched = more(touched, name);
    }
    for (const at of places) {
      if (nodes[at] !== this.nodes[at] && this.#putNode(at, nodes[at]))
        touched = more(touched, (this.kind.plan.nested[at] as Nested).name);
    }
    return touched;
  }

  /** Puts one field where its value is new; true when it was. */
  protected putAny(name: string, value: unknown, nodes: readonly Node[]): boolean {
    const { positions, shadowed } = this.kind.plan;
    const at = positions.get(name);
    if (at !== undefined) return this.#putNode(at, nodes[at]);
    return !shadowed.has(name) && this.#putField(name, value);
  }

  #putField(name: string, value: unknown): boolean {
    const instance = this.instance as Fields;
    // what every object inherits is no field; what a setter of the class took in, its getter tells
    const old = name in Object.prototype ? fieldOf(instance, name) : instance[name];
    const next = share(old, value);
    if (Object.is(next, old)) return false;
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
    if (hasFallen(this)) this.flags |= BROKEN;
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
      if (value === INVALID || value === undefined) value = fallback;
      // a stored thing keeps its own reference, and may be a list that is being built further up
      assign(instance, name, node instanceof Record ? value : share(instance[name], value));
    }
    if (this.kind.plan.shows !== undefined) this.#make(this.kind.plan.shows);
    const asked = this.flags & SEEN;
    this.flags &= ~BUILDING;
    if (this.flags & DIRTY) suspect(this);
    this.#seal();
    // somebody below took this entity for whole
    if (this.flags & BROKEN && !hasFallen(this)) {
      fall(this);
      if (asked) soil(this);
    }
  }

  /** Whoever shows this entity inside of itself was built before, and has the plain instance. */
  #make(shows: (fields: Fields) => object | undefined): void {
    const whole = this.instance !== undefined && !(this.flags & BROKEN);
    const made = whole ? shows(this.instance as Fields) : undefined;
    if (made === undefined) {
      makes.delete(this);
      this.flags |= BROKEN;
    } else makes.set(this, DEV ? Object.freeze(made) : made);
  }

  holds(child: Record): boolean {
    const { nodes } = this;
    for (const node of nodes) if (node === child) return true;
    return reaches(nodes, child);
  }

  taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.#loosen(child);
    const news = (this.flags & (DIRTY | BROKEN)) === 0;
    if (this.flags & BROKEN || (flipped && this.kind.plan.demanding)) this.#doubt();
    this.flags |= DIRTY;
    return news;
  }

  override get deaf(): boolean {
    return (this.flags & (DIRTY | BROKEN | SOILED)) === DIRTY;
  }

  /** A nested thing came or went: live readers of that member must look again. */
  #loosen(child: Record): void {
    if (this.fine?.live === undefined) return;
    this.kind.plan.nested.forEach(({ name }, at) => {
      if (reaches(this.nodes[at], child)) this.fine?.tickField(name);
    });
  }

  judge(before: boolean, builder: Builder): void {
    try {
      builder.read(this);
    } catch {
      // its readers get the exception
    }
    if (this.shown !== before) this.#turn(true);
  }

  /** It came or went; `shown`: readers of the whole entity can tell. */
  #turn(shown: boolean): void {
    this.reshape();
    this.fine?.tickFields();
    if (shown) changed(this, true);
  }
}
