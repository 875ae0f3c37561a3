/** The types of the arguments by which a schema finds stored data. */
import type { Args, EntityClass } from './schema.ts';

declare const unchanged: unique symbol;

/** The arguments that a static of an entity gets. An override declares its own type. */
export interface DefaultArgs extends ReadonlyArray<unknown> {
  readonly [unchanged]?: never;
}

/** The fields that find an entity: keys and indexes. Numbers and texts of a key are the same key. */
type EntityFields<T> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
    | Identifying<T[K]>
    | undefined;
};

/** A decoded value can be named by the value before decoding. */
type Identifying<V> = V extends boolean | null | undefined ? V : V | string | number;

type IsAny<T> = 0 extends 1 & T ? true : false;
/** True for the type of a parameter that no override has changed; `unknown`: an override without this parameter. */
type IsUnchanged<A> =
  true extends IsAny<A>
    ? false
    : unknown extends A
      ? true
      : typeof unchanged extends keyof A
        ? true
        : false;

/** A kind whose values depend on the arguments of the reader. */
interface ArgsReader {
  readonly readsArgs: true;
}

/** True if a value shows a member that reads arguments, at most four levels deep: the length of `D` is the depth. */
type ReadsArgs<S, D extends 0[] = []> = D['length'] extends 4
  ? false
  : S extends ArgsReader
    ? true
    : S extends readonly (infer M)[]
      ? ReadsArgs<M, [...D, 0]>
      : S extends { readonly schema: infer M }
        ? true extends
            | ReadsArgs<M, [...D, 0]>
            | { [K in keyof M]: ReadsArgs<M[K], [...D, 0]> }[keyof M]
          ? true
          : false
        : false;

/** The arguments of an entity: the arguments of an own `queryKey`, else fields. A `pk` may read further arguments. */
type EntityArgs<E, T> = E extends {
  // any: the lookups of a queryKey are contravariant
  queryKey(args: infer A, ...lookups: any[]): unknown;
}
  ? true extends ReadsArgs<E>
    ? Args
    : IsUnchanged<A> extends true
      ? T extends { pk(parent: never, key: never, args?: infer P): unknown }
        ? IsUnchanged<Exclude<P, undefined>> extends true
          ? readonly [EntityFields<T & PkInput<E>> | string | number]
          : Args
        : Args
      : A extends Args
        ? A
        : Args
  : Args;

/** What an own `static pk` reads may not be a field of the instance. */
type PkInput<E> = E extends { pk(value: infer V): unknown }
  ? IsAny<V> extends true
    ? unknown
    : V & {}
  : unknown;

/** A kind that declares arguments. `any` declares none. */
interface WithArgs<A> {
  readonly queryArgs?: A;
}

/**
 * The arguments of `useQuery(schema, ...args)` and `controller.get(schema, ...args)`: for an entity, fields or the
 * primary key; for a query, the parameters of all functions. Any arguments, if the schema declares none.
 */
export type SchemaArgs<S> = [S] extends [never]
  ? Args
  : S extends EntityClass<infer T>
    ? EntityArgs<S, T>
    : S extends WithArgs<infer A extends Args>
      ? A
      : Args;

/** As SchemaArgs; null as first argument means "not now". A union, so that helpers can pass on a `SchemaArgs<S>`. */
export type NullableSchemaArgs<S> = SchemaArgs<S> | OrNull<SchemaArgs<S>>;

type OrNull<A> = A extends Args
  ? number extends A['length']
    ? A
    : A extends readonly []
      ? readonly [null?]
      : A extends readonly [infer First, ...infer Rest]
        ? readonly [First | null, ...Rest]
        : A extends readonly [(infer First)?, ...infer Rest]
          ? readonly [(First | null)?, ...Rest]
          : Args
  : Args;

/** The arguments of a union: the arguments of a member, with the attribute that selects the member. */
export type UnionArgs<S, C> = {
  [K in keyof S]: SchemaArgs<S[K]> extends readonly [infer First]
    ? readonly [Exclude<First, string | number> & Selecting<C>]
    : Args;
}[keyof S];

/** A function may read any attribute. */
type Selecting<C> = C extends string
  ? string extends C
    ? Readonly<Record<string, unknown>>
    : { readonly [K in C]: unknown }
  : Readonly<Record<string, unknown>>;

/** The arguments of a query: the parameters of all functions, and the arguments of the schema. */
export type QueryArgs<S, Definition> = Both<Loosened<ParamsOf<Definition>>, SchemaArgs<S>>;

// any begin: functions of the user's own parameter types must fit
type ParamsOf<Definition> = Definition extends (value: any, ...args: infer P) => unknown
  ? P
  : Both<
      Both<ParamsIn<Definition, 'filter'>, ParamsIn<Definition, 'groupBy'>>,
      Both<LimitParams<Definition, 'limit'>, LimitParams<Definition, 'offset'>>
    >;
type ParamsIn<Definition, K extends string> =
  Definition extends Readonly<Record<K, (row: any, ...args: infer P) => unknown>> ? P : Args;
type LimitParams<Definition, K extends string> =
  Definition extends Readonly<Record<K, (...args: infer P) => unknown>> ? P : Args;
// any end

/** Arguments that meet both types. Arguments of unknown number say nothing. */
type Both<A, B> = A extends Args
  ? B extends Args
    ? A extends readonly []
      ? B
      : B extends readonly []
        ? A
        : number extends A['length']
          ? B
          : number extends B['length']
            ? A
            : A extends readonly [(infer X)?, ...infer R]
              ? B extends readonly [(infer Y)?, ...infer Q]
                ? readonly [...FirstOfBoth<A, B, X & Y>, ...Both<R, Q>]
                : Args
              : Args
    : Args
  : Args;

/** The first argument: optional if optional in both. */
type FirstOfBoth<A, B, T> = [] extends A
  ? [] extends B
    ? readonly [T?]
    : readonly [T]
  : readonly [T];

/** Parameters without a type say nothing and may be left out. */
type Loosened<P> = P extends readonly [infer X, ...infer R]
  ? readonly [...(IsAny<X> extends true ? readonly [X?] : readonly [X]), ...Loosened<R>]
  : P extends Args
    ? P
    : Args;
