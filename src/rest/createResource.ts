/** Creates and extends the endpoints of a REST resource. */
import { overrideFields } from '../endpoint/Endpoint.ts';
import type { OwnFields } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { checkObject, DEV } from '../errors.ts';
import { Collection } from '../schema/Collection.ts';
import { Delete } from '../schema/Delete.ts';
import type { ListMutation } from '../schema/ListMutation.ts';
import { badDataError } from '../schema/badDataError.ts';
import type { CollectionOptions } from '../schema/conditionsOf.ts';
import { fieldOf } from '../schema/fieldOf.ts';
import type { EntityClass, Args, Schema } from '../schema/schema.ts';
import { RestEndpoint } from './RestEndpoint.ts';
import type {
  EndpointGenerics,
  FieldOf,
  GivenSideEffect,
  InferredOptions,
  Kept,
  KeptMethod,
  KeptSideEffect,
  PartialBody,
  ProcessedBy,
  RemovedAt,
  RestOptions,
  SideEffectAfter,
  TypeOnlyOptions,
} from './RestEndpoint.ts';
import { listPathOf } from './path.ts';
import type { ListPath } from './path.ts';
import { responseOrParams } from './response.ts';
import type { CallArgs, MethodOf, OptionOr, RestGenerics, Unset } from './splitCall.ts';

/** The type parameters of a resource. */
export interface ResourceGenerics {
  readonly path: string;
  readonly schema: unknown;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly paginationField?: unknown;
}

/** The options beside path and schema. All other endpoint options are passed to every member. */
export interface ResourceOptions extends MemberOptions {
  /** The class of the members. Default: RestEndpoint. */
  // any: subclasses declare their options
  readonly Endpoint?: new (options: any) => RestEndpoint;
}

// any: the members differ in their arguments
export interface MemberOptions extends Omit<
  RestOptions<any[]>,
  'key' | 'url' | 'fetch' | 'itemPath'
> {
  /** The class of the list's schema. Default: Collection. */
  // any: subclasses declare their members and options
  readonly Collection?: new (schema: any, options: any) => Collection<any>;
  /** The prefix of the members' names, as in `Todo.get`. Default: the name of the entity. */
  readonly name?: string;
  /**
   * Makes changes optimistic: visible before the server's confirmation, on a `new Controller({ optimistic })`, with
   * `optimistic` from `signalbox`.
   */
  readonly optimistic?: boolean | undefined;
  /** The search param of a page: adds `getList.getPage`, and does not affect which lists a creation enters. */
  readonly paginationField?: string;
  /** Arguments of getList that do not filter, but only order or page, as in the options of a Collection. */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'];
  // any: a response has no type, and the members differ in their arguments
  process?(value: any, ...args: any): any;
}

type Member<
  P extends string,
  S,
  M extends string,
  B = Unset,
  Q = Unset,
  F = Unset,
  I = Unset,
> = RestEndpoint<EndpointGenerics<P, S, M, B, Q, Unset, Unset, F, I>>;

/** Six endpoints on the same schema: plain members of a plain object, to be spread, replaced and extended. */
export type RestResource<O extends ResourceGenerics> = Members<
  O['path'],
  O['schema'],
  OptionOr<O, 'body', Unset>,
  // any: without `searchParams`, search params are not checked
  OptionOr<O, 'searchParams', Record<string, any> | undefined>,
  OptionOr<O, 'paginationField', Unset>
>;

// separate parameters, so that an absent option and an Unset option give the same type
interface Members<P extends string, S, B, Q, F> {
  /** GET an entity. */
  readonly get: Member<P, S, 'GET'>;
  /** GET the list, a Collection, which created entities enter. */
  readonly getList: Member<ListPath<P>, ListOf<P, S, Q>, 'GET', B, Q, F, P>;
  /** POST to the list. Search params that getList requires are optional. */
  readonly create: Member<ListPath<P>, ListMutation<[S]>, 'POST', B, Q | undefined>;
  /** PUT an entity. */
  readonly update: Member<P, S, 'PUT', B>;
  /** PATCH an entity. */
  readonly partialUpdate: Member<P, S, 'PATCH', PartialBody<B>>;
  /** DELETE an entity. Resolves with the response if it is an object that is not empty, else with the params. */
  readonly delete: Member<P, DeleteOf<S>, 'DELETE'>;
  /** A resource with changed or added members. */
  readonly extend: ExtendResource;
}

/** The resource R, with the fields X of the class `Endpoint` as options of `extend` of each member. */
export type WithOwnFields<R, X> = unknown extends X
  ? R
  : { readonly [K in keyof R]: K extends 'extend' ? R[K] : R[K] & X };

type ListOf<P extends string, S, Q> = Collection<
  [S],
  CallArgs<EndpointGenerics<ListPath<P>, S, 'GET', Unset, Q, Unset, Unset>>
>;

type DeleteOf<S> = S extends EntityClass ? Delete<S> : S;

/**
 * The options that determine the types of the members: the body is that of create, update and (partially)
 * partialUpdate, the search params are for getList, and create accepts the same.
 */
export type TypedOptions<P extends string, S, W, F extends string | Unset> = TypeOnlyOptions<W> & {
  /** The address of an entity, ending in the primary key: `/todos/:id`. */
  readonly path: P;
  /** The class of the entities, or a union of classes. */
  readonly schema: S;
  /** The search param of a page. */
  readonly paginationField?: F;
};

/** Rejects options whose names K are known; as `NoOther` does. */
type OfTypeParameter<K> = [Exclude<K, 'Endpoint' | 'Collection'>] extends [Uncapitalize<string>]
  ? never
  : unknown;

/**
 * `createResource({path: '/todos/:id', schema: Todo})`: get, getList, create, update, partialUpdate, delete. `path`
 * ends in the primary key; lists are at the path without it. Throws R4 for a path without an argument, R3 for an
 * invalid path. Options that do not exist do not compile, except for the fields of the class `Endpoint`.
 */
export function createResource<
  P extends string,
  S,
  W = {},
  B = OptionOr<W, 'body', Unset>,
  Q = OptionOr<W, 'searchParams', Unset>,
  F extends string | Unset = Unset,
>(
  options: TypedOptions<P, S, W, F> & ResourceOptions,
): RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>;
// any: if the class is generic, E is not known yet when TypeScript first checks the options
export function createResource<
  P extends string,
  S,
  W = {},
  B = OptionOr<W, 'body', Unset>,
  Q = OptionOr<W, 'searchParams', Unset>,
  F extends string | Unset = Unset,
  E extends RestEndpoint = any,
>(
  options: TypedOptions<P, S, W, F> &
    MemberOptions &
    // any: as in ResourceOptions
    { readonly Endpoint: new (options: any) => E } & Partial<OwnFields<NoInfer<E>, RestEndpoint>>,
): WithOwnFields<
  RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>,
  OwnFields<E, RestEndpoint>
>;
// for functions that assert the type of their options: `createResource({...options, urlPrefix} as O)`
export function createResource<O extends ResourceGenerics>(
  options: Readonly<O> & OfTypeParameter<keyof O>,
): RestResource<O>;
// for functions that pass options on: these keys let TypeScript infer O from a literal without excess members
export function createResource<O extends ResourceGenerics>(
  options: Pick<O, keyof O & keyof ResourceGenerics> & ResourceOptions,
): RestResource<O>;
export function createResource(options: object): unknown {
  if (DEV) checkObject('createResource', options, 'an object with path and schema');
  const {
    path,
    schema,
    body: bodyType,
    searchParams: _searchParams,
    Endpoint = RestEndpoint,
    Collection: List = Collection,
    optimistic,
    paginationField,
    nonFilterArgumentKeys,
    ...extra
  } = options as ResourceGenerics & ResourceOptions;
  const name = extra.name ?? nameOf(schema);
  const { getOptimisticResponse: common } = extra;
  const { change, creation, deletion } = optimistic
    ? optimisticMembers({ path, schema })
    : { change: common, creation: common, deletion: common };
  // options of a member override the options of all members
  const createMember = (
    member: string,
    memberPath: string,
    memberSchema: unknown,
    memberOptions?: object,
  ): RestEndpoint => {
    const merged = {
      ...extra,
      path: memberPath,
      schema: memberSchema,
      ...memberOptions,
      name: `${name}.${member}`,
    };
    return overrideFields(new Endpoint(merged), merged);
  };
  const listPath = listPathOf(path);
  const list = new List([schema], { nonFilterArgumentKeys });
  const body = 'body' in options && { body: bodyType };
  const creationOptions = { ...body, getOptimisticResponse: creation };
  const changeOptions = { ...body, getOptimisticResponse: change };
  const deleteSchema = new Delete(schema as EntityClass);
  const deleteOptions = { method: 'DELETE', getOptimisticResponse: deletion };
  return {
    get: createMember('get', path, schema),
    getList: createMember('getList', listPath, list, {
      itemPath: path,
      ...body,
      ...(paginationField !== undefined && { paginationField }),
      optimisticResponses: { POST: creation, PATCH: change },
    }),
    create: createMember('create', listPath, list.push, { method: 'POST', ...creationOptions }),
    update: createMember('update', path, schema, { method: 'PUT', ...changeOptions }),
    partialUpdate: createMember('partialUpdate', path, schema, {
      method: 'PATCH',
      ...changeOptions,
    }),
    delete: withParamsAsResponse(createMember('delete', path, deleteSchema, deleteOptions)),
    extend: extendResource,
  };
}

/** An endpoint that resolves with the params if the response is not an object with members. */
function withParamsAsResponse(endpoint: RestEndpoint): RestEndpoint {
  // oxlint-disable-next-line typescript/unbound-method -- called with the endpoint below
  const { process } = endpoint;
  return Object.assign(endpoint, {
    async process(this: RestEndpoint, value: unknown, ...args: unknown[]): Promise<unknown> {
      // a custom process expects a body
      const isEmpty = value === null || value === undefined;
      const response: unknown = isEmpty ? value : await process.call(this, value, ...args);
      return responseOrParams(response, args[0]);
    },
  });
}

function nameOf(schema: unknown): string {
  if (DEV && schema === undefined)
    throw badDataError('S4', { owner: 'createResource', member: 'schema' });
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown };
  return String(key ?? name ?? 'resource');
}

/** The members that extending a resource requires: new members are based on its `get`. */
export interface ExtensibleResource {
  readonly get: RestEndpoint;
}

type GenericsOf<E> = E extends RestEndpoint<infer O> ? O : never;
/** The type parameters of the member that the member `name` is based on. */
type Base<R extends ExtensibleResource, N> = GenericsOf<N extends keyof R ? R[N] : R['get']>;
type With<R, M> = {
  readonly [K in keyof R | keyof M]: K extends keyof M ? M[K] : K extends keyof R ? R[K] : never;
};

/** Any text, with its literal type: `const` would make the types of `body` and `searchParams` literal, too. */
type LiteralText = '' | (string & NonNullable<unknown>);

// any: the members differ in their arguments
type LooseOptions = RestOptions<any[]> & {
  readonly path?: LiteralText;
  readonly schema?: unknown;
  readonly method?: LiteralText;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly sideEffect?: boolean | undefined;
  readonly paginationField?: LiteralText;
  // any: as above
  process?(value: any, ...args: any): any;
};

type Over<O, X> = {
  readonly path: X extends { readonly path: infer P extends string }
    ? P
    : O extends { readonly path: infer P extends string }
      ? P
      : string;
  readonly schema: OptionOr<X, 'schema', OptionOr<O, 'schema', Unset>>;
  readonly method: OptionOr<X, 'method', KeptMethod<O, OptionOr<X, 'sideEffect', Unset>>> & string;
  readonly body: OptionOr<X, 'body', OptionOr<O, 'body', Unset>>;
  readonly searchParams: OptionOr<X, 'searchParams', OptionOr<O, 'searchParams', Unset>>;
  readonly sideEffect: X extends { readonly sideEffect: infer N }
    ? GivenSideEffect<N, X>
    : KeptSideEffect<O, OptionOr<X, 'method', MethodOf<O>>>;
  readonly paginationField: OptionOr<X, 'paginationField', OptionOr<O, 'paginationField', Unset>>;
  readonly itemPath: OptionOr<O, 'itemPath', Unset>;
  readonly process: OptionOr<X, 'process', OptionOr<O, 'process', Unset>>;
};

type ChangedBy<X, O, C extends RestGenerics = Over<O, X>> = C & RemovedAt<O, C['path']>;

/**
 * `extend(name, options)` changes a member, or adds a member based on `get`;
 * `extend({name: options, …})` changes or adds several; `extend(base => ({…}))` adds finished members.
 * Each form returns a new resource and does not change the old resource.
 */
export interface ExtendResource {
  <
    R extends ExtensibleResource,
    K extends string,
    P extends string = Base<R, K>['path'],
    S = OptionOr<Base<R, K>, 'schema', Unset>,
    N extends boolean | undefined | Unset | Kept = Kept,
    M extends string = KeptMethod<Base<R, K>, N>,
    W = {},
    B = OptionOr<W, 'body', OptionOr<Base<R, K>, 'body', Unset>>,
    Q = OptionOr<W, 'searchParams', OptionOr<Base<R, K>, 'searchParams', Unset>>,
    T = ProcessedBy<Base<R, K>>,
    F extends string | Unset = FieldOf<Base<R, K>>,
  >(
    this: R,
    name: K,
    options: { readonly path?: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      W,
      N,
      T,
      CallArgs<
        EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, SideEffectAfter<Base<R, K>, M, N>, Unset>
      >
    >,
  ): With<
    R,
    {
      readonly [Name in K]: RestEndpoint<
        EndpointGenerics<
          P,
          S,
          M,
          B,
          Q,
          SideEffectAfter<Base<R, K>, M, N>,
          T,
          F,
          OptionOr<Base<R, K>, 'itemPath', Unset>
        > &
          RemovedAt<Base<R, K>, P>
      >;
    }
  >;
  <R extends ExtensibleResource, X extends object>(this: R, make: (base: R) => X): With<R, X>;
  <R extends ExtensibleResource, X extends Readonly<Record<string, LooseOptions>>>(
    this: R,
    members: X,
  ): With<R, { readonly [K in keyof X]: RestEndpoint<ChangedBy<X[K], Base<R, K>>> }>;
}

type LooseResource = ExtensibleResource & Record<string, RestEndpoint>;

function extend(this: LooseResource, first: unknown, options?: LooseOptions): LooseResource {
  if (typeof first === 'function') {
    const made = (first as (base: LooseResource) => LooseResource)(this);
    if (DEV) argumentChecks?.memberNames(this, made);
    return { ...this, ...made };
  }
  const changes = typeof first === 'string' ? { [first]: options } : (first as object);
  if (DEV) argumentChecks?.memberOptions(changes);
  if (DEV) argumentChecks?.memberNames(this, changes);
  const members = Object.entries(changes).map(([name, memberOptions]: [string, LooseOptions]) => {
    const base = fieldOf(this, name) as RestEndpoint | undefined;
    if (base !== undefined) return [name, base.extend(memberOptions)];
    const { get } = this;
    return [name, get.extend({ name: get.name.replace(/[^.]*$/, name), ...memberOptions })];
  });
  return { ...this, ...(Object.fromEntries(members) as object) };
}

const extendResource: ExtendResource = extend as never;

/** The kinds of changes of a resource. */
export type ResourceChange = 'change' | 'creation' | 'deletion';

/** The resource of a change. */
export interface OptimisticResource {
  readonly path: string;
  readonly schema: Schema;
}

/** The member of the controller's snapshot that these functions use. Snapshots of tests may lack this member. */
interface Expecting {
  expected?(change: ResourceChange, resource: OptimisticResource, args: Args): unknown;
}

type Expect = (snapshot: Expecting, ...args: unknown[]) => unknown;

/**
 * A `getOptimisticResponse` for each kind of change: the module `optimistic` computes it, so that others do not carry
 * the code.
 */
function optimisticMembers(resource: OptimisticResource): Record<ResourceChange, Expect> {
  const expect =
    (change: ResourceChange): Expect =>
    (snapshot, ...args) =>
      snapshot.expected?.(change, resource, args);
  return { change: expect('change'), creation: expect('creation'), deletion: expect('deletion') };
}
