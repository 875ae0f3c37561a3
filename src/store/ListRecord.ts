/** The record of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { ListKind, Node } from '../schema/schema.ts';
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

// with more changes than this, going through all members is cheaper than looking each one up
const FEW = 16;

export class ListRecord extends Record {
  readonly kind: ListKind;
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

  constructor(kind: ListKind, pk: string) {
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
  fill(incoming: readonly Node[], stamp: Stamp): void {
    if (this.members !== undefined && !replaces(stamp.time, this.stamp.time)) return;
    this.stamp = stamp;
    const next = this.#reconciled(unique(incoming), stamp.time);
    const old = this.members;
    if (old !== undefined && sameOrder(old, next)) return;
    this.#relink(old ?? [], next);
    this.members = next;
    this.#rebuildAll();
    this.#reshape(old === undefined);
  }

  /** A confirmed creation: the member enters once. True when it was not there. */
  enter(member: Record, side: 'start' | 'end', time: number): boolean {
    if (this.members === undefined) return false;
    this.#remember(member, { time, side });
    if (member.hasParent(this)) return false;
    const at = side === 'start' ? 0 : this.members.length;
    this.members.splice(at, 0, member);
    member.addParent(this);
    this.#edit({ at, gone: 0, member });
    return true;
  }

  /** A confirmed deletion: the member leaves. */
  leave(member: Record, time: number): void {
    if (this.members === undefined) return;
    this.#remember(member, { time, side: undefined });
    const at = this.members.indexOf(member);
    if (at < 0) return;
    this.members.splice(at, 1);
    member.removeParent(this);
    this.#edit({ at, gone: 1, member: undefined });
  }

  /** Back to a list that was never stored. */
  clear(): void {
    if (this.members === undefined) return;
    this.#relink(this.members, []);
    this.members = undefined;
    this.stamp = NEVER;
    this.#memberships = undefined;
    this.#rebuildAll();
    this.#reshape(true);
  }

  #remember(member: Record, membership: Membership): void {
    (this.#memberships ??= new Map()).set(member, membership);
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

  #edit(edit: Edit): void {
    if (this.#touched === undefined) {
      // the value is not built yet, or all of it will be built anew
    } else if (this.#edits.length < FEW) this.#edits.push(edit);
    else this.#rebuildAll();
    this.#reshape(false);
  }

  #rebuildAll(): void {
    this.#touched = undefined;
    this.#edits = [];
  }

  #reshape(flipped: boolean): void {
    this.flags |= DIRTY;
    this.fine?.shape?.tick();
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
    if (flipped) this.fine?.shape?.tick();
    if (flipped || (this.#touched?.length ?? 0) >= FEW) this.#rebuildAll();
    else if (this.#touched?.includes(child) === false) this.#touched.push(child);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    return true;
  }
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
