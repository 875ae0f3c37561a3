/** What layers write to one entity, in the order of their issue, and which layers see what changes in it. */
import { equal } from '../schema/equal.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { Image, Laying } from './Laying.ts';
import { inOrder } from './inOrder.ts';
import { more, NONE } from './more.ts';
import { isOutrun } from './order.ts';

/** What one layer writes. */
export interface Patch {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** Undefined: it deletes it. */
  readonly laying: Laying | undefined;
  /** It makes the entity where it is not there; a change shows nothing without it. */
  readonly makes?: boolean;
}

/*
 *   #9  title   ◄── sees what #7 says, whatever becomes of #4 or the base: it is not in reach of them
 *   #7  title   ◄── in reach of #4
 *   #4  title       lifted. Does what lies below say the same now, as after its answer? Then nobody sees a change
 *   base
 */
export class Patches {
  all: Patch[] = NONE;
  /** How many of them delete. */
  deletions = 0;
  /** Fields that were laid or lifted since readers were shown them. */
  names: readonly string[] = NONE;
  /** Since it was asked who is in reach. */
  #laid: Patch[] = NONE;
  #lifted: Patch[] = NONE;
  readonly #base: EntityRecord;

  constructor(base: EntityRecord) {
    this.#base = base;
  }

  add(patch: Patch): void {
    this.all = inOrder(this.all, patch);
    this.#laid = more(this.#laid, patch);
    this.#turn(patch, 1);
  }

  lift(issued: number): void {
    const { all } = this;
    // in place: they are mostly lifted from below, and a copy for each would be quadratic
    let at = 0;
    while (at < all.length && (all[at] as Patch).issued < issued) at++;
    while (all[at]?.issued === issued) {
      const [patch] = all.splice(at, 1) as [Patch];
      this.#lifted = more(this.#lifted, patch);
      this.#turn(patch, -1);
    }
  }

  #turn({ laying }: Patch, by: 1 | -1): void {
    if (laying === undefined) this.deletions += by;
    else this.look(laying.names);
  }

  /** These fields are to be shown anew. */
  look(names: readonly string[]): void {
    if (this.names.length === 0) this.names = names;
    else
      for (const name of names) if (!this.names.includes(name)) this.names = [...this.names, name];
  }

  /** Everything was looked at. */
  shown(): void {
    this.names = NONE;
    this.forget();
  }

  forget(): void {
    this.#laid = this.#lifted = NONE;
  }

  /** Where a field is from, for those who see this far: the topmost patch that says it, else the base. */
  from(name: string, upTo: number = Infinity): Image {
    const { all } = this;
    for (let at = all.length - 1; at >= 0; at--) {
      const patch = all[at] as Patch;
      if (patch.issued <= upTo && this.#says(patch, name)) return patch.laying as Laying;
    }
    return { fields: this.#base.instance ?? {}, nodes: this.#base.nodes };
  }

  /** True where one of them says a field, hidden or not. */
  say(name: string): boolean {
    return this.all.some((patch) => fieldsOf(patch).includes(name));
  }

  #says(patch: Patch, name: string): boolean {
    return fieldsOf(patch).includes(name) && !isOutrun(name, patch.issued, this.#base.known);
  }

  /** Tells of each layer, by its time of issue, whether it sees what has changed. `differing`: fields of the base. */
  reach(differing: readonly string[]): (issued: number) => boolean {
    const spans: (readonly [number, number])[] = [];
    const span = (name: string, issued: number) =>
      spans.push([issued, this.#nextAbove(name, issued)]);
    for (const name of differing) span(name, -1);
    for (const patch of this.#lifted) {
      const { issued, laying } = patch;
      for (const name of fieldsOf(patch))
        if (!this.#same(name, laying as Laying, this.from(name, issued))) span(name, issued);
    }
    for (const patch of this.#laid) {
      const { issued } = patch;
      const said = this.#lifted.filter((one) => one.issued === issued).flatMap(fieldsOf);
      for (const name of fieldsOf(patch)) if (!said.includes(name)) span(name, issued);
    }
    this.forget();
    return (issued) => spans.some(([after, last]) => issued > after && issued <= last);
  }

  #same(name: string, one: Image, other: Image): boolean {
    const at = this.#base.kind.plan.positions.get(name);
    if (at !== undefined) return equal(one.nodes[at], other.nodes[at]);
    return equal(one.fields[name], other.fields[name]);
  }

  /** The time of the first patch after this time that says a field, or Infinity; who is above it sees that. */
  #nextAbove(name: string, issued: number): number {
    const saying = [
      ...this.#lifted.filter((patch) => fieldsOf(patch).includes(name)),
      ...this.all.filter((patch) => this.#says(patch, name)),
    ];
    return Math.min(...saying.map((patch) => patch.issued).filter((time) => time > issued));
  }
}

function fieldsOf({ laying }: Patch): readonly string[] {
  return laying?.names ?? NONE;
}
