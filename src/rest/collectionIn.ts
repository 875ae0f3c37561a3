/** Finds the list in a response: the schema itself, or a member of an envelope. */
import { Collection } from '../schema/Collection.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import type { Fields, Kind } from '../schema/schema.ts';

// any: collections of any type
type AnyCollection = Collection<any>;

/** The first Collection in a schema. Searches nested schemas without a table of their own, in order. */
export function collectionIn(schema: unknown): AnyCollection | undefined {
  if (schema instanceof Collection) return schema;
  if (typeof schema !== 'object' || schema === null || 'stores' in schema) return undefined;
  const isPlainly = Array.isArray(schema) || isPlainObject(schema);
  for (const member of isPlainly
    ? Object.values(schema)
    : ((schema as Kind).innerKinds?.() ?? [])) {
    const found = collectionIn(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema of a list change; undefined if `schema` has no collection with this change. */
export function changeIn(schema: unknown, name: string): unknown {
  return (collectionIn(schema) as Fields | undefined)?.[name];
}
