/** Determines how the arguments of a list decide on its members. */
import type { Fields } from './schema.ts';
import type { ListIdentity } from './ListIdentity.ts';

/** In the identity of a nested list: the name of the member. A creation has it if its Collection is this member. */
export const MEMBER_NAME = ' ';

/** The options of a `Collection`: the identity of its lists, and which lists a created row enters. */
export interface CollectionOptions {
  /** The part of the arguments that is the list's identity. Default: all, but not the body of a mutation. */
  // any: a function of the user's own parameter types must fit
  readonly argsKey?: (...args: any[]) => Fields;
  /**
   * The identity of a list inside of an entity: `(user) => ({userId: user.id})`. The nested list is the list that the
   * entity's own `getList` reads with these arguments. Without `nestKey` the parent alone is the identity.
   */
  // any: as above
  readonly nestKey?: (parent: any, key: string) => Fields;
  /** True for arguments that only order or page: these do not filter; all others do. Default: by name. */
  readonly nonFilterArgumentKeys?:
    | ((name: string) => boolean)
    | readonly string[]
    | RegExp
    | undefined;
  /** Which lists a creation with these arguments enters. Default: the lists with filter arguments that it matches. */
  // any: as above
  readonly createCollectionFilter?: (
    ...args: any[]
  ) => (collectionKey: Readonly<Record<string, string>>) => boolean;
}

/** The conditions in the arguments of one list. */
export interface ListConditions {
  /** The values that its members have, by name, as text; including the values of searches. */
  readonly filters: Readonly<Record<string, string>>;
  /** True for a page of numbered pages: its rows depend on the rows of other pages. */
  readonly isPage: boolean;
  /** True if a member without a value for a filter is not in the list. False: it may be in the list. */
  readonly excludesMissingValues: boolean;
}

/*
 *   argument                                                     role
 *   a param of the path                                          filter
 *   the pagination field, or among `nonFilterArgumentKeys`       order
 *   any other, if `nonFilterArgumentKeys` is given               filter
 *   a field that the entity declares                             filter; page if the field cannot have the value
 *   sort…, order…, direction; expand, embed, include, fields …   order
 *   any other, if `argsKey` is given                             filter
 *   page, perPage, limit, offset, first, cursor, after …         page
 *   any other                                                    filter
 */
type Role = 'filter' | 'order' | 'page';

/** Names of arguments that order rows, or select the content of each row. */
const ORDER_NAMES =
  /^_?(?:order|sort)|^_?(?:direction|expand|embed|include|fields|select|populate)$/i;
const PAGE_NAMES =
  /^_?(?:page|per_?page|page_?size|limit|offset|skip|take|first|last|cursor|after|before)$/i;

function roleOf(name: string, value: string, list: ListIdentity): Role {
  const { argsKey, nonFilterArgumentKeys: keys } = list.options;
  if (list.isPathParam(name)) return 'filter';
  if (name === list.listEndpoint?.paginationField) return 'order';
  if (keys !== undefined) return isNonFilterName(name, keys) ? 'order' : 'filter';
  const defaults = (list.member as { readonly defaults?: Fields }).defaults;
  if (defaults !== undefined && Object.hasOwn(defaults, name))
    return canBeFieldValue(value, defaults[name]) ? 'filter' : 'page';
  if (ORDER_NAMES.test(name)) return 'order';
  return argsKey === undefined && PAGE_NAMES.test(name) ? 'page' : 'filter';
}

/** False if the argument is unlike the field of the same name: `?favorited=ada` and `favorited: false`. */
function canBeFieldValue(value: string, initial: unknown): boolean {
  if (typeof initial === 'boolean') return value === 'true' || value === 'false';
  return typeof initial !== 'number' || !Number.isNaN(Number(value));
}

function isNonFilterName(
  name: string,
  keys: NonNullable<CollectionOptions['nonFilterArgumentKeys']>,
): boolean {
  if (typeof keys === 'function') return keys(name);
  // search, not test: `test` of a global RegExp depends on its last index
  return keys instanceof RegExp ? name.search(keys) >= 0 : keys.includes(name);
}

/** The arguments in the identity of a list, without arguments that only order. */
export function filtersOf(pk: string, list: ListIdentity): Record<string, string> {
  const all = JSON.parse(pk) as Record<string, string>;
  for (const name in all) if (roleOf(name, all[name] as string, list) === 'order') delete all[name];
  return all;
}

export function conditionsOf(pk: string, list: ListIdentity): ListConditions {
  const filters = filtersOf(pk, list);
  const { argsKey, nonFilterArgumentKeys } = list.options;
  let isPage = false;
  for (const name in filters) {
    if (roleOf(name, filters[name] as string, list) !== 'page') continue;
    delete filters[name];
    isPage = true;
  }
  const isExplicit = (argsKey ?? nonFilterArgumentKeys) !== undefined;
  const excludesMissingValues = isExplicit && !filters[MEMBER_NAME];
  return { filters, isPage, excludesMissingValues };
}
