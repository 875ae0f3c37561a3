/** Which tables an answer of a kind can touch. */
import type { Kind, StoredKind } from './schema.ts';

const found = new WeakMap<Kind, readonly StoredKind['table'][]>();

/** The identities of all tables that a kind reaches, itself and through nested kinds; worked out once per kind. */
export function tablesIn(kind: Kind): readonly StoredKind['table'][] {
  const known = found.get(kind);
  if (known !== undefined) return known;
  const tables = new Set<StoredKind['table']>();
  const seen = new Set<Kind>([kind]);
  for (const inner of seen) {
    if ('table' in inner) tables.add((inner as StoredKind).table);
    // a set that grows while it is walked is walked to its end
    for (const next of inner.inner?.() ?? []) seen.add(next);
  }
  const list = [...tables];
  found.set(kind, list);
  return list;
}
