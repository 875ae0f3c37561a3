/** The tables that a response of a kind can change. */
import { kindsIn } from './kindsIn.ts';
import type { Kind, StoredKind } from './schema.ts';

const tableKeysByKind = new WeakMap<Kind, readonly StoredKind['tableKey'][]>();

/** The identities of all tables of a kind and of its nested kinds; computed once per kind. */
export function tableKeysIn(kind: Kind): readonly StoredKind['tableKey'][] {
  const known = tableKeysByKind.get(kind);
  if (known !== undefined) return known;
  const keys = new Set<StoredKind['tableKey']>();
  for (const inner of kindsIn(kind))
    if ('tableKey' in inner) keys.add((inner as StoredKind).tableKey);
  const list = [...keys];
  tableKeysByKind.set(kind, list);
  return list;
}
