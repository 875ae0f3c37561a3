/** The tables that a response of a kind can change. */
import { kindsIn } from './kindsIn.ts';
import type { Kind, StoredKind } from './schema.ts';

const tablesByKind = new WeakMap<Kind, readonly StoredKind['table'][]>();

/** The identities of all tables of a kind and of its nested kinds; computed once per kind. */
export function tablesIn(kind: Kind): readonly StoredKind['table'][] {
  const known = tablesByKind.get(kind);
  if (known !== undefined) return known;
  const tables = new Set<StoredKind['table']>();
  for (const inner of kindsIn(kind)) if ('table' in inner) tables.add((inner as StoredKind).table);
  const list = [...tables];
  tablesByKind.set(kind, list);
  return list;
}
