/** The data of a read without a valid response: stored data behind an error, or the shape of the schema. */
import type { Controller } from '../Controller.ts';
import type { EndpointInterface, FetchFunction } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { contextOf } from '../request/FetchContext.ts';
import { ObjectSchema } from '../schema/ArraySchema.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, Denormalized, EntityClass, Kind } from '../schema/schema.ts';
import { StoreRecord } from '../store/StorePort.ts';
import type { ResultRecord } from '../store/StorePort.ts';

/** The stored result of `endpoint(...args)`; undefined before the first read or write. */
export function resultOf(
  controller: Controller,
  endpoint: EndpointInterface,
  args: Args,
): ResultRecord | undefined {
  return contextOf(controller).store.results.get(keyOf(endpoint, args));
}

/**
 * The data of a result, behind an error or an invalidation. An invalidation keeps only data that the arguments
 * determine: an entity, or a list by arguments.
 */
export function storedDataOf(result: ResultRecord): unknown {
  if (result.invalidatedAt !== undefined && !(result.node instanceof StoreRecord)) return undefined;
  try {
    const data = result.data();
    return data === INVALID ? undefined : data;
  } catch {
    // a function of the schema throws
    return undefined;
  }
}

/** The data of a read that may have none: the members of an object schema, else undefined. */
export type NullableParts<S> = S extends EntityClass
  ? Denormalized<S> | undefined
  : S extends ObjectSchema<infer M>
    ? NullableParts<M>
    : S extends readonly unknown[] | Kind | FetchFunction
      ? Denormalized<S> | undefined
      : S extends abstract new (...args: never) => unknown
        ? Denormalized<S> | undefined
        : S extends (...args: never) => unknown
          ? Denormalized<S> | undefined
          : S extends Readonly<Record<string, unknown>>
            ? { -readonly [K in keyof S]: NullableParts<S[K]> }
            : Denormalized<S>;

/** The type of the data of a read that may have none. Generic functions may return the data of `get` as this type. */
export type DenormalizeNullable<S> = Denormalized<S> | NullableParts<S>;

const shapes = new WeakMap<object, unknown>();

/** The same object for all calls with the same schema. */
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
