/** The record of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Entry, Node, StoredKind } from '../schema/schema.ts';
import { arranging } from './arranging.ts';
import { firstOther, isVisible, joined, sameOrder, unique, visible } from './joined.ts';
import { forgetUntil, latestOf, leftSince, reconciled } from './Memberships.ts';
import type { Memberships, Side, Turn } from './Memberships.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { BUILDING, changed, DIRTY, MARKED, Record, SEEN } from './Record.ts';
import type { Builder } from './Record.ts';
import { Rows } from './Rows.ts';
import type { Edit } from './Rows.ts';
import { wasShown } from './suspect.ts';

/**
 * Told of each change to the members of a list: which edit `member` came or went by; without one, it changed.
 * Without a member: all of them may be others.
 */
export type Feed = (member?: Record, edit?: Edit) => void;

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
  /** Has the key of an entity in it, and changes with that. */
  pk: string;
  /** Undefined: no list of these arguments was ever stored. */
  members: Record[] | undefined;
  stamp: Stamp = NEVER;
  /** There are members that reads of the whole list do not bring: they came as further pages. */
  paged = false;
  feed: Feed | undefined;
  readonly rows: Rows = new Rows();
  /** What was confirmed of members that answers under way may deny. */
  #memberships: Memberships | undefined;

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
    const known = this.#memberships;
    return known === undefined ? this.members : [...(this.members ?? []), ...known.keys()];
  }

  override get latest(): number {
    return latestOf(this.#memberships, this.stamp.time);
  }

  override settle(oldest: number): void {
    forgetUntil(this.#memberships, oldest);
  }

  /** The members that a read brought. Memberships confirmed after the read was issued stay as they are. */
  fill(incoming: readonly Node[], stamp: Stamp, builder: Builder): void {
    const { time } = stamp;
    if (this.members !== undefined && !replaces(time, this.stamp.time)) return;
    const there = unique(incoming).filter((member) => !member.deletedSince(time));
    const next = reconciled(this.#memberships, this.#paged(there), time);
    this.stamp = stamp;
    this.show(next, builder);
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

  /** Has these members from now on, or is not known. */
  show(next: Record[] | undefined, builder: Builder): void {
    const old = this.members;
    if (old === next) return;
    if (old === undefined || next === undefined) return this.replace(next);
    const at = firstOther(old, next);
    const [left, come] = [old[at], next[at]];
    if (left === come) return;
    // one came, or went: an edit, as by a write
    if (come && sameOrder(old.slice(at), next.slice(at + 1)))
      return this.insert(come, at, isVisible(come, builder));
    if (left && sameOrder(old.slice(at + 1), next.slice(at)))
      return this.erase(left, wasShown(left, isVisible(left, builder)));
    const seen = !sameOrder(visible(old, builder, true), visible(next, builder));
    this.replace(next, seen, false);
  }

  /** Known from now on as these, or not known; see `#reshape`. */
  protected replace(next: Record[] | undefined, seen = true, flipped = true): void {
    this.relink(this.members ?? [], next ?? []);
    this.members = next;
    this.#reshape(seen, flipped);
  }

  arranging(merge: Merge, coming: readonly Coming[]): ReturnType<typeof arranging> {
    return arranging(this, merge, coming);
  }

  /** The members of one page, behind those that are there. A page says nothing of who else is in the list. */
  append(incoming: readonly Node[], { time }: Stamp, builder: Builder): void {
    const { members } = this;
    const fresh = unique(incoming).filter(
      (member) =>
        !this.has(member) &&
        !member.deletedSince(time) &&
        !leftSince(this.#memberships, member, time),
    );
    this.paged = true;
    if (members === undefined) return this.replace(fresh);
    if (fresh.length === 0) return;
    this.relink([], fresh);
    this.members = [...members, ...fresh];
    this.#reshape(visible(fresh, builder).length > 0, false);
  }

  /** A confirmed creation: the member enters once. */
  enter(moving: Moving, side: Side): void {
    const { member, shown, time } = moving;
    const entered = { side, turn: this.turnOf(moving, side) };
    this.remember(member, time, entered);
    if (this.members === undefined || this.has(member)) return;
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
    return side === 'start' ? 0 : (this.members as Record[]).length;
  }

  protected insert(member: Record, at: number, shown: boolean): void {
    this.relink([], [member]);
    this.members?.splice(at, 0, member);
    this.#reshape(shown, false, member, at);
  }

  /** A confirmed deletion: the member leaves. */
  leave({ member, shown, time }: Moving): void {
    this.remember(member, time);
    this.erase(member, shown);
  }

  protected erase(member: Record, shown: boolean): void {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return;
    this.relink([member], []);
    this.members?.splice(at, 1);
    this.#reshape(shown, false, member, ~at);
  }

  override swap(swap: (node: Node) => Node): void {
    this.#memberships &&= new Map(
      Array.from(this.#memberships, ([member, known]) => [swap(member) as Record, known]),
    );
    const next = swap(this.members) as Record[] | undefined;
    if (next !== this.members) this.replace(next, true, false);
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.members === undefined) return;
    this.stamp = NEVER;
    this.paged = false;
    this.#memberships = undefined;
    this.replace(undefined);
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

  /** That a member entered, or left, at a logical time; undefined where no answer under way may deny it. */
  remember(member: Record, time: number | undefined, entered?: Turn): void {
    if (time === undefined) this.#memberships?.delete(member);
    else (this.#memberships ??= new Map()).set(member, { time, entered });
  }

  /** Where a member entered that answers under way may deny. */
  protected turnIn(member: Record): Turn | undefined {
    return this.#memberships?.get(member)?.entered;
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

  /**
   * Its members are others: one of them by this edit, or all. `seen`: readers can tell, as not only rows that are not
   * shown came or went. `flipped`: it came to be known, or is no more.
   */
  #reshape(seen: boolean, flipped: boolean, member?: Record, edit = 0): void {
    this.feed?.(member, edit);
    // what readers have is still right where they see nothing; only positions in it are not
    if (seen && member !== undefined) this.rows.edit(edit, member);
    else this.rows.lose();
    if (!seen) return;
    this.flags |= DIRTY;
    this.reshape();
    changed(this, flipped);
  }

  protected build(builder: Builder): void {
    const { rows } = this;
    const old = rows.value;
    this.flags = (this.flags & ~(DIRTY | SEEN)) | BUILDING;
    const value = rows.build(this.members ?? [], builder);
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
    this.rows.touch(child, flipped);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    return true;
  }
}
