/** Binds the Collections in a schema to an endpoint. */
import { isPlainObject, setOwn, isObject } from './fieldOf.ts';
import type { Fields, Kind, Schema } from './schema.ts';

/** The members of an endpoint that a Collection uses. */
export interface ListEndpoint {
  /**
   * Endpoints with the same address read the same lists. An object stands for an address that a function computes.
   * Undefined if a path does not determine the address: endpoints that share a Collection read the same lists then.
   */
  readonly listAddress?: string | object | undefined;
  readonly name: string;
  readonly method?: string;
  readonly sideEffect?: boolean | undefined;
  /** The path in the address, if any. */
  readonly listPath?: string;
  /** Arguments that all lists of the endpoint have. */
  readonly fixedParams?: Readonly<Record<string, string>> | undefined;
  /** True for the list of a resource: nested Collections of the entity with a `nestKey` are lists of this endpoint. */
  readonly ownsList?: boolean;
  /** Names of the path's params. These arguments always filter. */
  readonly pathParams?: ReadonlySet<string>;
  readonly paginationField?: string | undefined;
  /** False if lists of the endpoint are not refetched after mutations. */
  readonly revalidateLists?: unknown;
  /** False if a change of a field moves no row between lists of the endpoint. */
  readonly moveRows?: 'auto' | false | undefined;
}

/** A schema that depends on the endpoint that reads it. */
interface Bindable extends Kind {
  bindTo(endpoint: ListEndpoint, place: string): Schema;
}

/**
 * The schema, bound to `endpoint`: the Collections are lists at the endpoint's address. A Collection without an
 * endpoint is bound to `endpoint`. A Collection that is bound to another address is copied, and the copy is bound.
 *
 *   schema                                    place of each list
 *   Collection                                none
 *   {articles: Collection, count: 0}          none: the only list
 *   {week: Collection, month: Collection}     .week, .month
 */
export function bindTo<S extends Schema>(schema: S, endpoint: ListEndpoint): S {
  // an entity class has no members to bind
  if (typeof schema !== 'object' || schema === null) return schema;
  return 'bindTo' in schema
    ? ((schema as unknown as Bindable).bindTo(endpoint, '') as S)
    : bindMembers(schema, endpoint);
}

function bindMembers<S extends Schema>(schema: S, endpoint: ListEndpoint): S {
  let count = 0;
  mapBindable(schema, (kind) => (count++, kind));
  return mapBindable(schema, (kind, place) => kind.bindTo(endpoint, count > 1 ? place : '')) as S;
}

export function isBindable(schema: Schema): schema is Bindable {
  return isObject(schema) && 'bindTo' in schema;
}

/** The schema, with each schema that depends on the endpoint replaced by the result of `visit`. */
function mapBindable(
  schema: Schema,
  visit: (kind: Bindable, place: string) => Schema,
  place = '',
  ancestors: readonly unknown[] = [],
): Schema {
  if (isBindable(schema)) return visit(schema, place);
  // a schema that contains itself is rejected at the first use
  if (!(Array.isArray(schema) || isPlainObject(schema)) || ancestors.includes(schema))
    return schema;
  const bound: Fields = {};
  let isSame = true;
  for (const [name, inner] of Object.entries<Schema>(schema)) {
    const visited = mapBindable(inner, visit, `${place}.${name}`, [...ancestors, schema]);
    isSame &&= visited === inner;
    setOwn(bound, name, visited);
  }
  if (isSame) return schema;
  return Array.isArray(schema) ? Object.values(bound) : bound;
}
