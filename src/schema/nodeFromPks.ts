/** Finds the records of primary keys that have the shape of a schema. */
import { ArrayKind, ObjectKind, ObjectNode } from './containers.ts';
import { isPlainObject, setOwn } from './equal.ts';
import { fieldOf } from './fieldOf.ts';
import type { Fields, Kind, Node, Source } from './schema.ts';

/** The node for primary keys in the shape of `kind`; undefined if the keys do not have this shape. */
export function nodeFromPks(kind: Kind, keys: unknown, source: Source): Node | undefined {
  if (kind instanceof ObjectKind) return objectFromPks(kind, keys, source);
  if (!(kind instanceof ArrayKind)) return kind.fromPks?.(keys, source);
  const { member } = kind;
  if (!Array.isArray(keys) || !canHavePks(member)) return undefined;
  return keys.map((key) => nodeFromPks(member, key, source));
}

/** True if primary keys can stand for values of `kind`. */
export function canHavePks(kind: Kind): boolean {
  return kind.fromPks !== undefined || kind instanceof ArrayKind || kind instanceof ObjectKind;
}

function objectFromPks({ members }: ObjectKind, keys: unknown, source: Source): Node | undefined {
  if (!isPlainObject(keys)) return undefined;
  const inner: Fields = {};
  for (const [name, kind] of members) {
    const node = nodeFromPks(kind, fieldOf(keys, name), source);
    if (node !== undefined) setOwn(inner, name, node);
  }
  return Object.keys(inner).length > 0 ? new ObjectNode({}, inner) : undefined;
}
