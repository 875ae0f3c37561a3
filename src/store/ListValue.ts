/** The value of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node, StoredKind } from '../schema/schema.ts';
import { MARKED } from './flags.ts';
import { changedPart, isSurelyThere, sameOrder } from './joined.ts';
import { isStillShown, mark, reshapeLater } from './mark.ts';
import { Record } from './Record.ts';
import type { Builder } from './Record.ts';
import { Rows } from './Rows.ts';
import type { Edit } from './Rows.ts';

/**
 * Told of each change to the members of a list: which edit `member` came or went by; without one, it changed.
 * Without a member: all of them may be others.
 */
export type Feed = (member?: Record, edit?: Edit) => void;

export abstract class ListValue extends Record {
  override readonly kind: StoredKind;
  /** Has the key of an entity in it, and changes with that. */
  pk: string;
  /** What readers see. Undefined: no list of these arguments was ever stored. */
  members: Record[] | undefined;
  feed: Feed | undefined;
  readonly rows: Rows = new Rows();

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

  /** Readers see these members from now on; undefined: the list is not known. */
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

  protected insert(member: Record, at: number): void {
    mark(this, isSurelyThere(member));
    this.relink([], [member]);
    this.members?.splice(at, 0, member);
    this.#edit(member, at);
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
