/** The record of one entity: its value, and when each field of it was written. */
import type { Form } from '../schema/Form.ts';
import { covers } from '../schema/namesIn.ts';
import type { Fields } from '../schema/schema.ts';
import { claim, claimOf } from './claim.ts';
import { EntityValue } from './EntityValue.ts';
import { leftTimes, step, stepOf, UNKNOWN } from './Known.ts';
import type { Known } from './Known.ts';
import { confirmed } from './Layered.ts';
import type { Put } from './Laying.ts';
import { replaces, retimed, stampTime, takes } from './order.ts';
import type { FieldTimes, Stamp, Times } from './order.ts';

export class EntityRecord extends EntityValue implements Times {
  known: Known = UNKNOWN;
  /** While an answer is laid out: what it says of this. */
  put: Put<EntityRecord> | undefined = undefined;
  get time(): number {
    return this.known.time;
  }

  get times(): FieldTimes | undefined {
    return this.known.times;
  }

  get ownIssued(): FieldTimes | undefined {
    return this.known.ownIssued;
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

  override get latest(): number {
    const { time, floor, times } = this.known;
    return times === undefined
      ? Math.max(time, floor)
      : Math.max(time, floor, ...Object.values(times));
  }

  /** Writes what is newer than what is stored; wakes readers only where something changed. */
  write(put: Put, stamp: Stamp): void {
    if (this.instance === undefined) this.#create(put, stamp);
    else this.#merge(put, stamp);
  }

  /** Empties the record, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!claim(this, { issued: stamp.time })) return false;
    } else if (!replaces(time, this.time)) return !this.exists;
    // which own writes stand is known for ever
    this.known = { ...UNKNOWN, time, floor: this.known.floor, ownIssued: this.ownIssued };
    this.vanish();
    return true;
  }

  #create({ nodes, instance, created, form }: Put, stamp: Stamp): void {
    const { known } = this;
    // servers give keys again: of a new entity all of the answer counts, and nothing from before
    if (created) claim(this, { issued: stamp.time, gone: known.time });
    else if (!replaces(stamp.time, known.time)) return;
    this.known = stepOf(form as Form, known, stamp) ?? this.#begun(form as Form, stamp, created);
    this.appear(instance as Fields, nodes);
  }

  /** What is known of an entity that came, or came again, with an answer. */
  #begun(form: Form, stamp: Stamp, created: boolean): Known {
    const { known } = this;
    const { time } = stamp;
    const floor = created ? time : known.time;
    // older data may still bring the declared fields that this write left out
    const times = leftTimes(form, floor);
    const bare = { time, times, ownIssued: known.ownIssued, floor, stamp, form: undefined };
    if (stamp.own !== undefined) return { ...bare, ...retimed(bare, form.names, stamp, false) };
    const whole = form.left.length === 0 ? form : undefined;
    const begun: Known = { ...bare, form: whole };
    return created ? begun : step(form, known, stamp, begun);
  }

  #merge(put: Put, stamp: Stamp): void {
    const { fields, nodes, form } = put as Put & { form: Form };
    const { known } = this;
    // a class that decides by itself has done so: what it lays is taken
    const decided = this.kind.plan.decides || put.stamp !== undefined;
    const next = decided ? undefined : (stepOf(form, known, stamp) ?? this.#going(put, stamp));
    if (next === undefined) return this.#mergeSingly(put, stamp);
    this.known = next;
    const touched = this.take(form, fields, nodes);
    if (touched !== undefined) this.touched(touched);
  }

  /** What is known after an answer that has all fields, and replaces all of them; undefined where it does not. */
  #going({ fields, form }: Put, stamp: Stamp): Known | undefined {
    const { known } = this;
    const { time, times, floor, ownIssued } = known;
    const simple = times === undefined && stamp.own === undefined && replaces(stamp.time, time);
    if (!simple) return undefined;
    if (known.form !== form && !covers(fields, this.instance as Fields)) return undefined;
    const later = stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp;
    const next = { time: stamp.time, times, ownIssued, floor, stamp: later, form };
    return known.form === form ? step(form as Form, known, stamp, next) : next;
  }

  #mergeSingly({ fields, nodes, form, stamp: decided }: Put, stamp: Stamp): void {
    const { decides } = this.kind.plan;
    const { known } = this;
    const { names } = form as Form;
    const newest = replaces(stamp.time, known.time);
    const simple = newest && known.times === undefined && stamp.own === undefined;
    const taken = simple || decides ? names : names.filter((name) => this.#takes(name, stamp));
    const whole = newest && covers(fields, this.instance as Fields);
    const times =
      simple && whole && stamp.time === known.time ? known : retimed(known, taken, stamp, whole);
    const touched = taken.filter((name) => this.putAny(name, fields[name], nodes));
    const later = decided ?? (stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp);
    const { time, times: single, ownIssued } = times;
    this.known = {
      time,
      times: single,
      ownIssued,
      floor: known.floor,
      stamp: later,
      form: undefined,
    };
    if (touched.length > 0) this.touched(touched);
  }

  override aside(): EntityRecord {
    const copy = new EntityRecord(this.kind, this.pk);
    copy.hold(this.image);
    return copy;
  }

  /** Takes over when its content was written. */
  follow(other: EntityRecord): void {
    this.known = other.known;
    const claimed = claimOf(other);
    if (claimed !== undefined) claim(this, claimed);
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
