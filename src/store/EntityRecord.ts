/** The record of one entity: its value, and when each field of it was written. */
import type { Form } from '../schema/Form.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { covers } from '../schema/namesIn.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { claim, claimOf } from './claim.ts';
import { relink } from './eachRecord.ts';
import { EntityValue } from './EntityValue.ts';
import { leftAfter, leftTimes, step, stepOf, UNKNOWN } from './Known.ts';
import type { Known } from './Known.ts';
import { aboveOf, confirmed, layeredOf } from './Layered.ts';
import type { Put } from './Laying.ts';
import { SEEN } from './Record.ts';
import { replaces, replacesAll, retimed, stampTime, takes } from './order.ts';
import type { Stamp } from './order.ts';

let turns = 0;

export class EntityRecord extends EntityValue {
  known: Known = UNKNOWN;
  /** In which turn it came to exist; negative before it came from a disk, which has told it then. */
  turn = 0;
  /** While an answer is laid out: what it says of this. */
  put: Put<EntityRecord> | undefined = undefined;
  get time(): number {
    return this.known.time;
  }

  get stamp(): Stamp {
    return this.known.stamp;
  }

  set stamp(stamp: Stamp) {
    if (stamp !== this.known.stamp) this.known = { ...this.known, stamp };
  }

  override deletedSince(time: number): boolean {
    const base = confirmed(this);
    const last = base.exists ? (claimOf(base)?.gone ?? base.known.floor) : base.time;
    return last > time;
  }

  override get gone(): number | undefined {
    if (this.exists) return undefined;
    const base = confirmed(this);
    if (base.exists) return layeredOf(this)?.deletedAt;
    return base.time > 0 ? Infinity : undefined;
  }

  override get latest(): number {
    const { time, floor, times } = this.known;
    return times === undefined
      ? Math.max(time, floor)
      : Math.max(time, floor, ...Object.values(times));
  }

  /** Writes what is newer than what is stored; wakes readers only where something changed. */
  write(put: Put, stamp: Stamp): void {
    if (put.kind !== this.kind && (!this.exists || put.kind.is(this.kind))) this.become(put.kind);
    if (this.instance === undefined) this.#create(put, stamp);
    else this.#merge(put, stamp);
    if (stamp.own !== undefined) aboveOf(this)?.outrun?.(stamp.own);
  }

  /** Is of this class from now on; where it is there, that shares its table with the one that it was of. */
  become(kind: EntityKind): void {
    const { instance, known } = this;
    const { declared, positions } = kind.plan;
    const was = this.kind.plan.positions;
    if (instance !== undefined) this.changing();
    this.kind = kind;
    if (instance === undefined) return;
    // what was no nested member stands there in its raw form
    const left = declared.filter(
      (name) => !Object.hasOwn(instance, name) || positions.has(name) !== was.has(name),
    );
    this.known = { ...known, left: [...known.left, ...left], form: undefined };
    this.instance = kind.copy(instance);
    this.flags &= ~SEEN;
    this.touched(declared);
  }

  /** Empties the record, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!claim(this, { issued: stamp.time, deleted: true })) return false;
    } else if (!replaces(time, this.time)) return !this.exists;
    // which own writes stand is known for ever
    const { floor, ownIssued, claim: made } = this.known;
    this.known = { ...UNKNOWN, time, floor, ownIssued, claim: made };
    if (this.turn < 0) this.turn = 0;
    this.vanish();
    return true;
  }

  #create({ nodes, instance, created, form }: Put, stamp: Stamp): void {
    // servers give keys again: of a new entity all of the answer counts, and nothing from before
    if (created) claim(this, { issued: stamp.time, gone: this.time });
    else if (!replaces(stamp.time, this.time)) return;
    this.known =
      stepOf(form as Form, this.known, stamp) ?? this.#begun(form as Form, stamp, created);
    this.appear(instance as Fields, nodes);
  }

  protected override appear(instance: Fields, nodes: readonly Node[]): void {
    // what a layer hid has its place still
    if (this.turn === 0 || (this.turn > 0 && !this.layered)) this.turn = ++turns;
    super.appear(instance, nodes);
  }

  /** What is known of an entity that came, or came again, with an answer. */
  #begun(form: Form, stamp: Stamp, created: boolean): Known {
    const { known } = this;
    const { time } = stamp;
    const floor = created ? time : known.time;
    // older data may still bring the declared fields that this write left out
    const times = leftTimes(form, floor);
    const { ownIssued, claim: made } = known;
    const { left } = form;
    const bare = { time, times, ownIssued, floor, stamp, claim: made, form: undefined, left };
    if (stamp.own !== undefined) return { ...bare, ...retimed(bare, form.names, stamp, false) };
    const whole = left.length === 0 ? form : undefined;
    const begun: Known = { ...bare, form: whole };
    return created ? begun : step(form, known, stamp, begun);
  }

  #merge(put: Put, stamp: Stamp): void {
    const { fields, nodes } = put;
    const { left } = this.known;
    const form = put.form as Form;
    let touched: readonly string[];
    // a class that decides by itself has done so: what it lays is taken
    if (this.kind.plan.decides || replacesAll(stamp, this.known)) {
      const known = put.stamp === undefined ? stepOf(form, this.known, stamp) : undefined;
      this.known = known ?? this.#after(put, stamp, form.names);
      touched = this.take(form, fields, nodes);
    } else {
      const names = form.names.filter((name) => this.#takes(name, stamp));
      this.known = this.#after(put, stamp, names);
      touched = names.filter((name) => this.putAny(name, fields[name], nodes));
    }
    if (touched.length > 0) this.touched(touched);
    // the default itself came: that it is known is all that is new
    else if (this.known.left !== left) for (const parent of this.allParents) parent.filled?.();
  }

  /** True where it is shown as a whole by who needs more than was received. */
  override lacks(since: number, kind: EntityKind = this.kind): boolean {
    const { exists, known, kind: its } = confirmed(this);
    // what only layers know of is the user's own: no server knows more
    if (!exists || since >= known.floor) return false;
    return !its.is(kind) || kind.plan.demanded.some((name) => known.left.includes(name));
  }

  /** What is known after a write that took these fields. */
  #after(
    { fields, form: its, stamp: decided }: Put,
    stamp: Stamp,
    names: readonly string[],
  ): Known {
    const { known } = this;
    const form = its as Form;
    const whole = replaces(stamp.time, known.time) && this.#isCovered(form, fields);
    const { time, times, ownIssued } = retimed(known, names, stamp, whole);
    const later = decided ?? (stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp);
    const after: Known = {
      time,
      times,
      ownIssued,
      floor: known.floor,
      stamp: later,
      claim: known.claim,
      form: whole ? form : undefined,
      left: leftAfter(names, known.left),
    };
    const repeats = names === form.names && decided === undefined && known.form === form;
    return repeats ? step(form, known, stamp, after) : after;
  }

  #isCovered(form: Form, fields: Fields): boolean {
    const had = this.known.form;
    if (had === form) return true;
    const fewer = had !== undefined && form.names.length < had.names.length;
    return !fewer && covers(fields, this.instance as Fields);
  }

  override swap(swap: (node: Node) => Node): void {
    const { nodes } = this;
    const { nested } = this.kind.plan;
    this.changing();
    this.nodes = nodes.map(swap);
    if (aboveOf(this) === undefined) relink(this, nodes, this.nodes);
    this.touched(nested.filter((_, at) => nodes[at] !== this.nodes[at]).map(({ name }) => name));
  }

  override aside(): EntityRecord {
    const copy = new EntityRecord(this.kind, this.pk);
    copy.hold(this.image);
    return copy;
  }

  /** Takes over when its content was written. */
  follow(other: EntityRecord): void {
    this.known = other.known;
  }

  /** A field never written before has no time: any data bring it. */
  #takes(name: string, stamp: Stamp): boolean {
    const at = this.kind.plan.positions.get(name);
    const own = this.instance as Fields;
    const known = at === undefined ? Object.hasOwn(own, name) : this.nodes[at] !== undefined;
    return known
      ? takes(name, stamp, this.known)
      : replaces(stampTime(name, stamp), this.known.floor);
  }
}
