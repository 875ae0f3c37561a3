/** The fold of a map: its confirmed entries with the changes of optimistic writes applied. */
import type { ListKind } from '../schema/schema.ts';
import type { Entries } from '../store/lists/MapRecord.ts';
import { runMapMerge } from '../store/lists/runListMerge.ts';
import type { ListMerge } from '../store/lists/runListMerge.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import type { PendingChange, PendingMembers } from './foldChanges.ts';

export type PendingMap = PendingMembers<Entries>;

interface FoldableMap {
  readonly kind: ListKind;
  ownWriteIssued(key: string): number;
}

/** The entries with the optimistic writes applied that were issued before this logical time. */
export function foldEntries(
  map: FoldableMap,
  pending: PendingMap,
  before: number,
): Entries | undefined {
  let entries = pending.base;
  for (const change of pending.changes) {
    const { issued, op } = change;
    if (issued >= before) break;
    if (op === 'fill') entries = new Map();
    else if (op === 'append') entries ??= new Map();
    if (entries !== undefined)
      entries = op === 'merge' ? tryMerge(map, entries, change) : applyChange(map, entries, change);
  }
  return entries;
}

/** A confirmed own write of a key that was issued later stays visible. */
function applyChange(
  map: FoldableMap,
  entries: Entries,
  { op, issued, members, keys }: PendingChange,
): Entries {
  const next = new Map(entries);
  const stands = (key: string) => issued >= map.ownWriteIssued(key);
  if (op === 'out') {
    for (const [key, member] of entries)
      if (members.includes(member) && stands(key)) next.delete(key);
    return next;
  }
  const present = new Set(entries.values());
  for (const [at, member] of members.entries()) {
    if (!(member instanceof StoreRecord)) continue;
    const key = keys[at];
    // without a key of its own, a present member stays at its key
    if (key === undefined && present.has(member)) continue;
    if (stands(key ?? member.pk)) next.set(key ?? member.pk, member);
  }
  return next;
}

/** As `tryMerge` of lists: a merge that throws has no effect until the response. */
function tryMerge(
  { kind }: FoldableMap,
  entries: Entries,
  { members, keys, merge }: PendingChange,
): Entries {
  const fresh = (members as readonly StoreRecord[]).map(
    (member, at) => [keys[at] ?? member.pk, member] as const,
  );
  try {
    return new Map(runMapMerge(kind, merge as ListMerge, entries, fresh));
  } catch {
    return entries;
  }
}
