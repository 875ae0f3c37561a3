/** The types of endpoints and resources that annotations name, with the type parameters of Data Client. */
import type { ArgsOf, DataOf, Snapshot } from '../Controller.ts';
import type {
  EndpointInterface as OwnEndpointInterface,
  EndpointOptions,
  MutationMark,
  Policies,
} from '../endpoint/Endpoint.ts';
import type { UnknownError } from '../errors.ts';
import type { EndpointGenerics, RestEndpoint, RestEndpointOptions } from '../rest/RestEndpoint.ts';
import type { PathArgs } from '../rest/path.ts';
import type { OptionOr, RestGenerics, Unset } from '../rest/splitCall.ts';
import type { CollectionSchema } from '../schema/Collection.ts';
import type { EntityInstance } from '../schema/Entity.ts';
import type { SchemaArgs } from '../schema/SchemaArgs.ts';
import type { Denormalized, EntityClass, Kind } from '../schema/schema.ts';
import type { AnyRestEndpoint, OpenConstructor } from './RestEndpoint.ts';

// any begin: schemas, bodies and responses of every type
/** Sends a request: the response is `R`. */
export type FetchFunction<A extends readonly any[] = any[], R = any> = (...args: A) => Promise<R>;

/** `F` is the function, `S` the schema, `M` the type of `sideEffect`. */
export type EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = boolean | undefined,
> = OwnEndpointInterface<F, S> & SideEffect<M>;

/**
 * Endpoints that read may state `sideEffect: false`, undefined, or nothing: their type has the mark of reads. Without
 * strictNullChecks, a boolean that is undefined is a contradiction.
 */
type SideEffect<M> = 1 | undefined extends 1
  ? unknown
  : [M] extends [false | undefined]
    ? MutationMark<undefined>
    : { readonly sideEffect?: M };

/** An endpoint that reads. */
export type ReadEndpoint<F extends FetchFunction = FetchFunction, S = any> = EndpointInterface<
  F,
  S,
  undefined | false
>;

/** A mutation, or with the type parameters of a rest endpoint: a rest endpoint with a body. Without any: with `extend`. */
export type MutateEndpoint<F = FetchFunction, S = any> = F extends FetchFunction
  ? EndpointInterface<F, S, true> & (FetchFunction extends F ? Extendable : unknown)
  : F extends RestGenerics
    ? RestEndpoint<Generics<F & { readonly sideEffect: true }, string>>
    : never;

/** The type parameters that `RestEndpoint` infers: absent ones are marked. */
type Generics<O extends RestGenerics, M extends string> = EndpointGenerics<
  O['path'],
  OptionOr<O, 'schema', Unset>,
  OptionOr<O, 'method', M> & string,
  OptionOr<O, 'body', Unset>,
  OptionOr<O, 'searchParams', Unset>,
  OptionOr<O, 'sideEffect', Unset>,
  Unset,
  OptionOr<O, 'paginationField', Unset>
>;

/** A rest endpoint that reads. In Rest Hooks 6 the type parameters are the params, or all arguments, and the schema. */
export type GetEndpoint<O = { path: string; schema: any }, S = Unset> = [S] extends [Unset]
  ? O extends RestGenerics
    ? GetEndpointBy<O>
    : never
  : OlderGetEndpoint<O extends any[] ? O : [params: O], S>;

/** A read whose schema is known apart from the path. */
type OlderGetEndpoint<A extends any[], S> = RestInstance<FetchFunction<A>, S, undefined> & {
  paginated(removeCursor: any): any;
};

/** With any path and schema: each of these. */
type GetEndpointBy<O extends RestGenerics> = string extends O['path']
  ? 0 extends 1 & O['schema']
    ? AnyRestEndpoint
    : RestEndpoint<Generics<O, 'GET'>>
  : RestEndpoint<Generics<O, 'GET'>>;

type Changing<O extends RestGenerics, S, M extends string> = RestEndpoint<
  Generics<
    { readonly schema: S; readonly path: O['path']; readonly method: M; readonly body: any },
    M
  >
>;

/** The endpoints of list changes: of creations, removals and moves. */
export type AddEndpoint<
  _F extends FetchFunction = FetchFunction,
  S = any,
  O extends RestGenerics = { path: string; body: any },
> = Changing<O, S, 'POST'>;
/** The endpoint of a removal from a list. */
export type RemoveEndpoint<
  _F extends FetchFunction = FetchFunction,
  S = any,
  O extends RestGenerics = { path: string; body: any },
> = Changing<O, S, 'PATCH'>;
/** The endpoint of a move between lists. */
export type MoveEndpoint<
  _F extends FetchFunction = FetchFunction,
  S = any,
  O extends RestGenerics = { path: string; body: any },
> = Changing<O, S, 'PATCH'>;

/** A page of a list, whose param is named `C`. */
export type PaginationFieldEndpoint<E, C extends string> = E & {
  (params: Readonly<Record<C, string | number | boolean>>): Promise<any>;
};
/** A page of a list, with separate arguments `A`. */
export type PaginationEndpoint<E, A extends any[]> = E & { (...args: A): Promise<any> };

/** The options of an endpoint, except for the options of a particular kind. */
export interface EndpointExtraOptions<F extends FetchFunction = FetchFunction> extends Policies {
  getOptimisticResponse?(snapshot: SnapshotInterface, ...args: Parameters<F>): any;
  update?(response: any, ...args: Parameters<F>): Record<string, (present: any) => any>;
  readonly extra?: any;
}
// any end

/** The store as read by a `getOptimisticResponse`, where a response has no `expiryStatus`, or by `controller.snapshot`. */
export interface SnapshotInterface extends Omit<Snapshot, 'getResponse'> {
  getResponse<E extends OwnEndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): {
    readonly data: DataOf<E> | undefined;
    readonly error: UnknownError | undefined;
    readonly expiresAt: number;
    readonly expiryStatus?: ExpiryStatusInterface;
  };
}

/** The response of an endpoint, or the result of a function. */
export type ResolveType<E extends (...args: any) => unknown> = Awaited<ReturnType<E>>; // any: of any arguments

/** The data for readers. */
export type Denormalize<S> = Denormalized<S>;

/** The params of a call: of the path and the search. */
export type ParamToArgs<P> = P extends undefined ? [] : [P];
/** The names of the params of a path. */
export type PathKeys<P extends string> = keyof PathArgs<P>;
/** Params with these names. */
export type KeysToArgs<K extends string> = { readonly [Key in K]?: string | number };
/** The params of a path, and search params. */
export type PathArgsAndSearch<P extends string> = PathArgs<P> & Readonly<Record<string, unknown>>;
/** The first argument of an endpoint. */
export type EndpointParam<E extends FetchFunction> = Parameters<E>[0];
/** The function of an endpoint. */
export type EndpointToFunction<E extends FetchFunction> = (...args: Parameters<E>) => ReturnType<E>;
/** The type of the instances of a class. */
export type AbstractInstanceType<T> = T extends abstract new (...args: never) => infer I
  ? I
  : never;

// any begin: schemas of every type
/** An entity class. */
export type EntityInterface<T extends object = any> = EntityClass<T>;
/** A schema. */
export type SchemaSimple<T = any> = Kind<T>;
/** A schema. */
export type SchemaClass<T = any> = Kind<T>;
/** A schema of maps. */
export type PolymorphicInterface<_T = any> = Exclude<CollectionSchema, readonly unknown[]>;
/** A schema by which `useQuery` finds a value. */
export type Queryable<T = any> = EntityClass<any> | Kind<T>;
/** Entity classes by their names. */
export type EntityMap<T extends object = any> = Readonly<Record<string, EntityClass<T>>>;
/** Some fields of an entity. */
export type EntityFields<T> = { readonly [K in keyof T]?: T[K] };
/** The entity class of instances, or of a class. */
export type IEntityClass<T = any> = T extends abstract new (...args: any) => infer I
  ? EntityClass<I & object>
  : EntityClass;
/** An instance of an entity class. */
export type IEntityInstance = EntityInstance;
/** The arguments by which a schema finds a value. */
export type SchemaToArgs<S> = SchemaArgs<S>;
/** Any record of arguments. */
export type ObjectArgs = Readonly<Record<string, any>>;
/** The arguments of a static of an entity. */
export type DefaultArgs = readonly any[];
/** Stored data have no public form: entities are read by their class. */
export type Normalize<_S> = any;
/** As Normalize. */
export type NormalizeNullable<_S> = any;
/** A decoder: the value of a field from the JSON form. */
export type Serializable<T = any> = (value: any) => T;

/** An endpoint that can be extended. */
export type EndpointInstance<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = boolean | undefined,
> = EndpointInterface<F, S, M> & Extendable;
interface Extendable {
  extend(options: any): any;
}
/** The same as EndpointInstance. */
export type EndpointInstanceInterface<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = boolean | undefined,
> = EndpointInstance<F, S, M>;
/** The option `update` of an endpoint. */
export type EndpointUpdateFunction<E extends (...args: any) => any = FetchFunction, R = any> = (
  response: R,
  ...args: Parameters<E>
) => Record<string, (present: any) => any>;
/** A function from a response and the stored value to the new value. */
export type UpdateFunction<_E = any, _D = any> = (response: any, present: any) => any;
/** A rest endpoint by function, schema and side effect: a read, or a mutation. */
export type RestInstanceBase<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = boolean | undefined,
  _O = any,
> = EndpointInstance<F, S, M> &
  Pick<
    RestEndpoint,
    | 'path'
    | 'urlPrefix'
    | 'url'
    | 'getHeaders'
    | 'getRequestInit'
    | 'fetchResponse'
    | 'parseResponse'
    | 'process'
  > & { readonly method: string };
/** The same as RestInstanceBase. */
export type RestInstance<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = boolean | undefined,
  O = any,
> = RestInstanceBase<F, S, M, O>;
/** The type parameters of an extension. */
export type PartialRestGenerics = Partial<RestGenerics>;
/** The options of `new RestEndpoint`. */
export type RestEndpointConstructorOptions<O extends RestGenerics = any> = RestEndpointOptions<O>;
/** A rest endpoint by params, body, schema and side effect. */
export type RestType<P = any, B = any, S = any, M = any, R = any, _O = any> = EndpointInterface<
  (params: P, body?: B) => Promise<R>,
  S,
  M extends true ? true : undefined
>;
/** The members of a resource. */
export interface ResourceInterface {
  readonly get: RestInstanceBase;
  readonly getList: RestInstanceBase;
  readonly update: RestInstanceBase;
  readonly partialUpdate: RestInstanceBase;
  readonly delete: RestInstanceBase;
}

/** The lookups of a `queryKey` override, as a single object. */
export interface IQueryDelegate {
  /** The primary key of the entity with this value. */
  getIndex(key: any, field: string, value: any): string | undefined;
  getEntity(key: any, pk: string): any;
  readonly INVALID: symbol;
}
/** The freshness of a stored response. */
export type ExpiryStatusInterface = 1 | 2 | 3;
/** The type of a list's members. */
export type ArrayElement<T extends readonly any[]> = T[number];
/** The fields by which an entity is found. */
export type IndexParams<S> = S extends { readonly indexes: infer I extends readonly string[] }
  ? { readonly [K in I[number]]?: any }
  : Readonly<Record<string, any>>;
/** The options of `endpoint.extend`. */
export type EndpointExtendOptions<
  F extends FetchFunction = FetchFunction,
  S = any,
> = EndpointOptions<F, S> & { readonly fetch?: FetchFunction; readonly [option: string]: any };
/** The function of a rest endpoint that reads. */
export type FetchGet<A extends readonly any[] = [any], R = any> = (...args: A) => Promise<R>;
/** The function of a rest endpoint with a body. */
export type FetchMutate<A extends readonly any[] = [any, any], R = any> = (
  ...args: A
) => Promise<R>;
/** The function of a rest endpoint, by params, body and response. */
export type RestFetch<P = any, B = undefined, R = any> = 0 extends 1 & P
  ? (...args: any) => Promise<R>
  : B extends object
    ? ParamFetchWithBody<P, B, R>
    : ParamFetchNoBody<P, R>;
/** The function of a request without a body. */
export type ParamFetchNoBody<P, R = any> = P extends undefined
  ? () => Promise<R>
  : object extends P
    ? (params?: P) => Promise<R>
    : (params: P) => Promise<R>;
/** The function of a request with a body. */
export type ParamFetchWithBody<P, B = object, R = any> = P extends undefined
  ? (body: B) => Promise<R>
  : (params: P, body: B) => Promise<R>;
/** A type that is not inferred from. */
export type NI<T> = NoInfer<T>;
/** The stored result of an endpoint. */
export type ResultEntry<_E = any> = any;
/** The older name of GetEndpoint. */
export type NewGetEndpoint<
  O extends RestGenerics = { path: string },
  S = OptionOr<O, 'schema', Unset>,
> = GetEndpointBy<O & { readonly schema: S }>;
/** The older name of MutateEndpoint. */
export type NewMutateEndpoint<
  O extends RestGenerics = { path: string; body: any },
  S = OptionOr<O, 'schema', Unset>,
> = RestEndpoint<Generics<O & { readonly schema: S }, 'POST'>>;
/** The functions that normalize a value. */
export interface INormalizeDelegate {
  readonly args: readonly any[];
  readonly visit: Visit;
  readonly meta: { readonly fetchedAt: number; readonly date: number; readonly expiresAt: number };
  getEntity(schema: any, pk: string): any;
  mergeEntity(schema: any, pk: string, value: any): void;
  setEntity(schema: any, pk: string, value: any): void;
}
/** Normalizes a member of a value. Versions before 0.18 pass the arguments, too. */
export type Visit = (schema: any, value: any, parent: any, key: any, args?: readonly any[]) => any;
/** The functions that denormalize a value. */
export interface IDenormalizeDelegate {
  readonly args: readonly any[];
  argsKey(select: (args: readonly any[]) => string | undefined): string | undefined;
  unvisit(schema: any, input: any): any;
}
// any end

// any begin: params, bodies and responses of every type
/** O, with the members of D where O has none. */
export type Defaults<O, D> = {
  [K in keyof O | keyof D]: K extends keyof O ? Exclude<O[K], undefined> : D[Extract<K, keyof D>];
};
/** The member K of O, else of E. */
export type FromFallBack<K extends keyof E, O, E> = K extends keyof O ? O[K] : E[K];
/** The side effect that a method implies. */
export type MethodToSide<M> = M extends string ? (M extends 'GET' ? undefined : true) : undefined;

/** The names of the members of an endpoint. */
export type KeyofEndpointInstance = keyof EndpointInstance;
/** The names of the members of a rest endpoint. */
export type KeyofRestEndpoint = keyof RestEndpoint;

/** A rest endpoint without a body, by params, schema, side effect and response. */
export type RestTypeNoBody<P = any, S = any, M = any, R = any> = OwnEndpointInterface<
  ParamFetchNoBody<P, R>,
  S
> & { readonly sideEffect?: M };
/** A rest endpoint with a body. */
export type RestTypeWithBody<P = any, S = any, M = any, B = any, R = any> = OwnEndpointInterface<
  ParamFetchWithBody<P, B, R>,
  S
> & { readonly sideEffect?: M };

/** The type of the class `RestEndpoint`. */
export type RestEndpointConstructor = OpenConstructor;
/** The options of `extend`. */
export type RestEndpointExtendOptions<
  O extends PartialRestGenerics = any,
  _E = any,
  F extends FetchFunction = FetchFunction,
> = EndpointExtendOptions<F> & Readonly<O>;
/** The endpoint E, extended by the options O. */
export type RestExtendedEndpoint<
  O extends PartialRestGenerics,
  E extends Partial<RestGenerics>,
> = RestEndpoint<
  EndpointGenerics<
    OptionOr<O, 'path', OptionOr<E, 'path', string>> & string,
    EitherOption<'schema', O, E>,
    OptionOr<O, 'method', OptionOr<E, 'method', string>> & string,
    EitherOption<'body', O, E>,
    EitherOption<'searchParams', O, E>,
    EitherOption<'sideEffect', O, E>,
    Unset,
    EitherOption<'paginationField', O, E>
  >
>;
type EitherOption<K extends string, O, E> = OptionOr<O, K, OptionOr<E, K, Unset>>;
/** The function of the endpoint E with the options O. */
export type OptionsToFunction<
  O extends PartialRestGenerics,
  E extends Partial<RestGenerics>,
  F extends FetchFunction = FetchFunction,
> = (...args: Parameters<RestExtendedEndpoint<O, E>>) => Promise<ResolveType<F>>;

/** An endpoint that `hookifyResource` takes. */
export interface HookableEndpointInterface extends OwnEndpointInterface {
  extend(...args: any): any;
}
/** A resource with the endpoints T in the place of endpoints of the same names. */
export type ExtendedResource<
  R extends ResourceInterface,
  T extends Readonly<Record<string, OwnEndpointInterface>>,
> = Omit<R, keyof T> & T;
/** A resource that has the options O in the endpoint K. */
export type ResourceExtension<R, K extends keyof R, O extends PartialRestGenerics> = {
  [M in keyof R]: M extends K ? RestExtendedEndpoint<O, Partial<RestGenerics> & R[M]> : R[M];
};
/** The options of `resource.extend`, by the endpoints of the resource. */
export type ResourceEndpointExtensions<R extends ResourceInterface> = {
  readonly [K in keyof ResourceInterface]?: RestEndpointExtendOptions<any, R[K]>;
};
/** A resource with these options in the endpoints, in this order. */
export type CustomResource<
  R extends ResourceInterface,
  _O = any,
  Get = unknown,
  GetList = unknown,
  Update = unknown,
  PartialUpdate = unknown,
  Delete = unknown,
> = Omit<R, keyof ResourceInterface> & {
  readonly get: Customized<R['get'], Get>;
  readonly getList: Customized<R['getList'], GetList>;
  readonly update: Customized<R['update'], Update>;
  readonly partialUpdate: Customized<R['partialUpdate'], PartialUpdate>;
  readonly delete: Customized<R['delete'], Delete>;
};
type Customized<E, O> = unknown extends O
  ? E
  : PartialRestGenerics extends O
    ? E
    : RestExtendedEndpoint<O & PartialRestGenerics, E & Partial<RestGenerics>>;
// any end

/** An error that is no error of HTTP. */
export type SyntheticError = UnknownError;
/** A primary key, as stored. */
export type PK = string;
