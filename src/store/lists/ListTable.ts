/** The lists that are read at one address, by their arguments and by the filter conditions in these. */
import type { ListConditions } from '../../schema/conditionsOf.ts';
import type { ListChangeOp, ListKind, StoredKind } from '../../schema/schema.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { EMPTY, append } from '../records/append.ts';
import { shallowEqualArrays } from '../records/diffMembers.ts';
import type { Stamp } from '../records/versioning.ts';
import { filterLookupAt } from './FilterLookup.ts';
import type { FilterLookup } from './FilterLookup.ts';
import { ListRecord } from './ListRecord.ts';
import type { DepartedList, Departures, LeaveTest, ListEnd } from './MembershipLog.ts';
import { containingLists } from './StoredList.ts';
import type { StoredList } from './StoredList.ts';
import type { Table } from './Table.ts';
import type { MemberToMerge } from './runListMerge.ts';

/** A member enters a list at one side, leaves the list, or goes to the position that a user-defined merge returns. */
export interface MemberOp {
  readonly list: StoredList;
  readonly member: StoreRecord;
  readonly op: ListEnd | 'out' | 'merge';
  /** For a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
}

/** The lists with conditions that a member meets, and the lists for which this is unknown. */
interface MatchingLists {
  readonly certain: readonly StoredList[];
  readonly uncertain: readonly StoredList[];
}

/** A member of a list change. */
export interface MatchedMember extends MemberToMerge, MatchingLists {
  /** Undefined: the member leaves no list. */
  readonly leaves: LeaveTest | undefined;
}

/** The store as list tables use it. */
export interface ListStore {
  /** `pendingLists`: lists with optimistic changes. */
  readonly layers: { readonly pendingLists: Iterable<StoredList> };
}

export class ListTable {
  readonly kind: ListKind;
  /**
   * Logical time of the last own write confirmed in this table, or of a mutation without a response that may have
   * changed it.
   */
  lastOwnWriteTime = 0;
  /** True once members have entered or left by anything other than a read. */
  hasMembershipWrites = false;
  readonly records: Map<string, StoredList> = new Map();
  readonly #groups: ListGroups;
  readonly #store: ListStore;
  readonly departures: Departures = new WeakMap();

  constructor(kind: ListKind, store: ListStore) {
    this.kind = kind;
    this.#groups = new ListGroups(kind);
    this.#store = store;
  }

  createRecord(pk: string): StoredList {
    const { kind } = this;
    const record =
      (kind.createRecord?.(kind, pk) as StoredList | undefined) ?? new ListRecord(kind, pk);
    this.records.set(pk, record);
    this.#groups.ungrouped.add(record);
    return record;
  }

  /** Renames a list, because a primary key in its identity was replaced. */
  rename(list: StoredList, pk: string): void {
    this.drop(list.pk);
    list.pk = pk;
    this.records.set(pk, list);
    this.#groups.ungrouped.add(list);
  }

  drop(pk: string): void {
    const list = this.records.get(pk) as StoredList;
    this.records.delete(pk);
    this.#groups.delete(list, pk);
  }

  tryEvict(pk: string): boolean {
    this.drop(pk);
    return true;
  }

  clear(): void {
    for (const record of this.records.values()) {
      record.clear();
      if (!record.isObserved) this.drop(record.pk);
    }
  }

  /**
   * The members of a change in the order in which they move. `time`: the stamp of a confirmed change, or the logical time
   * of issue of an optimistic one; undefined while the change is staged.
   */
  matchMembers(change: ListChangeOp, time?: Stamp | number): MatchedMember[] {
    const { members, keys, op } = change;
    let matched: MatchedMember[] = EMPTY;
    for (let step = 0; step < members.length; step++) {
      // each member is inserted at the start, so the last one comes first
      const at = op === 'start' ? members.length - 1 - step : step;
      const member = members[at];
      if (!(member instanceof StoreRecord)) continue;
      const lookup = filterLookupAt(change, at, this.kind, time);
      const { certain, uncertain } = this.#matchingLists(change, lookup);
      // stored values of the member never keep it in a list it was removed from
      const leaves: LeaveTest | undefined =
        op === 'out'
          ? (list) => !this.#filtersExclude(list, lookup)
          : op === 'move'
            ? (list) => ![...certain, ...uncertain].includes(list as StoredList)
            : undefined;
      matched = append(matched, { member, mapKey: keys?.[at], certain, uncertain, leaves });
    }
    return matched;
  }

  #matchingLists({ op, filter }: ListChangeOp, lookup: FilterLookup): MatchingLists {
    if (op === 'out') return { certain: EMPTY, uncertain: this.compatibleLists(lookup, true) };
    if (filter === undefined) return this.#matchByFilters(lookup);
    const lists = [...this.records.values()].filter(({ pk }) => filter(this.kind.filterArgs(pk)));
    return { certain: lists, uncertain: EMPTY };
  }

  /** The lists that the members of a change enter or leave, in order. */
  memberOps({ op, merge }: ListChangeOp, matched: readonly MatchedMember[]): MemberOp[] {
    const side = merge !== undefined ? 'merge' : op === 'start' ? 'start' : 'end';
    let ops: MemberOp[] = EMPTY;
    for (const { member, mapKey, certain, leaves } of matched) {
      if (leaves !== undefined)
        for (const list of this.#listsContaining(member).filter(leaves))
          ops = append<MemberOp>(ops, { list, member, op: 'out', mapKey });
      for (const list of certain) ops = append<MemberOp>(ops, { list, member, op: side, mapKey });
    }
    return ops;
  }

  #listsContaining(member: StoreRecord): StoredList[] {
    return containingLists(member, this.#store.layers.pendingLists).filter(
      (list) => this.records.get(list.pk) === list,
    );
  }

  /** Cost: the groups, the matches, and all lists of each group with a filter for which `lookup` has no value. */
  #matchByFilters(lookup: FilterLookup): MatchingLists {
    const certain: StoredList[] = [];
    const uncertain: StoredList[] = [];
    for (const group of this.#groups.upToDate) {
      const values = group.names.map(lookup);
      const isKnown = !values.includes(undefined);
      if (isKnown || !group.excludesMissingValues)
        (isKnown && !group.isPage ? certain : uncertain).push(...compatibleLists(group, values));
    }
    return { certain, uncertain };
  }

  /**
   * The lists that an entry at another address may have changed: lists with one of its members, and lists with filters
   * that agree with one.
   */
  uncertainListsForChange(change: ListChangeOp): StoredList[] {
    return change.members.flatMap((member, at) =>
      member instanceof StoreRecord
        ? [
            ...this.#listsContaining(member),
            ...this.compatibleLists(filterLookupAt(change, at, this.kind), false),
          ]
        : EMPTY,
    );
  }

  /**
   * The lists with filters that agree with a member. Path params are ignored, since those of another address have
   * another meaning. `onlyPages`: only numbered pages, which change when a member leaves.
   */
  compatibleLists(lookup: FilterLookup, onlyPages: boolean): StoredList[] {
    const found: StoredList[] = [];
    for (const group of this.#groups.upToDate) {
      if (onlyPages && !group.isPage) continue;
      const values = group.names.map((name) =>
        this.kind.listOrigin.isPathParam(name) ? undefined : lookup(name),
      );
      found.push(...compatibleLists(group, values));
    }
    return found;
  }

  /** True if a filter argument of the list has another value than `lookup`. */
  #filtersExclude({ pk }: DepartedList, lookup: FilterLookup): boolean {
    const filters = Object.entries(this.kind.filterArgs(pk));
    return filters.some(([name, value]) => (lookup(name) ?? value) !== value);
  }
}

export interface ListTables {
  /**
   * Tables at the address of the change, else the table of its own lists; and nested lists. Conditions decide for each
   * list.
   */
  readonly matchedByConditions: readonly ListTable[];
  /** Lists of the same entities at other addresses. */
  readonly atOtherAddresses: readonly ListTable[];
}

type TableMap = ReadonlyMap<unknown, Table>;

/** All tables of lists that may contain entities of one of these tables. */
export function findListTablesContaining(
  tables: TableMap,
  entities: readonly StoredKind['tableKey'][],
): ListTable[] {
  return [...tables.values()].filter(
    (table): table is ListTable =>
      table instanceof ListTable &&
      table.kind.memberTableKeys.some((one) => entities.includes(one)),
  );
}

/** `own`: the table of the entry's kind. `address`: the address of the request. */
export function findListTables(
  tables: TableMap,
  own: ListTable,
  address: ListChangeOp['listAddress'],
): ListTables {
  const { isMap, memberTableKeys } = own.kind;
  const all = findListTablesContaining(tables, memberTableKeys);
  const isAtAddress = ({ kind }: ListTable): boolean =>
    kind.isMap === isMap && kind.listOrigin.listEndpoint?.listAddress === address;
  const hasAddress = address !== undefined && all.some(isAtAddress);
  const matchedByConditions: ListTable[] = [];
  const atOtherAddresses: ListTable[] = [];
  for (const table of all) {
    const isMatched =
      (hasAddress ? isAtAddress(table) : table === own) ||
      (table.kind.isMap === isMap && table.kind.listOrigin.isNestedOnly);
    (isMatched ? matchedByConditions : atOtherAddresses).push(table);
  }
  return { matchedByConditions, atOtherAddresses };
}

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
