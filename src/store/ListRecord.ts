/** The record of one list: what is confirmed of its members, and the unconfirmed writes over them. */
import type { Entry, Node } from '../schema/schema.ts';
import { prepareListMerge } from './applyListMerge.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import { replaceFirstMembers, sameOrder, distinctRecords } from './diffMembers.ts';
import { pruneLog, latestTimeIn, isRemovedSince, insertIndex, applyLog } from './MembershipLog.ts';
import type { MembershipLog, ListEnd, InsertPosition } from './MembershipLog.ts';
import { EMPTY } from './append.ts';
import { UNWRITTEN, isAtLeastAsNew } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { DIRTY } from './flags.ts';
import { foldChanges, removeFrom } from './foldChanges.ts';
import type { PendingChange, PendingList } from './foldChanges.ts';
import { ListValue } from './ListValue.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** A member on its way in or out. */
export interface MemberMove {
  readonly member: StoreRecord;
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
export type IncomingMember = Pick<MemberMove, 'member' | 'key'>;
export type ListMerge = NonNullable<Entry['merge']>;

export class ListRecord extends ListValue {
  stamp: Stamp = UNWRITTEN;
  /** There are members that reads of the whole list do not bring: they came as further pages. */
  hasFurtherPages = false;
  override pending: PendingList | undefined = undefined;
  /** What was confirmed of members that answers under way may deny. */
  #memberships: MembershipLog | undefined;

  /** The confirmed members. */
  get base(): StoreRecord[] | undefined {
    return this.pending === undefined ? this.members : this.pending.base;
  }

  override confirmedParts(): Node {
    return this.base;
  }

  override gcEdges(): Node {
    const { members, pending } = this;
    const known = this.#memberships;
    if (known === undefined && pending === undefined) return members;
    const changes = pending?.changes.map((change) => change.members);
    return [members, pending?.base, changes, known && [...known.keys()]];
  }

  override get latestTime(): number {
    return latestTimeIn(this.#memberships, this.stamp.time);
  }

  override pruneHistory(oldest: number): void {
    pruneLog(this.#memberships, oldest);
  }

  /** The members that a read brought. Memberships confirmed after the read was issued stay as they are. */
  fill(incoming: readonly Node[], stamp: Stamp): void {
    const { time } = stamp;
    if (this.base !== undefined && !isAtLeastAsNew(time, this.stamp.time)) return;
    const there = distinctRecords(incoming).filter((member) => !member.deletedSince(time));
    const next = applyLog(this.#memberships, this.#paged(there), time);
    this.stamp = stamp;
    this.setConfirmed(next);
    this.#updatePositions(new Set(incoming), time);
  }

  /** What a read lists stands where the read says; what it could not know has the turn in which it was created. */
  #updatePositions(listed: ReadonlySet<Node>, time: number): void {
    const { positions: turns, base = EMPTY } = this.pending ?? {};
    if (turns === undefined) return;
    for (const member of base) {
      const turn = this.#memberships?.get(member)?.entered;
      if (listed.has(member) && !member.deletedSince(time)) turns.delete(member);
      else if (turn !== undefined) turns.set(member, turn);
    }
  }

  /** A read brings the first page; the others stay where it can be told how they go on behind it. */
  #paged(first: StoreRecord[]): StoreRecord[] {
    const { base } = this;
    if (!this.hasFurtherPages || base === undefined) return first;
    const next =
      // pages that came before the list itself
      this.stamp === UNWRITTEN
        ? distinctRecords([...first, ...base])
        : replaceFirstMembers(base, first);
    this.hasFurtherPages = next.length > first.length;
    return next;
  }

  /** The members of one page, behind those that are there. A page says nothing of who else is in the list. */
  append(incoming: readonly Node[], { time }: Stamp): void {
    const { base } = this;
    const fresh = distinctRecords(incoming).filter(
      (member) =>
        !this.has(member) &&
        !member.deletedSince(time) &&
        !isRemovedSince(this.#memberships, member, time),
    );
    this.hasFurtherPages = true;
    if (base === undefined) this.setConfirmed(fresh);
    else if (fresh.length > 0) this.setConfirmed([...base, ...fresh]);
  }

  /** These members are confirmed from now on. */
  setConfirmed(next: StoreRecord[] | undefined): void {
    if (this.pending === undefined) this.setMembers(next);
    else this.pending.base = next;
  }

  prepareMerge(
    merge: ListMerge,
    coming: readonly IncomingMember[],
  ): ReturnType<typeof prepareListMerge> {
    return prepareListMerge(this, merge, coming);
  }

  /** A confirmed creation: the member enters once. */
  addMember(moving: MemberMove, side: ListEnd): void {
    const { member, time } = moving;
    const { base, pending } = this;
    const entered = { side, turn: this.#positionTime(moving, side) };
    this.logMembership(member, time, entered);
    if (base === undefined || this.has(member)) return;
    if (pending === undefined) return this.insert(member, side === 'start' ? 0 : base.length);
    pending.positions.set(member, entered);
    base.splice(insertIndex(base, pending.positions, entered), 0, member);
  }

  /**
   * What was expected has the turn of its issue, so that no row jumps. What nobody expected goes before those of its side
   * that were issued later, also before expected ones.
   */
  #positionTime({ issued, confirmed, expected }: MemberMove, side: ListEnd): number {
    if (this.base === undefined) return -1 / confirmed;
    if (expected) return issued;
    const first = this.pending?.changes.find(({ how }) => how === side)?.issued;
    if (first === undefined) return confirmed;
    return first < issued ? issued : first - 1 / confirmed;
  }

  /** A confirmed deletion: the member leaves. */
  removeMember({ member, time }: MemberMove): void {
    this.logMembership(member, time);
    if (this.pending === undefined) this.erase(member);
    else removeFrom(this.pending.base, member);
  }

  /** Responses tell who its members are. */
  get isServerOwned(): boolean {
    return true;
  }

  /** True for a confirmed member. */
  has(member: StoreRecord): boolean {
    return this.pending === undefined
      ? member.hasParent(this)
      : this.pending.base?.includes(member) === true;
  }

  /** True for who is in it, as it is confirmed or by an unconfirmed write. */
  containsAnywhere(member: StoreRecord): boolean {
    return (
      this.has(member) ||
      this.pending?.changes.some(({ members }) => members.includes(member)) === true
    );
  }

  /** That a member entered, or left, at a logical time; undefined where no answer under way may deny it. */
  logMembership(member: StoreRecord, time: number | undefined, entered?: InsertPosition): void {
    if (time === undefined) this.#memberships?.delete(member);
    else (this.#memberships ??= new Map()).set(member, { time, entered });
  }

  /** Where a member entered that answers under way may deny. */
  turnIn(member: StoreRecord): InsertPosition | undefined {
    return this.#memberships?.get(member)?.entered;
  }

  override replaceParts(swap: (node: Node) => Node): void {
    this.#memberships &&= new Map(
      Array.from(this.#memberships, ([member, known]) => [swap(member) as StoreRecord, known]),
    );
    const next = swap(this.base) as StoreRecord[] | undefined;
    if (next === this.base) return;
    if (this.pending === undefined) this.replace(next);
    else this.pending.base = next;
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.base === undefined) return;
    this.stamp = UNWRITTEN;
    this.hasFurtherPages = false;
    this.#memberships = undefined;
    this.setConfirmed(undefined);
  }

  /** Unconfirmed writes lie over it from now on. `deleted`: the entities that they delete, at any time. */
  beginPending(deleted: Iterable<EntityRecord>): void {
    const base = this.members?.slice();
    this.pending ??= { base, changes: EMPTY, positions: new Map(), deleted };
  }

  addChange(change: PendingChange): void {
    const pending = this.pending as PendingList;
    pending.changes = insertByIssueTime(pending.changes, change);
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
    this.setMembers(this.contentBefore(Infinity));
    const hides = [...pending.deleted].some((member) => pending.base?.includes(member));
    if (pending.changes.length === 0 && !hides) this.pending = undefined;
  }

  /** The members with the unconfirmed writes that were issued before this logical time. */
  contentBefore(time: number): StoreRecord[] | undefined {
    const { pending } = this;
    return pending === undefined ? this.members?.slice() : foldChanges(this, pending, time);
  }

  override isUnchangedFor(time: number, copy: StoreRecord): boolean {
    const [was, is] = [(copy as ListRecord).members, this.contentBefore(time)];
    return was === is || (was !== undefined && is !== undefined && sameOrder(was, is));
  }

  override copyBefore(time: number): ListRecord {
    const copy = new ListRecord(this.kind, this.pk);
    copy.members = this.contentBefore(time);
    copy.flags |= DIRTY;
    return copy;
  }
}
