/** The types of reading with arguments that may be null. */
import type { FetchFunction } from '../src/endpoint/Endpoint.ts';
import type { ObjectSchema } from '../src/schema/ObjectSchema.ts';
import type { Denormalized, EntityClass, ListKind } from '../src/schema/schema.ts';

/**
 * What null arguments give for a schema: empty lists, objects of empty members, literals as they are, else undefined.
 * The `undefined` of an optional member (`E['schema']`) is not part of the schema.
 */
export type EmptyOf<S> = [Exclude<S, undefined>] extends [never]
  ? undefined
  : ShapeOf<Exclude<S, undefined>>;

/** What `useCache` gives where nothing is stored: an object of empty members for a schema that is one, else undefined. */
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

/** The arguments of an endpoint whose first may be null: "not now". */
export type NullableArgs<F extends FetchFunction> =
  | readonly [null]
  | (Parameters<F> extends readonly [infer First, ...infer Rest]
      ? readonly [First | null, ...Rest]
      : Parameters<F> extends readonly [(infer First)?, ...infer Rest]
        ? readonly [(First | null)?, ...Rest]
        : Parameters<F>);
