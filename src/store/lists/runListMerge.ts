/** Applies a user-defined merge function, which positions the members of a list. */
import { badDataError } from '../../schema/badDataError.ts';
import type { ListChangeOp, StoredKind } from '../../schema/schema.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

export type ListMerge = NonNullable<ListChangeOp['merge']>;

/** A member that a user merge function places. */
export interface MemberToMerge {
  readonly member: StoreRecord;
  /** Of a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
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
