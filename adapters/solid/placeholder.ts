/** What is read where nothing is there yet: the defaults of a schema, so that no type needs `undefined`. */
import { kindOf } from '../../src/schema/kindOf.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass, Schema } from '../../src/schema/schema.ts';

/** An instance with its defaults for an entity, objects of such; else what null arguments give. */
export function placeholder(schema: Schema): unknown {
  if (schema === undefined || schema === null) return schema;
  if (typeof schema === 'function' && KIND in schema) {
    return Object.freeze(new (schema as unknown as EntityClass)());
  }
  if (isPlain(schema)) {
    const members = Object.entries(schema).map(([name, inner]) => [name, placeholder(inner)]);
    return Object.freeze(Object.fromEntries(members));
  }
  return kindOf(schema, 'schema').empty();
}

function isPlain(schema: Schema): schema is object {
  return typeof schema === 'object' && Object.getPrototypeOf(schema) === Object.prototype;
}
