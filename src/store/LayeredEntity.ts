/** An entity above which unconfirmed writes lie. */
import { assign } from '../schema/equal.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { claimOf } from './claim.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { Image, Laying } from './EntityRecord.ts';
import { layer, unlayer } from './Layered.ts';
import type { Layered } from './Layered.ts';
import { isOutrun, NEVER } from './order.ts';
import type { Stamp } from './order.ts';
import { SEEN } from './Record.ts';

/** What one layer writes to an entity. */
export interface Patch {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** Undefined: it deletes it. */
  readonly laying: Laying | undefined;
}

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
  readonly #patches: Patch[] = [];
  /** How many of them delete. */
  #deletions = 0;
  /** Fields that patches laid or lifted. */
  #names: string[] = [];
  /** What was confirmed when it was shown last; undefined: all of it is to be looked at. */
  #shown: Confirmed | undefined;

  constructor(record: EntityRecord) {
    this.record = record;
    this.base = new EntityRecord(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.image);
    this.#note();
    layer(record, this);
  }

  get needs(): Node {
    return [this.base.nodes, ...this.#patches.map(({ laying }) => laying?.nodes)];
  }

  get empty(): boolean {
    return this.#patches.length === 0;
  }

  add(patch: Patch): void {
    const patches = this.#patches;
    let at = patches.length;
    while (at > 0 && (patches[at - 1] as Patch).issued > patch.issued) at--;
    patches.splice(at, 0, patch);
    this.#turn(patch, 1);
  }

  lift(issued: number): void {
    const patches = this.#patches;
    let at = 0;
    while (at < patches.length && (patches[at] as Patch).issued < issued) at++;
    while (patches[at]?.issued === issued) this.#turn(patches.splice(at, 1)[0] as Patch, -1);
  }

  #turn({ laying }: Patch, by: 1 | -1): void {
    if (laying === undefined) this.#deletions += by;
    else for (const name of laying.names) this.#look(name);
    if (laying === undefined || this.record.kind.plan.merges) this.#shown = undefined;
  }

  #look(name: string): void {
    if (!this.#names.includes(name)) this.#names.push(name);
  }

  /** True when a layer issued before this logical time deletes it, whatever others do. */
  deletedBefore(time: number): boolean {
    return this.#patches.some(({ issued, laying }) => laying === undefined && issued < time);
  }

  /**
   * Of what layers delete and show again: when the last such deletion was issued, as layers issued before this logical
   * time see it. Else -1: what is only hidden keeps its places.
   */
  rebornAfter(time: number): number {
    const claimed = claimOf(this.base)?.issued ?? 0;
    let last = -1;
    for (const { issued, laying } of this.#patches)
      if (laying === undefined && issued >= claimed && issued < time) last = issued;
    return last >= 0 && this.missingBefore(time) ? -1 : last;
  }

  /** True when layers issued before this logical time see nothing here. */
  missingBefore(time: number): boolean {
    return this.#image(time) === undefined;
  }

  before(time: number): EntityRecord {
    const image = new EntityRecord(this.record.kind, this.record.pk);
    const last = this.#patches.at(-1);
    // most ask what readers see
    const isTop = last !== undefined && last.issued < time && this.#isShown;
    image.hold(isTop ? this.record.image : this.#image(time));
    return image;
  }

  show(): void {
    const { record, base } = this;
    const known = this.#shown;
    if (known === undefined || this.#deletions > 0 || !base.exists || !record.exists)
      record.show(this.#image(Infinity));
    else this.#patch(known);
    this.#names = [];
    this.#note();
    record.stamp = base.exists || !record.exists ? base.stamp : this.#untold();
    if (!this.empty) return;
    record.follow(base);
    unlayer(record);
  }

  /** Readers see all that is laid and confirmed. */
  get #isShown(): boolean {
    const { base } = this;
    const known = this.#shown;
    return (
      this.#names.length === 0 &&
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
    const plain = instance !== undefined && this.#deletions === 0 && !kind.plan.merges;
    this.#shown = plain ? { instance, nodes, ownIssued } : undefined;
  }

  #patch({ instance, nodes, ownIssued }: Confirmed): void {
    const { record, base } = this;
    const look = (name: string) => this.#look(name);
    if (base.instance !== instance) eachOther(base.instance, instance, look);
    if (base.ownIssued !== ownIssued) eachOther(base.ownIssued, ownIssued, look);
    if (base.nodes !== nodes) for (const name of record.kind.plan.positions.keys()) look(name);
    const names = this.#names;
    if (names.length > 0) record.show(this.#top(names), names);
  }

  /** These fields as readers are to see them, and no others. */
  #top(names: readonly string[]): Image {
    const { record, base } = this;
    const { positions, namedBy } = record.kind.plan;
    const fields: Fields = {};
    let nodes: Node[] | undefined;
    for (const name of names) {
      const patch = name === namedBy?.field ? undefined : this.#patchOf(name);
      const at = positions.get(name);
      const from: Image = patch?.laying ?? { fields: base.instance as Fields, nodes: base.nodes };
      if (at !== undefined) (nodes ??= [...record.nodes])[at] = from.nodes[at];
      else if (Object.hasOwn(from.fields, name)) assign(fields, name, from.fields[name]);
    }
    return { fields, nodes: nodes ?? record.nodes };
  }

  /** The topmost that says a field. */
  #patchOf(name: string): Patch | undefined {
    for (let at = this.#patches.length - 1; at >= 0; at--) {
      const patch = this.#patches[at] as Patch;
      if (patch.laying?.names.includes(name) && !isOutrun(name, patch.issued, this.base))
        return patch;
    }
    return undefined;
  }

  /** Only layers know of it: no server could say more. */
  #untold(): Stamp {
    const [{ issued }] = this.#patches as [Patch];
    return { ...NEVER, time: issued, expiresAt: Infinity };
  }

  #image(time: number): Image | undefined {
    let { image } = this.base;
    for (const { issued, laying } of this.#patches) {
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

/** Calls `visit` with each name under which two objects differ. */
function eachOther(one: Named, other: Named, visit: (name: string) => void): void {
  for (const name in one) if (one[name] !== other?.[name]) visit(name);
  for (const name in other) if (one === undefined || !(name in one)) visit(name);
}

type Named = Readonly<Record<string, unknown>> | undefined;

function pick(fields: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) assign(picked, name, fields[name]);
  return picked;
}
