/** The record of one map: its members by key. */
import { DEV } from '../diagnostics.ts';
import { badData } from '../schema/badData.ts';
import { assign } from '../schema/equal.ts';
import { isObject } from '../schema/isObject.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields, ListKind, Node } from '../schema/schema.ts';
import { isSurelyThere, isVisible, sameOrder } from './joined.ts';
import type { Coming, Merge, Moving } from './ListRecord.ts';
import { forgetUntil, latestOf } from './Memberships.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { Record } from './Record.ts';
import { mark, reshapeLater } from './mark.ts';
import type { Builder } from './Record.ts';

/** What was confirmed of a key while requests issued before it are in flight; no member: nothing is there. */
interface Later {
  readonly time: number;
  readonly member: Record | undefined;
  /** When the latest own write of the key was issued: those issued before it do not replace it. */
  readonly issued: number;
}

/** Each key is a field of the map: it is as its last write says, and a read says what all of them are. */
export class MapRecord extends Record {
  override readonly kind: ListKind;
  /** As of a list. */
  pk: string;
  /** Undefined: no map of these arguments was ever stored. */
  entries: Map<string, Record> | undefined = undefined;
  stamp: Stamp = NEVER;
  #value: Fields | undefined = undefined;
  readonly #later = new Map<string, Later>();

  constructor(kind: ListKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    return this.entries === undefined ? INVALID : this.#value;
  }

  parts(): Node {
    return this.entries && Object.fromEntries(this.entries);
  }

  override needs(): Node {
    return [this.parts(), ...[...this.#later.values()].map(({ member }) => member)];
  }

  override get latest(): number {
    return latestOf(this.#later, this.stamp.time);
  }

  override settle(oldest: number): void {
    forgetUntil(this.#later, oldest);
  }

  /** The members that a read brought. What was confirmed of a key after the read was issued stays. */
  fill(incoming: Node, stamp: Stamp): void {
    if (this.entries !== undefined && !replaces(stamp.time, this.stamp.time)) return;
    const next = membersIn(incoming, stamp.time);
    for (const [key, { time, member }] of this.#later) {
      // an entry that the read knew of stays: an own write issued before it may still be in flight
      if (time <= stamp.time) continue;
      if (member === undefined) next.delete(key);
      else if (!member.deletedSince(time)) next.set(key, member);
    }
    this.stamp = stamp;
    this.#become(next);
  }

  /** The members of one page: it says nothing of other keys. */
  append(incoming: Node, { time }: Stamp): void {
    const next = new Map(this.entries);
    for (const [key, member] of membersIn(incoming, time)) {
      if ((this.#later.get(key)?.time ?? 0) <= time) next.set(key, member);
    }
    this.#become(next);
  }

  has(member: Record): boolean {
    return member.hasParent(this);
  }

  /** A confirmed member takes its key, whatever was there. Without a key it stays under those it has. */
  enter({ member, time, key, issued, confirmed }: Moving): void {
    if (key === undefined && member.hasParent(this)) return;
    const at = key ?? member.pk;
    const own = confirmed > issued;
    if (own && issued < (this.#later.get(at)?.issued ?? 0)) return;
    this.#remember(at, member, time, own ? issued : undefined);
    const { entries } = this;
    const old = entries?.get(at);
    if (entries === undefined || old === member) return;
    this.#become(new Map(entries).set(at, member));
  }

  /** A confirmed deletion: the member leaves each of its keys. */
  leave({ member, time }: Moving): void {
    if (!member.hasParent(this)) return;
    const next = new Map(this.entries);
    for (const [key, other] of next) {
      if (other !== member) continue;
      next.delete(key);
      this.#remember(key, undefined, time);
    }
    this.#become(next);
  }

  arranging(merge: Merge, coming: readonly Coming[]): (time: number | undefined) => void {
    const before = Object.fromEntries(this.entries ?? []);
    const fresh = Object.fromEntries(coming.map(({ member, key }) => [key ?? member.pk, member]));
    const known = new Set<unknown>([...Object.values(before), ...Object.values(fresh)]);
    const given: unknown =
      this.entries === undefined ? fresh : merge({ ...before } as never, { ...fresh } as never);
    const members: unknown[] = isObject(given) ? Object.values(given) : [undefined];
    if (!members.every((member) => known.has(member))) {
      throw badData('S14', { list: this.kind.title, value: given });
    }
    const after = Object.entries(given as { [key: string]: Record });
    return (time) => {
      const now = new Map(this.entries);
      const next = new Map(after);
      for (const [key, member] of next)
        if (before[key] !== member) this.#remember(key, member, time);
      for (const key of Object.keys(before))
        if (!next.has(key)) this.#remember(key, undefined, time);
      // what came to other keys meanwhile stays
      for (const [key, member] of now) if (!Object.hasOwn(before, key)) next.set(key, member);
      if (this.entries !== undefined) this.#become(next);
    };
  }

  override swap(swap: (node: Node) => Node): void {
    const { entries } = this;
    if (entries !== undefined)
      this.#become(new Map(Array.from(entries, ([key, one]) => [key, swap(one) as Record])));
  }

  clear(): void {
    if (this.entries === undefined) return;
    this.stamp = NEVER;
    this.#later.clear();
    this.#become(undefined);
  }

  /** `issued`: of an own write. */
  #remember(
    key: string,
    member: Record | undefined,
    time: number | undefined,
    issued = this.#later.get(key)?.issued ?? 0,
  ): void {
    if (time === undefined) this.#later.delete(key);
    else this.#later.set(key, { time, member, issued });
  }

  #become(next: Map<string, Record> | undefined): void {
    const old = this.entries;
    if (old !== undefined && next !== undefined && sameEntries(old, next)) return;
    const flips = old === undefined || next === undefined;
    mark(this, flips || turning(old, next).some(isSurelyThere));
    const stay = new Set(next?.values());
    for (const member of old?.values() ?? []) if (!stay.has(member)) member.removeParent(this);
    for (const member of stay) member.addParent(this);
    this.entries = next;
    if (flips) this.flip();
    else reshapeLater(this);
  }

  override lively(builder: Builder, row: (member: Record) => object): unknown {
    if (this.entries === undefined) return INVALID;
    const shown: Fields = {};
    for (const [key, member] of this.entries) {
      if (isVisible(member, builder)) assign(shown, key, row(member));
    }
    return DEV ? Object.freeze(shown) : shown;
  }

  protected build(builder: Builder): void {
    const old = this.#value;
    const value: Fields = {};
    // a member that shows this map again finds the object that is going to be its value
    this.#value = value;
    for (const [key, member] of this.entries ?? []) {
      const shown = builder.value(member);
      if (shown !== INVALID) assign(value, key, shown);
    }
    if (!this.asked && old !== undefined && sameEntries(mapOf(old), mapOf(value)))
      this.#value = old;
    else if (DEV) Object.freeze(value);
  }

  protected override turned(): void {
    reshapeLater(this);
  }
}

function membersIn(incoming: Node, time: number): Map<string, Record> {
  const members = new Map<string, Record>();
  for (const [key, node] of Object.entries(incoming as Fields)) {
    if (node instanceof Record && !node.deletedSince(time)) members.set(key, node);
  }
  return members;
}

function mapOf(value: Fields): Map<string, unknown> {
  return new Map(Object.entries(value));
}

function sameEntries(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return sameOrder([...a].flat(), [...b].flat());
}

/** Members that come, go, or take the key of another. */
function turning(old: ReadonlyMap<string, Record>, next: ReadonlyMap<string, Record>): Record[] {
  const others = (a: ReadonlyMap<string, Record>, b: ReadonlyMap<string, Record>) =>
    [...a].filter(([key, member]) => b.get(key) !== member).map(([, member]) => member);
  return [...others(old, next), ...others(next, old)];
}
