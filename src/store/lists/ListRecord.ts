/** The record of a list: the confirmed members, and the optimistic writes on top. */
import { DEV } from '../../errors.ts';
import { badDataError } from '../../schema/badDataError.ts';
import { INVALID } from '../../schema/schema.ts';
import type { ListChangeOp, NormalizedNode, StoredKind } from '../../schema/schema.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import { StoreRecord, READ_IN_CYCLE, VISITED } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import {
  diffMembers,
  distinctRecords,
  isCertainlyVisible,
  removeFrom,
  replaceFirstPageMembers,
  shallowEqualArrays,
} from '../records/diffMembers.ts';
import {
  isVisibleBeforeAndAfter,
  markDirty,
  scheduleShapeNotification,
} from '../records/markDirty.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew, overlaps } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { ListValueCache } from './ListValueCache.ts';
import type { ListEdit } from './ListValueCache.ts';
import { applyLog, lastLogTimes, latestTimeIn, pruneLog, wasDeleted } from './MembershipLog.ts';
import type {
  GoneTest,
  ListEnd,
  MemberPosition,
  MembershipLog,
  MembershipWrite,
} from './MembershipLog.ts';
import type { MapRecord } from './Values.ts';

/**
 * Called for each change of the members of a list. `edit`: the edit by which `member` came or went; absent: `member`
 * changed. Without `member`: all members may have changed.
 */
export type ListChangeListener = (member?: StoreRecord, edit?: ListEdit) => void;

/** The part of a list's optimistic changes that the record uses. */
interface OptimisticList {
  /** The confirmed members. */
  base: StoreRecord[] | undefined;
  readonly gcEdges: NormalizedNode;
  /** True if a change inserts or removes this member. */
  mentions(member: StoreRecord): boolean;
  /** True if a change inserts this member for another reason than the member's fields. */
  inserts(member: StoreRecord): boolean;
  /** True if the write issued at this logical time inserts or removes this member. */
  expects(member: StoreRecord, issued: number): boolean;
  /** Logical time at which the first insertion at this side was issued. */
  firstIssued(side: ListEnd): number | undefined;
  /** Inserts a confirmed member. */
  insert(member: StoreRecord, position: MemberPosition): void;
  /** The response of a read issued at `time` lists these members. */
  updatePositions(list: ListRecord, listed: ReadonlySet<NormalizedNode>, time: number): void;
}

/** The rows of a list among the pages of a response. */
export interface PagePlacement {
  /** The rows of loaded pages before the received ones, which stay. */
  readonly kept?: readonly StoreRecord[];
  /** True if the server has further rows behind the received ones. */
  readonly hasMore?: boolean;
  /** The added page is the last of the list: the logical time of issue of the oldest loaded page. */
  readonly completeSince?: number | undefined;
  /** The rows of the pages behind the added page. */
  readonly following?: ReadonlySet<StoreRecord>;
  /** The rows of pages that are dropped. */
  readonly dropped?: ReadonlySet<StoreRecord> | undefined;
  /** The list was fetched again since the page was requested: the rows of the page are not added. */
  readonly isStale?: boolean;
}

/** A user-defined merge function, which positions the members of a list. */
export type ListMerge = NonNullable<ListChangeOp['merge']>;

/** A member that a user merge function places. */
export interface MemberToMerge {
  readonly member: StoreRecord;
  /** Of a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
}

export class ListRecord extends StoreRecord {
  override readonly kind: StoredKind;
  /** May contain the primary key of an entity, and changes with that key. */
  pk: string;
  /** The members that readers see. Undefined: no list of these arguments was ever stored. */
  members: StoreRecord[] | undefined;
  onChange: ListChangeListener | undefined;
  readonly valueCache: ListValueCache = new ListValueCache();
  /** True for `AllRecord`: the members follow from the stored entities, and not from responses. */
  declare readonly followsEntities?: true;
  /** Of the last response with all members. Pages and own writes do not change it. */
  stamp: Stamp = UNWRITTEN_STAMP;
  /** The list has members of further pages, which reads of the list itself do not contain. */
  hasFurtherPages = false;
  override pending: OptimisticList | undefined = undefined;
  /** Confirmed insertions and removals that responses in flight may contradict. */
  #membershipLog: MembershipLog | undefined;
  /** Members that were created here and stand at the end, behind the pages, until a page contains them. */
  #pushed: Set<StoreRecord> | undefined;

  constructor(kind: StoredKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

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

  /**
   * Writes the members of a response. Memberships confirmed after the request was issued stay unchanged. True if the
   * stored members differ, and only the server knows which are later.
   */
  fill(
    incoming: readonly NormalizedNode[],
    stamp: Stamp,
    isGone: GoneTest = wasDeleted,
    pages?: PagePlacement,
  ): boolean {
    const { time } = stamp;
    const { base } = this;
    const isDoubtful = base !== undefined && overlaps(stamp, this.stamp);
    if (base !== undefined && !isAtLeastAsNew(time, this.stamp.time))
      return isDoubtful && !shallowEqualArrays(base, incoming);
    const kept = pages?.kept?.filter((member) => this.hasConfirmed(member)) ?? EMPTY;
    const there = this.#withoutGone([...kept, ...incoming], time, isGone);
    const listed = new Set(there);
    const keepsPages = this.hasFurtherPages && !pages;
    const tail =
      keepsPages || pages?.hasMore
        ? this.#pushedMembers.filter((member) => !listed.has(member))
        : EMPTY;
    const members = base && keepsPages ? this.#withFurtherPages(base, there) : [...there, ...tail];
    const log = this.#membershipLog;
    this.stamp = stamp;
    const next = log === undefined ? members : applyLog(log, members, time, isGone);
    // read before: `hasConfirmed` compares with the members until now
    this.#pushed = tail.length > 0 ? new Set(tail) : undefined;
    for (const member of next)
      if (log?.get(member)?.insertPosition?.side === 'end' && !listed.has(member))
        (this.#pushed ??= new Set()).add(member);
    // before the members are replaced, perhaps in place
    const isContested = isDoubtful && !shallowEqualArrays(base, next);
    this.setConfirmed(next);
    this.pending?.updatePositions(this, new Set(incoming), time);
    return isContested;
  }

  get #pushedMembers(): StoreRecord[] {
    return [...(this.#pushed ?? EMPTY)].filter((member) => this.hasConfirmed(member));
  }

  /** The distinct members that are neither gone nor have left the list after a logical time. */
  #withoutGone(nodes: readonly NormalizedNode[], time: number, isGone: GoneTest): StoreRecord[] {
    const members: StoreRecord[] = [];
    for (const member of distinctRecords(nodes)) {
      const last = this.#membershipLog?.get(member);
      const hasLeft = last !== undefined && !last.insertPosition && last.time > time;
      if (!hasLeft && !isGone(member, time)) members.push(member);
    }
    return members;
  }

  /** The response is the first page; further pages stay if a shared member tells how these continue the first. */
  #withFurtherPages(base: readonly StoreRecord[], first: StoreRecord[]): StoreRecord[] {
    const next =
      // these pages arrived before the list itself
      this.stamp === UNWRITTEN_STAMP
        ? distinctRecords([...first, ...base])
        : replaceFirstPageMembers(base, first);
    this.hasFurtherPages = next.length > first.length;
    return next;
  }

  /**
   * Inserts the members of a page: before the pages that follow, or else at the end. A page tells nothing about other
   * members of the list.
   */
  append(
    incoming: readonly NormalizedNode[],
    { time }: Stamp,
    isGone: GoneTest = wasDeleted,
    { following, dropped, completeSince = 0, isStale }: PagePlacement = {},
  ): void {
    if (isStale) return;
    const page = this.#withoutGone(incoming, time, isGone);
    this.hasFurtherPages ||= incoming.length > 0;
    const pushed = this.#pushedMembers;
    const fresh = page.filter((member) => !this.hasConfirmed(member) || pushed.includes(member));
    // a page that was requested before the creation may be the page where the server has the row
    const isOlder = (member: StoreRecord) =>
      Math.max(member.latestTime, this.#membershipLog?.get(member)?.time ?? 0) < completeSince;
    const gone = pushed.filter((member) => isOlder(member) && !page.includes(member));
    if (this.base && fresh.length + gone.length === 0 && !dropped) return;
    for (const member of [...fresh, ...gone]) this.#pushed?.delete(member);
    const leaving = new Set([...fresh, ...gone, ...(dropped ?? EMPTY)]);
    const others = (this.base ?? EMPTY).filter((member) => !leaving.has(member));
    const next = others.findIndex((member) => following?.has(member));
    const tail = others.findIndex((member) => this.#pushed?.has(member));
    const at = [next, tail, others.length].find((index) => index >= 0);
    this.setConfirmed([...others.slice(0, at), ...fresh, ...others.slice(at)]);
  }

  /** Replaces the confirmed members. */
  setConfirmed(next: StoreRecord[] | undefined): void {
    if (this.pending === undefined) this.setMembers(next);
    else this.pending.base = next;
  }

  /** Runs the merge now, before any write, since it may throw. Returns the write. Present members do not enter again. */
  prepareMerge(
    merge: ListMerge,
    incoming: readonly MemberToMerge[],
  ): (time: number | undefined) => void {
    const before = [...(this.base ?? EMPTY)];
    const fresh = incoming
      .map(({ member }) => member)
      .filter((member) => !this.hasConfirmed(member));
    const after =
      this.base && fresh.length > 0 ? runListMerge(this.kind, merge, before, fresh) : fresh;
    return (time) => {
      if (fresh.length === 0) return;
      const { base } = this;
      const [was, is, now] = [new Set(before), new Set(after), new Set(base)];
      for (const member of is) {
        const side = member === after[0] ? 'start' : 'end';
        if (!was.has(member)) this.logMembership(member, time, { side, orderTime: 0 });
      }
      for (const member of was) if (!is.has(member)) this.logMembership(member, time);
      // members that the same response added or removed stay so
      if (base !== undefined)
        this.setConfirmed([
          ...after.filter((member) => !was.has(member) || now.has(member)),
          ...base.filter((member) => !was.has(member) && !is.has(member)),
        ]);
    };
  }

  /** Applies a confirmed creation: the member enters once. */
  addMember(member: StoreRecord, write: MembershipWrite, side: ListEnd): void {
    const { base, pending } = this;
    const insertPosition = { side, orderTime: this.#orderTimeOf(member, write, side) };
    this.logMembership(member, write.logTime, insertPosition);
    if (base === undefined || this.hasConfirmed(member)) return;
    if (side === 'end') (this.#pushed ??= new Set()).add(member);
    if (pending === undefined) return this.insertMember(member, side === 'start' ? 0 : base.length);
    pending.insert(member, insertPosition);
  }

  /**
   * A member shown optimistically has its time of issue as order time, so that no row jumps. Any other member goes
   * before the members of the same side that were issued later, also before optimistic members.
   */
  #orderTimeOf(
    member: StoreRecord,
    { issued, confirmedAt, wasOptimistic }: MembershipWrite,
    side: ListEnd,
  ): number {
    const { base, pending } = this;
    if (base === undefined) return -1 / confirmedAt;
    if (wasOptimistic || pending?.expects(member, issued)) return issued;
    const first = pending?.firstIssued(side);
    if (first === undefined) return confirmedAt;
    return first < issued ? issued : first - 1 / confirmedAt;
  }

  /** Applies a confirmed deletion: the member leaves. */
  removeMember(member: StoreRecord, { logTime }: MembershipWrite): void {
    this.logMembership(member, logTime);
    if (this.pending === undefined) this.deleteMember(member);
    else removeFrom(this.pending.base, member);
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
    this.#membershipLog = this.#pushed = undefined;
    this.setConfirmed(undefined);
  }

  get cachedValue(): unknown {
    return this.members === undefined ? INVALID : this.valueCache.value;
  }

  parts(): NormalizedNode {
    return this.members;
  }

  /** Sets the members that readers see; undefined: the list is unknown. */
  setMembers(next: StoreRecord[] | undefined): void {
    const old = this.members;
    if (old === next) return;
    if (old === undefined || next === undefined) return this.replaceMembers(next);
    const { at, out, come } = diffMembers(old, next);
    // a single insertion or removal is an edit, as by a write
    if (out.length + come.length === 1) {
      const [member] = come;
      if (member !== undefined) this.insertMember(member, at);
      else this.deleteMember(out[0] as StoreRecord);
    } else if (out.length + come.length > 0) {
      this.replaceMembers(
        next,
        !shallowEqualArrays(out.filter(isCertainlyVisible), come.filter(isCertainlyVisible)),
      );
    }
  }

  /** Replaces all members; undefined: the list is unknown. `sure`: readers see other members. */
  protected replaceMembers(next: StoreRecord[] | undefined, sure = true): void {
    const old = this.members;
    markDirty(this, sure);
    this.relink(old ?? [], next ?? []);
    this.members = next;
    this.onChange?.();
    this.valueCache.resetEdits();
    if (old === undefined || next === undefined) this.notifyVisibilityChange();
    else scheduleShapeNotification(this);
  }

  protected insertMember(member: StoreRecord, at: number): void {
    markDirty(this, isCertainlyVisible(member));
    this.relink([], [member]);
    this.members?.splice(at, 0, member);
    this.#notifyEdit(member, at);
  }

  protected deleteMember(member: StoreRecord): void {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return;
    markDirty(this, isVisibleBeforeAndAfter(member));
    this.relink([member], []);
    this.members?.splice(at, 1);
    this.#notifyEdit(member, ~at);
  }

  #notifyEdit(member: StoreRecord, edit: ListEdit): void {
    this.onChange?.(member, edit);
    this.valueCache.logEdit(edit, member);
    scheduleShapeNotification(this);
  }

  protected relink(old: readonly StoreRecord[], next: readonly StoreRecord[]): void {
    for (const member of old) member.flags |= VISITED;
    for (const member of next) {
      if (member.flags & VISITED) member.flags &= ~VISITED;
      else member.addParent(this);
    }
    for (const member of old) {
      if (member.flags & VISITED) member.removeParent(this);
      member.flags &= ~VISITED;
    }
  }

  protected build(builder: Builder): void {
    const { valueCache } = this;
    const old = valueCache.value;
    const value = valueCache.build(this.members ?? [], builder);
    // a value that was read in a cycle is part of others
    const isFree = !(this.flags & READ_IN_CYCLE);
    if (isFree && old !== undefined && shallowEqualArrays(old, value)) valueCache.value = old;
    else if (DEV) Object.freeze(value);
  }

  override onPartDirty(child: StoreRecord): void {
    this.onChange?.(child);
    this.valueCache.markChanged(child, false);
  }

  protected override onPartVisibilityChange(child: StoreRecord): void {
    scheduleShapeNotification(this);
    this.valueCache.markChanged(child, true);
  }
}

/** Throws the exception of the merge, or S14 if the merge returns anything but a list of these members. */
export function runListMerge(
  kind: StoredKind,
  merge: ListMerge,
  before: readonly StoreRecord[],
  fresh: readonly StoreRecord[],
): StoreRecord[] {
  const merged: unknown = merge([...before] as never, [...fresh] as never);
  const known = new Set<unknown>([...before, ...fresh]);
  if (Array.isArray(merged) && merged.every((member) => known.has(member)))
    return [...new Set(merged as StoreRecord[])];
  throw badDataError('S14', { list: kind.title, value: merged });
}

/** An observer of a list. */
export interface ListObserver {
  /** As `ListRecord.onChange`, with the list that has changed. */
  onListChange(list: ListRecord, member?: StoreRecord, at?: number): void;
}

const observers = new WeakMap<ListRecord, Set<ListObserver>>();

/** The observers of a list, notified of each change to its members. */
export function observersOf(list: ListRecord): Set<ListObserver> {
  const known = observers.get(list);
  if (known !== undefined) return known;
  const followers = new Set<ListObserver>();
  observers.set(list, followers);
  list.onChange = (member, at) => {
    for (const follower of followers) follower.onListChange(list, member, at);
  };
  return followers;
}

export type StoredList = ListRecord | MapRecord;

export function isStoredList(record: object): record is StoredList {
  return 'removeMember' in record;
}

/**
 * The lists that show `member`, and lists of `pending` (lists with optimistic writes) in which an optimistic write
 * hides or will insert the member.
 */
export function containingLists(member: StoreRecord, pending: Iterable<StoredList>): StoredList[] {
  let lists: StoredList[] = EMPTY;
  for (const parent of member.allParents) if (isStoredList(parent)) lists = append(lists, parent);
  for (const list of pending)
    if (!lists.includes(list) && list.containsAnywhere(member)) lists = append(lists, list);
  return lists;
}
