/** Runs the user-defined filter and merge functions of a list change, before anything is written. */
import type { ListChangeOp } from '../../schema/schema.ts';
import type { ListTable, MatchedMember } from '../lists/ListTable.ts';
import type { StoredList } from '../lists/StoredList.ts';

export interface PreparedListChange {
  readonly matched: readonly MatchedMember[];
  /** Functions that write the results of merges. `time`: logical time of the memberships. */
  readonly merges: readonly {
    readonly list: StoredList;
    readonly apply: (time: number | undefined) => void;
  }[];
}

/** The callbacks may throw, because nothing has been written yet. */
export function runListCallbacks(
  table: ListTable,
  change: ListChangeOp,
): PreparedListChange | undefined {
  const { merge, filter } = change;
  if (merge === undefined && filter === undefined) return undefined;
  const matched = table.matchMembers(change);
  if (merge === undefined) return { matched, merges: [] };
  const incomingByList = new Map<StoredList, MatchedMember[]>();
  for (const match of matched)
    for (const list of match.certain)
      if (!incomingByList.get(list)?.push(match)) incomingByList.set(list, [match]);
  const merges = Array.from(incomingByList, ([list, incoming]) => ({
    list,
    apply: list.prepareMerge(merge, incoming),
  }));
  return { matched, merges };
}
