/** Determines how the arguments of a list decide on the members. */
import type { EntityKind } from './EntityKind.ts';
import type { ListIdentity } from './ListIdentity.ts';
import { fieldOf, isObject } from './fieldOf.ts';
import type { Fields } from './schema.ts';

/** In the identity of a nested list: the member's name, which a creation by the member's Collection has as well. */
export const MEMBER_NAME = ' ';

/** The options of a `Collection`: the identity of the lists, and which lists a created row enters. */
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
  /**
   * Which lists a creation with these arguments enters; undefined: the list does not change, and expires. Default: the
   * lists with matching filter arguments.
   */
  // any: as above
  readonly createCollectionFilter?: (
    ...args: any[]
  ) => (collectionKey: Readonly<Record<string, string>>) => boolean | undefined;
  /**
   * A change of a field on which the arguments decide moves the row between stored lists. `false` leaves rows in
   * place. Default: the policy of the endpoint, or of the controller, which is 'auto'.
   */
  readonly moveRows?: 'auto' | false | undefined;
}

/** The value of a field that no argument can be compared with: an array or an object. */
export const UNDECIDED: unique symbol = Symbol('signalbox.undecided');

/** The value of a field as text; undefined if unknown. */
export type FilterValue = string | typeof UNDECIDED | undefined;

/** The conditions in the arguments of a list. */
export interface ListConditions {
  /** The values that the members have, by name, as text; including the values of searches, and arrays of values. */
  readonly filters: Readonly<Record<string, string>>;
  /** Other arguments that may decide on the members as well, for example a page number. */
  readonly undecided: readonly string[];
  /** The fields by which arguments order the members; undefined: no argument orders them. */
  readonly order: readonly string[] | undefined;
  /** True if a member without a value for a filter is not in the list; false if the member may be in the list. */
  readonly excludesMissingValues: boolean;
}

/*
 *   argument                                                     role
 *   a param of the path                                          filter
 *   the pagination field, or among `nonFilterArgumentKeys`       order
 *   any other, if `nonFilterArgumentKeys` is given               filter, if the value can decide
 *   a field that the entity declares                             filter, if the value can decide
 *   sort…, order…, direction; expand, embed, include, fields …   order
 *   any other, if `argsKey` is given                             filter, if the value can decide
 *   page, perPage, limit, offset, first, cursor, after …         undecided
 *   any other                                                    filter, if the value can decide
 *
 *   field, by the class                        a value           an array of values
 *   a value (text, null, number, boolean)      decides           decides, and the list expires
 *   array, object, nested or decoded           undecided         undecided
 *   not declared                               decides           undecided
 */
type Role = 'filter' | 'order' | 'undecided';

/** Names of arguments that order rows, or select the content of each row. */
const ORDER_NAMES =
  /^_?(?:order|sort)|^_?(?:direction|expand|embed|include|fields|select|populate)$/i;
const SORT_NAMES = /^_?(?:order|sort|direction$)/i;
const PAGE_NAMES =
  /^_?(?:page|per_?page|page_?size|limit|offset|skip|take|first|last|cursor|after|before)$/i;

function roleOf(name: string, text: string, list: ListIdentity): Role {
  const { argsKey, nonFilterArgumentKeys: keys } = list.options;
  if (list.isPathParam(name)) return 'filter';
  if (name === list.listEndpoint?.paginationField) return 'order';
  if (keys !== undefined) {
    if (isNonFilterName(name, keys)) return 'order';
  } else if (!isDeclaredField(name, list)) {
    if (ORDER_NAMES.test(name)) return 'order';
    if (argsKey === undefined && PAGE_NAMES.test(name)) return 'undecided';
  }
  return canDecide(name, text, list) ? 'filter' : 'undecided';
}

function defaultsOf({ member }: ListIdentity): Fields {
  return ((member as Partial<EntityKind>).defaults ?? {}) as Fields;
}

/** True for a field of the class of the members. */
export function isDeclaredField(name: string, list: ListIdentity): boolean {
  return Object.hasOwn(defaultsOf(list), name);
}

/**
 * True for an argument that says where the list is, and that no field of a row tells: a param of the path under another
 * name, or the name of a nested list.
 */
export function isPlace(name: string, list: ListIdentity): boolean {
  if (name === MEMBER_NAME) return true;
  if (!list.isPathParam(name)) return false;
  const { descriptor } = list.member as Partial<EntityKind>;
  const isField = isDeclaredField(name, list) && !descriptor?.nestedIndexes.has(name);
  return !isField || descriptor?.declaredPkField?.field === name;
}

/** True if the class lets the value, or each value of an array, meet a field of a single value. */
function canDecide(name: string, text: string, list: ListIdentity): boolean {
  const initial = fieldOf(defaultsOf(list), name);
  const { descriptor } = list.member as Partial<EntityKind>;
  if (isObject(initial) || Array.isArray(initial)) return false;
  if (descriptor?.nestedIndexes.has(name)) return false;
  if (!isStructure(text)) return canBeFieldValue(text, initial);
  if (!isDeclaredField(name, list)) return false;
  return valuesIn(text)?.every((value) => canBeFieldValue(value, initial)) === true;
}

/** The text of `null` as a value. */
export const NULL_TEXT = '\u0000null';

function isStructure(text: string): boolean {
  return text.startsWith('\u0000') && text !== NULL_TEXT;
}

/** The texts of the values in the text of an array; undefined if the text is of anything else. */
export function valuesIn(text: string): readonly string[] | undefined {
  if (!text.startsWith('\u0000[')) return undefined;
  let values: unknown[];
  try {
    values = JSON.parse(text.slice(1)) as unknown[];
  } catch {
    // a bigint, or undefined
    return undefined;
  }
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return values.map((value) => (value === null ? NULL_TEXT : String(value)));
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
  // search, not test: `test` of a global RegExp depends on the last index
  return keys instanceof RegExp ? name.search(keys) >= 0 : keys.includes(name);
}

type Arguments = Readonly<Record<string, string>>;

const argumentsIn = (pk: string) => JSON.parse(pk) as Arguments;

/** The arguments in the identity of a list, without arguments that only order. */
export function filtersOf(pk: string, list: ListIdentity): Record<string, string> {
  return withoutOrder(argumentsIn(pk), list);
}

function withoutOrder(all: Arguments, list: ListIdentity): Record<string, string> {
  const filters = Object.entries(all).filter(
    ([name, text]) => roleOf(name, text, list) !== 'order',
  );
  return Object.fromEntries(filters);
}

export function conditionsOf(pk: string, list: ListIdentity): ListConditions {
  const all = argumentsIn(pk);
  const filters = withoutOrder(all, list);
  const { argsKey, nonFilterArgumentKeys } = list.options;
  const undecided = Object.keys(filters).filter(
    (name) => roleOf(name, filters[name] as string, list) === 'undecided',
  );
  for (const name of undecided) delete filters[name];
  const isExplicit = (argsKey ?? nonFilterArgumentKeys) !== undefined;
  const excludesMissingValues = isExplicit && !filters[MEMBER_NAME];
  return { filters, undecided, order: orderFields(all, list), excludesMissingValues };
}

/** The declared fields that arguments name, as in "-title", "title:desc", "title_desc", or an array of these. */
function orderFields(all: Arguments, list: ListIdentity): readonly string[] | undefined {
  let fields: readonly string[] | undefined;
  for (const [name, text] of Object.entries(all)) {
    const isSort = SORT_NAMES.test(name);
    if (roleOf(name, text, list) !== 'order' || !(isSort || list.options.nonFilterArgumentKeys))
      continue;
    const named = text.split(/\W+|_(?:asc|desc)\b/i).filter((word) => isDeclaredField(word, list));
    if (isSort || named.length > 0) fields = [...(fields ?? []), ...named];
  }
  return fields;
}
