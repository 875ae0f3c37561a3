/** The lists of one table, grouped by the filters in their arguments. */
import type { ListConditions } from '../schema/ListOrigin.ts';
import type { ListKind } from '../schema/schema.ts';
import { append, EMPTY } from './append.ts';
import { shallowEqualArrays } from './diffMembers.ts';
import type { StoredList } from './StoredList.ts';

/** Lists with the same argument names, grouped by the values of their filters. */
interface ListGroup extends Omit<ListConditions, 'filters'> {
  readonly names: readonly string[];
  readonly byValues: AlikeLists['byValues'];
}

/** Lists with the same filters: they differ in their order or page only, so they are few. */
interface AlikeLists {
  readonly values: readonly string[];
  lists: StoredList[];
  /** The map of the group. */
  readonly byValues: Map<unknown, AlikeLists>;
}

export class ListGroups {
  readonly #kind: ListKind;
  readonly #groups: ListGroup[] = [];
  /** Lists whose filters were not needed yet, because no member has moved since. */
  readonly ungrouped: Set<StoredList> = new Set();

  constructor(kind: ListKind) {
    this.#kind = kind;
  }

  /** `pk`: the identity of the list as it was added. */
  delete(list: StoredList, pk: string): void {
    if (this.ungrouped.delete(list)) return;
    const alike = this.#alikeTo(pk);
    alike.lists = alike.lists.filter((one) => one !== list);
    if (alike.lists.length === 0) alike.byValues.delete(keyOf(alike.values));
  }

  /** All groups, with all lists in them. */
  get upToDate(): readonly ListGroup[] {
    for (const list of this.ungrouped) {
      const alike = this.#alikeTo(list.pk);
      alike.lists = append(alike.lists, list);
      this.ungrouped.delete(list);
    }
    return this.#groups;
  }

  /** The lists with the same conditions as the list with this `pk`. */
  #alikeTo(pk: string): AlikeLists {
    const { filters, isPage, excludesMissingValues } = this.#kind.conditions(pk);
    const names = Object.keys(filters);
    const values = Object.values(filters);
    let group = this.#groups.find(
      (one) => one.isPage === isPage && shallowEqualArrays(one.names, names),
    );
    if (group === undefined) {
      group = { names, isPage, excludesMissingValues, byValues: new Map() };
      this.#groups.push(group);
    }
    const { byValues } = group;
    const key = keyOf(values);
    let alike = byValues.get(key);
    if (alike === undefined) byValues.set(key, (alike = { values, lists: EMPTY, byValues }));
    return alike;
  }
}

function keyOf(values: readonly unknown[]): unknown {
  return values.length > 1 ? JSON.stringify(values) : values[0];
}

/** The lists of a group in which no filter has another value than `values`; undefined matches any value. */
export function compatibleLists(
  { byValues }: ListGroup,
  values: readonly (string | undefined)[],
): readonly StoredList[] {
  if (!values.includes(undefined)) return byValues.get(keyOf(values))?.lists ?? EMPTY;
  return [...byValues.values()].flatMap(({ values: filters, lists }) =>
    filters.every((filter, at) => (values[at] ?? filter) === filter) ? lists : EMPTY,
  );
}
