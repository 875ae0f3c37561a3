/** The value of one list: the members in order, patched where they changed. */
import { DEV } from '../../errors.ts';
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode, StoredKind } from '../../schema/schema.ts';
import { READ_IN_CYCLE, VISITED } from '../records/flags.ts';
import { diffMembers, isCertainlyVisible, shallowEqualArrays } from '../records/diffMembers.ts';
import {
  isVisibleBeforeAndAfter,
  markDirty,
  scheduleShapeNotification,
} from '../records/markDirty.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { ListValueCache } from './ListValueCache.ts';
import type { ListEdit } from './ListValueCache.ts';

/**
 * Called for each change of the members of a list. `edit`: the edit by which `member` came or went; absent: `member`
 * changed. Without `member`: all members may have changed.
 */
export type ListChangeListener = (member?: StoreRecord, edit?: ListEdit) => void;

export abstract class ListValue extends StoreRecord {
  override readonly kind: StoredKind;
  /** May contain the primary key of an entity, and changes with that key. */
  pk: string;
  /** The members that readers see. Undefined: no list of these arguments was ever stored. */
  members: StoreRecord[] | undefined;
  onChange: ListChangeListener | undefined;
  readonly valueCache: ListValueCache = new ListValueCache();

  constructor(kind: StoredKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
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
