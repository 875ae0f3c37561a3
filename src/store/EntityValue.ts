/** The value of one entity: its instance, built when it is read, and its nested nodes. */
import { DEV } from '../diagnostics.ts';
import { hasOwnOrAccessor } from '../schema/accessors.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Nested } from '../schema/EntityPlan.ts';
import { assign, equal, share } from '../schema/equal.ts';
import type { Form } from '../schema/Form.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { link, reaches, relink } from './eachRecord.ts';
import { ownValue } from './fold.ts';
import type { EntityContent } from './EntityContent.ts';
import { more, NONE } from './more.ts';
import { BROKEN, DIRTY, PARTS, SEEN } from './flags.ts';
import { Record } from './Record.ts';
import { noteAppearance, mark } from './mark.ts';
import type { Builder } from './Record.ts';
import { witness } from './witness.ts';

export const NO_NODES: readonly Node[] = Object.freeze([]);

/** What classes that make their instances by themselves show in the place of those. */
const makes = new WeakMap<Record, { readonly of: Fields; readonly made: object }>();

export abstract class EntityValue extends Record {
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
    return this.kind.plan.shows === undefined
      ? this.instance
      : (makes.get(this)?.made ?? this.instance);
  }

  get exists(): boolean {
    return this.instance !== undefined;
  }

  get shown(): boolean {
    return this.exists && !(this.flags & BROKEN);
  }

  override get mayBreak(): boolean {
    return this.kind.plan.demanding;
  }

  override get sure(): boolean {
    return !this.mayBreak && !this.kind.plan.shallow;
  }

  parts(): Node {
    return this.nodes;
  }

  /** To be called before its content changes. */
  protected changing(sure: boolean = !this.mayBreak): void {
    mark(this, sure);
  }

  protected vanish(): void {
    if (this.instance === undefined) return;
    // whoever shows it may be about to let go of it
    this.changing(false);
    if (this.fine) this.fine.last = { fields: this.instance, nodes: this.nodes };
    this.#become(undefined, NO_NODES);
    makes.delete(this);
  }

  protected appear(instance: Fields, nodes: readonly Node[]): void {
    this.changing(false);
    noteAppearance(this);
    this.#become(instance, nodes);
    this.fine?.tickFields();
  }

  #become(instance: Fields | undefined, nodes: readonly Node[]): void {
    const { nodes: before } = this;
    this.instance = instance;
    this.nodes = nodes;
    this.flags = (this.flags & ~SEEN) | PARTS;
    if (before.length === 0) link(this, nodes);
    else relink(this, before, nodes);
    // whether others see what may break is known when all is written
    if (this.mayBreak) this.reshape();
    else this.flip();
  }

  override flip(): void {
    super.flip();
    if (this.mayBreak && this.exists) this.fine?.tickFields();
  }

  /** These fields are others now. */
  protected touched(names: readonly string[]): void {
    if (DEV) witness?.(this, names);
    // whoever makes an instance by itself may make any field of any other
    if (this.kind.plan.shows !== undefined) this.fine?.tickFields();
    else if (this.fine?.live !== undefined) for (const name of names) this.fine.tickField(name);
  }

  /** Lets readers see this, or nothing. `names`: only these fields may be others. */
  show(content: EntityContent | undefined, names?: readonly string[]): void {
    if (content === undefined) return this.vanish();
    const { fields, nodes } = content;
    if (this.instance === undefined) return this.appear(this.kind.copy(fields), nodes);
    let touched: string[] = NONE;
    for (const name of names ?? this.#allNames(fields)) {
      const says =
        this.kind.plan.positions.has(name) || hasOwnOrAccessor(fields, name, this.kind.plan);
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
    this.changing();
    Reflect.deleteProperty(this.#own(), name);
    this.reshape();
    return true;
  }

  /** What readers see, to be kept by others; undefined: nothing. */
  get content(): EntityContent | undefined {
    const { instance, nodes } = this;
    if (instance === undefined) return undefined;
    this.flags |= SEEN;
    return { fields: instance, nodes };
  }

  /** Has this content from now on. Nobody is told. */
  hold(content: EntityContent | undefined): void {
    if (content === undefined) return;
    this.changing();
    this.instance = content.fields;
    this.nodes = content.nodes;
    this.flags |= SEEN | DIRTY | PARTS;
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
    const old = ownValue(instance, name);
    const next = share(old, value);
    if (Object.is(next, old)) return false;
    this.changing();
    // a field that was not there: whoever enumerates looks again
    if (!Object.hasOwn(instance, name)) this.reshape();
    assign(this.#own(), name, next);
    return true;
  }

  #putNode(at: number, node: Node): boolean {
    const old = this.nodes[at];
    const next = share(old, node);
    if (Object.is(next, old)) return false;
    // readers were shown the default
    const { needed, fallback } = this.kind.plan.nested[at] ?? {};
    const isDefault = old === undefined && needed === false && equal(next, fallback);
    // what it leads to may be missing
    if (!isDefault) this.changing(false);
    const nodes = [...this.nodes];
    nodes[at] = next;
    this.nodes = nodes;
    this.flags |= PARTS;
    relink(this, old, next, nodes);
    return !isDefault;
  }

  /** The instance to write to: a copy when a reader holds the present one. */
  #own(): Fields {
    if (this.flags & SEEN) {
      this.instance = this.kind.copy(this.instance as Fields);
      this.flags &= ~SEEN;
    }
    return this.instance as Fields;
  }

  /** In a circle the object that is going to be its value. */
  protected override get provisional(): unknown {
    return this.instance === undefined ? INVALID : this.#own();
  }

  /** Fills in the nested members. */
  protected build(builder: Builder): void {
    const { instance } = this;
    const { shows } = this.kind.plan;
    if (instance === undefined) {
      this.flags &= ~BROKEN;
      return;
    }
    if (this.flags & PARTS || shows !== undefined) this.#fillNested(builder);
    if (shows !== undefined && makes.get(this)?.of !== this.instance) this.#make(shows);
    if (!DEV) return;
    // in development a finished instance is frozen
    Object.freeze(this.instance);
    this.flags |= SEEN;
  }

  #fillNested(builder: Builder): void {
    const { nodes } = this;
    const { nested } = this.kind.plan;
    this.flags &= ~BROKEN;
    for (let at = 0; at < nested.length; at++) {
      const { name, kind, required, needed, fallback } = nested[at] as Nested;
      const node = nodes[at];
      let value = node === undefined ? fallback : kind.denormalize(node, builder);
      if (node === undefined ? needed : required && value === INVALID) this.flags |= BROKEN;
      if (value === INVALID || value === undefined) value = fallback;
      const old = (this.instance as Fields)[name];
      // a stored thing keeps its own reference, and may be a list that is being built further up
      if (!(node instanceof Record)) value = share(old, value);
      if (value !== old || !Object.hasOwn(this.instance as Fields, name))
        assign(this.#own(), name, value);
    }
    this.flags &= ~PARTS;
  }

  override taint(_child: Record): void {
    this.flags |= PARTS;
  }

  /** Whoever shows this entity inside of itself was built before, and has the plain instance. */
  #make(shows: (fields: Fields) => object | undefined): void {
    const of = this.instance as Fields;
    const made = this.flags & BROKEN ? undefined : shows(of);
    if (made === undefined) {
      makes.delete(this);
      this.flags |= BROKEN;
    } else makes.set(this, { of, made: DEV ? Object.freeze(made) : made });
  }

  /** A nested thing came or went: live readers of that member must look again. */
  protected override turned(child: Record): void {
    if (this.fine?.live === undefined) return;
    this.kind.plan.nested.forEach(({ name }, at) => {
      if (reaches(this.nodes[at], child)) this.fine?.tickField(name);
    });
  }
}
