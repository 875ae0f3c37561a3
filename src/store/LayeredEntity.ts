/** An entity above which unconfirmed writes lie. */
import { hasOwnOrAccessor } from '../schema/accessors.ts';
import { assign } from '../schema/equal.ts';
import type { Fields, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../schema/toInputForm.ts';
import { claimOf } from './claim.ts';
import { eachRecord } from './eachRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { Image, Laying } from './Laying.ts';
import type { Layered } from './Layered.ts';
import { more, NONE } from './more.ts';
import { isOutrun, NEVER } from './order.ts';
import { Patches } from './Patches.ts';
import type { Patch } from './Patches.ts';
import { TOUCHED } from './Record.ts';
import type { Record } from './Record.ts';

/*
 *   record   { title: 'b', done: true }     of the names that changed below, or were laid or lifted since the last look,
 *     #7                   done: true       each is looked for from the top: the first patch that has it, else the base
 *     #4       title: 'b'
 *   base     { title: 'a', done: false }    a deletion, or a merge of the user's own, needs the whole image (`#image`)
 */
export class LayeredEntity implements Layered {
  readonly record: EntityRecord;
  /** Nobody shows it: what changes in it is told to this alone. */
  readonly base: EntityRecord;
  readonly #patches: Patches;
  /** Fields of the base that may be others than readers were shown; undefined: all of it is to be looked at. */
  #changed: string[] | undefined = NONE;

  constructor(record: EntityRecord) {
    this.record = record;
    this.base = new EntityRecord(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.image);
    this.#patches = new Patches(this.base);
    this.base.layered = record.layered = this;
    if (!record.exists) record.turn = 0;
  }

  /** True while a layer deletes it. */
  get deletes(): boolean {
    return this.#patches.deletions > 0;
  }

  /** When the last deletion was issued that lies here. */
  get deletedAt(): number | undefined {
    const deletions = this.#patches.all.filter(({ laying }) => laying === undefined);
    return deletions.at(-1)?.issued;
  }

  /** True while a layer deletes what is there, or what another makes. */
  get #hides(): boolean {
    return this.deletes && (this.base.exists || this.#patches.all.some(({ laying }) => laying));
  }

  get needs(): Node {
    return [this.base.nodes, ...this.#patches.all.map(({ laying }) => laying?.nodes)];
  }

  add(patch: Patch): void {
    this.#patches.add(patch);
  }

  note(names: readonly string[] | undefined): void {
    if (names === undefined) this.#changed = undefined;
    for (const name of names ?? NONE)
      if (this.#changed?.includes(name) === false) this.#changed = more(this.#changed, name);
  }

  outrun(own: ReadonlySet<string>): void {
    this.note([...own].filter((name) => this.#patches.say(name)));
  }

  lift(issued: number): void {
    const { deletions } = this.#patches;
    this.#patches.lift(issued);
    if (this.#patches.deletions < deletions) this.#changed = undefined;
  }

  /** Tells of each layer, by its time of issue, whether it sees what has changed here; undefined: nobody knows. */
  reach(): ((issued: number) => boolean) | undefined {
    const news = this.#news;
    return news && this.#patches.reach(news);
  }

  /** What changed in the base since it was shown last, where single fields tell. */
  get #news(): readonly string[] | undefined {
    const { base, record } = this;
    const plain = this.#patches.deletions === 0 && !record.kind.plan.merges;
    return plain && base.exists && record.exists ? this.#changed : undefined;
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
    const { record } = this;
    const image = new EntityRecord(record.kind, record.pk);
    const last = this.#patches.all.at(-1);
    // most ask what readers see
    const isTop = last !== undefined && last.issued < time && !(record.flags & TOUCHED);
    image.hold(isTop ? record.image : this.#image(time));
    return image;
  }

  show(): void {
    const { record, base } = this;
    const patches = this.#patches;
    if (base.exists && record.kind !== base.kind) record.become(base.kind);
    const news = this.#news;
    if (news === undefined) record.show(this.#image(Infinity));
    else {
      patches.look(news);
      record.show(this.#top(patches.names), patches.names);
    }
    if (!record.exists && !this.#hides) record.turn = 0;
    patches.shown();
    // what only layers knew may be known in part now
    for (const parent of record.allParents) parent.filled?.();
    this.#changed = NONE;
    const [first] = patches.all;
    if (first === undefined) {
      record.follow(base);
      record.layered = undefined;
    } else if (base.exists || !record.exists) record.stamp = base.stamp;
    // only layers know of it: no server could say more
    else record.stamp = { ...NEVER, time: first.issued, expiresAt: Infinity };
  }

  /** These fields as readers are to see them, and no others. */
  #top(names: readonly string[]): Image {
    const { record } = this;
    const { plan } = record.kind;
    const fields: Fields = {};
    let nodes: Node[] | undefined;
    for (const name of names) {
      // a layer may know the entity by a temporary key
      const from = this.#patches.from(name, name === plan.namedBy?.field ? -1 : Infinity);
      const at = plan.positions.get(name);
      if (at !== undefined) (nodes ??= [...record.nodes])[at] = from.nodes[at];
      else if (hasOwnOrAccessor(from.fields, name, plan)) assign(fields, name, from.fields[name]);
    }
    return { fields, nodes: nodes ?? record.nodes };
  }

  #image(time: number): Image | undefined {
    let { image } = this.base;
    for (const { issued, laying, makes } of this.#patches.all) {
      if (issued >= time) break;
      // an own creation or deletion that was issued later and is confirmed says whether it is there
      const stands = issued >= (claimOf(this.base)?.issued ?? 0);
      if (laying === undefined) image = stands ? undefined : image;
      else if ((stands && makes) || image !== undefined) image = this.#over(image, laying, issued);
    }
    return image;
  }

  #over(image: Image | undefined, laying: Laying, issued: number): Image {
    const { kind, pk } = this.record;
    const { positions, shadowed, merges, namedBy } = kind.plan;
    // a layer may know the entity by a temporary key: that of what is there stays
    const key = namedBy?.field;
    const names = laying.names.filter((name) =>
      name === key ? image === undefined : !isOutrun(name, issued, this.base.known),
    );
    if (merges && image !== undefined) return this.#merged(image, laying, names);
    const fields = kind.copy(image?.fields ?? {});
    const nodes = [...(image ?? laying).nodes];
    for (const name of names) {
      const at = positions.get(name);
      if (at !== undefined) nodes[at] = laying.nodes[at];
      else if (name === key && String(laying.fields[name]) !== pk)
        assign(fields, name, namedBy?.numeric === true ? Number(pk) : pk);
      else if (!shadowed.has(name)) assign(fields, name, laying.fields[name]);
    }
    return { fields, nodes };
  }

  /** As a merge() of the user's has it. Nothing is stored for it: what it names anew waits for the answer. */
  #merged(image: Image, laying: Laying, names: readonly string[]): Image {
    const { Class, plan } = this.record.kind;
    const { nested } = plan;
    const said = toInputForm(laying.fields, nested, laying.nodes);
    const incoming = Object.fromEntries(names.map((name) => [name, said[name]]));
    const existing = toInputForm(image.fields, nested, image.nodes);
    const fields = Class.merge(existing, incoming);
    const from = [[incoming, laying.nodes] as const, [existing, image.nodes] as const];
    const sink = sinkOver(from.map(([, nodes]) => nodes));
    return { fields, nodes: renormalizeMerged(fields, nested, from, sink) };
  }
}

/** Knows the records in these nodes, and takes nothing. */
function sinkOver(nodes: Node): Sink {
  const known: Record[] = [];
  eachRecord(nodes, (record) => known.push(record));
  const ref: Sink['ref'] = ({ table }, pk) =>
    known.find(
      (record) => (record.kind as StoredKind | undefined)?.table === table && record.pk === pk,
    ) as Ref;
  const no = () => {};
  return { ref, stored: Boolean, put: no, remove: no, fill: no, enter: no };
}
