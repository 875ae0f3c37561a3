/** What a kind reaches. */
import type { Kind } from './schema.ts';

/** The kind itself, and all that are nested in it. */
export function kindsIn(kind: Kind): ReadonlySet<Kind> {
  const kinds = new Set([kind]);
  // a set that grows while it is walked is walked to its end
  for (const one of kinds) for (const inner of one.inner?.() ?? []) kinds.add(inner);
  return kinds;
}
