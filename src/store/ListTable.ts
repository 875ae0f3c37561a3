/** The lists that are read at one address, by their arguments and by the filter conditions in these. */
import type { ListChangeOp, ListKind } from '../schema/schema.ts';
import { ListRecord } from './ListRecord.ts';
import type { ListEnd } from './MembershipLog.ts';
import { EMPTY } from './append.ts';
import { containingLists } from './StoredList.ts';
import type { StoredList } from './StoredList.ts';
import { StoreRecord } from './StoreRecord.ts';
import { withStoredFallback } from './FilterLookup.ts';
import type { FilterLookup } from './FilterLookup.ts';
import type { Stamp } from './versioning.ts';

/** A member enters a list at one side, leaves the list, or goes to the position that a user-defined merge returns. */
export interface MemberOp {
  readonly list: StoredList;
  readonly member: StoreRecord;
  readonly op: ListEnd | 'out' | 'merge';
  /** For a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
}

/** The lists that take a member, and the lists for which this is unknown. */
export interface MatchingLists {
  readonly certain: readonly StoredList[];
  readonly uncertain: readonly StoredList[];
}

/** Lists with the same argument names, grouped by the values of their filters as JSON. */
interface ListGroup {
  readonly names: readonly string[];
  readonly isPage: boolean;
  readonly excludesMissingValues: boolean;
  readonly byValues: Map<string, Set<StoredList>>;
}

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write confirmed in this table. */
  lastOwnWriteTime = 0;
  /** True once members have entered or left by anything other than a read. */
  hasMembershipWrites = false;
  readonly records: Map<string, StoredList> = new Map();
  readonly #groups: Map<string, ListGroup> = new Map();
  /** Lists whose filters were not needed yet, because no member has moved since. */
  readonly #ungrouped: Set<StoredList> = new Set();
  readonly #pendingLists: Iterable<StoredList>;

  constructor(kind: ListKind, pending: Iterable<StoredList>) {
    this.kind = kind;
    this.#pendingLists = pending;
  }

  createRecord(pk: string): StoredList {
    const { kind } = this;
    const record =
      (kind.createRecord?.(kind, pk) as StoredList | undefined) ?? new ListRecord(kind, pk);
    this.records.set(pk, record);
    this.#ungrouped.add(record);
    return record;
  }

  /** Renames a list, because a primary key in its identity was replaced. */
  rename(list: StoredList, pk: string): void {
    this.drop(list.pk);
    list.pk = pk;
    this.records.set(pk, list);
    this.#ungrouped.add(list);
  }

  get #upToDateGroups(): ReadonlyMap<string, ListGroup> {
    // to clear an empty set has a cost too
    if (this.#ungrouped.size === 0) return this.#groups;
    for (const list of this.#ungrouped) {
      const { listGroup, values } = this.#groupOf(list.pk);
      listGroup.byValues.set(values, (listGroup.byValues.get(values) ?? new Set()).add(list));
    }
    this.#ungrouped.clear();
    return this.#groups;
  }

  drop(pk: string): void {
    const list = this.records.get(pk) as StoredList;
    this.records.delete(pk);
    if (this.#ungrouped.delete(list)) return;
    const { listGroup, values } = this.#groupOf(pk);
    const lists = listGroup.byValues.get(values);
    lists?.delete(list);
    if (lists?.size === 0) listGroup.byValues.delete(values);
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

  /** The lists that the members of an entry enter or leave, in order. */
  memberOps(
    entry: ListChangeOp,
    { time, matchingLists, onUncertain }: MemberOpOptions,
  ): MemberOp[] {
    const { op, merge, members, keys, filterLookups } = entry;
    const moves: MemberOp[] = [];
    const atStart = op === 'start';
    const side = merge !== undefined ? 'merge' : atStart ? 'start' : 'end';
    for (let step = 0; step < members.length; step++) {
      // each member is inserted at the start, so the last one comes first
      const at = atStart ? members.length - 1 - step : step;
      const member = members[at];
      if (!(member instanceof StoreRecord)) continue;
      let lookup = filterLookups[at] as FilterLookup;
      if (op !== 'out') lookup = withStoredFallback(member, lookup, { op, kind: this.kind, time });
      const listsFor = matchingLists?.[at] ?? this.#listsForMember(entry, member, lookup);
      const key = keys?.[at];
      for (const list of this.#listsToLeave(member, op, listsFor, lookup))
        moves.push({ list, member, op: 'out', mapKey: key });
      for (const list of listsFor.certain) moves.push({ list, member, op: side, mapKey: key });
      if (onUncertain !== undefined) listsFor.uncertain.forEach(onUncertain);
    }
    return moves;
  }

  #listsForMember(entry: ListChangeOp, member: StoreRecord, lookup: FilterLookup): MatchingLists {
    if (entry.op !== 'out') return this.matchingLists(entry, lookup);
    return { certain: EMPTY, uncertain: this.uncertainListsForMember(member, lookup, true) };
  }

  /** The lists that take a member. */
  matchingLists({ filter }: ListChangeOp, lookup: FilterLookup): MatchingLists {
    if (filter === undefined) return this.#matchByFilters(lookup);
    const lists = [...this.records.values()].filter(({ pk }) => filter(this.kind.filterArgs(pk)));
    return { certain: lists, uncertain: EMPTY };
  }

  /** The lists that a member leaves. Stored values of the member never keep it in a list it was removed from. */
  #listsToLeave(
    member: StoreRecord,
    op: ListChangeOp['op'],
    matching: MatchingLists,
    lookup: FilterLookup,
  ): StoredList[] {
    if (op !== 'out' && op !== 'move') return EMPTY;
    const { certain, uncertain } = matching;
    return this.#listsContaining(member).filter((list) =>
      op === 'out'
        ? !this.#filtersExclude(list, lookup)
        : !certain.includes(list) && !uncertain.includes(list),
    );
  }

  #listsContaining(member: StoreRecord): StoredList[] {
    return containingLists(member, this.#pendingLists).filter(
      (list) => this.records.get(list.pk) === list,
    );
  }

  /** Cost: the groups, the matches, and all lists of each group with a filter for which `lookup` has no value. */
  #matchByFilters(lookup: FilterLookup): MatchingLists {
    const certain: StoredList[] = [];
    const uncertain: StoredList[] = [];
    for (const {
      names,
      isPage,
      excludesMissingValues,
      byValues,
    } of this.#upToDateGroups.values()) {
      const values = names.map(lookup);
      if (!values.includes(undefined))
        (isPage ? uncertain : certain).push(...(byValues.get(JSON.stringify(values)) ?? EMPTY));
      else if (!excludesMissingValues)
        uncertain.push(...listsWithCompatibleFilters(byValues, values));
    }
    return { certain, uncertain };
  }

  /**
   * The lists that a change to a member at another address may have changed: lists with this member, and lists with
   * filters that agree with it. Path params of another address are ignored, since their meaning here is unknown.
   * `paged`: only numbered pages, which change when a member leaves.
   */
  uncertainListsForMember(member: StoreRecord, lookup: FilterLookup, paged: boolean): StoredList[] {
    const found = paged ? [] : this.#listsContaining(member);
    for (const group of this.#upToDateGroups.values()) {
      if (paged && !group.isPage) continue;
      const values = group.names.map((name) =>
        this.kind.listOrigin.isPathParam(name) ? undefined : lookup(name),
      );
      found.push(...listsWithCompatibleFilters(group.byValues, values));
    }
    return found;
  }

  /** The lists that an entry at another address may have changed. */
  *uncertainListsForChange({ members, filterLookups, op }: ListChangeOp): Generator<StoredList> {
    for (const [at, member] of members.entries()) {
      if (!(member instanceof StoreRecord)) continue;
      const lookup = filterLookups[at] as FilterLookup;
      yield* this.uncertainListsForMember(
        member,
        op === 'move' ? withStoredFallback(member, lookup) : lookup,
        false,
      );
    }
  }

  /** True if a filter argument of the list has another value than `lookup`. */
  #filtersExclude({ pk }: StoredList, lookup: FilterLookup): boolean {
    const filters = Object.entries(this.kind.filterArgs(pk));
    return filters.some(([name, value]) => (lookup(name) ?? value) !== value);
  }

  #groupOf(pk: string): { readonly listGroup: ListGroup; readonly values: string } {
    const { filters, ...flags } = this.kind.conditions(pk);
    const names = Object.keys(filters);
    const id = JSON.stringify([flags.isPage, ...names]);
    const listGroup = this.#groups.get(id) ?? { ...flags, names, byValues: new Map() };
    this.#groups.set(id, listGroup);
    return { listGroup, values: JSON.stringify(Object.values(filters)) };
  }
}

interface MemberOpOptions {
  /** The stamp of a confirmed change, or the logical time of issue of an optimistic one. */
  readonly time: Stamp | number;
  /** The lists that take each member, if known. */
  readonly matchingLists?: readonly MatchingLists[] | undefined;
  /** Called with each list that may have changed. */
  readonly onUncertain?: (list: StoredList) => void;
}

/** The lists of a group in which no filter has another value than `lookup`. */
function* listsWithCompatibleFilters(
  groups: ListGroup['byValues'],
  lookup: readonly (string | undefined)[],
): Generator<StoredList> {
  for (const [text, lists] of groups) {
    const values = JSON.parse(text) as readonly string[];
    if (values.every((value, at) => (lookup[at] ?? value) === value)) yield* lists;
  }
}
