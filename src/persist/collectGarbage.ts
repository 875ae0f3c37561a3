/** Finds unused records on a disk. */
import { referencedKeys } from '../sync/PersistedRecord.ts';
import type { PersistedRecord } from '../sync/PersistedRecord.ts';

// the default lifetime of unread records in memory, ms
const UNUSED = 300_000;

/**
 * The keys of records older than `maxAge` ms, and of entities that no other record refers to: these are collected five
 * minutes after they have expired. In slices.
 */
export function* collectGarbage(
  entries: ReadonlyMap<string, PersistedRecord>,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const going = new Set<string>();
  const used = new Set<string>();
  const shownWhole: string[] = [];
  for (const [key, persisted] of entries) {
    const [, fetchedAt, expiresAt] = persisted.at;
    const old = fetchedAt < now - maxAge;
    const young = !old && Math.max(fetchedAt, expiresAt) + UNUSED >= now;
    if (persisted.kind === 'entity' && young) used.add(key);
    if (persisted.kind === 'entity' || old) going.add(key);
    else for (const shown of referencedKeys(persisted)) used.add(shown);
    yield;
    if (persisted.kind === 'result' && !old)
      shownWhole.push(...(persisted.response?.refs.tables ?? []));
  }
  const tables = new Set(shownWhole);
  for (const [key, persisted] of entries)
    if (persisted.kind === 'entity' && tables.has(persisted.name)) used.add(key);
  // iteration includes members added to the set on the way
  for (const key of used) {
    const persisted = entries.get(key);
    yield;
    if (persisted?.kind === 'entity') going.delete(key);
    if (persisted?.kind === 'entity')
      for (const nested of referencedKeys(persisted)) used.add(nested);
  }
  return going;
}
