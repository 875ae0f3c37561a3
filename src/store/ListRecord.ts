/** The record of one list: what is confirmed of its members, and the unconfirmed writes over them. */
import type { Entry, Node } from '../schema/schema.ts';
import { arranging } from './arranging.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { inOrder } from './inOrder.ts';
import { joined, sameOrder, unique } from './joined.ts';
import { forgetUntil, latestOf, leftSince, placeAmong, reconciled } from './Memberships.ts';
import type { Memberships, Side, Turn } from './Memberships.ts';
import { NONE } from './more.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { DIRTY } from './flags.ts';
import { foldChanges, removeFrom } from './foldChanges.ts';
import type { PendingChange, PendingList } from './foldChanges.ts';
import { ListValue } from './ListValue.ts';
import type { Record } from './Record.ts';

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

export class ListRecord extends ListValue {
  stamp: Stamp = NEVER;
  /** There are members that reads of the whole list do not bring: they came as further pages. */
  paged = false;
  override pending: PendingList | undefined = undefined;
  /** What was confirmed of members that answers under way may deny. */
  #memberships: Memberships | undefined;

  /** The confirmed members. */
  get base(): Record[] | undefined {
    return this.pending === undefined ? this.members : this.pending.base;
  }

  override confirmedParts(): Node {
    return this.base;
  }

  override needs(): Node {
    const { members, pending } = this;
    const known = this.#memberships;
    if (known === undefined && pending === undefined) return members;
    const changes = pending?.changes.map((change) => change.members);
    return [members, pending?.base, changes, known && [...known.keys()]];
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
    if (this.base !== undefined && !replaces(time, this.stamp.time)) return;
    const there = unique(incoming).filter((member) => !member.deletedSince(time));
    const next = reconciled(this.#memberships, this.#paged(there), time);
    this.stamp = stamp;
    this.confirm(next);
    this.#keepTurns(new Set(incoming), time);
  }

  /** What a read lists stands where the read says; what it could not know has the turn in which it was created. */
  #keepTurns(listed: ReadonlySet<Node>, time: number): void {
    const { turns, base = NONE } = this.pending ?? {};
    if (turns === undefined) return;
    for (const member of base) {
      const turn = this.#memberships?.get(member)?.entered;
      if (listed.has(member) && !member.deletedSince(time)) turns.delete(member);
      else if (turn !== undefined) turns.set(member, turn);
    }
  }

  /** A read brings the first page; the others stay where it can be told how they go on behind it. */
  #paged(first: Record[]): Record[] {
    const { base } = this;
    if (!this.paged || base === undefined) return first;
    const next =
      // pages that came before the list itself
      this.stamp === NEVER ? unique([...first, ...base]) : joined(base, first);
    this.paged = next.length > first.length;
    return next;
  }

  /** The members of one page, behind those that are there. A page says nothing of who else is in the list. */
  append(incoming: readonly Node[], { time }: Stamp): void {
    const { base } = this;
    const fresh = unique(incoming).filter(
      (member) =>
        !this.has(member) &&
        !member.deletedSince(time) &&
        !leftSince(this.#memberships, member, time),
    );
    this.paged = true;
    if (base === undefined) this.confirm(fresh);
    else if (fresh.length > 0) this.confirm([...base, ...fresh]);
  }

  /** These members are confirmed from now on. */
  confirm(next: Record[] | undefined): void {
    if (this.pending === undefined) this.show(next);
    else this.pending.base = next;
  }

  arranging(merge: Merge, coming: readonly Coming[]): ReturnType<typeof arranging> {
    return arranging(this, merge, coming);
  }

  /** A confirmed creation: the member enters once. */
  enter(moving: Moving, side: Side): void {
    const { member, time } = moving;
    const { base, pending } = this;
    const entered = { side, turn: this.#turnOf(moving, side) };
    this.remember(member, time, entered);
    if (base === undefined || this.has(member)) return;
    if (pending === undefined) return this.insert(member, side === 'start' ? 0 : base.length);
    pending.turns.set(member, entered);
    base.splice(placeAmong(base, pending.turns, entered), 0, member);
  }

  /**
   * What was expected has the turn of its issue, so that no row jumps. What nobody expected goes before those of its side
   * that were issued later, also before expected ones.
   */
  #turnOf({ issued, confirmed, expected }: Moving, side: Side): number {
    if (this.base === undefined) return -1 / confirmed;
    if (expected) return issued;
    const first = this.pending?.changes.find(({ how }) => how === side)?.issued;
    if (first === undefined) return confirmed;
    return first < issued ? issued : first - 1 / confirmed;
  }

  /** A confirmed deletion: the member leaves. */
  leave({ member, time }: Moving): void {
    this.remember(member, time);
    if (this.pending === undefined) this.erase(member);
    else removeFrom(this.pending.base, member);
  }

  /** Responses tell who its members are. */
  get told(): boolean {
    return true;
  }

  /** True for a confirmed member. */
  has(member: Record): boolean {
    return this.pending === undefined
      ? member.hasParent(this)
      : this.pending.base?.includes(member) === true;
  }

  /** True for who is in it, as it is confirmed or by an unconfirmed write. */
  names(member: Record): boolean {
    return (
      this.has(member) ||
      this.pending?.changes.some(({ members }) => members.includes(member)) === true
    );
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

  override swap(swap: (node: Node) => Node): void {
    this.#memberships &&= new Map(
      Array.from(this.#memberships, ([member, known]) => [swap(member) as Record, known]),
    );
    const next = swap(this.base) as Record[] | undefined;
    if (next === this.base) return;
    if (this.pending === undefined) this.replace(next);
    else this.pending.base = next;
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.base === undefined) return;
    this.stamp = NEVER;
    this.paged = false;
    this.#memberships = undefined;
    this.confirm(undefined);
  }

  /** Unconfirmed writes lie over it from now on. `deleted`: the entities that they delete, at any time. */
  begin(deleted: Iterable<EntityRecord>): void {
    const base = this.members?.slice();
    this.pending ??= { base, changes: NONE, turns: new Map(), deleted };
  }

  addChange(change: PendingChange): void {
    const pending = this.pending as PendingList;
    pending.changes = inOrder(pending.changes, change);
  }

  /** Takes away what the write issued at this logical time does. */
  dropChange(issued: number): void {
    const { pending } = this;
    if (pending) pending.changes = pending.changes.filter((change) => change.issued !== issued);
  }

  /** Lets readers see what is confirmed with the unconfirmed writes over it. */
  refold(): void {
    const { pending } = this;
    if (pending === undefined) return;
    this.show(this.contentBefore(Infinity));
    const hides = [...pending.deleted].some((member) => pending.base?.includes(member));
    if (pending.changes.length === 0 && !hides) this.pending = undefined;
  }

  /** The members with the unconfirmed writes that were issued before this logical time. */
  contentBefore(time: number): Record[] | undefined {
    const { pending } = this;
    return pending === undefined ? this.members?.slice() : foldChanges(this, pending, time);
  }

  override isAsBefore(time: number, copy: Record): boolean {
    const [was, is] = [(copy as ListRecord).members, this.contentBefore(time)];
    return was === is || (was !== undefined && is !== undefined && sameOrder(was, is));
  }

  override before(time: number): ListRecord {
    const copy = new ListRecord(this.kind, this.pk);
    copy.members = this.contentBefore(time);
    copy.flags |= DIRTY;
    return copy;
  }
}
