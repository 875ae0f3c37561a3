/** The record of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Entry, Node, StoredKind } from '../schema/schema.ts';
import { arranging } from './arranging.ts';
import { firstOther, isOneMore, joined, sameOrder, unique, visible } from './joined.ts';
import { Memberships } from './Memberships.ts';
import type { Membership, Side, Turn } from './Memberships.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { BUILDING, changed, DIRTY, MARKED, Record, SEEN } from './Record.ts';
import type { Builder } from './Record.ts';
import { Rows } from './Rows.ts';

/**
 * Told of each change to the members of a list. `at`: where `member` entered; -1: it left; undefined: it changed.
 * Without a member: all of them may be others.
 */
export type Feed = (member?: Record, at?: number) => void;

/** A member on its way in or out. */
export interface Moving {
  readonly member: Record;
  /** Readers can see it, or could before it was deleted. */
  readonly shown: boolean;
  /** Logical time, where answers to older requests are still to come that may deny it. */
  readonly time: number | undefined;
  /** Logical times at which the request that moves it was issued, and confirmed. */
  readonly issued: number;
  readonly confirmed: number;
  /** Readers were shown it before. */
  readonly expected: boolean;
  /** Of a map: where it enters. */
  readonly key?: string | undefined;
}

/** A member that a merge of the user's own puts somewhere. */
export type Coming = Pick<Moving, 'member' | 'key'>;
export type Merge = NonNullable<Entry['merge']>;

export class ListRecord extends Record {
  override readonly kind: StoredKind;
  readonly pk: string;
  /** Undefined: no list of these arguments was ever stored. */
  members: Record[] | undefined = undefined;
  stamp: Stamp = NEVER;
  /** There are members that reads of the whole list do not bring: they came as further pages. */
  paged = false;
  feed: Feed | undefined = undefined;
  readonly rows: Rows = new Rows();
  #memberships: Memberships | undefined = undefined;

  constructor(kind: StoredKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    return this.members === undefined ? INVALID : this.rows.value;
  }

  parts(): Node {
    return this.members;
  }

  override needs(): Node {
    return this.#memberships === undefined ? this.members : [this.members, ...this.#memberships];
  }

  override get latest(): number {
    return Math.max(this.stamp.time, this.#memberships?.latest ?? 0);
  }

  override settle(oldest: number): void {
    this.#memberships?.settle(oldest);
  }

  /** The members that a read brought. Memberships confirmed after the read was issued stay as they are. */
  fill(incoming: readonly Node[], stamp: Stamp, builder: Builder): void {
    if (this.members !== undefined && !replaces(stamp.time, this.stamp.time)) return;
    const there = unique(incoming).filter((member) => !member.deletedSince(stamp.time));
    const next = this.#reconciled(this.#paged(there), stamp.time);
    this.stamp = stamp;
    this.become(next, builder);
  }

  /** Has these members from now on. */
  become(next: Record[] | undefined, builder: Builder): void {
    const old = this.members;
    if (old === next || (old && next && sameOrder(old, next))) return;
    const known = old !== undefined && next !== undefined;
    const seen = !known || !sameOrder(visible(old, builder, true), visible(next, builder));
    this.relink(old ?? [], next ?? []);
    this.feed?.();
    this.members = next;
    this.rows.lose();
    this.#reshape(seen, !known);
  }

  arranging(merge: Merge, coming: readonly Coming[]): ReturnType<typeof arranging> {
    return arranging(this, merge, coming);
  }

  /** The members of one page, behind those that are there. A page says nothing of who else is in the list. */
  append(incoming: readonly Node[], { time }: Stamp, builder: Builder): void {
    const fresh = unique(incoming).filter(
      (member) =>
        !this.has(member) &&
        !member.deletedSince(time) &&
        this.#memberships?.leftSince(member, time) !== true,
    );
    const unknown = this.members === undefined;
    this.paged = true;
    if (fresh.length === 0 && !unknown) return;
    this.relink([], fresh);
    this.feed?.();
    this.members = [...(this.members ?? []), ...fresh];
    this.rows.lose();
    this.#reshape(unknown || visible(fresh, builder).length > 0, unknown);
  }

  /** A read brings the first page; the others stay where it can be told how they go on behind it. */
  #paged(first: Record[]): Record[] {
    if (!this.paged || this.members === undefined) return first;
    const next =
      // pages that came before the list itself
      this.stamp === NEVER ? unique([...first, ...this.members]) : joined(this.members, first);
    this.paged = next.length > first.length;
    return next;
  }

  /** A confirmed creation: the member enters once. */
  enter(moving: Moving, side: Side): void {
    const { member, shown, time } = moving;
    const entered = { side, turn: this.turnOf(moving, side) };
    this.remember(member, { time, entered });
    if (this.members === undefined || this.has(member)) return;
    this.relink([], [member]);
    this.insert(member, this.placeOf(member, entered), shown);
  }

  /** What was expected has the turn of its issue, so that no row jumps. */
  protected turnOf({ issued, confirmed, expected }: Moving, _side: Side): number {
    if (this.members === undefined) return -1 / confirmed;
    return expected ? issued : confirmed;
  }

  /** Answers tell who its members are. */
  get told(): boolean {
    return true;
  }

  has(member: Record): boolean {
    return member.hasParent(this);
  }

  protected placeOf(_member: Record, { side }: Turn): number {
    return side === 'start' || this.members === undefined ? 0 : this.members.length;
  }

  protected insert(member: Record, at: number, shown: boolean): void {
    this.members?.splice(at, 0, member);
    this.feed?.(member, at);
    this.rows.edit(at, member);
    this.#reshape(shown, false);
  }

  /** A confirmed deletion: the member leaves. */
  leave({ member, shown, time }: Moving): void {
    this.remember(member, { time });
    if (this.erase(member, shown)) this.relink([member], []);
  }

  protected erase(member: Record, shown: boolean): boolean {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return false;
    this.members?.splice(at, 1);
    this.feed?.(member, -1);
    this.rows.edit(~at, member);
    this.#reshape(shown, false);
    return true;
  }

  /** Known from now on, and empty. */
  protected open(): void {
    this.members = [];
    this.feed?.();
    this.#reshape(true, true);
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.members === undefined) return;
    this.stamp = NEVER;
    this.paged = false;
    this.#memberships = undefined;
    this.relink(this.members, []);
    this.feed?.();
    this.members = undefined;
    this.rows.lose();
    this.#reshape(true, true);
  }

  /** Lets readers see these members, or nothing, whatever was confirmed. */
  show(next: Record[] | undefined, builder: Builder): void {
    const old = this.members;
    const at = old && next ? firstOther(old, next) : -1;
    const member = next?.[at];
    if (!old || !next || !member || !isOneMore(next, old, at)) return this.become(next, builder);
    this.relink([], [member]);
    this.insert(member, at, !member.mayHide || builder.read(member) !== INVALID);
  }

  override aside(): ListRecord {
    const copy = new ListRecord(this.kind, this.pk);
    copy.hold(this.members);
    return copy;
  }

  /** Holds these members from now on. Nobody is told. */
  hold(members: Record[] | undefined): void {
    this.members = members?.slice();
    this.flags |= DIRTY;
  }

  /** Takes over what is known of its members beside who they are. */
  follow(other: ListRecord): void {
    this.stamp = other.stamp;
    this.paged = other.paged;
    this.#memberships = other.#memberships;
  }

  remember(member: Record, membership: Membership): void {
    if (membership.time !== undefined) this.#memberships ??= new Memberships();
    this.#memberships?.remember(member, membership);
  }

  /** Where a member entered that answers under way may deny. */
  protected turnIn(member: Record): Turn | undefined {
    return this.#memberships?.turnOf(member);
  }

  #reconciled(incoming: Record[], time: number): Record[] {
    const members = this.#memberships?.reconcile(incoming, time) ?? incoming;
    if (this.#memberships?.empty === true) this.#memberships = undefined;
    return members;
  }

  protected relink(old: readonly Record[], next: readonly Record[]): void {
    for (const member of old) member.flags |= MARKED;
    for (const member of next) {
      if (member.flags & MARKED) member.flags &= ~MARKED;
      else member.addParent(this);
    }
    for (const member of old) {
      if (member.flags & MARKED) member.removeParent(this);
      member.flags &= ~MARKED;
    }
  }

  /** Its members are others; `seen`: readers can tell, as not only rows that are not shown came or went. */
  #reshape(seen: boolean, flipped: boolean): void {
    // what readers have is still right; only positions in it are not
    if (!seen) return this.rows.lose();
    this.flags |= DIRTY;
    this.reshape();
    changed(this, flipped);
  }

  protected build(builder: Builder): void {
    const { rows } = this;
    const old = rows.value;
    const value = rows.begin();
    // a row that shows this list again finds the array that is going to be its value
    rows.value = value;
    this.flags = (this.flags & ~(DIRTY | SEEN)) | BUILDING;
    rows.gather(value, this.members ?? [], builder);
    const asked = this.flags & SEEN;
    this.flags &= ~BUILDING;
    if (!asked && old !== undefined && sameOrder(old, value)) rows.value = old;
    else if (DEV) Object.freeze(value);
  }

  holds(): boolean {
    // membership is kept exactly: whoever has this list as a parent is in it
    return true;
  }

  taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.reshape();
    this.feed?.(child);
    if (flipped) this.rows.turn(child);
    else this.rows.touch(child);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    return true;
  }
}
