/** The record of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node, StoredKind } from '../schema/schema.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { BUILDING, changed, DIRTY, MARKED, Record } from './Record.ts';
import type { Builder } from './Record.ts';

/** A confirmed creation or deletion, remembered until a list read issued after it arrives. */
interface Membership {
  readonly time: number;
  /** Where the member entered; undefined: it left. */
  readonly side: 'start' | 'end' | undefined;
}

/** An edit of the members since the value was built: `gone` members leave at `at`, then `member` enters there. */
interface Edit {
  readonly at: number;
  readonly gone: 0 | 1;
  readonly member: Record | undefined;
}

/** A member on its way in or out. */
interface Moving {
  readonly member: Record;
  /** Readers can see it, or could before it was deleted. */
  readonly shown: boolean;
  /** Logical time, where answers to older requests are still to come that may deny it. */
  readonly time: number | undefined;
}

// with more changes than this, going through all members is cheaper than looking each one up
const FEW = 16;

export class ListRecord extends Record {
  readonly kind: StoredKind;
  readonly pk: string;
  /** Undefined: no list of these arguments was ever stored. */
  members: Record[] | undefined = undefined;
  stamp: Stamp = NEVER;
  #value: readonly unknown[] | undefined = undefined;
  /** Members that changed since the value was built; undefined: look at all of them. */
  #touched: Record[] | undefined = undefined;
  #edits: Edit[] = [];
  /** Membership is a field of (list, pk): those with a time of their own. */
  #memberships: Map<Record, Membership> | undefined = undefined;

  constructor(kind: StoredKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get held(): unknown {
    return this.members === undefined ? INVALID : this.#value;
  }

  parts(): Node {
    return this.members;
  }

  /** The members that a read brought. Memberships confirmed after the read was issued stay as they are. */
  fill(incoming: readonly Node[], stamp: Stamp, builder: Builder): void {
    if (this.members !== undefined && !replaces(stamp.time, this.stamp.time)) return;
    this.stamp = stamp;
    const there = unique(incoming).filter((member) => !member.deletedSince(stamp.time));
    const next = this.#reconciled(there, stamp.time);
    const old = this.members;
    if (old !== undefined && sameOrder(old, next)) return;
    const seen = old === undefined || !sameOrder(visible(old, builder), visible(next, builder));
    this.#relink(old ?? [], next);
    this.members = next;
    this.#rebuildAll();
    this.#reshape(seen, old === undefined);
  }

  /** A confirmed creation: the member enters once. */
  enter({ member, shown, time }: Moving, side: 'start' | 'end'): void {
    this.#remember(member, side, time);
    if (this.members === undefined || member.hasParent(this)) return;
    member.addParent(this);
    this.insert(member, side === 'start' ? 0 : this.members.length, shown);
  }

  protected insert(member: Record, at: number, shown: boolean): void {
    this.members?.splice(at, 0, member);
    this.#edit({ at, gone: 0, member }, shown);
  }

  /** A confirmed deletion: the member leaves. */
  leave({ member, shown, time }: Moving): void {
    this.#remember(member, undefined, time);
    if (this.erase(member, shown)) member.removeParent(this);
  }

  protected erase(member: Record, shown: boolean): boolean {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return false;
    this.members?.splice(at, 1);
    this.#edit({ at, gone: 1, member: undefined }, shown);
    return true;
  }

  /** Known from now on, and empty. */
  protected open(): void {
    this.members = [];
    this.#reshape(true, true);
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.members === undefined) return;
    this.#relink(this.members, []);
    this.members = undefined;
    this.stamp = NEVER;
    this.#memberships = undefined;
    this.#rebuildAll();
    this.#reshape(true, true);
  }

  #remember(member: Record, side: Membership['side'], time: number | undefined): void {
    if (time === undefined) this.#memberships?.delete(member);
    else (this.#memberships ??= new Map()).set(member, { time, side });
  }

  /** What a read of `time` says, corrected by memberships that were confirmed after it was issued. */
  #reconciled(incoming: Record[], time: number): Record[] {
    if (this.#memberships === undefined) return incoming;
    let members = incoming;
    for (const [member, membership] of this.#memberships) {
      if (membership.time <= time) {
        this.#memberships.delete(member);
      } else if (membership.side === undefined) {
        members = members.filter((other) => other !== member);
      } else if (!members.includes(member)) {
        members = membership.side === 'start' ? [member, ...members] : [...members, member];
      }
    }
    if (this.#memberships.size === 0) this.#memberships = undefined;
    return members;
  }

  #relink(old: readonly Record[], next: readonly Record[]): void {
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

  #edit(edit: Edit, seen: boolean): void {
    if (this.#touched === undefined) {
      // the value is not built yet, or all of it will be built anew
    } else if (this.#edits.length < FEW) this.#edits.push(edit);
    else this.#rebuildAll();
    this.#reshape(seen, false);
  }

  #rebuildAll(): void {
    this.#touched = undefined;
    this.#edits = [];
  }

  /** Its members are others; `seen`: readers can tell, as not only rows that are not shown came or went. */
  #reshape(seen: boolean, flipped: boolean): void {
    // what readers have is still right; only positions in it are not
    if (!seen) return this.#rebuildAll();
    this.flags |= DIRTY;
    this.reshape();
    changed(this, flipped);
  }

  protected build(builder: Builder): void {
    this.flags = (this.flags & ~DIRTY) | BUILDING;
    const value = this.#patched(builder) ?? this.#gathered(builder);
    this.#value = DEV ? Object.freeze(value) : value;
    // from here on changes are noted one by one; a member that is not shown makes positions useless
    this.#touched = value.length === this.members?.length ? [] : undefined;
    this.#edits = [];
    this.flags &= ~BUILDING;
  }

  /** The value with its few changes copied in; undefined where all members must be looked at. */
  #patched(builder: Builder): readonly unknown[] | undefined {
    const old = this.#value;
    if (old === undefined || this.#touched === undefined) return undefined;
    const value = [...old];
    const put = (at: number, gone: number, member: Record) => {
      const shown = builder.value(member);
      if (gone === 1 && value[at] === shown) return true;
      value.splice(at, gone, shown);
      return shown !== INVALID;
    };
    for (const { at, gone, member } of this.#edits) {
      if (member === undefined) value.splice(at, gone);
      else if (!put(at, gone, member)) return undefined;
    }
    for (const member of this.#touched) {
      const at = this.members?.indexOf(member) ?? -1;
      if (at >= 0 && !put(at, 1, member)) return undefined;
    }
    return this.#edits.length === 0 && sameOrder(old, value) ? old : value;
  }

  #gathered(builder: Builder): readonly unknown[] {
    const old = this.#value;
    const value: unknown[] = [];
    for (const member of this.members ?? []) {
      const shown = builder.value(member);
      if (shown !== INVALID) value.push(shown);
    }
    return old !== undefined && sameOrder(old, value) ? old : value;
  }

  holds(): boolean {
    // membership is kept exactly: whoever has this list as a parent is in it
    return true;
  }

  taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.reshape();
    if (flipped || (this.#touched?.length ?? 0) >= FEW) this.#rebuildAll();
    else if (this.#touched?.includes(child) === false) this.#touched.push(child);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    return true;
  }
}

/** The members that readers see. */
function visible(members: readonly Record[], builder: Builder): readonly Record[] {
  if (!members.some((member) => member.mayHide)) return members;
  return members.filter((member) => builder.read(member) !== INVALID);
}

function unique(nodes: readonly Node[]): Record[] {
  const members: Record[] = [];
  for (const node of nodes) {
    if (!(node instanceof Record) || node.flags & MARKED) continue;
    node.flags |= MARKED;
    members.push(node);
  }
  for (const member of members) member.flags &= ~MARKED;
  return members;
}

function sameOrder(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
