/** The record of one entity: what is confirmed of it and when that was written, and the unconfirmed writes over it. */
import type { Form } from '../schema/Form.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { claim, claimOf } from './claim.ts';
import { fold, overlaid, sameContent } from './fold.ts';
import type { Patch } from './fold.ts';
import type { EntityContent } from './EntityContent.ts';
import { relink } from './eachRecord.ts';
import { EntityValue, NO_NODES } from './EntityValue.ts';
import { knownAfter, knownOfNew, UNKNOWN } from './Known.ts';
import type { Known } from './Known.ts';
import { NONE } from './more.ts';
import { PendingEntity } from './PendingEntity.ts';
import { NEVER, replaces, replacesAll, stampTime, takes } from './order.ts';
import type { Stamp } from './order.ts';
import { PARTS, SEEN } from './flags.ts';
import type { Record } from './Record.ts';

let turns = 0;

export class EntityRecord extends EntityValue {
  known: Known = UNKNOWN;
  /** In which turn it came to exist; negative: on a disk, which comes before the page; 0: it does not. */
  turn = 0;
  /** While a response is laid out: what it says of this. */
  patch: Patch<EntityRecord> | undefined = undefined;
  override pending: PendingEntity | undefined = undefined;

  /** What is confirmed of it; undefined: it does not exist. */
  get base(): EntityContent | undefined {
    return this.pending === undefined ? this.content : this.pending.base;
  }

  /** True where its existence is confirmed. */
  get confirmed(): boolean {
    return this.pending === undefined ? this.exists : this.pending.base !== undefined;
  }

  get confirmedFields(): Fields | undefined {
    return this.pending === undefined ? this.instance : this.pending.base?.fields;
  }

  get confirmedNodes(): readonly Node[] {
    return this.pending === undefined ? this.nodes : (this.pending.base?.nodes ?? NO_NODES);
  }

  get time(): number {
    return this.known.time;
  }

  get stamp(): Stamp {
    const first = this.pending?.patches[0];
    if (first === undefined || this.confirmed || !this.exists) return this.known.stamp;
    // only unconfirmed writes know of it: no server could say more
    return { ...NEVER, time: first.issued, expiresAt: Infinity };
  }

  set stamp(stamp: Stamp) {
    if (stamp !== this.known.stamp) this.known = { ...this.known, stamp };
  }

  override needs(): Node {
    const { pending, nodes } = this;
    return pending === undefined ? nodes : [nodes, pending.needs];
  }

  override confirmedParts(): Node {
    return this.confirmedNodes;
  }

  override deletedSince(time: number): boolean {
    const { known } = this;
    const last = this.confirmed ? (claimOf(this)?.gone ?? known.floor) : known.time;
    return last > time;
  }

  override get gone(): number | undefined {
    if (this.exists) return undefined;
    if (this.confirmed) return this.pending?.deletions.at(-1)?.issued;
    return this.time > 0 ? Infinity : undefined;
  }

  override get latest(): number {
    const { time, floor, times } = this.known;
    return times === undefined
      ? Math.max(time, floor)
      : Math.max(time, floor, ...Object.values(times));
  }

  /** Writes what is newer than what is confirmed; wakes readers only where something changed. */
  write(patch: Patch, stamp: Stamp): void {
    const { kind, confirmed } = this;
    if (patch.kind !== kind && (!confirmed || patch.kind.is(kind))) this.become(patch.kind);
    if (confirmed) this.#merge(patch, stamp);
    else this.#create(patch, stamp);
    // what writes issued before say of these is hidden from now on
    if (stamp.own !== undefined) this.pending?.markStale([...stamp.own]);
  }

  /** Is of this class from now on; where it is there, that shares its table with the one that it was of. */
  become(kind: EntityKind): void {
    const { base, instance, known, pending } = this;
    const { declared, positions } = kind.plan;
    const was = this.kind.plan.positions;
    if (instance !== undefined) this.changing();
    this.kind = kind;
    if (base !== undefined) {
      // what was no nested member stands there in its raw form
      const left = declared.filter(
        (name) => !Object.hasOwn(base.fields, name) || positions.has(name) !== was.has(name),
      );
      this.known = { ...known, left: [...known.left, ...left], form: undefined };
      if (pending) pending.base = { fields: kind.copy(base.fields), nodes: base.nodes };
    }
    if (instance === undefined) return;
    this.instance = kind.copy(instance);
    this.flags = (this.flags & ~SEEN) | PARTS;
    this.touched(declared);
  }

  /** Deletes it, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!claim(this, { issued: stamp.time, deleted: true })) return false;
    } else if (!replaces(time, this.time)) return !this.confirmed;
    // which own writes stand is known for ever
    const { floor, ownIssued, claim: made } = this.known;
    this.known = { ...UNKNOWN, time, floor, ownIssued, claim: made };
    this.restore(undefined);
    return true;
  }

  /** This is confirmed from now on, be it newer or not. */
  restore(content: EntityContent | undefined): void {
    const { pending } = this;
    if (pending === undefined) return this.show(content);
    pending.base = content;
    pending.markStale(undefined);
  }

  /** As `restore`; readers are not told, as they see no difference. */
  override hold(content: EntityContent | undefined): void {
    if (this.pending === undefined) super.hold(content);
    else this.restore(content);
  }

  protected override appear(instance: Fields, nodes: readonly Node[]): void {
    // what an unconfirmed write hid has its place still
    if (this.turn === 0) this.turn = ++turns;
    super.appear(instance, nodes);
  }

  protected override vanish(): void {
    if (this.pending?.hides !== true) this.turn = 0;
    super.vanish();
  }

  #create({ nodes, instance, created, form }: Patch, stamp: Stamp): void {
    // servers give keys again: of a new entity all of the answer counts, and nothing from before
    if (created) claim(this, { issued: stamp.time, gone: this.time });
    else if (!replaces(stamp.time, this.time)) return;
    this.known = knownOfNew(this.known, form as Form, stamp, created);
    if (this.pending === undefined) this.appear(instance as Fields, nodes);
    else this.restore({ fields: instance as Fields, nodes });
  }

  #merge(patch: Patch, stamp: Stamp): void {
    const { left } = this.known;
    const form = patch.form as Form;
    // a class that decides by itself has done so: what it says is taken
    const all = this.kind.plan.decides || replacesAll(stamp, this.known);
    const names = all ? form.names : form.names.filter((name) => this.#takes(name, stamp));
    this.known = knownAfter(
      this.known,
      { patch, names, record: this.confirmedFields as Fields },
      stamp,
    );
    const touched = this.#takeOver(patch, all, names);
    if (touched.length > 0) this.touched(touched);
    // the default itself came: that it is known is all that is new
    else if (this.known.left !== left) this.#tellFilled();
  }

  /** Takes these fields; gives the names of those in which readers see something else now. */
  #takeOver(patch: Patch, all: boolean, names: readonly string[]): readonly string[] {
    const { pending } = this;
    const { fields, nodes } = patch;
    if (pending === undefined)
      return all
        ? this.take(patch.form as Form, fields, nodes)
        : names.filter((name) => this.putAny(name, fields[name], nodes));
    const base = pending.base as EntityContent;
    pending.base = overlaid(this.kind, base, { fields, nodes, names }, base);
    if (pending.base !== base) pending.markStale(names);
    return NONE;
  }

  /** What is shown inside of others may be complete now. */
  #tellFilled(): void {
    for (const parent of this.allParents) parent.filled?.();
  }

  /** True where it is shown as a whole by who needs more than was received. */
  override lacks(since: number, kind: EntityKind = this.kind): boolean {
    const { known, kind: its } = this;
    // what only unconfirmed writes know of is the user's own: no server knows more
    if (!this.confirmed || since >= known.floor) return false;
    return !its.is(kind) || kind.plan.demanded.some((name) => known.left.includes(name));
  }

  /** A field never written before has no time: any data bring it. */
  #takes(name: string, stamp: Stamp): boolean {
    const at = this.kind.plan.positions.get(name);
    const known =
      at === undefined
        ? Object.hasOwn(this.confirmedFields as Fields, name)
        : this.confirmedNodes[at] !== undefined;
    return known
      ? takes(name, stamp, this.known)
      : replaces(stampTime(name, stamp), this.known.floor);
  }

  override swap(swap: (node: Node) => Node): void {
    const { nodes, pending } = this;
    if (pending !== undefined) {
      const { base } = pending;
      return this.restore(base && { ...base, nodes: base.nodes.map(swap) });
    }
    const { nested } = this.kind.plan;
    this.changing();
    this.nodes = nodes.map(swap);
    this.flags |= PARTS;
    relink(this, nodes, this.nodes);
    this.touched(nested.filter((_, at) => nodes[at] !== this.nodes[at]).map(({ name }) => name));
  }

  /** From now on what is confirmed and what readers see are two things: see `refold`. */
  begin(): PendingEntity {
    return (this.pending ??= new PendingEntity(this.content));
  }

  /** Logical times at which the unconfirmed writes were issued that delete it, and are not outrun. */
  get deletedAt(): readonly number[] {
    const claimed = claimOf(this)?.issued ?? 0;
    const deletions = this.pending?.deletions ?? NONE;
    return deletions.map(({ issued }) => issued).filter((issued) => issued >= claimed);
  }

  /** The content with the unconfirmed writes that were issued before this logical time. */
  contentBefore(time: number): EntityContent | undefined {
    const { pending } = this;
    return pending ? fold(this, pending.base, pending.patches, time) : this.content;
  }

  override isAsBefore(time: number, copy: Record): boolean {
    if (copy === this) return false;
    return sameContent(this.kind, (copy as EntityRecord).content, this.contentBefore(time));
  }

  override before(time: number): EntityRecord {
    // the same for all
    if (this.pending === undefined && this.nodes.length === 0) return this;
    const copy = new EntityRecord(this.kind, this.pk);
    copy.hold(this.contentBefore(time));
    return copy;
  }

  /** Lets readers see what is confirmed with the unconfirmed writes over it. */
  refold(): void {
    const { pending, kind } = this;
    if (pending === undefined) return;
    const content = fold(this, pending.base, pending.patches);
    const names = kind.plan.merges || !this.exists ? undefined : pending.staleNames;
    pending.stale = NONE;
    this.show(content, names);
    if (pending.patches.length === 0) this.pending = undefined;
    // what only unconfirmed writes knew may be known in part now
    this.#tellFilled();
  }
}
