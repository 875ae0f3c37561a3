/** A list above which unconfirmed writes lie. */
import { merged } from './arranging.ts';
import { claimOf } from './claim.ts';
import { EntityRecord } from './EntityRecord.ts';
import { inOrder } from './inOrder.ts';
import { confirmed, layeredOf } from './Layered.ts';
import type { LayeredEntity } from './LayeredEntity.ts';
import type { Layered } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { Merge, Moving } from './ListRecord.ts';
import type { Side, Turn } from './Memberships.ts';
import { NONE } from './more.ts';
import { unique } from './joined.ts';
import type { Stamp } from './order.ts';
import type { Filling, Node } from '../schema/schema.ts';
import type { Record } from './Record.ts';

/** What one layer does to a list. */
export interface Change {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** `all`: these are its members. `page`: so are these. */
  readonly how: Side | 'out' | 'merge' | Filling;
  readonly members: readonly Record[];
  /** Where a function of the user's own puts them. */
  readonly merge?: Merge | undefined;
}

type Turns = Map<Record, Turn>;

/** What is confirmed of it; its members do not know that they are in it. */
class ConfirmedList extends ListRecord {
  /** What layers do above it, in the order of their issue. */
  changes: Change[] = NONE;
  /** Who came while there were layers. */
  readonly turns: Turns = new Map();

  /** What a read lists stands where it says; what it could not know has the turn in which it was created. */
  override fill(incoming: readonly Node[], stamp: Stamp): void {
    const { stamp: before } = this;
    super.fill(incoming, stamp);
    if (this.stamp === before) return;
    const listed = new Set(incoming);
    for (const member of this.members ?? []) {
      const turn = this.turnIn(member);
      if (listed.has(member) && !member.deletedSince(stamp.time)) this.turns.delete(member);
      else if (turn !== undefined) this.turns.set(member, turn);
    }
  }

  override has(member: Record): boolean {
    return this.members?.includes(member) ?? false;
  }

  protected override relink(): void {}

  /** One that nobody expected goes before those of its side that were issued later, also before expected ones. */
  protected override turnOf(moving: Moving, side: Side): number {
    const { issued, confirmed, expected } = moving;
    const first = this.changes.find(({ how }) => how === side)?.issued;
    if (expected || this.members === undefined || first === undefined)
      return super.turnOf(moving, side);
    return first < issued ? issued : first - 1 / confirmed;
  }

  protected override placeOf(member: Record, turn: Turn): number {
    this.turns.set(member, turn);
    return placeAmong(this.members ?? [], this.turns, turn);
  }
}

/*
 *   layers      confirmed    readers see
 *   #4 T  #7 U  a            a T U       no row jumps: what was expected has the turn of its issue,
 *   #4 T        a U          a T U       behind an expected row all stand in the order of issue
 *               a T U        a T U
 */

/** Where a member goes: before those at the end, or behind those at the start, whose turn is later. */
function placeAmong(members: readonly Record[], turns: Turns, { turn, side }: Turn): number {
  const later = (member: Record | undefined): boolean => {
    const known = member && turns.get(member);
    return known !== undefined && known.side === side && known.turn > turn;
  };
  let at = side === 'start' ? 0 : members.length;
  if (side === 'start') while (later(members[at])) at++;
  else while (later(members[at - 1])) at--;
  return at;
}

export class LayeredList implements Layered {
  readonly record: ListRecord;
  readonly base: ConfirmedList;
  readonly #deleted: Iterable<EntityRecord>;

  /** `deleted`: entities that layers delete now. */
  constructor(record: ListRecord, deleted: Iterable<EntityRecord>) {
    this.record = record;
    this.#deleted = deleted;
    this.base = new ConfirmedList(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.members);
    record.layered = this;
  }

  get needs(): Node {
    return [this.base.needs(), ...this.base.changes.map(({ members }) => members)];
  }

  /** True for who is in it, as it is confirmed or by a layer. */
  names(member: Record): boolean {
    return (
      this.base.has(member) || this.base.changes.some(({ members }) => members.includes(member))
    );
  }

  add(change: Change): void {
    this.base.changes = inOrder(this.base.changes, change);
  }

  lift(issued: number): void {
    this.base.changes = this.base.changes.filter((change) => change.issued !== issued);
  }

  before(time: number): ListRecord {
    const image = new ListRecord(this.record.kind, this.record.pk);
    image.hold(this.#members(time));
    return image;
  }

  show(): void {
    const { record, base } = this;
    record.show(this.#members(Infinity));
    record.follow(base);
    if (base.changes.length === 0) record.layered = undefined;
  }

  #members(time: number): Record[] | undefined {
    let members = this.base.members?.slice();
    // what layers delete and show again is in no list that it did not enter since
    for (const member of this.#deleted)
      if (members !== undefined && rebornAfter(member, time) >= 0) takeOut(members, member);
    for (const change of this.base.changes) {
      const { issued, how, members: its } = change;
      if (issued >= time) break;
      if (how === 'fill') members = unique(its);
      else if (how === 'append') members = unique([...(members ?? []), ...its]);
      else if (members === undefined) continue;
      else if (how === 'merge') members = this.#merged(members, change);
      else if (how === 'out') for (const member of its) takeOut(members, member);
      else this.#enter(members, its[0] as Record, { turn: issued, side: how }, time);
    }
    return members;
  }

  #enter(members: Record[], member: Record, place: Turn, time: number): void {
    const { turn } = place;
    if (members.includes(member) || isOutrun(member, turn) || rebornAfter(member, time) >= turn)
      return;
    members.splice(placeAmong(members, this.base.turns, place), 0, member);
  }

  /** A merge that fails, or gives what is no list of these, says nothing until the answer comes. */
  #merged(members: Record[], { merge, members: fresh }: Change): Record[] {
    try {
      return merged(this.record, merge as Merge, [members, fresh]);
    } catch {
      return members;
    }
  }
}

/** Members are many, and each is in there once. */
function takeOut(members: Record[], member: Record): void {
  const at = members.indexOf(member);
  if (at >= 0) members.splice(at, 1);
}

/** True when an own deletion that was issued later is confirmed. */
function isOutrun(member: Record, issued: number): boolean {
  return member instanceof EntityRecord && issued < (claimOf(confirmed(member))?.issued ?? 0);
}

function rebornAfter(member: Record, time: number): number {
  return (layeredOf(member) as LayeredEntity | undefined)?.rebornAfter(time) ?? -1;
}
