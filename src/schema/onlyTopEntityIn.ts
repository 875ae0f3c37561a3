/** The top-level entities of a value. */
import { ObjectKind } from './containers.ts';
import { EntityKind } from './EntityKind.ts';
import type { Kind } from './schema.ts';

/** The class of the only top-level entity outside of lists; undefined if there is none, or several. */
export function onlyTopEntityIn(kind: Kind): EntityKind | undefined {
  const [first, ...others] = topEntitiesOutsideLists(kind);
  return others.length === 0 ? first : undefined;
}

function topEntitiesOutsideLists(kind: Kind): readonly EntityKind[] {
  return kind instanceof EntityKind || kind instanceof ObjectKind
    ? collectTopEntities(kind, topEntitiesOutsideLists)
    : [];
}

/** The classes of all entities that no other entity contains, one entry per occurrence. */
export function collectTopEntities(
  kind: Kind,
  inside: (kind: Kind) => readonly EntityKind[] = collectTopEntities,
): readonly EntityKind[] {
  if (kind instanceof EntityKind) return [kind];
  return (kind.innerKinds?.() ?? []).flatMap((inner) => inside(inner));
}
