/** The identity of lists: the address at which an endpoint reads them. */
import { isPlainObject, setOwn } from './equal.ts';
import { isObject } from './isObject.ts';
import { KIND } from './schema.ts';
import type { Fields, Kind, ListKind, Schema, StoredKind } from './schema.ts';

/** The members of an endpoint that a Collection uses. */
export interface ListEndpoint {
  /**
   * Endpoints with one address read the same lists. An object stands for an address that a function computes. Undefined
   * if a path does not determine the address: endpoints that share a Collection read the same lists then.
   */
  readonly listAddress?: string | object | undefined;
  readonly name: string;
  /** The path in the address, if it has one. */
  readonly listPath?: string;
  /** Arguments that all its lists have. */
  readonly fixedParams?: Readonly<Record<string, string>> | undefined;
  /** True for the list of a resource: nested Collections of its entity with a `nestKey` are lists of this endpoint. */
  readonly ownsList?: boolean;
  /** Names of the path's params. These arguments always filter. */
  readonly pathParams?: ReadonlySet<string>;
  readonly paginationField?: string | undefined;
  /** False if the endpoint opts its lists out of refetches after mutations. */
  readonly revalidateLists?: unknown;
}

/** A schema that depends on the endpoint that reads it. */
interface Bindable extends Kind {
  bindTo(endpoint: ListEndpoint, place: string): Schema;
}

/**
 * The schema, bound to `endpoint`: its Collections are lists at the endpoint's address. A Collection without an
 * endpoint is bound to this one. A Collection that is bound to another address is copied, and the copy is bound.
 *
 *   schema                                    place of each list
 *   Collection                                none
 *   {articles: Collection, count: 0}          none: it is the only one
 *   {week: Collection, month: Collection}     .week, .month
 */
export function bindTo<S extends Schema>(schema: S, endpoint: ListEndpoint): S {
  if (isBindable(schema)) return schema.bindTo(endpoint, '') as S;
  // an entity class has no members to bind
  return typeof schema === 'object' ? bindMembers(schema, endpoint) : schema;
}

function bindMembers<S extends Schema>(schema: S, endpoint: ListEndpoint): S {
  let count = 0;
  mapBindable(schema, (kind) => (count++, kind));
  return mapBindable(schema, (kind, place) => kind.bindTo(endpoint, count > 1 ? place : '')) as S;
}

export function isBindable(schema: Schema): schema is Bindable {
  return isObject(schema) && 'bindTo' in schema;
}

/** The schema, with each schema that depends on its endpoint replaced by the result of `visit`. */
function mapBindable(
  schema: Schema,
  visit: (kind: Bindable, place: string) => Schema,
  place = '',
  above: readonly unknown[] = [],
): Schema {
  if (isBindable(schema)) return visit(schema, place);
  // a schema that contains itself is rejected when it is first used
  if (!(Array.isArray(schema) || isPlainObject(schema)) || above.includes(schema)) return schema;
  const bound: Fields = {};
  let isSame = true;
  for (const [name, inner] of Object.entries<Schema>(schema)) {
    const visited = mapBindable(inner, visit, `${place}.${name}`, [...above, schema]);
    isSame &&= visited === inner;
    setOwn(bound, name, visited);
  }
  if (isSame) return schema;
  return Array.isArray(schema) ? Object.values(bound) : bound;
}

const tableKeys = new WeakMap<Kind, Map<unknown, Map<string, object>>>();

/** The identity of the table of all lists of `member` that are read at one address, at one place of the response. */
export function listTableKey(member: Kind, address: string | object, place: string): object {
  const addresses = tableKeys.get(member) ?? new Map<unknown, Map<string, object>>();
  const places = addresses.get(address) ?? new Map<string, object>();
  const table = places.get(place) ?? {};
  tableKeys.set(member, addresses.set(address, places.set(place, table)));
  return table;
}

/** The Collections of an entity that endpoints read; replaced by a new array on each change. */
export interface CollectionRegistry {
  listedIn: readonly ListKind[];
}

/**
 * Registers a Collection, read by an endpoint, with the entity of its members. A Collection at the same path is
 * replaced: it was defined again, maybe for another server. Of Collections without a path two are kept, enough to know
 * that there are several.
 */
export function registerCollection(list: ListKind): void {
  const [first] = (Array.isArray(list.schema) ? list.schema : []) as [unknown?];
  // members of another kind, or a circular import
  if (typeof first !== 'function' || !(KIND in first)) return;
  const kind = first[KIND] as StoredKind;
  const entity = (kind.rootKind ?? kind) as unknown as CollectionRegistry;
  const { urlAndResponsePath } = list.listOrigin;
  // of those at the same path
  let kept = urlAndResponsePath === undefined ? 1 : 0;
  const others = entity.listedIn.filter(
    ({ listOrigin }) => listOrigin.urlAndResponsePath !== urlAndResponsePath || kept-- > 0,
  );
  entity.listedIn = [...others, list];
}

/** The lists that can be an entity's own list: the lists of its resources, else all. Unique if there is only one. */
export function ownListCandidates(listings: readonly ListKind[]): readonly ListKind[] {
  const owned = listings.filter(({ listOrigin }) => listOrigin.listEndpoint?.ownsList);
  return owned.length > 0 ? owned : listings;
}
