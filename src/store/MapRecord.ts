/** The record of one map: its members by key. */
import { DEV } from '../diagnostics.ts';
import { badDataError } from '../schema/badDataError.ts';
import { setOwn } from '../schema/equal.ts';
import { isObject } from '../schema/isObject.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, ListKind, Node } from '../schema/schema.ts';
import { READ_IN_CYCLE } from './flags.ts';
import { isCertainlyVisible, isVisible, sameOrder } from './diffMembers.ts';
import type { IncomingMember, ListMerge, MemberMove } from './ListRecord.ts';
import { pruneLog, latestTimeIn } from './MembershipLog.ts';
import { UNWRITTEN, isAtLeastAsNew } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { StoreRecord } from './StoreRecord.ts';
import { markDirty, notifyShapeAfterParts } from './markDirty.ts';
import type { Builder } from './StoreRecord.ts';

/** The last confirmed write of a key while requests issued before it are in flight; no member: the key is empty. */
interface ConfirmedWrite {
  readonly time: number;
  readonly member: StoreRecord | undefined;
  /** When the latest own write of the key was issued: own writes issued earlier do not replace it. */
  readonly issued: number;
}

/** Each key is versioned as a field of the map: its last write counts. A read writes all keys. */
export class MapRecord extends StoreRecord {
  override readonly kind: ListKind;
  /** As `ListValue.pk`. */
  pk: string;
  /** Undefined: no map of these arguments was ever stored. */
  entries: Map<string, StoreRecord> | undefined = undefined;
  stamp: Stamp = UNWRITTEN;
  #value: Fields | undefined = undefined;
  readonly #confirmedWrites = new Map<string, ConfirmedWrite>();

  constructor(kind: ListKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get cachedValue(): unknown {
    return this.entries === undefined ? INVALID : this.#value;
  }

  parts(): Node {
    return this.entries && Object.fromEntries(this.entries);
  }

  override gcEdges(): Node {
    return [this.parts(), ...[...this.#confirmedWrites.values()].map(({ member }) => member)];
  }

  override get latestTime(): number {
    return latestTimeIn(this.#confirmedWrites, this.stamp.time);
  }

  override pruneHistory(oldest: number): void {
    pruneLog(this.#confirmedWrites, oldest);
  }

  /** Writes the members of a response. Writes of a key confirmed after its request was issued stay. */
  fill(incoming: Node, stamp: Stamp): void {
    if (this.entries !== undefined && !isAtLeastAsNew(stamp.time, this.stamp.time)) return;
    const next = membersIn(incoming, stamp.time);
    for (const [key, { time, member }] of this.#confirmedWrites) {
      // an entry that the read could know stays in `#later`: an own write issued before it may still be in flight
      if (time <= stamp.time) continue;
      if (member === undefined) next.delete(key);
      else if (!member.deletedSince(time)) next.set(key, member);
    }
    this.stamp = stamp;
    this.#setEntries(next);
  }

  /** Adds the members of one page, which tells nothing about other keys. */
  append(incoming: Node, { time }: Stamp): void {
    const next = new Map(this.entries);
    for (const [key, member] of membersIn(incoming, time)) {
      if ((this.#confirmedWrites.get(key)?.time ?? 0) <= time) next.set(key, member);
    }
    this.#setEntries(next);
  }

  has(member: StoreRecord): boolean {
    return member.hasParent(this);
  }

  /** Puts a confirmed member at its key and replaces the previous member. Without a key a present member stays. */
  addMember({ member, time, key, issued, confirmedAt }: MemberMove): void {
    if (key === undefined && member.hasParent(this)) return;
    const at = key ?? member.pk;
    const own = confirmedAt > issued;
    if (own && issued < (this.#confirmedWrites.get(at)?.issued ?? 0)) return;
    this.#logWrite(at, member, time, own ? issued : undefined);
    const { entries } = this;
    const old = entries?.get(at);
    if (entries === undefined || old === member) return;
    this.#setEntries(new Map(entries).set(at, member));
  }

  /** Applies a confirmed deletion: the member leaves each of its keys. */
  removeMember({ member, time }: MemberMove): void {
    if (!member.hasParent(this)) return;
    const next = new Map(this.entries);
    for (const [key, other] of next) {
      if (other !== member) continue;
      next.delete(key);
      this.#logWrite(key, undefined, time);
    }
    this.#setEntries(next);
  }

  prepareMerge(
    merge: ListMerge,
    incoming: readonly IncomingMember[],
  ): (time: number | undefined) => void {
    const before = Object.fromEntries(this.entries ?? []);
    const fresh = Object.fromEntries(incoming.map(({ member, key }) => [key ?? member.pk, member]));
    const known = new Set<unknown>([...Object.values(before), ...Object.values(fresh)]);
    const merged: unknown =
      this.entries === undefined ? fresh : merge({ ...before } as never, { ...fresh } as never);
    const members: unknown[] = isObject(merged) ? Object.values(merged) : [undefined];
    if (!members.every((member) => known.has(member))) {
      throw badDataError('S14', { list: this.kind.title, value: merged });
    }
    const after = Object.entries(merged as { [key: string]: StoreRecord });
    return (time) => {
      const now = new Map(this.entries);
      const next = new Map(after);
      for (const [key, member] of next)
        if (before[key] !== member) this.#logWrite(key, member, time);
      for (const key of Object.keys(before))
        if (!next.has(key)) this.#logWrite(key, undefined, time);
      // members that arrived at other keys meanwhile stay
      for (const [key, member] of now) if (!Object.hasOwn(before, key)) next.set(key, member);
      if (this.entries !== undefined) this.#setEntries(next);
    };
  }

  override replaceParts(swap: (node: Node) => Node): void {
    const { entries } = this;
    if (entries !== undefined)
      this.#setEntries(
        new Map(Array.from(entries, ([key, one]) => [key, swap(one) as StoreRecord])),
      );
  }

  clear(): void {
    if (this.entries === undefined) return;
    this.stamp = UNWRITTEN;
    this.#confirmedWrites.clear();
    this.#setEntries(undefined);
  }

  /** `issued`: when an own write was issued; default: of the own write logged before. */
  #logWrite(
    key: string,
    member: StoreRecord | undefined,
    time: number | undefined,
    issued = this.#confirmedWrites.get(key)?.issued ?? 0,
  ): void {
    if (time === undefined) this.#confirmedWrites.delete(key);
    else this.#confirmedWrites.set(key, { time, member, issued });
  }

  #setEntries(next: Map<string, StoreRecord> | undefined): void {
    const old = this.entries;
    if (old !== undefined && next !== undefined && sameEntries(old, next)) return;
    const flips = old === undefined || next === undefined;
    markDirty(this, flips || changedMembers(old, next).some(isCertainlyVisible));
    const stay = new Set(next?.values());
    for (const member of old?.values() ?? []) if (!stay.has(member)) member.removeParent(this);
    for (const member of stay) member.addParent(this);
    this.entries = next;
    if (flips) this.notifyVisibilityChange();
    else notifyShapeAfterParts(this);
  }

  override buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown {
    if (this.entries === undefined) return INVALID;
    const value: Fields = {};
    for (const [key, member] of this.entries) {
      if (isVisible(member, builder)) setOwn(value, key, row(member));
    }
    return DEV ? Object.freeze(value) : value;
  }

  protected build(builder: Builder): void {
    const old = this.#value;
    const value: Fields = {};
    // a member that contains this map again finds the object that will become its value
    this.#value = value;
    for (const [key, member] of this.entries ?? []) {
      const out = builder.value(member);
      if (out !== INVALID) setOwn(value, key, out);
    }
    const isFree = !(this.flags & READ_IN_CYCLE);
    if (isFree && old !== undefined && sameEntries(toMap(old), toMap(value))) this.#value = old;
    else if (DEV) Object.freeze(value);
  }

  protected override onPartVisibilityChange(): void {
    notifyShapeAfterParts(this);
  }
}

function membersIn(incoming: Node, time: number): Map<string, StoreRecord> {
  const members = new Map<string, StoreRecord>();
  for (const [key, node] of Object.entries(incoming as Fields)) {
    if (node instanceof StoreRecord && !node.deletedSince(time)) members.set(key, node);
  }
  return members;
}

function toMap(value: Fields): Map<string, unknown> {
  return new Map(Object.entries(value));
}

function sameEntries(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return sameOrder([...a].flat(), [...b].flat());
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
