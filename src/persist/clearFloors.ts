/** Restores lists as if their members had no creation time. */
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { FIRST_LIVE_TIME } from './diskTime.ts';

/** Clears the creation times of members loaded before, and returns them to be restored after the lists. */
export function clearFloors(
  lists: Iterable<{ readonly members: readonly StoreRecord[] }>,
): Map<EntityRecord, number> {
  const floors = new Map<EntityRecord, number>();
  for (const { members } of lists)
    for (const member of members) {
      const base = member as EntityRecord;
      const { floorTime } = base.versions;
      if (floorTime === 0 || floorTime >= FIRST_LIVE_TIME) continue;
      floors.set(base, floorTime);
      base.versions = { ...base.versions, floorTime: 0 };
    }
  return floors;
}
