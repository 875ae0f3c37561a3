/** The six endpoints that one REST resource usually has. */
import { importedOption } from '../endpoint/importedOption.ts';
import { setOptions } from '../endpoint/Endpoint.ts';
import type { OwnFields } from '../endpoint/Endpoint.ts';
import { Collection } from '../schema/Collection.ts';
import type { Entering } from '../schema/Entering.ts';
import { Delete } from '../schema/Delete.ts';
import type { EntityClass } from '../schema/schema.ts';
import { answerOrParams } from './answerOrParams.ts';
import type { OptionOr, Unset } from './splitCall.ts';
import { extendResource } from './extendResource.ts';
import type { ExtendResource } from './extendResource.ts';
import type { Expected, Optimistic } from './optimistic.ts';
import { listPathOf } from './path.ts';
import type { ListPath } from './path.ts';
import { RestEndpoint } from './RestEndpoint.ts';
import type { PartialBody } from './RestEndpoint.ts';
import type { EndpointGenerics, RestOptions } from './RestEndpointOptions.ts';

/** What a resource's type knows of it. */
export interface ResourceGenerics {
  readonly path: string;
  readonly schema: unknown;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly paginationField?: unknown;
}

/** Beside path and schema. Whatever else an endpoint may be told reaches every member. */
export interface ResourceOptions extends MemberOptions {
  /** The class of the members. Default: RestEndpoint. */
  // any: subclasses state the options they take
  readonly Endpoint?: new (options: any) => RestEndpoint;
}

// any: the members differ in their arguments
interface MemberOptions extends Omit<RestOptions<any[]>, 'key' | 'url' | 'fetch' | 'itemPath'> {
  /** The class of the list's schema. Default: Collection. */
  // any: subclasses state the members and options they take
  readonly Collection?: new (schema: any, options: any) => Collection<any>;
  /** Members are called after it, as in `Todo.get`. Default: the name of the entity. */
  readonly name?: string;
  /** Changes are shown before the server has confirmed them: `optimistic`, which `signalbox` exports. */
  readonly optimistic?: Optimistic | false | undefined;
  /** The search param that names a page: it gives `getList.getPage`, and decides not which lists a creation enters. */
  readonly paginationField?: string;
  // any: what the server sends has no type, and the members differ in their arguments
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

/** Six endpoints on one schema; plain members of a plain object, to be spread, replaced and added to. */
export type RestResource<O extends ResourceGenerics> = Members<
  O['path'],
  O['schema'],
  OptionOr<O, 'body', Unset>,
  // any: search params are not checked until `searchParams` says what they are
  OptionOr<O, 'searchParams', Record<string, any> | undefined>,
  OptionOr<O, 'paginationField', Unset>
>;

// one parameter each, not one for all: an option that is absent and one that is Unset are then the same type
interface Members<P extends string, S, B, Q, F> {
  /** GET one. */
  readonly get: Member<P, S, 'GET'>;
  /** GET the list, a Collection: what is created enters it. */
  readonly getList: Member<ListPath<P>, Collection<[S]>, 'GET', B, Q, F, P>;
  /** POST to the list. What getList needs to be searched for may be left out. */
  readonly create: Member<ListPath<P>, Entering<[S]>, 'POST', B, Q | undefined>;
  /** PUT one. */
  readonly update: Member<P, S, 'PUT', B>;
  /** PATCH one. */
  readonly partialUpdate: Member<P, S, 'PATCH', PartialBody<B>>;
  /** DELETE one. Gives the answer when it is an object that holds something, else the params. */
  readonly delete: Member<P, DeleteOf<S>, 'DELETE'>;
  /** A resource with members changed or added. */
  readonly extend: ExtendResource;
}

type DeleteOf<S> = S extends EntityClass ? Delete<S> : S;

/** The options from which the types of the members follow. */
interface TypedOptions<P extends string, S, B, Q, F extends string | Unset> {
  readonly path: P;
  readonly schema: S;
  /** Type only: what create, update and (in parts) partialUpdate send. */
  readonly body?: B;
  /** Type only: what getList may search for; create may be called with them. */
  readonly searchParams?: Q;
  readonly paginationField?: F;
}

/**
 * `createResource({path: '/todos/:id', schema: Todo})`: get, getList, create, update, partialUpdate, delete.
 * `path` ends in the primary key; lists are at the path without it. Throws R4 for a path without an argument, R3 for
 * one that cannot be read. Options that do not exist do not compile, but for the fields of the class `Endpoint`.
 */
export function createResource<
  P extends string,
  S,
  B = Unset,
  Q = Unset,
  F extends string | Unset = Unset,
>(
  options: TypedOptions<P, S, B, Q, F> & ResourceOptions,
): RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>;
// any: E is not known yet when TypeScript first looks at the options, if the class is generic
export function createResource<
  P extends string,
  S,
  B = Unset,
  Q = Unset,
  F extends string | Unset = Unset,
  E extends RestEndpoint = any,
>(
  options: TypedOptions<P, S, B, Q, F> &
    MemberOptions &
    // any: as in ResourceOptions
    { readonly Endpoint: new (options: any) => E } & Partial<OwnFields<NoInfer<E>, RestEndpoint>>,
): RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>;
// for functions that pass options on: with these keys O is inferred from a literal without members that do not exist
export function createResource<O extends ResourceGenerics>(
  options: { readonly [K in keyof O & keyof ResourceGenerics]: O[K] } & ResourceOptions,
): RestResource<O>;
export function createResource(told: object): unknown {
  const {
    path,
    schema,
    body: given,
    searchParams: _searchParams,
    Endpoint = RestEndpoint,
    Collection: List = Collection,
    optimistic,
    paginationField,
    ...extra
  } = told as ResourceGenerics & ResourceOptions;
  const name = extra.name ?? nameOf(schema);
  // what every member is told gives way to what one is told
  const make = (member: string, at: string, of: unknown, own?: object): RestEndpoint => {
    const all = { ...extra, path: at, schema: of, ...own, name: `${name}.${member}` };
    return setOptions(new Endpoint(all), all);
  };
  const listPath = listPathOf(path);
  const list = new List([schema], {});
  const paging = paginationField !== undefined && { paginationField };
  const body = 'body' in told && { body: given };
  const expected = importedOption<Expects>('optimistic', optimistic, 'optimistic');
  const { change, creation, deletion }: Partial<Expected> = expected?.(path, schema) ?? {};
  const expecting = (getOptimisticResponse: unknown) =>
    getOptimisticResponse !== undefined && { getOptimisticResponse };
  const changed = { ...body, ...expecting(change) };
  const inList = creation !== undefined && { expected: { POST: creation, PATCH: change } };
  const remove = make('delete', path, new Delete(schema as EntityClass), {
    method: 'DELETE',
    ...expecting(deletion),
  });
  return {
    get: make('get', path, schema),
    getList: make('getList', listPath, list, { itemPath: path, ...body, ...paging, ...inList }),
    create: make('create', listPath, list.push, {
      method: 'POST',
      ...body,
      ...expecting(creation),
    }),
    update: make('update', path, schema, { method: 'PUT', ...changed }),
    partialUpdate: make('partialUpdate', path, schema, { method: 'PATCH', ...changed }),
    delete: remove.extend({
      async process(value: unknown, ...args: unknown[]): Promise<unknown> {
        return answerOrParams(await remove.process.call(this, value, ...args), args[0]);
      },
    }),
    extend: extendResource,
  };
}

type Expects = (path: string, schema: unknown) => Expected;

export { createResource as resource };

function nameOf(schema: unknown): string {
  const { key, name } = schema as { readonly key?: unknown; readonly name?: unknown };
  return String(key ?? name ?? 'resource');
}
