/** Applies a user-defined merge function, which positions the members of a list. */
import { badDataError } from '../../schema/badDataError.ts';
import type { ListChangeOp, StoredKind } from '../../schema/schema.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { EMPTY } from '../records/append.ts';
import type { MemberPosition } from './MembershipLog.ts';

export type ListMerge = NonNullable<ListChangeOp['merge']>;

/** A member that a user merge function places. */
export interface MemberToMerge {
  readonly member: StoreRecord;
  /** Of a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
}

/** A list as this file uses it. */
interface MergeableList {
  readonly kind: StoredKind;
  /** The confirmed members. */
  readonly base: StoreRecord[] | undefined;
  hasConfirmed(member: StoreRecord): boolean;
  setConfirmed(next: StoreRecord[] | undefined): void;
  logMembership(
    member: StoreRecord,
    time: number | undefined,
    insertPosition?: MemberPosition,
  ): void;
}

/** Runs the merge now, before any write, since it may throw. Returns the write. Present members do not enter again. */
export function prepareListMerge(
  list: MergeableList,
  merge: ListMerge,
  incoming: readonly MemberToMerge[],
): (time: number | undefined) => void {
  const before = [...(list.base ?? EMPTY)];
  const fresh = incoming.map(({ member }) => member).filter((member) => !list.hasConfirmed(member));
  const after =
    list.base && fresh.length > 0 ? runListMerge(list.kind, merge, before, fresh) : fresh;
  return (time) => {
    if (fresh.length === 0) return;
    const { base } = list;
    const [was, is, now] = [new Set(before), new Set(after), new Set(base)];
    for (const member of is) {
      const side = member === after[0] ? 'start' : 'end';
      if (!was.has(member)) list.logMembership(member, time, { side, orderTime: 0 });
    }
    for (const member of was) if (!is.has(member)) list.logMembership(member, time);
    // members that the same response added or removed stay so
    if (base !== undefined)
      list.setConfirmed([
        ...after.filter((member) => !was.has(member) || now.has(member)),
        ...base.filter((member) => !was.has(member) && !is.has(member)),
      ]);
  };
}

/** Throws the exception of the merge, or S14 if the merge returns anything but a list of these members. */
export function runListMerge(
  kind: StoredKind,
  merge: ListMerge,
  before: readonly StoreRecord[],
  fresh: readonly StoreRecord[],
): StoreRecord[] {
  const merged: unknown = merge([...before] as never, [...fresh] as never);
  const known = new Set<unknown>([...before, ...fresh]);
  if (Array.isArray(merged) && merged.every((member) => known.has(member)))
    return [...new Set(merged as StoreRecord[])];
  throw badDataError('S14', { list: kind.title, value: merged });
}
