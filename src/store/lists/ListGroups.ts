/** The lists of one table, grouped by the filters in their arguments. */
import type { ListConditions } from '../../schema/conditionsOf.ts';
import type { ListKind } from '../../schema/schema.ts';
import { EMPTY } from '../records/append.ts';
import { shallowEqualArrays } from '../records/diffMembers.ts';
import type { StoredList } from './StoredList.ts';

/** Lists with the same argument names, grouped by the values of their filters. */
interface ListGroup extends Omit<ListConditions, 'filters'> {
  readonly names: readonly string[];
  readonly byValues: Map<unknown, AlikeLists>;
}

/** Lists with the same filters: they differ in their order or page only, so they are few. */
interface AlikeLists {
  readonly values: readonly string[];
  readonly lists: StoredList[];
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
    const { byValues, values } = this.#groupOf(pk);
    const lists = byValues.get(keyOf(values))?.lists.filter((one) => one !== list);
    if (lists?.length) byValues.set(keyOf(values), { values, lists });
    else byValues.delete(keyOf(values));
  }

  /** All groups, with all lists in them. */
  get upToDate(): readonly ListGroup[] {
    for (const list of this.ungrouped) {
      const { byValues, values } = this.#groupOf(list.pk);
      const lists = byValues.get(keyOf(values))?.lists;
      if (!lists?.push(list)) byValues.set(keyOf(values), { values, lists: [list] });
      this.ungrouped.delete(list);
    }
    return this.#groups;
  }

  /** The group of the list with this `pk`, and the values of its filters. */
  #groupOf(pk: string): ListGroup & Pick<AlikeLists, 'values'> {
    const { filters, ...flags } = this.#kind.conditions(pk);
    const names = Object.keys(filters);
    const { isPage } = flags;
    let group = this.#groups.find(
      (one) => one.isPage === isPage && shallowEqualArrays(one.names, names),
    );
    if (group === undefined) this.#groups.push((group = { ...flags, names, byValues: new Map() }));
    return { ...group, values: Object.values(filters) };
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
