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
  readonly #ungrouped: Set<StoredList> = new Set();

  constructor(kind: ListKind) {
    this.#kind = kind;
  }

  add(list: StoredList): void {
    this.#ungrouped.add(list);
  }

  /** `pk`: the identity of the list as it was added. */
  delete(list: StoredList, pk: string): void {
    if (this.#ungrouped.delete(list)) return;
    const alike = this.#alikeTo(pk);
    alike.lists = alike.lists.filter((one) => one !== list);
    if (alike.lists.length === 0) alike.byValues.delete(keyOf(alike.values));
  }

  /** All groups, with all lists in them. */
  get upToDate(): readonly ListGroup[] {
    for (const list of this.#ungrouped) {
      const alike = this.#alikeTo(list.pk);
      alike.lists = append(alike.lists, list);
      this.#ungrouped.delete(list);
    }
    return this.#groups;
  }

  /** The lists with the same conditions as the list with this `pk`. */
  #alikeTo(pk: string): AlikeLists {
    const { filters, isPage, excludesMissingValues } = this.#kind.conditions(pk);
    const names: string[] = [];
    const values: string[] = [];
    for (const name in filters) {
      names.push(name);
      values.push(filters[name] as string);
    }
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

/** `found`, and the lists of a group in which no filter has another value than `values`; undefined matches any value. */
export function withCompatibleLists(
  found: StoredList[],
  { byValues }: ListGroup,
  values: readonly (string | undefined)[],
): StoredList[] {
  let all = found;
  if (values.includes(undefined)) {
    for (const alike of byValues.values())
      if (alike.values.every((filter, at) => (values[at] ?? filter) === filter))
        for (const list of alike.lists) all = append(all, list);
  } else for (const list of byValues.get(keyOf(values))?.lists ?? EMPTY) all = append(all, list);
  return all;
}
