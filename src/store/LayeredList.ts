/** A list above which unconfirmed writes lie. */
import { layer, unlayer } from './Layered.ts';
import type { Layered } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { Moving, Side } from './ListRecord.ts';
import { unique } from './joined.ts';
import type { Builder, Record } from './Record.ts';

/** What one layer does to a list. */
export interface Change {
  /** Logical time at which the layer was issued. */
  readonly issued: number;
  /** `all`: these are its members. `page`: so are these. */
  readonly how: Side | 'out' | 'all' | 'page';
  readonly members: readonly Record[];
}

type Entered = Map<Record, { readonly issued: number; readonly side: Side }>;

/** What is confirmed of it; its members do not know that they are in it. */
class ConfirmedList extends ListRecord {
  /** Who came while there were layers: rows keep the order in which they were asked for, whoever is confirmed first. */
  readonly entered: Entered = new Map();

  protected override has(member: Record): boolean {
    return this.members?.includes(member) ?? false;
  }

  protected override relink(): void {}

  protected override placeOf({ member, issued }: Moving, side: Side): number {
    this.entered.set(member, { issued, side });
    return placeAmong(this.members ?? [], this.entered, { issued, side });
  }
}

/*
 *   layers      confirmed    readers see
 *   #4 T  #7 U  a            a T U
 *   #4 T        a U          a T U       U was asked for after T: it stays behind it
 *               a T U        a T U
 */

/** Where a member goes: before those at the end, or behind those at the start, that were asked for later. */
function placeAmong(
  members: readonly Record[],
  entered: Entered,
  { issued, side }: { readonly issued: number; readonly side: Side },
): number {
  const later = (member: Record | undefined): boolean => {
    const known = member && entered.get(member);
    return known !== undefined && known.side === side && known.issued > issued;
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
    this.base = new ConfirmedList(record.kind, record.pk);
    this.base.follow(record);
    this.base.hold(record.members);
    layer(record, this);
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
      const side = how as Side;
      members.splice(placeAmong(members, this.base.entered, { issued, side }), 0, member);
    }
  }
}
