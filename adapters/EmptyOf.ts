/** The empty values of schemas, for reads without data or with null arguments; and the types of both. */
import type { EndpointInterface, FetchFunction } from '../src/endpoint/Endpoint.ts';
import { ObjectKind } from '../src/schema/containers.ts';
import { kindOf } from '../src/schema/kindOf.ts';
import type { ObjectSchema } from '../src/schema/ArraySchema.ts';
import type { Denormalized, EntityClass, ListKind } from '../src/schema/schema.ts';

/**
 * The value of a schema for null arguments: empty lists, objects of empty members, literals unchanged, else undefined.
 * The `undefined` of an optional member (`E['schema']`) is not part of the schema.
 */
export type EmptyOf<S> = [Exclude<S, undefined>] extends [never]
  ? undefined
  : ShapeOf<Exclude<S, undefined>>;

/**
 * The value of `useCache` without stored data: an object of empty members if the schema is an object, else undefined.
 */
export type CachedOf<S> =
  Exclude<S, undefined> extends infer T
    ? T extends EntityClass | readonly unknown[] | ListKind | ((...args: never) => unknown)
      ? undefined
      : T extends object
        ? EmptyOf<T>
        : undefined
    : never;

type ShapeOf<S> = S extends EntityClass
  ? undefined
  : S extends readonly unknown[] | ListKind | string | number | boolean
    ? Denormalized<S>
    : S extends ObjectSchema<infer M>
      ? EmptyOf<M>
      : S extends { normalize: unknown } | ((...args: never) => unknown)
        ? undefined
        : S extends object
          ? { -readonly [K in keyof S]: EmptyOf<S[K]> }
          : undefined;

/** The arguments of an endpoint; null as first argument means "not now". A union, so that wrappers can pass `ArgsOf<E>`. */
export type NullableArgs<F extends FetchFunction> =
  | readonly [null]
  | Parameters<F>
  | (Parameters<F> extends readonly [infer First, ...infer Rest]
      ? readonly [First | null, ...Rest]
      : Parameters<F> extends readonly [(infer First)?, ...infer Rest]
        ? readonly [(First | null)?, ...Rest]
        : Parameters<F>);

/** The arguments of an endpoint and a function. Arguments that are all optional may be left out. */
export type SelectArgs<A extends readonly unknown[], F> =
  | readonly [...A, select: F]
  | ([] extends A ? readonly [select: F] : never);

/** The value of `useCache`: the data, or the empty value if the schema is an object, or undefined. */
export function dataOrEmpty({ schema }: EndpointInterface, data: unknown): unknown {
  if (data !== undefined || schema === undefined) return data;
  const kind = kindOf(schema, 'schema');
  return kind instanceof ObjectKind ? kind.emptyValue() : undefined;
}
