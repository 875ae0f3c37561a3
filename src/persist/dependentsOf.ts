/** Finds the records of a disk that refer to unusable records. */
import { keyOfRecord, referencedKeys } from '../sync/PersistedRecord.ts';
import type { PersistedRecord } from '../sync/PersistedRecord.ts';

/** The keys of all records that refer to a `broken` record, directly or indirectly, and of the broken records. */
export function dependentsOf(
  entries: Iterable<PersistedRecord>,
  broken: Iterable<string>,
): Set<string> {
  const found = new Set(broken);
  if (found.size === 0) return found;
  const shownBy = new Map<string, string[]>();
  for (const persisted of entries) {
    const key = keyOfRecord(persisted);
    for (const shown of referencedKeys(persisted)) {
      const holders = shownBy.get(shown);
      if (holders === undefined) shownBy.set(shown, [key]);
      else holders.push(key);
    }
  }
  // iteration includes members added to the set on the way
  for (const key of found) for (const holder of shownBy.get(key) ?? []) found.add(holder);
  return found;
}
