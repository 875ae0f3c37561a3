/** Finds unused records on a disk. */
import { referencedKeys } from '../sync/PersistedRecord.ts';
import type { PersistedRecord } from '../sync/PersistedRecord.ts';

// the default lifetime of unread records in memory, ms
const UNUSED_LIFETIME = 300_000;

/**
 * The keys of records older than `maxAge` ms, and of entities that no other record refers to: these are collected five
 * minutes after they have expired. In slices.
 */
export function* collectGarbage(
  entries: ReadonlyMap<string, PersistedRecord>,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const garbage = new Set<string>();
  const used = new Set<string>();
  const completeTables: string[] = [];
  for (const [key, persisted] of entries) {
    const [, fetchedAt, expiresAt] = persisted.at;
    const isOld = fetchedAt < now - maxAge;
    const isYoung = !isOld && Math.max(fetchedAt, expiresAt) + UNUSED_LIFETIME >= now;
    if (persisted.kind === 'entity' && isYoung) used.add(key);
    if (persisted.kind === 'entity' || isOld) garbage.add(key);
    else for (const part of referencedKeys(persisted)) used.add(part);
    yield;
    if (persisted.kind === 'result' && !isOld)
      completeTables.push(...(persisted.response?.refs.tables ?? []));
  }
  const tables = new Set(completeTables);
  for (const [key, persisted] of entries)
    if (persisted.kind === 'entity' && tables.has(persisted.name)) used.add(key);
  // iteration includes members added to the set on the way
  for (const key of used) {
    const persisted = entries.get(key);
    yield;
    if (persisted?.kind === 'entity') garbage.delete(key);
    if (persisted?.kind === 'entity')
      for (const nested of referencedKeys(persisted)) used.add(nested);
  }
  return garbage;
}
