/** The lists of one table, grouped by the arguments that decide on their members. */
import { UNDECIDED, isDeclaredField, isPlace, valuesIn } from '../../schema/conditionsOf.ts';
import type { FilterValue } from '../../schema/conditionsOf.ts';
import type { ListKind } from '../../schema/schema.ts';
import { EMPTY } from '../records/append.ts';
import { shallowEqualArrays } from '../records/diffMembers.ts';
import type { StoredList } from './StoredList.ts';

/** Stands for all fields in the place of a name. */
export const ANY_FIELD = '';

/** Lists whose arguments have the same names and decide alike, grouped by the values of their filters. */
export interface ListGroup {
  readonly names: readonly string[];
  /** For each name, whether the argument is an array of values. */
  readonly choices: readonly boolean[];
  readonly hasChoices: boolean;
  /** For each name, see `isPlace`. */
  readonly places: readonly boolean[];
  /** For each name, whether the class declares such a field. */
  readonly declared: readonly boolean[];
  /** See `ListConditions`. */
  readonly undecided: readonly string[];
  readonly excludesMissingValues: boolean;
  readonly byValues: Map<unknown, AlikeLists>;
}

/** Lists with the same filters: they differ in their order or page only, so they are few. */
export interface AlikeLists {
  readonly values: readonly string[];
  /** For each filter with an array of values: these values. */
  readonly choices: readonly (readonly string[] | undefined)[];
  readonly lists: StoredList[];
}

interface Placed {
  readonly group: ListGroup;
  readonly alike: AlikeLists;
}

export class ListGroups {
  readonly #kind: ListKind;
  readonly #groups: ListGroup[] = [];
  /** The groups with an argument of the name of a field; with `ANY_FIELD`, those with a search. */
  readonly #byField: Map<string, ListGroup[]> = new Map();
  readonly #fields = new Set<string>();
  readonly #placed: Map<StoredList, Placed> = new Map();
  /** Lists whose filters were not needed yet, because no member has moved since. */
  readonly ungrouped: Set<StoredList> = new Set();

  constructor(kind: ListKind) {
    this.#kind = kind;
  }

  delete(list: StoredList): void {
    if (this.ungrouped.delete(list)) return;
    const { group, alike } = this.#placed.get(list) as Placed;
    this.#placed.delete(list);
    alike.lists.splice(alike.lists.indexOf(list), 1);
    if (alike.lists.length === 0) group.byValues.delete(keyOf(alike.values));
  }

  /** All groups, with all lists in them. */
  get upToDate(): readonly ListGroup[] {
    for (const list of this.ungrouped) this.#place(list);
    this.ungrouped.clear();
    return this.#groups;
  }

  /** The names of fields by which lists are filtered, with the groups of these lists. */
  get byField(): ReadonlyMap<string, readonly ListGroup[]> {
    if (this.ungrouped.size > 0) void this.upToDate;
    return this.#byField;
  }

  /** All names of filters that fields of a row tell. */
  get fields(): ReadonlySet<string> {
    if (this.ungrouped.size > 0) void this.upToDate;
    return this.#fields;
  }

  /** The group of a list, and its values; undefined if the list is in another table. */
  placeOf(list: object): Placed | undefined {
    if (this.ungrouped.size > 0) void this.upToDate;
    return this.#placed.get(list as StoredList);
  }

  #place(list: StoredList): void {
    const { filters, undecided, excludesMissingValues } = this.#kind.conditions(list.pk);
    const names = Object.keys(filters);
    const values = Object.values(filters);
    const choices = values.map((text, at) =>
      this.#kind.listOrigin.isPathParam(names[at] as string) ? undefined : valuesIn(text),
    );
    const flags = choices.map(Boolean);
    const group =
      this.#groups.find(
        (one) =>
          shallowEqualArrays(one.names, names) &&
          shallowEqualArrays(one.choices, flags) &&
          shallowEqualArrays(one.undecided, undecided),
      ) ?? this.#createGroup({ names, choices: flags, undecided, excludesMissingValues });
    const key = keyOf(values);
    let alike = group.byValues.get(key);
    if (alike === undefined) group.byValues.set(key, (alike = { values, choices, lists: [] }));
    alike.lists.push(list);
    this.#placed.set(list, { group, alike });
  }

  #createGroup(
    about: Pick<ListGroup, 'names' | 'choices' | 'undecided' | 'excludesMissingValues'>,
  ): ListGroup {
    const { listOrigin } = this.#kind;
    const { names, undecided } = about;
    const places = names.map((name) => isPlace(name, listOrigin));
    const declared = names.map((name) => isDeclaredField(name, listOrigin));
    const hasChoices = about.choices.includes(true);
    const group = {
      ...about,
      hasChoices,
      places,
      declared,
      byValues: new Map(),
    } satisfies ListGroup;
    this.#groups.push(group);
    const fields = names.filter((_, at) => !places[at]);
    fields.push(...undecided.filter((name) => isDeclaredField(name, listOrigin)));
    if (names.some((_, at) => !places[at] && !declared[at])) fields.push(ANY_FIELD);
    for (const name of fields) if (name !== ANY_FIELD) this.#fields.add(name);
    for (const name of new Set(fields))
      this.#byField.set(name, [...(this.#byField.get(name) ?? EMPTY), group]);
    return group;
  }
}

function keyOf(values: readonly unknown[]): unknown {
  return values.length > 1 ? JSON.stringify(values) : values[0];
}

/**
 * The lists of a group in which no filter of one value has another value than `values`. A value that is not known, or
 * not decided, matches any; so does each value against an array.
 */
export function compatibleLists(
  { byValues, choices, hasChoices }: ListGroup,
  values: readonly FilterValue[],
): readonly AlikeLists[] {
  if (!hasChoices && !values.some(isOpen)) {
    const exact = byValues.get(keyOf(values));
    return exact ? [exact] : EMPTY;
  }
  return [...byValues.values()].filter(({ values: filters }) =>
    filters.every((filter, at) => {
      const value = values[at];
      return choices[at] || isOpen(value) || value === filter;
    }),
  );
}

function isOpen(value: FilterValue): boolean {
  return value === undefined || value === UNDECIDED;
}

/**
 *   in       every filter matches
 *   out      a filter of one value has another value
 *   choice   the value is not in the array of a filter
 *   open     nothing excludes the row, but an argument or a value is undecided
 */
export type Verdict = 'in' | 'out' | 'choice' | 'open';

/** What the arguments of a list say of a row with these values. `skipsPlaces`: places match any row. */
export function verdictOf(
  group: ListGroup,
  { values: filters, choices }: AlikeLists,
  values: readonly FilterValue[],
  skipsPlaces = false,
): Verdict {
  let verdict: Verdict = group.undecided.length > 0 ? 'open' : 'in';
  for (const [at, filter] of filters.entries()) {
    if (skipsPlaces && group.places[at]) continue;
    const value = values[at];
    if (value === undefined && group.excludesMissingValues) return 'out';
    const choice = choices[at];
    if (value === undefined || value === UNDECIDED) {
      if (verdict !== 'choice') verdict = 'open';
    } else if (choice === undefined) {
      if (value !== filter) return 'out';
    } else if (!choice.includes(value)) verdict = 'choice';
  }
  return verdict;
}

/** True if the server alone knows the members: an argument is undecided, or names no field of the row. */
export function isOpenGroup(group: ListGroup, values: readonly FilterValue[]): boolean {
  const { undecided, names, declared, places, excludesMissingValues } = group;
  if (undecided.length > 0) return true;
  if (excludesMissingValues) return false;
  return names.some((_, at) => !declared[at] && !places[at] && values[at] === undefined);
}
