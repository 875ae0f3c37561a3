/** The schema of maps, and their records: the members of a map by key. Only applications with maps load this file. */
import { DEV } from '../../errors.ts';
import type { ListChangeOptions } from '../../schema/ListMutation.ts';
import type { Choice } from '../../schema/Union.ts';
import { MapAssign, ValuesKind } from '../../schema/ValuesKind.ts';
import { badDataError } from '../../schema/badDataError.ts';
import { isObject, setOwn } from '../../schema/fieldOf.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields, ListKind, NormalizedNode, Schema } from '../../schema/schema.ts';
import { EMPTY } from '../records/SmallSet.ts';
import { StoreRecord, READ_IN_CYCLE } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { isCertainlyVisible, isVisible, sameEntries } from '../records/diffMembers.ts';
import { markDirty, scheduleShapeNotification } from '../records/markDirty.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew, overlaps } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { ListMerge, MemberToMerge } from './ListRecord.ts';
import { lastLogTimes, latestTimeIn, pruneLog, wasDeleted } from './MembershipLog.ts';
import type { GoneTest, ListEnd, MembershipWrite } from './MembershipLog.ts';

/** The members of a map by key. */
export type Entries = ReadonlyMap<string, StoreRecord>;

/** The effect of an optimistic write on a map. */
interface MapChange {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** `fill`: all members. `append`: further members. `merge`: the user function places the members. */
  readonly op: string;
  readonly members: readonly NormalizedNode[];
  /** A member without a key enters at its primary key. */
  readonly keys: readonly (string | undefined)[];
  readonly merge?: ListMerge | undefined;
}

/** A write of a key at a logical time; no member: the key is empty. */
interface KeyWrite {
  readonly time: number;
  readonly member: StoreRecord | undefined;
}

/** The last confirmed write of a key while requests issued before this write are in flight. */
interface ConfirmedWrite extends KeyWrite {
  /** The time of issue of the latest own write of the key, which own writes issued earlier do not replace. */
  readonly issued: number;
  /** The last push of the key. */
  readonly pushed: KeyWrite | undefined;
}

/** The part of a map's optimistic changes that the record uses. */
interface OptimisticMap {
  /** The confirmed entries. */
  base: Entries | undefined;
  /** In the order of issue. */
  readonly changes: readonly MapChange[];
  readonly gcEdges: NormalizedNode;
  /** True if a change inserts or removes this member. */
  mentions(member: StoreRecord): boolean;
  /** True if a change inserts this member for another reason than the member's fields. */
  inserts(member: StoreRecord): boolean;
}

/** Each key is versioned as a field of the map: the last write counts. A read writes all keys. */

export class MapRecord extends StoreRecord {
  override readonly kind: ListKind;
  /** As `ListRecord.pk`. */
  pk: string;
  /** The entries that readers see. Undefined: no map of these arguments was ever stored. */
  entries: Entries | undefined;
  #value: Fields | undefined;
  declare readonly followsEntities?: undefined;
  override pending: OptimisticMap | undefined = undefined;
  /** Of the last response with all members. Pages and own writes do not change it. */
  stamp: Stamp = UNWRITTEN_STAMP;
  readonly #confirmedWrites = new Map<string, ConfirmedWrite>();
  /** The last push of all keys, while requests issued before this push may be in flight. */
  #pushedMap: { readonly time: number; readonly entries: Entries } | undefined;

  constructor(kind: ListKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  /** The confirmed entries. */
  get base(): Entries | undefined {
    return this.pending === undefined ? this.entries : this.pending.base;
  }

  override confirmedParts(): NormalizedNode {
    return this.base && Object.fromEntries(this.base);
  }

  override gcEdges(): NormalizedNode {
    const written = Array.from(this.#confirmedWrites.values(), ({ member }) => member);
    return [this.parts(), this.confirmedParts(), written, this.pending?.gcEdges];
  }

  override get latestTime(): number {
    return latestTimeIn(this.#confirmedWrites, this.stamp.time);
  }

  override isReceivedSince(time: number): boolean {
    return this.stamp.time >= time;
  }

  override pruneHistory(oldest: number): void {
    pruneLog(this.#confirmedWrites, oldest);
    if (this.#pushedMap && this.#pushedMap.time <= oldest) this.#pushedMap = undefined;
  }

  /**
   * Writes the members of a response. Writes of a key confirmed after the request was issued stay. True if the
   * stored members differ, and only the server knows which are later.
   */
  fill(incoming: NormalizedNode, stamp: Stamp, isGone: GoneTest = wasDeleted): boolean {
    const { base } = this;
    const isDoubtful = base !== undefined && overlaps(stamp, this.stamp);
    const next = toEntries(incoming, stamp.time, isGone);
    if (base !== undefined && !isAtLeastAsNew(stamp.time, this.stamp.time))
      return isDoubtful && !sameEntries(base, next);
    for (const [key, { time, member }] of this.#confirmedWrites) {
      // an entry that the read could know stays in the log: an own write issued before it may still be in flight
      if (time <= stamp.time) continue;
      if (member === undefined) next.delete(key);
      // without a stored map, no removal has reached the log
      else if (base ? !member.deletedSince(time) : !isGone(member, time)) next.set(key, member);
    }
    this.stamp = stamp;
    if (stamp.isPush) this.#pushedMap = { time: stamp.time, entries: next };
    this.#setConfirmed(next);
    return isDoubtful && !sameEntries(base, next);
  }

  /** Adds the members of a page, which tells nothing about other keys. */
  append(incoming: NormalizedNode, { time }: Stamp, isGone: GoneTest = wasDeleted): void {
    const next = new Map(this.base);
    for (const [key, member] of toEntries(incoming, time, isGone)) {
      if ((this.#confirmedWrites.get(key)?.time ?? 0) <= time) next.set(key, member);
    }
    this.#setConfirmed(next);
  }

  /** True for a confirmed member. */
  hasConfirmed(member: StoreRecord): boolean {
    return this.pending === undefined
      ? member.hasParent(this)
      : [...(this.pending.base?.values() ?? EMPTY)].includes(member);
  }

  /** As `ListRecord.containsAnywhere`. */
  containsAnywhere(member: StoreRecord): boolean {
    return this.hasConfirmed(member) || this.pending?.mentions(member) === true;
  }

  /**
   * Puts a confirmed member at its key and replaces the previous member. Without a key a present member stays. Returns
   * true if a push of the key met the own write: only the server knows which of both came last.
   */
  addMember(
    member: StoreRecord,
    { logTime, issued, confirmedAt }: MembershipWrite,
    _side: ListEnd,
    mapKey: string | undefined,
  ): boolean {
    if (mapKey === undefined && this.hasConfirmed(member)) return false;
    const at = mapKey ?? member.pk;
    const own = confirmedAt > issued;
    if (own && issued < this.#ownWriteIssued(at)) return false;
    const pushed = this.#lastPushOf(at);
    this.#logWrite(at, member, logTime, own ? { issued } : { pushed: { time: issued, member } });
    const { base } = this;
    if (base !== undefined && base.get(at) !== member)
      this.#setConfirmed(new Map(base).set(at, member));
    return own && pushed !== undefined && pushed.time > issued && pushed.member !== member;
  }

  #lastPushOf(key: string): KeyWrite | undefined {
    const pushed = this.#confirmedWrites.get(key)?.pushed;
    const map = this.#pushedMap;
    if (map === undefined || (pushed && pushed.time > map.time)) return pushed;
    return { time: map.time, member: map.entries.get(key) };
  }

  /**
   * Applies a confirmed deletion: the member leaves all keys except those at which a later-issued own write has put the
   * member.
   */
  removeMember(member: StoreRecord, { logTime, issued, confirmedAt }: MembershipWrite): void {
    if (!this.hasConfirmed(member)) return;
    const next = new Map(this.base);
    const isOwn = confirmedAt > issued;
    for (const [key, other] of next) {
      if (other !== member || (isOwn && issued < this.#ownWriteIssued(key))) continue;
      next.delete(key);
      this.#logWrite(key, undefined, logTime);
    }
    this.#setConfirmed(next);
  }

  prepareMerge(
    merge: ListMerge,
    incoming: readonly MemberToMerge[],
  ): (time: number | undefined) => void {
    const before: Entries = new Map(this.base);
    const fresh = incoming.map(({ member, mapKey }) => [mapKey ?? member.pk, member] as const);
    const after = this.base ? runMapMerge(this.kind, merge, before, fresh) : fresh;
    return (time) => {
      const now = new Map(this.base);
      const next = new Map(after);
      for (const [key, member] of next)
        if (before.get(key) !== member) this.#logWrite(key, member, time);
      for (const key of before.keys()) if (!next.has(key)) this.#logWrite(key, undefined, time);
      // members that arrived at other keys meanwhile stay
      for (const [key, member] of now) if (!before.has(key)) next.set(key, member);
      if (this.base !== undefined) this.#setConfirmed(next);
    };
  }

  override replaceParts(swap: (node: NormalizedNode) => NormalizedNode): void {
    const { base } = this;
    for (const [key, write] of this.#confirmedWrites)
      this.#confirmedWrites.set(key, { ...write, member: swap(write.member) as StoreRecord });
    if (base !== undefined)
      this.#setConfirmed(
        new Map(Array.from(base, ([key, one]) => [key, swap(one) as StoreRecord])),
      );
  }

  clear(): void {
    if (this.base === undefined) return;
    this.stamp = UNWRITTEN_STAMP;
    this.#confirmedWrites.clear();
    this.#pushedMap = undefined;
    this.#setConfirmed(undefined);
  }

  /** Logical time at which the own write of this key was issued that is confirmed; 0: none, or too long ago to matter. */
  #ownWriteIssued(key: string): number {
    return this.#confirmedWrites.get(key)?.issued ?? 0;
  }

  /** `change`: further facts of the key; the rest stays as logged before. */
  #logWrite(
    key: string,
    member: StoreRecord | undefined,
    time: number | undefined,
    change: Partial<ConfirmedWrite> = {},
  ): void {
    if (time === undefined) this.#confirmedWrites.delete(key);
    else {
      const { issued = 0, pushed } = this.#confirmedWrites.get(key) ?? {};
      this.#confirmedWrites.set(key, { issued, pushed, ...change, time, member });
      if (member !== undefined) lastLogTimes.set(member, time);
    }
  }

  #setConfirmed(next: Entries | undefined): void {
    if (this.pending === undefined) this.setEntries(next);
    else this.pending.base = next;
  }

  /** The entries with the optimistic writes applied that were issued before this logical time. */
  entriesAsOf(before: number): Entries | undefined {
    const { pending } = this;
    if (pending === undefined) return this.entries;
    let entries = pending.base;
    for (const change of pending.changes) {
      const { issued, op } = change;
      if (issued >= before) break;
      if (op === 'fill') entries = new Map();
      else if (op === 'append') entries ??= new Map();
      if (entries !== undefined)
        entries =
          op === 'merge' ? this.#tryMerge(entries, change) : this.#applyChange(entries, change);
    }
    return entries;
  }

  /** A confirmed own write of a key that was issued later stays visible. */
  #applyChange(entries: Entries, { op, issued, members, keys }: MapChange): Entries {
    const next = new Map(entries);
    const stands = (key: string) => issued >= this.#ownWriteIssued(key);
    if (op === 'out') {
      for (const [key, member] of entries)
        if (members.includes(member) && stands(key)) next.delete(key);
      return next;
    }
    const present = new Set(entries.values());
    for (const [at, member] of members.entries()) {
      if (!(member instanceof StoreRecord)) continue;
      const key = keys[at];
      // without a key in the change, a present member stays at its key
      if (key === undefined && present.has(member)) continue;
      if (stands(key ?? member.pk)) next.set(key ?? member.pk, member);
    }
    return next;
  }

  /** As `tryMerge` of lists: a merge that throws has no effect until the response. */
  #tryMerge(entries: Entries, { members, keys, merge }: MapChange): Entries {
    const fresh = (members as readonly StoreRecord[]).map(
      (member, at) => [keys[at] ?? member.pk, member] as const,
    );
    try {
      return new Map(runMapMerge(this.kind, merge as ListMerge, entries, fresh));
    } catch {
      return entries;
    }
  }

  get cachedValue(): unknown {
    return this.entries === undefined ? INVALID : this.#value;
  }

  parts(): NormalizedNode {
    return this.entries && Object.fromEntries(this.entries);
  }

  setEntries(next: Entries | undefined): void {
    const old = this.entries;
    if (old !== undefined && next !== undefined && sameEntries(old, next)) return;
    const flips = old === undefined || next === undefined;
    markDirty(this, flips || changedMembers(old, next).some(isCertainlyVisible));
    const stay = new Set(next?.values());
    for (const member of old?.values() ?? []) if (!stay.has(member)) member.removeParent(this);
    for (const member of stay) member.addParent(this);
    this.entries = next;
    if (flips) this.notifyVisibilityChange();
    else scheduleShapeNotification(this);
  }

  override buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown {
    if (this.entries === undefined) return INVALID;
    const shown: Fields = {};
    for (const [key, member] of this.entries) {
      if (isVisible(member, builder)) setOwn(shown, key, row(member));
    }
    return DEV ? Object.freeze(shown) : shown;
  }

  protected build(builder: Builder): void {
    const old = this.#value;
    const value: Fields = {};
    // a member that contains this map again finds the object that will become its value
    this.#value = value;
    for (const [key, member] of this.entries ?? []) {
      const shown = builder.value(member);
      if (shown !== INVALID) setOwn(value, key, shown);
    }
    const isFree = !(this.flags & READ_IN_CYCLE);
    if (isFree && old !== undefined && sameEntries(toMap(old), toMap(value))) this.#value = old;
    else if (DEV) Object.freeze(value);
  }

  protected override onPartVisibilityChange(): void {
    scheduleShapeNotification(this);
  }
}

function toMap(value: Fields): Map<string, unknown> {
  return new Map(Object.entries(value));
}

/** Members that enter, leave, or take the key of another member. */
function changedMembers(
  old: ReadonlyMap<string, StoreRecord>,
  next: ReadonlyMap<string, StoreRecord>,
): StoreRecord[] {
  const others = (a: ReadonlyMap<string, StoreRecord>, b: ReadonlyMap<string, StoreRecord>) =>
    [...a].filter(([key, member]) => b.get(key) !== member).map(([, member]) => member);
  return [...others(old, next), ...others(next, old)];
}

function toEntries(
  incoming: NormalizedNode,
  time: number,
  isGone: GoneTest,
): Map<string, StoreRecord> {
  const members = new Map<string, StoreRecord>();
  for (const [key, node] of Object.entries(incoming as Fields)) {
    if (node instanceof StoreRecord && !isGone(node, time)) members.set(key, node);
  }
  return members;
}

/** Throws the exception of the merge, or S14 if the merge returns anything but these members by key. */
function runMapMerge(
  kind: ListKind,
  merge: ListMerge,
  before: Entries,
  fresh: readonly (readonly [key: string, member: StoreRecord])[],
): [string, StoreRecord][] {
  const known = new Set<unknown>([...before.values(), ...fresh.map(([, member]) => member)]);
  const value: unknown = merge(
    Object.fromEntries(before) as never,
    Object.fromEntries(fresh) as never,
  );
  if (isObject(value) && Object.values(value).every((member) => known.has(member)))
    return Object.entries(value as { [key: string]: StoreRecord });
  throw badDataError('S14', { list: kind.title, value });
}

/**
 * `new Values(Todo)` describes `{ 7: {id: 7}, 9: {id: 9} }`; `new Values({dog: Dog, cat: Cat}, 'type')` selects the
 * schema of each member. Empty, missing and deleted members are dropped.
 */
export class Values<S extends Schema, C extends Choice | undefined = undefined> extends ValuesKind<
  S,
  C
> {
  /** @internal */ override createAssign(
    collection: ListKind,
    change: ListChangeOptions,
  ): MapAssign<unknown> {
    return new MapAssign(collection, change);
  }

  /** @internal */ override readonly createRecord: ListKind['createRecord'] = (kind, pk) =>
    new MapRecord(kind, pk);
}
