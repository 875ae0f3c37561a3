/** A list above which unconfirmed writes lie. */
import { layer, unlayer } from './Layered.ts';
import type { Layered } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { Merge, Moving, Side } from './ListRecord.ts';
import { unique } from './joined.ts';
import type { Stamp } from './order.ts';
import type { Node } from '../schema/schema.ts';
import type { Builder, Record } from './Record.ts';

/** What one layer does to a list. */
export interface Change {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** `all`: these are its members. `page`: so are these. */
  readonly how: Side | 'out' | 'merge' | 'all' | 'page';
  readonly members: readonly Record[];
  /** Where a function of the user's own puts them. */
  readonly merge?: Merge | undefined;
}

/** At which side members came, and in which turn: logical time. */
type Turns = Map<Record, { readonly turn: number; readonly side: Side }>;

/** What is confirmed of it; its members do not know that they are in it. */
class ConfirmedList extends ListRecord {
  /** Who came while there were layers. */
  readonly turns: Turns = new Map();
  readonly #turnOf: (moving: Moving, side: Side) => number;

  constructor({ kind, pk }: ListRecord, turnOf: (moving: Moving, side: Side) => number) {
    super(kind, pk);
    this.#turnOf = turnOf;
  }

  /** What a read lists stands where it says. */
  override fill(incoming: readonly Node[], stamp: Stamp, builder: Builder): void {
    const { stamp: before } = this;
    super.fill(incoming, stamp, builder);
    if (this.stamp !== before) for (const node of incoming) this.turns.delete(node as Record);
  }

  override has(member: Record): boolean {
    return this.members?.includes(member) ?? false;
  }

  protected override relink(): void {}

  protected override placeOf(moving: Moving, side: Side): number {
    const turn = this.#turnOf(moving, side);
    this.turns.set(moving.member, { turn, side });
    return placeAmong(this.members ?? [], this.turns, { turn, side });
  }
}

/*
 *   layers      confirmed    readers see
 *   #4 T  #7 U  a            a T U       no row jumps: what was expected has the turn of its issue,
 *   #4 T        a U          a T U       what nobody expected comes last, but for what is expected since it was issued
 *               a T U        a T U
 */

/** Where a member goes: before those at the end, or behind those at the start, whose turn is later. */
function placeAmong(
  members: readonly Record[],
  turns: Turns,
  { turn, side }: { readonly turn: number; readonly side: Side },
): number {
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
  #changes: Change[] = [];

  constructor(record: ListRecord) {
    this.record = record;
    this.base = new ConfirmedList(record, (moving, side) => this.#turnOf(moving, side));
    this.base.follow(record);
    this.base.hold(record.members);
    layer(record, this);
  }

  get needs(): Node {
    return [this.base.needs(), ...this.#changes.map(({ members }) => members)];
  }

  get empty(): boolean {
    return this.#changes.length === 0;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#changes.sort((a, b) => a.issued - b.issued);
  }

  /** True when the layer issued at this logical time moves this member here. */
  moves(member: Record, issued: number): boolean {
    return this.#changes.some((one) => one.issued === issued && one.members.includes(member));
  }

  lift(issued: number): void {
    this.#changes = this.#changes.filter((change) => change.issued !== issued);
  }

  before(time: number): ListRecord {
    const image = new ListRecord(this.record.kind, this.record.pk);
    image.hold(this.#members(time));
    return image;
  }

  show(builder: Builder): void {
    const { record, base } = this;
    record.show(this.#members(Infinity), builder);
    record.follow(base);
    if (this.empty) unlayer(record);
  }

  #members(time: number): Record[] | undefined {
    let members = this.base.members?.slice();
    for (const change of this.#changes) {
      if (change.issued >= time) break;
      if (change.how === 'all') members = unique(change.members);
      else if (change.how === 'page') members = unique([...(members ?? []), ...change.members]);
      else if (change.how === 'merge') members = merged(members, change);
      else if (members !== undefined) this.#move(members, change);
    }
    return members;
  }

  #move(members: Record[], { members: [member], how, issued }: Change): void {
    if (member === undefined) return;
    const at = members.indexOf(member);
    if (how === 'out') {
      if (at >= 0) members.splice(at, 1);
    } else if (at < 0) {
      const place = { turn: issued, side: how as Side };
      members.splice(placeAmong(members, this.base.turns, place), 0, member);
    }
  }

  #turnOf({ issued, confirmed }: Moving, side: Side): number {
    if (confirmed === undefined) return issued;
    const next = this.#changes.find((change) => change.how === side && change.issued > issued);
    return next === undefined ? confirmed : next.issued - 1 / confirmed;
  }
}

/** A merge that fails, or gives what is no list of these, says nothing until the answer comes. */
function merged(
  members: Record[] | undefined,
  { merge, members: fresh }: Change,
): Record[] | undefined {
  if (members === undefined || merge === undefined) return members;
  try {
    const given: unknown = merge([...members] as never, [...fresh] as never);
    const known = new Set<unknown>([...members, ...fresh]);
    const fits = Array.isArray(given) && given.every((member) => known.has(member));
    return fits ? [...new Set(given as Record[])] : members;
  } catch {
    return members;
  }
}
