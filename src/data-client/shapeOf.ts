/** The value of a schema without data: an object of empty members for an object, undefined for all others. */
import type { FetchFunction } from '../endpoint/Endpoint.ts';
import { ObjectSchema } from '../schema/ArraySchema.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import type { Denormalized, EntityClass, Kind } from '../schema/schema.ts';

/** The type of the data of a read that may have none. */
export type DenormalizeNullable<S> = S extends EntityClass
  ? Denormalized<S> | undefined
  : S extends ObjectSchema<infer M>
    ? DenormalizeNullable<M>
    : S extends readonly unknown[] | Kind | FetchFunction
      ? Denormalized<S> | undefined
      : S extends abstract new (...args: never) => unknown
        ? Denormalized<S> | undefined
        : S extends (...args: never) => unknown
          ? Denormalized<S> | undefined
          : S extends Readonly<Record<string, unknown>>
            ? { -readonly [K in keyof S]: DenormalizeNullable<S[K]> }
            : Denormalized<S>;

const shapes = new WeakMap<object, unknown>();

/** The same object for each call with one schema. */
export function shapeOf(schema: unknown): unknown {
  const members = schema instanceof ObjectSchema ? (schema.schema as object) : schema;
  if (typeof members !== 'object' || members === null || !isPlainObject(members)) return undefined;
  let shape = shapes.get(members);
  if (shape === undefined) {
    shape = Object.freeze(
      Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, emptyMember(member)]),
      ),
    );
    shapes.set(members, shape);
  }
  return shape;
}

function emptyMember(schema: unknown): unknown {
  return typeof schema === 'object' || typeof schema === 'function' ? shapeOf(schema) : schema;
}
