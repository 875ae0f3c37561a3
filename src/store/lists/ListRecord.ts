/** The record of one list: the confirmed members, and the optimistic writes over them. */
import type { NormalizedNode } from '../../schema/schema.ts';
import { prepareListMerge } from './runListMerge.ts';
import type { ListMerge, MemberToMerge } from './runListMerge.ts';
import type { Departures, GoneTest } from './Departures.ts';
import { replaceFirstPageMembers, distinctRecords, removeFrom } from '../records/diffMembers.ts';
import { pruneLog, latestTimeIn, applyLog, lastLogTimes } from './MembershipLog.ts';
import type { MembershipLog, MembershipWrite, ListEnd, MemberPosition } from './MembershipLog.ts';
import { EMPTY } from '../records/append.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { ListValue } from './ListValue.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

/** The optimistic changes of a list, as its record uses them. */
interface OptimisticList {
  /** The confirmed members. */
  base: StoreRecord[] | undefined;
  readonly gcEdges: NormalizedNode;
  /** True if a change inserts this member. */
  mentions(member: StoreRecord): boolean;
  /** Logical time at which the first insertion at this side was issued. */
  firstIssued(side: ListEnd): number | undefined;
  /** Inserts a confirmed member. */
  insert(member: StoreRecord, position: MemberPosition): void;
  /** The response of a read issued at `time` lists these members. */
  updatePositions(list: ListRecord, listed: ReadonlySet<NormalizedNode>, time: number): void;
}

export class ListRecord extends ListValue {
  /** Of the last response with all members. Pages and own writes do not change it. */
  stamp: Stamp = UNWRITTEN_STAMP;
  /** The list has members of further pages, which reads of the list itself do not contain. */
  hasFurtherPages = false;
  override pending: OptimisticList | undefined = undefined;
  /** Confirmed insertions and removals that responses in flight may contradict. */
  #membershipLog: MembershipLog | undefined;

  /** The confirmed members. */
  get base(): StoreRecord[] | undefined {
    return this.pending === undefined ? this.members : this.pending.base;
  }

  override confirmedParts(): NormalizedNode {
    return this.base;
  }

  override gcEdges(): NormalizedNode {
    const { members, pending } = this;
    if (this.#membershipLog === undefined && pending === undefined) return members;
    return [members, pending?.gcEdges, this.contestedMembers];
  }

  /** The members that were confirmed to enter or to leave while responses that may contradict this are in flight. */
  get contestedMembers(): StoreRecord[] {
    return [...(this.#membershipLog?.keys() ?? EMPTY)];
  }

  override get latestTime(): number {
    return latestTimeIn(this.#membershipLog, this.stamp.time);
  }

  override isReceivedSince(time: number): boolean {
    return this.stamp.time >= time;
  }

  override pruneHistory(oldest: number): void {
    pruneLog(this.#membershipLog, oldest);
  }

  /** Writes the members of a response. Memberships confirmed after its request was issued stay as they are. */
  fill(incoming: readonly NormalizedNode[], stamp: Stamp, departures?: Departures): void {
    const { time } = stamp;
    const { base } = this;
    if (base !== undefined && !isAtLeastAsNew(time, this.stamp.time)) return;
    const isGone = this.#goneTest(departures);
    const there = distinctRecords(incoming).filter((member) => !isGone(member, time));
    const members = base && this.hasFurtherPages ? this.#withFurtherPages(base, there) : there;
    const log = this.#membershipLog;
    this.stamp = stamp;
    this.setConfirmed(log === undefined ? members : applyLog(log, members, time, isGone));
    this.pending?.updatePositions(this, new Set(incoming), time);
  }

  #goneTest(departures?: Departures): GoneTest {
    return (member, since) => {
      const last = this.#membershipLog?.get(member);
      return (
        (last !== undefined && !last.insertPosition && last.time > since) ||
        member.deletedSince(since) ||
        departures?.get(member)?.(this, since) === true
      );
    };
  }

  /** The response is the first page; further pages stay if a shared member tells how they continue the first. */
  #withFurtherPages(base: readonly StoreRecord[], first: StoreRecord[]): StoreRecord[] {
    const next =
      // these pages arrived before the list itself
      this.stamp === UNWRITTEN_STAMP
        ? distinctRecords([...first, ...base])
        : replaceFirstPageMembers(base, first);
    this.hasFurtherPages = next.length > first.length;
    return next;
  }

  /** Appends the members of one page. A page tells nothing about other members of the list. */
  append(incoming: readonly NormalizedNode[], { time }: Stamp, departures?: Departures): void {
    const { base } = this;
    const isGone = this.#goneTest(departures);
    const fresh = distinctRecords(incoming).filter(
      (member) => !this.hasConfirmed(member) && !isGone(member, time),
    );
    this.hasFurtherPages ||= incoming.length > 0;
    if (base === undefined || fresh.length > 0) this.setConfirmed([...(base ?? EMPTY), ...fresh]);
  }

  /** Replaces the confirmed members. */
  setConfirmed(next: StoreRecord[] | undefined): void {
    if (this.pending === undefined) this.setMembers(next);
    else this.pending.base = next;
  }

  prepareMerge(
    merge: ListMerge,
    coming: readonly MemberToMerge[],
  ): (time: number | undefined) => void {
    return prepareListMerge(this, merge, coming);
  }

  /** Applies a confirmed creation: the member enters once. */
  addMember(member: StoreRecord, write: MembershipWrite, side: ListEnd): void {
    const { base, pending } = this;
    const insertPosition = { side, orderTime: this.#orderTimeOf(write, side) };
    this.logMembership(member, write.logTime, insertPosition);
    if (base === undefined || this.hasConfirmed(member)) return;
    if (pending === undefined) return this.insertMember(member, side === 'start' ? 0 : base.length);
    pending.insert(member, insertPosition);
  }

  /**
   * A member shown optimistically has its time of issue as order time, so that no row jumps. Any other member goes before the
   * members of its side that were issued later, also before optimistic ones.
   */
  #orderTimeOf({ issued, confirmedAt, wasOptimistic }: MembershipWrite, side: ListEnd): number {
    if (this.base === undefined) return -1 / confirmedAt;
    if (wasOptimistic) return issued;
    const first = this.pending?.firstIssued(side);
    if (first === undefined) return confirmedAt;
    return first < issued ? issued : first - 1 / confirmedAt;
  }

  /** Applies a confirmed deletion: the member leaves. */
  removeMember(member: StoreRecord, { logTime }: MembershipWrite): void {
    this.logMembership(member, logTime);
    if (this.pending === undefined) this.deleteMember(member);
    else removeFrom(this.pending.base, member);
  }

  /** True for lists and maps of responses; false for `AllRecord`, whose members follow from the stored entities. */
  get isFromResponses(): boolean {
    return true;
  }

  /** True for a confirmed member. */
  hasConfirmed(member: StoreRecord): boolean {
    return this.pending === undefined
      ? member.hasParent(this)
      : this.pending.base?.includes(member) === true;
  }

  /** True for a member that is confirmed, or that an optimistic write inserts. */
  containsAnywhere(member: StoreRecord): boolean {
    return this.hasConfirmed(member) || this.pending?.mentions(member) === true;
  }

  /** Logs that a member entered or left at `time`; undefined: no response in flight may contradict the move. */
  logMembership(
    member: StoreRecord,
    time: number | undefined,
    insertPosition?: MemberPosition,
  ): void {
    if (time === undefined) this.#membershipLog?.delete(member);
    else {
      lastLogTimes.set(member, time);
      (this.#membershipLog ??= new Map()).set(member, { time, insertPosition });
    }
  }

  /** The position at which a member entered, if responses in flight may contradict the insertion. */
  insertPositionOf(member: StoreRecord): MemberPosition | undefined {
    return this.#membershipLog?.get(member)?.insertPosition;
  }

  override replaceParts(swap: (node: NormalizedNode) => NormalizedNode): void {
    this.#membershipLog &&= new Map(
      Array.from(this.#membershipLog, ([member, known]) => [swap(member) as StoreRecord, known]),
    );
    const next = swap(this.base) as StoreRecord[] | undefined;
    if (next === this.base) return;
    if (this.pending === undefined) this.replaceMembers(next);
    else this.pending.base = next;
  }

  /** Resets to a list that was never stored. */
  clear(): void {
    if (this.base === undefined) return;
    this.stamp = UNWRITTEN_STAMP;
    this.hasFurtherPages = false;
    this.#membershipLog = undefined;
    this.setConfirmed(undefined);
  }
}
