/** Finds unused records on a disk. */
import { keysShownBy } from './Filed.ts';
import type { Filed } from './Filed.ts';

// the default lifetime of unread records in memory, ms
const UNUSED = 300_000;

/**
 * The keys of records older than `maxAge` ms, and of entities that no other record refers to: these are collected five
 * minutes after they have expired. In slices.
 */
export function* collect(
  entries: ReadonlyMap<string, Filed>,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const going = new Set<string>();
  const used = new Set<string>();
  const shownWhole: string[] = [];
  for (const [key, filed] of entries) {
    const [, fetchedAt, expiresAt] = filed.at;
    const old = fetchedAt < now - maxAge;
    const young = !old && Math.max(fetchedAt, expiresAt) + UNUSED >= now;
    if (filed.kind === 'entity' && young) used.add(key);
    if (filed.kind === 'entity' || old) going.add(key);
    else for (const shown of keysShownBy(filed)) used.add(shown);
    yield;
    if (filed.kind === 'result' && !old) shownWhole.push(...(filed.answer?.refs.tables ?? []));
  }
  const tables = new Set(shownWhole);
  for (const [key, filed] of entries)
    if (filed.kind === 'entity' && tables.has(filed.name)) used.add(key);
  // iteration includes members added to the set on the way
  for (const key of used) {
    const filed = entries.get(key);
    yield;
    if (filed?.kind === 'entity') going.delete(key);
    if (filed?.kind === 'entity') for (const nested of keysShownBy(filed)) used.add(nested);
  }
  return going;
}
