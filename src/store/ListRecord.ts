/** The record of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Entry, Node, StoredKind } from '../schema/schema.ts';
import { arranging } from './arranging.ts';
import { changedPart, isSurelyThere, joined, sameOrder, unique } from './joined.ts';
import { forgetUntil, latestOf, leftSince, reconciled } from './Memberships.ts';
import type { Memberships, Side, Turn } from './Memberships.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { DIRTY, MARKED, Record } from './Record.ts';
import { isStillShown, mark, reshapeLater } from './mark.ts';
import type { Builder } from './Record.ts';
import { Rows } from './Rows.ts';
import type { Edit } from './Rows.ts';

/**
 * Told of each change to the members of a list: which edit `member` came or went by; without one, it changed.
 * Without a member: all of them may be others.
 */
export type Feed = (member?: Record, edit?: Edit) => void;

/** A member on its way in or out. */
export interface Moving {
  readonly member: Record;
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
  fill(incoming: readonly Node[], stamp: Stamp): void {
    const { time } = stamp;
    if (this.members !== undefined && !replaces(time, this.stamp.time)) return;
    const there = unique(incoming).filter((member) => !member.deletedSince(time));
    const next = reconciled(this.#memberships, this.#paged(there), time);
    this.stamp = stamp;
    this.show(next);
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
  show(next: Record[] | undefined): void {
    const old = this.members;
    if (old === next) return;
    if (old === undefined || next === undefined) return this.replace(next);
    const { at, out, come } = changedPart(old, next);
    // one came, or went: an edit, as by a write
    if (out.length + come.length === 1) {
      const [member] = come;
      if (member !== undefined) this.insert(member, at);
      else this.erase(out[0] as Record);
    } else if (out.length + come.length > 0) {
      this.replace(next, !sameOrder(out.filter(isSurelyThere), come.filter(isSurelyThere)));
    }
  }

  /** Known from now on as these, or not known. `sure`: readers see others. */
  protected replace(next: Record[] | undefined, sure = true): void {
    const old = this.members;
    mark(this, sure);
    this.relink(old ?? [], next ?? []);
    this.members = next;
    this.feed?.();
    this.rows.lose();
    if (old === undefined || next === undefined) this.flip();
    else reshapeLater(this);
  }

  arranging(merge: Merge, coming: readonly Coming[]): ReturnType<typeof arranging> {
    return arranging(this, merge, coming);
  }

  /** The members of one page, behind those that are there. A page says nothing of who else is in the list. */
  append(incoming: readonly Node[], { time }: Stamp): void {
    const { members } = this;
    const fresh = unique(incoming).filter(
      (member) =>
        !this.has(member) &&
        !member.deletedSince(time) &&
        !leftSince(this.#memberships, member, time),
    );
    this.paged = true;
    if (members === undefined) return this.replace(fresh);
    if (fresh.length > 0) this.show([...members, ...fresh]);
  }

  /** A confirmed creation: the member enters once. */
  enter(moving: Moving, side: Side): void {
    const { member, time } = moving;
    const entered = { side, turn: this.turnOf(moving, side) };
    this.remember(member, time, entered);
    if (this.members === undefined || this.has(member)) return;
    this.insert(member, this.placeOf(member, entered));
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

  protected insert(member: Record, at: number): void {
    mark(this, isSurelyThere(member));
    this.relink([], [member]);
    this.members?.splice(at, 0, member);
    this.#edit(member, at);
  }

  /** A confirmed deletion: the member leaves. */
  leave({ member, time }: Moving): void {
    this.remember(member, time);
    this.erase(member);
  }

  protected erase(member: Record): void {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return;
    mark(this, isStillShown(member));
    this.relink([member], []);
    this.members?.splice(at, 1);
    this.#edit(member, ~at);
  }

  #edit(member: Record, edit: Edit): void {
    this.feed?.(member, edit);
    this.rows.edit(edit, member);
    reshapeLater(this);
  }

  override swap(swap: (node: Node) => Node): void {
    this.#memberships &&= new Map(
      Array.from(this.#memberships, ([member, known]) => [swap(member) as Record, known]),
    );
    const next = swap(this.members) as Record[] | undefined;
    if (next !== this.members) this.replace(next);
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
  turnIn(member: Record): Turn | undefined {
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

  protected build(builder: Builder): void {
    const { rows } = this;
    const old = rows.value;
    const value = rows.build(this.members ?? [], builder);
    if (!this.asked && old !== undefined && sameOrder(old, value)) rows.value = old;
    else if (DEV) Object.freeze(value);
  }

  override taint(child: Record): void {
    this.feed?.(child);
    this.rows.touch(child, false);
  }

  protected override turned(child: Record): void {
    reshapeLater(this);
    this.rows.touch(child, true);
  }
}
