/** The value of one map: its members by key. */
import { DEV } from '../../errors.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields, ListKind, NormalizedNode } from '../../schema/schema.ts';
import { isCertainlyVisible, isVisible, sameEntries } from '../records/diffMembers.ts';
import { READ_IN_CYCLE } from '../records/flags.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { markDirty, scheduleShapeNotification } from '../records/markDirty.ts';
import type { Builder } from '../records/StoreRecord.ts';

/** The members of a map by key. */
export type Entries = ReadonlyMap<string, StoreRecord>;

export abstract class MapValue extends StoreRecord {
  override readonly kind: ListKind;
  /** As `ListValue.pk`. */
  pk: string;
  /** The entries that readers see. Undefined: no map of these arguments was ever stored. */
  entries: Entries | undefined = undefined;
  #value: Fields | undefined = undefined;

  constructor(kind: ListKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
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
