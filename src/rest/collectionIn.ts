/** Finds the list in a response: the schema itself, or a member of an envelope. */
import { Collection } from '../schema/Collection.ts';
import { ArrayKind, ObjectKind } from '../schema/containers.ts';
import { isPlain } from '../schema/equal.ts';

// any: collections of whatever
type AnyCollection = Collection<any>;

/** The first Collection in a schema, looked for in objects and arrays however written, in the order of their members. */
export function collectionIn(schema: unknown): AnyCollection | undefined {
  if (schema instanceof Collection) return schema;
  const isKind = schema instanceof ObjectKind || schema instanceof ArrayKind;
  if (!isKind && !Array.isArray(schema) && !isPlain(schema)) return undefined;
  for (const member of isKind ? schema.inner() : Object.values(schema)) {
    const found = collectionIn(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
