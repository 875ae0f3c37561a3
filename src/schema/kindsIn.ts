/** All kinds within a kind. */
import type { Kind } from './schema.ts';

/** The kind itself, and all kinds that are nested in it. */
export function kindsIn(kind: Kind): ReadonlySet<Kind> {
  const kinds = new Set([kind]);
  // the loop includes members that are added while it runs
  for (const one of kinds) for (const inner of one.innerKinds?.() ?? []) kinds.add(inner);
  return kinds;
}
