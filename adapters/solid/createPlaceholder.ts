/** The value of a read before the first data: the defaults of a schema, so that no type needs `undefined`. */
import { isPlainObject } from '../../src/schema/fieldOf.ts';
import { kindOf } from '../../src/schema/kindOf.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass, Schema } from '../../src/schema/schema.ts';

/**
 * For an entity an instance with its defaults, for an object its members' placeholders; else the value for null
 * arguments.
 */
export function createPlaceholder(schema: Schema): unknown {
  if (schema === undefined || schema === null) return schema;
  if (typeof schema === 'function' && KIND in schema) {
    return Object.freeze(new (schema as unknown as EntityClass)());
  }
  if (isPlainObject(schema)) {
    const members = Object.entries(schema).map(([name, inner]) => [name, createPlaceholder(inner)]);
    return Object.freeze(Object.fromEntries(members));
  }
  return kindOf(schema, 'schema').emptyValue?.();
}
