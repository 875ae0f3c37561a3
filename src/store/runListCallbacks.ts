/** Runs the user-defined filter and merge functions of a list change, before anything is written. */
import type { ListChangeOp } from '../schema/schema.ts';
import type { MemberToMerge } from './ListRecord.ts';
import { StoreRecord } from './StoreRecord.ts';
import type { ListTable, MatchingLists } from './ListTable.ts';
import type { StoredList } from './StoredList.ts';
import { EMPTY } from './append.ts';
import { withStoredFallback } from './FilterLookup.ts';
import type { FilterLookup } from './FilterLookup.ts';

export interface PreparedListChange {
  /** The lists that take each member. */
  readonly matchingLists: readonly MatchingLists[];
  /** Functions that write the results of merges. `time`: logical time of the memberships. */
  readonly merges: readonly {
    readonly list: StoredList;
    readonly apply: (time: number | undefined) => void;
  }[];
}

/** The callbacks may throw, because nothing has been written yet. */
export function runListCallbacks(
  table: ListTable,
  entry: ListChangeOp,
): PreparedListChange | undefined {
  const { members, merge, filter, op, keys, filterLookups } = entry;
  if (merge === undefined && filter === undefined) return undefined;
  const incomingByList = new Map<StoredList, MemberToMerge[]>();
  const matchingLists = members.map((member, at) => {
    if (!(member instanceof StoreRecord)) return { certain: EMPTY, uncertain: EMPTY };
    const filterValue = filterLookups[at] as FilterLookup;
    const matching = table.matchingLists(
      entry,
      op === 'move' ? withStoredFallback(member, filterValue) : filterValue,
    );
    for (const list of matching.certain) {
      const incoming = incomingByList.get(list) ?? [];
      incoming.push({ member, mapKey: keys?.[at] });
      incomingByList.set(list, incoming);
    }
    return matching;
  });
  if (merge === undefined) return { matchingLists, merges: [] };
  const merges = Array.from(incomingByList, ([list, incomingMembers]) => ({
    list,
    apply: list.prepareMerge(merge, incomingMembers),
  }));
  return { matchingLists, merges };
}
