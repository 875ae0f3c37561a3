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

/** What one layer writes to an entity. */
export interface Patch {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** Undefined: it deletes it. */
  readonly laying: Laying | undefined;
}

export class LayeredEntity implements Layered {
  readonly record: EntityRecord;
  readonly base: EntityRecord;
  #patches: Patch[] = [];

  constructor(record: EntityRecord) {
    this.record = record;
    this.base = new EntityRecord(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.image);
    layer(record, this);
  }

  get needs(): Node {
    return [this.base.nodes, ...this.#patches.map(({ laying }) => laying?.nodes)];
  }

  get empty(): boolean {
    return this.#patches.length === 0;
  }

  add(patch: Patch): void {
    this.#patches.push(patch);
    this.#patches.sort((a, b) => a.issued - b.issued);
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

  lift(issued: number): void {
    this.#patches = this.#patches.filter((patch) => patch.issued !== issued);
  }

  before(time: number): EntityRecord {
    const image = new EntityRecord(this.record.kind, this.record.pk);
    image.hold(this.#image(time));
    return image;
  }

  show(): void {
    const { record, base } = this;
    record.show(this.#image(Infinity));
    record.stamp = base.exists || !record.exists ? base.stamp : this.#untold();
    if (!this.empty) return;
    record.follow(base);
    unlayer(record);
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

function pick(fields: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) assign(picked, name, fields[name]);
  return picked;
}
