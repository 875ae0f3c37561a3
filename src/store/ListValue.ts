/** The value of one list: its members in order, patched where they changed. */
import { DEV } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node, StoredKind } from '../schema/schema.ts';
import { VISITED } from './flags.ts';
import { diffMembers, isCertainlyVisible, sameOrder } from './diffMembers.ts';
import { isVisibleBeforeAndAfter, markDirty, notifyShapeAfterParts } from './markDirty.ts';
import { StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';
import { ListValueCache } from './ListValueCache.ts';
import type { ListEdit } from './ListValueCache.ts';

/**
 * Told of each change to the members of a list: which edit `member` came or went by; without one, it changed.
 * Without a member: all of them may be others.
 */
export type ListChangeListener = (member?: StoreRecord, edit?: ListEdit) => void;

export abstract class ListValue extends StoreRecord {
  override readonly kind: StoredKind;
  /** Has the key of an entity in it, and changes with that. */
  pk: string;
  /** What readers see. Undefined: no list of these arguments was ever stored. */
  members: StoreRecord[] | undefined;
  onChange: ListChangeListener | undefined;
  readonly valueCache: ListValueCache = new ListValueCache();

  constructor(kind: StoredKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

  protected get cachedValue(): unknown {
    return this.members === undefined ? INVALID : this.valueCache.value;
  }

  parts(): Node {
    return this.members;
  }

  /** Readers see these members from now on; undefined: the list is not known. */
  setMembers(next: StoreRecord[] | undefined): void {
    const old = this.members;
    if (old === next) return;
    if (old === undefined || next === undefined) return this.replace(next);
    const { at, out, come } = diffMembers(old, next);
    // one came, or went: an edit, as by a write
    if (out.length + come.length === 1) {
      const [member] = come;
      if (member !== undefined) this.insert(member, at);
      else this.erase(out[0] as StoreRecord);
    } else if (out.length + come.length > 0) {
      this.replace(
        next,
        !sameOrder(out.filter(isCertainlyVisible), come.filter(isCertainlyVisible)),
      );
    }
  }

  /** Known from now on as these, or not known. `sure`: readers see others. */
  protected replace(next: StoreRecord[] | undefined, sure = true): void {
    const old = this.members;
    markDirty(this, sure);
    this.relink(old ?? [], next ?? []);
    this.members = next;
    this.onChange?.();
    this.valueCache.resetEdits();
    if (old === undefined || next === undefined) this.notifyVisibilityChange();
    else notifyShapeAfterParts(this);
  }

  protected insert(member: StoreRecord, at: number): void {
    markDirty(this, isCertainlyVisible(member));
    this.relink([], [member]);
    this.members?.splice(at, 0, member);
    this.#edit(member, at);
  }

  protected erase(member: StoreRecord): void {
    const at = this.members?.indexOf(member) ?? -1;
    if (at < 0) return;
    markDirty(this, isVisibleBeforeAndAfter(member));
    this.relink([member], []);
    this.members?.splice(at, 1);
    this.#edit(member, ~at);
  }

  #edit(member: StoreRecord, edit: ListEdit): void {
    this.onChange?.(member, edit);
    this.valueCache.edit(edit, member);
    notifyShapeAfterParts(this);
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
    const { valueCache: rows } = this;
    const old = rows.value;
    const value = rows.build(this.members ?? [], builder);
    if (!this.wasReadInCycle && old !== undefined && sameOrder(old, value)) rows.value = old;
    else if (DEV) Object.freeze(value);
  }

  override onPartDirty(child: StoreRecord): void {
    this.onChange?.(child);
    this.valueCache.markChanged(child, false);
  }

  protected override onPartVisibilityChange(child: StoreRecord): void {
    notifyShapeAfterParts(this);
    this.valueCache.markChanged(child, true);
  }
}
