/** The lists of a table, grouped by the arguments that decide on their members. */
import { UNDECIDED, isDeclaredField, isPlace, valuesIn } from '../../schema/conditionsOf.ts';
import type { FilterValue } from '../../schema/conditionsOf.ts';
import type { ListKind } from '../../schema/schema.ts';
import { EMPTY } from '../records/SmallSet.ts';
import type { FilterLookup } from './FilterLookup.ts';
import type { StoredList } from './ListRecord.ts';

/** Stands for all fields in the place of a name. */
export const ANY_FIELD = '';

/** A filter argument. */
interface Filter {
  readonly name: string;
  /** See `isPlace`. */
  readonly isPlace: boolean;
  /** The class declares such a field. */
  readonly isDeclared: boolean;
}

/** Lists whose arguments have the same names and decide alike, grouped by the values of their filters. */
export interface ListGroup {
  readonly filters: readonly Filter[];
  /** See `ListConditions`. */
  readonly undecided: readonly string[];
  readonly excludesMissingValues: boolean;
  /** See `ListConditions`. */
  readonly order: readonly string[] | undefined;
  /** A filter is an array of values. */
  readonly hasChoices: boolean;
  /** By the JSON of the values. */
  readonly byValues: Map<string, AlikeLists>;
}

/** Lists with the same filters: few, because order and page are the only differences. */
export interface AlikeLists {
  readonly group: ListGroup;
  readonly texts: readonly string[];
  /** For each filter with an array of values: these values. */
  readonly choices: readonly (readonly string[] | undefined)[];
  readonly lists: StoredList[];
}

/** The values of a row by the filters of a group. Null matches any filter. */
export type RowValues = readonly (FilterValue | null)[];

export class ListGroups {
  readonly #kind: ListKind;
  readonly #groups: Map<string, ListGroup> = new Map();
  readonly #byField: Map<string, Set<ListGroup>> = new Map();
  readonly #byOrder: Map<string, Set<ListGroup>> = new Map();
  readonly #placed: Map<object, AlikeLists> = new Map();
  /** Lists whose filters were not needed yet. */
  readonly ungrouped: Set<StoredList> = new Set();

  constructor(kind: ListKind) {
    this.#kind = kind;
  }

  delete(list: StoredList): void {
    if (this.ungrouped.delete(list)) return;
    const { group, texts, lists } = this.#placed.get(list) as AlikeLists;
    this.#placed.delete(list);
    lists.splice(lists.indexOf(list), 1);
    if (lists.length === 0) group.byValues.delete(JSON.stringify(texts));
  }

  /** All groups, with all their lists. */
  get all(): Iterable<ListGroup> {
    this.#placeAll();
    return this.#groups.values();
  }

  /**
   * The names of fields that arguments have, with the groups of their lists; under `ANY_FIELD` the groups with an argument
   * that has not the name of a field, for example a search.
   */
  get byField(): ReadonlyMap<string, ReadonlySet<ListGroup>> {
    this.#placeAll();
    return this.#byField;
  }

  /** The names of fields by which arguments order the rows, with the groups of their lists. */
  get byOrder(): ReadonlyMap<string, ReadonlySet<ListGroup>> {
    this.#placeAll();
    return this.#byOrder;
  }

  /** The lists that are alike with `list`; undefined for a list of another table. */
  placeOf(list: object): AlikeLists | undefined {
    this.#placeAll();
    return this.#placed.get(list);
  }

  #placeAll(): void {
    for (const list of this.ungrouped) {
      this.ungrouped.delete(list);
      this.#place(list);
    }
  }

  #place(list: StoredList): void {
    const { filters, undecided, order, excludesMissingValues } = this.#kind.conditions(list.pk);
    const texts = Object.values(filters);
    const choices = texts.map(valuesIn);
    const names = Object.keys(filters);
    const id = JSON.stringify([names, undecided, choices.map(Boolean), order]);
    let group = this.#groups.get(id);
    if (group === undefined) {
      const { listOrigin } = this.#kind;
      group = {
        filters: names.map((name) => ({
          name,
          isPlace: isPlace(name, listOrigin),
          isDeclared: isDeclaredField(name, listOrigin),
        })),
        undecided,
        excludesMissingValues,
        order,
        hasChoices: choices.some(Boolean),
        byValues: new Map(),
      };
      this.#groups.set(id, group);
      this.#addFields(group);
    }
    const key = JSON.stringify(texts);
    let alike = group.byValues.get(key);
    if (!alike) group.byValues.set(key, (alike = { group, texts, choices, lists: [] }));
    alike.lists.push(list);
    this.#placed.set(list, alike);
  }

  #addFields(group: ListGroup): void {
    const add = (name: string, map = this.#byField) => {
      const groups = map.get(name);
      if (groups) groups.add(group);
      else map.set(name, new Set([group]));
    };
    for (const name of group.undecided) add(name);
    for (const name of group.order ?? EMPTY) add(name, this.#byOrder);
    for (const { name, isPlace: skips, isDeclared } of group.filters) {
      if (skips) continue;
      add(name);
      if (!isDeclared) add(ANY_FIELD);
    }
  }
}

/** The lists of a group that may have these values: those with the same values, or all if a value is not known. */
export function listsWithValues(group: ListGroup, values: RowValues): Iterable<AlikeLists> {
  const { byValues, hasChoices } = group;
  if (hasChoices || values.some((value) => typeof value !== 'string')) return byValues.values();
  const exact = byValues.get(JSON.stringify(values));
  return exact ? [exact] : EMPTY;
}

/**
 *   in       every filter matches
 *   out      a filter of a single value has another value
 *   choice   the value is not in the array of a filter
 *   open     nothing excludes the row, but an argument or a value is undecided
 */
export type Verdict = 'in' | 'out' | 'choice' | 'open';

/** The values of a row for the filters of a group. A place in the address excludes no row. */
export function valuesFor({ filters }: ListGroup, lookup: FilterLookup): RowValues {
  return filters.map(({ name, isPlace }) => (isPlace ? null : lookup(name)));
}

export function isExclusion(verdict: Verdict | undefined): boolean {
  return verdict === 'out' || verdict === 'choice';
}

/** What the arguments of lists say of a row with these values. */
export function verdictOf({ group, texts, choices }: AlikeLists, values: RowValues): Verdict {
  let verdict: Verdict = group.undecided.length > 0 ? 'open' : 'in';
  for (let at = 0; at < texts.length; at++) {
    const value = values[at];
    const choice = choices[at];
    if (value === undefined && group.excludesMissingValues) return 'out';
    if (value === undefined || value === UNDECIDED) {
      if (verdict === 'in') verdict = 'open';
    } else if (value !== null && choice && !choice.includes(value)) verdict = 'choice';
    else if (value !== null && !choice && value !== texts[at]) return 'out';
  }
  return verdict;
}
