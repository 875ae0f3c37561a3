/** The identity of lists: the address at which an endpoint reads them. */
import { isPlain } from './equal.ts';
import type { EntityKind } from './EntityKind.ts';
import { KIND } from './schema.ts';
import type { Kind, ListKind, Schema } from './schema.ts';

/** What a Collection needs of the endpoint that reads it. */
export interface ListEndpoint {
  /** Endpoints with one address read the same lists; an object stands for an address that a function makes. */
  readonly listAddress: string | object;
  /** False where the address is but a name: then endpoints that share a Collection read the same lists. */
  readonly hasPath: boolean;
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
): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('readBy' in schema) return visit(schema as Bindable, place);
  if (!Array.isArray(schema) && !isPlain(schema)) return schema;
  const members: readonly (readonly [string, unknown])[] = Object.entries(schema);
  const bound = members.map(
    ([name, inner]) => [name, eachBindable(inner, visit, `${place}.${name}`)] as const,
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

/** Lets an entity know of a Collection of it that an endpoint reads. Members of other kinds are not asked. */
export function noteList(list: ListKind, members: Schema, place: string): void {
  const [first] = (Array.isArray(members) ? members : []) as [unknown?];
  // undefined in a circular import
  if (typeof first !== 'function' || !(KIND in first)) return;
  const { address } = list;
  // a function that makes addresses may be made anew for each endpoint
  if (typeof address === 'string') (first[KIND] as EntityKind).listings.set(address + place, list);
}

/** The tables of lists that may be those of an entity by itself: of its resources, else all. Only one can be meant. */
export function ownTables(member: Kind): readonly object[] {
  const lists = [...((member as Partial<EntityKind>).listings?.values() ?? [])];
  const owned = lists.filter((list) => list.owned);
  return [...new Set((owned.length > 0 ? owned : lists).map(({ table }) => table as object))];
}

/** True where one Collection of both endpoints is one set of lists. */
export function sameAddress(home: ListEndpoint, endpoint: ListEndpoint): boolean {
  if (!home.hasPath && !endpoint.hasPath) return true;
  return home.listAddress === endpoint.listAddress;
}
