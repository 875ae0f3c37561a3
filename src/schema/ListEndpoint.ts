/** The identity of lists: the address at which an endpoint reads them. */
import { isPlain } from './equal.ts';
import { KIND } from './schema.ts';
import type { Kind, ListKind, Schema, StoredKind } from './schema.ts';

/** What a Collection needs of the endpoint that reads it. */
export interface ListEndpoint {
  /**
   * Endpoints with one address read the same lists; an object stands for an address that a function makes. Undefined
   * where a path does not tell it: then endpoints that share a Collection read the same lists.
   */
  readonly listAddress?: string | object | undefined;
  readonly name: string;
  /** The path in the address, if it has one. */
  readonly listPath?: string;
  /** Arguments of all its lists. */
  readonly fixedParams?: Readonly<Record<string, string>> | undefined;
  /** True for the list of a resource: nested Collections of its entity with a `nestKey` are lists of this endpoint. */
  readonly ownsList?: boolean;
  /** Names of the path's params. They always filter. */
  readonly pathParams?: ReadonlySet<string>;
  readonly paginationField?: string | undefined;
  readonly revalidateLists?: unknown;
}

/** A schema that depends on the endpoint that reads it. */
interface Bindable extends Kind {
  readBy(endpoint: ListEndpoint, place: string): Schema;
}

/**
 * The schema as `endpoint` reads it: its Collections are lists at the endpoint's address. A Collection that no endpoint
 * has read yet belongs to this one from now on; of one that belongs to another address a copy does.
 *
 *   schema                                    place of each list
 *   Collection                                none
 *   {articles: Collection, count: 0}          none: it is the only one
 *   {week: Collection, month: Collection}     .week, .month
 */
export function readBy<S extends Schema>(schema: S, endpoint: ListEndpoint): S {
  let count = 0;
  eachBindable(schema, (kind) => (count++, kind));
  if (count === 0) return schema;
  return eachBindable(schema, (kind, place) => kind.readBy(endpoint, count > 1 ? place : '')) as S;
}

/** A kind as `endpoint` reads it at this place of its responses. */
export function bind<K extends Kind>(kind: K, endpoint: ListEndpoint, place: string): K {
  return ((kind as Partial<Bindable>).readBy?.(endpoint, place) ?? kind) as K;
}

/** The schema with what `visit` gives for each schema that depends on its endpoint. */
function eachBindable(
  schema: Schema,
  visit: (kind: Bindable, place: string) => Schema,
  place = '',
  above: readonly unknown[] = [],
): Schema {
  // what contains itself is refused when it is first used
  if (typeof schema !== 'object' || schema === null || above.includes(schema)) return schema;
  if ('readBy' in schema) return visit(schema as Bindable, place);
  if (!Array.isArray(schema) && !isPlain(schema)) return schema;
  const members: readonly (readonly [string, unknown])[] = Object.entries(schema);
  const bound = members.map(
    ([name, inner]) =>
      [name, eachBindable(inner, visit, `${place}.${name}`, [...above, schema])] as const,
  );
  if (bound.every(([, inner], at) => inner === members[at]?.[1])) return schema;
  return Array.isArray(schema) ? bound.map(([, inner]) => inner) : Object.fromEntries(bound);
}

const tables = new WeakMap<Kind, Map<unknown, Map<string, object>>>();

/** The identity of the table of all lists of `member` that are read at one address, at one place of the response. */
export function listTable(member: Kind, address: string | object, place: string): object {
  const addresses = tables.get(member) ?? new Map<unknown, Map<string, object>>();
  const places = addresses.get(address) ?? new Map<string, object>();
  const table = places.get(place) ?? {};
  tables.set(member, addresses.set(address, places.set(place, table)));
  return table;
}

/** What an entity knows of the Collections of it that endpoints read; another array with each. */
interface Listed {
  listings: readonly ListKind[];
}

/** The entity whose lists these are; undefined for members of other kinds, and in a circular import. */
function listedEntity(members: Schema): Listed | undefined {
  const [first] = (Array.isArray(members) ? members : []) as [unknown?];
  if (typeof first !== 'function' || !(KIND in first)) return undefined;
  const kind = first[KIND] as StoredKind;
  return (kind.root ?? kind) as unknown as Listed;
}

/**
 * Lets an entity know of a Collection of it that an endpoint reads. One at the same path replaces it: it is defined
 * again, maybe for another server. Of those without a path two are enough to know that there are several.
 */
export function noteList(list: ListKind): void {
  const entity = listedEntity(list.schema);
  if (entity === undefined) return;
  const { path } = list.at;
  const others = entity.listings.filter(({ at }) => at.path !== path);
  const alike = entity.listings.filter(({ at }) => at.path === path);
  const kept = path === undefined ? alike.slice(0, 1) : [];
  entity.listings = [...others, ...kept, list];
}

/** The lists that an entity may have by itself: those of its resources, else all. Only one can be meant. */
export function ownLists(listings: readonly ListKind[]): readonly ListKind[] {
  const owned = listings.filter(({ at }) => at.owned);
  return owned.length > 0 ? owned : listings;
}
