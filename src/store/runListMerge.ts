/** Applies a user-defined merge function, which positions the members of a list. */
import { badDataError } from '../schema/badDataError.ts';
import type { ListChangeOp, StoredKind } from '../schema/schema.ts';
import type { InsertPosition } from './MembershipLog.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** A list as this file uses it. */
export interface MergeableList extends StoreRecord {
  readonly kind: StoredKind;
  /** The confirmed members. */
  readonly base: StoreRecord[] | undefined;
  hasConfirmed(member: StoreRecord): boolean;
  setConfirmed(next: StoreRecord[] | undefined): void;
  logMembership(
    member: StoreRecord,
    time: number | undefined,
    insertPosition?: InsertPosition,
  ): void;
}

type ListMergeWrite = (time: number | undefined) => void;

/** Runs the merge now, before any write, since it may throw. Returns the write. Present members do not enter again. */
export function prepareListMerge(
  list: MergeableList,
  merge: NonNullable<ListChangeOp['merge']>,
  incoming: readonly { readonly member: StoreRecord }[],
): ListMergeWrite {
  const before = [...(list.base ?? [])];
  const fresh = incoming.map(({ member }) => member).filter((member) => !list.hasConfirmed(member));
  const after = list.base && fresh.length > 0 ? runListMerge(list, merge, [before, fresh]) : fresh;
  return (time) => {
    if (fresh.length === 0) return;
    const was = new Set(before);
    const is = new Set(after);
    for (const member of is) {
      const side = member === after[0] ? 'start' : 'end';
      if (!was.has(member)) list.logMembership(member, time, { side, orderTime: 0 });
    }
    const now = list.base;
    if (now === undefined) return;
    for (const member of was) if (!is.has(member)) list.logMembership(member, time);
    // members that the same response added or removed stay so
    const others = now.filter((member) => !was.has(member) && !is.has(member));
    const still = new Set(now);
    const present = after.filter((member) => !was.has(member) || still.has(member));
    list.setConfirmed([...present, ...others]);
  };
}

/** Throws the exception of the merge, or S14 if the merge returns anything but a list of these members. */
export function runListMerge(
  list: MergeableList,
  merge: NonNullable<ListChangeOp['merge']>,
  [before, fresh]: readonly [readonly StoreRecord[], readonly StoreRecord[]],
): StoreRecord[] {
  const merged: unknown = merge([...before] as never, [...fresh] as never);
  const known = new Set<unknown>([...before, ...fresh]);
  if (Array.isArray(merged) && merged.every((member) => known.has(member)))
    return [...new Set(merged as StoreRecord[])];
  throw badDataError('S14', { list: list.kind.title, value: merged });
}
