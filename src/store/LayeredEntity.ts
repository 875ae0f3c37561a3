/** An entity above which unconfirmed writes lie. */
import { assign } from '../schema/equal.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { claimOf } from './claim.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { Image, Laying } from './Laying.ts';
import type { Layered } from './Layered.ts';
import { more, NONE } from './more.ts';
import { isOutrun, NEVER } from './order.ts';
import type { Stamp } from './order.ts';
import { Patches } from './Patches.ts';
import type { Patch } from './Patches.ts';
import { SEEN } from './Record.ts';

/** What is confirmed, as far as readers can tell. */
type Confirmed = Pick<EntityRecord, 'instance' | 'nodes' | 'ownIssued'>;

/*
 *   record   { title: 'b', done: true }     of the names that changed below, or were laid or lifted since the last look,
 *     #7                   done: true       each is looked for from the top: the first patch that has it, else the base
 *     #4       title: 'b'
 *   base     { title: 'a', done: false }    a deletion, or a merge of the user's own, needs the whole image (`#image`)
 */
export class LayeredEntity implements Layered {
  readonly record: EntityRecord;
  readonly base: EntityRecord;
  readonly #patches: Patches;
  /** What was confirmed when it was shown last; undefined: all of it is to be looked at. */
  #shown: Confirmed | undefined;

  constructor(record: EntityRecord) {
    this.record = record;
    this.base = new EntityRecord(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.image);
    this.#patches = new Patches(this.base);
    this.#note();
    record.layered = this;
  }

  get needs(): Node {
    return [this.base.nodes, ...this.#patches.all.map(({ laying }) => laying?.nodes)];
  }

  get empty(): boolean {
    return this.#patches.all.length === 0;
  }

  add(patch: Patch): void {
    this.#patches.add(patch);
    if (patch.laying === undefined || this.record.kind.plan.merges) this.#shown = undefined;
  }

  lift(issued: number): void {
    const { deletions } = this.#patches;
    this.#patches.lift(issued);
    if (this.#patches.deletions < deletions) this.#shown = undefined;
  }

  /** Tells of each layer, by its time of issue, whether it sees what has changed here; undefined: nobody knows. */
  reach(): ((issued: number) => boolean) | undefined {
    const known = this.#known;
    return known && this.#patches.reach(this.#differing(known));
  }

  /** What was confirmed when it was shown last, where single fields tell what changed since. */
  get #known(): Confirmed | undefined {
    const plain = this.#patches.deletions === 0 && this.base.exists && this.record.exists;
    return plain ? this.#shown : undefined;
  }

  /** The fields of the base that are others than those, or that other own writes hide. */
  #differing({ instance, nodes, ownIssued }: Confirmed): string[] {
    const { base } = this;
    let names = differing(base.instance, instance);
    if (base.nodes !== nodes) names = [...names, ...base.kind.plan.positions.keys()];
    for (const name of differing(base.ownIssued, ownIssued))
      if (this.#patches.say(name)) names = more(names, name);
    return names;
  }

  /** True when a layer issued before this logical time deletes it, whatever others do. */
  deletedBefore(time: number): boolean {
    return this.#patches.all.some(({ issued, laying }) => laying === undefined && issued < time);
  }

  /**
   * Of what layers delete and show again: when the last such deletion was issued, as layers issued before this logical
   * time see it. Else -1: what is only hidden keeps its places.
   */
  rebornAfter(time: number): number {
    const claimed = claimOf(this.base)?.issued ?? 0;
    let last = -1;
    for (const { issued, laying } of this.#patches.all)
      if (laying === undefined && issued >= claimed && issued < time) last = issued;
    return last >= 0 && this.missingBefore(time) ? -1 : last;
  }

  /** True when layers issued before this logical time see nothing here. */
  missingBefore(time: number): boolean {
    return this.#image(time) === undefined;
  }

  before(time: number): EntityRecord {
    const image = new EntityRecord(this.record.kind, this.record.pk);
    const last = this.#patches.all.at(-1);
    // most ask what readers see
    const isTop = last !== undefined && last.issued < time && this.#isShown;
    image.hold(isTop ? this.record.image : this.#image(time));
    return image;
  }

  show(): void {
    const { record, base } = this;
    const known = this.#known;
    if (known === undefined) record.show(this.#image(Infinity));
    else this.#patch(known);
    this.#patches.shown();
    record.stamp = base.exists || !record.exists ? base.stamp : this.#untold();
    if (!this.empty) return this.#note();
    record.follow(base);
    record.layered = undefined;
  }

  /** Readers see all that is laid and confirmed. */
  get #isShown(): boolean {
    const { base } = this;
    const known = this.#shown;
    return (
      this.#patches.names.length === 0 &&
      base.instance === known?.instance &&
      base.nodes === known?.nodes &&
      base.ownIssued === known?.ownIssued
    );
  }

  #note(): void {
    const { base } = this;
    const { instance, nodes, ownIssued, kind } = base;
    // what comes next is written to a copy of it
    base.flags |= SEEN;
    const plain = instance !== undefined && !kind.plan.merges;
    this.#shown = plain ? { instance, nodes, ownIssued } : undefined;
  }

  #patch(known: Confirmed): void {
    const patches = this.#patches;
    patches.look(this.#differing(known));
    if (patches.names.length > 0) this.record.show(this.#top(patches.names), patches.names);
  }

  /** These fields as readers are to see them, and no others. */
  #top(names: readonly string[]): Image {
    const { record } = this;
    const { positions, namedBy } = record.kind.plan;
    const fields: Fields = {};
    let nodes: Node[] | undefined;
    for (const name of names) {
      // a layer may know the entity by a temporary key
      const from = this.#patches.from(name, name === namedBy?.field ? -1 : Infinity);
      const at = positions.get(name);
      if (at !== undefined) (nodes ??= [...record.nodes])[at] = from.nodes[at];
      else if (Object.hasOwn(from.fields, name)) assign(fields, name, from.fields[name]);
    }
    return { fields, nodes: nodes ?? record.nodes };
  }

  /** Only layers know of it: no server could say more. */
  #untold(): Stamp {
    const [{ issued }] = this.#patches.all as [Patch];
    return { ...NEVER, time: issued, expiresAt: Infinity };
  }

  #image(time: number): Image | undefined {
    let { image } = this.base;
    for (const { issued, laying } of this.#patches.all) {
      if (issued >= time) break;
      // an own creation or deletion that was issued later and is confirmed says whether it is there
      const stands = issued >= (claimOf(this.base)?.issued ?? 0);
      if (laying === undefined) image = stands ? undefined : image;
      else if (stands || image !== undefined) image = this.#over(image, laying, issued);
    }
    return image;
  }

  #over(image: Image | undefined, laying: Laying, issued: number): Image {
    const { kind } = this.record;
    const { positions, shadowed, merges, namedBy } = kind.plan;
    const isKey = (name: string) => name === namedBy?.field;
    const names = laying.names.filter((name) => !isKey(name) && !isOutrun(name, issued, this.base));
    if (image === undefined) {
      const fields = pick(laying.fields, [...laying.names.filter(isKey), ...names]);
      return { fields: kind.copy(this.#named(fields)), nodes: laying.nodes };
    }
    // it may know the entity by a temporary key: that is left as it is
    if (merges) return this.#merged(image, laying, names);
    const fields = { ...image.fields };
    const nodes = [...image.nodes];
    for (const name of names) {
      const at = positions.get(name);
      if (at !== undefined) nodes[at] = laying.nodes[at];
      else if (!shadowed.has(name)) assign(fields, name, laying.fields[name]);
    }
    return { fields, nodes };
  }

  /** A layer may know the entity by a temporary key. */
  #named(fields: Fields): Fields {
    const { pk, kind } = this.record;
    const { field = '', numeric = false } = kind.plan.namedBy ?? {};
    if (field in fields && String(fields[field]) !== pk) fields[field] = numeric ? Number(pk) : pk;
    return fields;
  }

  /** As a merge() of the user's has it. It sees nested members in normalized form. */
  #merged(image: Image, laying: Laying, names: readonly string[]): Image {
    const { kind } = this.record;
    const incoming = kind.normalized(laying.fields, laying.nodes);
    const told = pick(incoming, names);
    const fields = kind.Class.merge(kind.normalized(image.fields, image.nodes), told);
    const nodes: Node[] = kind.plan.nested.map(({ name }) => fields[name]);
    return { fields, nodes };
  }
}

const NO_FIELDS: Fields = {};

function differing(one: Fields = NO_FIELDS, other: Fields = NO_FIELDS): string[] {
  let names: string[] = NONE;
  if (one === other) return names;
  for (const name in one) if (one[name] !== other[name]) names = more(names, name);
  for (const name in other) if (!Object.hasOwn(one, name)) names = more(names, name);
  return names;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) assign(picked, name, fields[name]);
  return picked;
}
