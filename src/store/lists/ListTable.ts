/** The lists that are read at the same address, by their arguments and by the filter conditions in these. */
import { UNDECIDED } from '../../schema/conditionsOf.ts';
import type { ListChangeOp, ListKind, StoredKind } from '../../schema/schema.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import type { FieldVersions } from '../entities/FieldVersions.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { fieldTime } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { AllTable } from './All.ts';
import { filterLookupAt, filterValueIn, knownValue } from './FilterLookup.ts';
import type { FilterLookup } from './FilterLookup.ts';
import { ListGroups, isExclusion, listsWithValues, valuesFor, verdictOf } from './ListGroups.ts';
import { ListRecord, containingLists } from './ListRecord.ts';
import type { MemberToMerge, StoredList } from './ListRecord.ts';
import type {
  Departures,
  GoneTest,
  LeaveTest,
  ListEnd,
  IncomingEntities,
} from './MembershipLog.ts';

/** The table of a kind: of entities, of lists, or of all entities of a class. */
export type Table = EntityTable | ListTable | AllTable;

/** A member enters a list at an end, leaves the list, or goes to the position that a user-defined merge returns. */
export interface MemberOp {
  readonly list: StoredList;
  readonly member: StoreRecord;
  readonly op: ListEnd | 'out' | 'merge';
  /** For a map: the key at which the member enters. */
  readonly mapKey: string | undefined;
}

/** The lists with conditions that a member meets, and the lists that expire because the server alone knows all members. */
interface MatchingLists {
  readonly certain: readonly StoredList[];
  readonly uncertain: readonly StoredList[];
}

/** A member of a list change. */
export interface MatchedMember extends MemberToMerge, MatchingLists {
  /** Undefined: the member leaves no list. */
  readonly leaves: LeaveTest | undefined;
}

/** The part of the store that list tables use. */
export interface ListStore {
  /** `pendingLists`: lists with optimistic changes. */
  readonly layers: { readonly pendingLists: Iterable<StoredList> };
  /** The policy of the controller. */
  readonly moveRows: 'auto' | false | undefined;
}

export class ListTable {
  readonly kind: ListKind;
  /**
   * Logical time of the last own write confirmed in this table, or of a mutation without a response that may have
   * changed the table.
   */
  lastOwnWriteTime = 0;
  /** True once members have entered or left by anything other than a read. */
  hasMembershipWrites = false;
  readonly records: Map<string, StoredList> = new Map();
  readonly groups: ListGroups;
  readonly #store: ListStore;
  readonly departures: Departures = new WeakMap();

  constructor(kind: ListKind, store: ListStore) {
    this.kind = kind;
    this.groups = new ListGroups(kind);
    this.#store = store;
  }

  /** The test for the members of a list that a response fills. */
  goneTest(list: StoredList, response: IncomingEntities): GoneTest {
    return (member, since) => {
      const { versions } = member as { readonly versions?: FieldVersions };
      // of most members no field is later than the response, and no call is needed to tell
      const mayHaveLaterFields =
        versions !== undefined && (versions.time > since || !!versions.times);
      return (
        member.deletedSince(since) ||
        this.departures.get(member)?.(list, since) === true ||
        (mayHaveLaterFields && this.#isExcluded(list, member as EntityRecord, since, response))
      );
    };
  }

  /**
   * True if the member was given values after a logical time which the list excludes. False if the list, with the values
   * that the response has, would exclude the member, too: the server follows another rule than the arguments.
   */
  #isExcluded(
    list: StoredList,
    member: EntityRecord,
    since: number,
    response: IncomingEntities,
  ): boolean {
    const place = this.groups.placeOf(list);
    if (!place || !this.followsFields || this.kind.listOrigin.options.createCollectionFilter)
      return false;
    const excludes = (lookup: FilterLookup) => {
      const laterValue = (name: string) =>
        (fieldTime(name, member.versions) > since ? lookup(name) : undefined) ?? UNDECIDED;
      return isExclusion(verdictOf(place, valuesFor(place.group, laterValue)));
    };
    return (
      excludes((name) => knownValue(member, name)) &&
      !excludes((name) => filterValueIn(response.patchOf(member), member, name))
    );
  }

  /** True if a change of a field moves rows between the lists. */
  get followsFields(): boolean {
    const { options, listEndpoint } = this.kind.listOrigin;
    return (options.moveRows ?? listEndpoint?.moveRows ?? this.#store.moveRows) !== false;
  }

  createRecord(pk: string): StoredList {
    const { kind } = this;
    const record =
      (kind.createRecord?.(kind, pk) as StoredList | undefined) ?? new ListRecord(kind, pk);
    this.records.set(pk, record);
    this.groups.ungrouped.add(record);
    return record;
  }

  /** Renames a list, because a primary key in its identity was replaced. */
  rename(list: StoredList, pk: string): void {
    this.drop(list.pk);
    list.pk = pk;
    this.records.set(pk, list);
    this.groups.ungrouped.add(list);
  }

  drop(pk: string): void {
    const list = this.records.get(pk) as StoredList;
    this.records.delete(pk);
    this.groups.delete(list);
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
   * The members of a change in the order of their moves. `time`: the stamp of a confirmed change, or the logical time
   * of issue of an optimistic change; undefined while the change is staged.
   */
  matchMembers(change: ListChangeOp, time?: Stamp | number): MatchedMember[] {
    const { members, keys, op } = change;
    let matched: MatchedMember[] = EMPTY;
    for (let step = 0; step < members.length; step++) {
      // each member is inserted at the start, so the last comes first
      const at = op === 'start' ? members.length - 1 - step : step;
      const member = members[at];
      if (!(member instanceof StoreRecord)) continue;
      const lookup = filterLookupAt(change, at, this, time);
      const { certain, uncertain } = this.#matchingLists(change, lookup);
      const leaves = this.#leaveTest(change, lookup, [...certain, ...uncertain]);
      matched = append(matched, { member, mapKey: keys?.[at], certain, uncertain, leaves });
    }
    return matched;
  }

  /** `matching`: the lists that a custom filter has not excluded. */
  #leaveTest(
    { op, filter }: ListChangeOp,
    lookup: FilterLookup,
    matching: readonly StoredList[],
  ): LeaveTest | undefined {
    if (op !== 'out' && op !== 'move') return undefined;
    if (op === 'move' && filter !== undefined)
      return (list) => !matching.includes(list as StoredList);
    return (list) => {
      const known = this.groups.placeOf(list);
      // stored values never keep a member in a list after its removal
      const missing = op === 'out' ? UNDECIDED : undefined;
      const values = known?.group.filters.map(({ name }) => lookup(name) ?? missing);
      const verdict = known && values && verdictOf(known, values);
      return op === 'out' ? verdict !== 'out' : isExclusion(verdict);
    };
  }

  #matchingLists({ op, filter }: ListChangeOp, lookup: FilterLookup): MatchingLists {
    if (op === 'out') return { certain: EMPTY, uncertain: this.openLists(lookup) };
    if (filter === undefined) return this.#matchByFilters(lookup);
    const certain: StoredList[] = [];
    const uncertain: StoredList[] = [];
    for (const list of this.records.values()) {
      const isMatch = filter(this.kind.filterArgs(list.pk));
      if (isMatch === undefined) uncertain.push(list);
      else if (isMatch) certain.push(list);
    }
    return { certain, uncertain };
  }

  /** The lists that the members of a change enter or leave, in order. */
  memberOps({ op, merge }: ListChangeOp, matched: readonly MatchedMember[]): MemberOp[] {
    const side = merge !== undefined ? 'merge' : op === 'start' ? 'start' : 'end';
    let ops: MemberOp[] = EMPTY;
    for (const { member, mapKey, certain, leaves } of matched) {
      if (leaves !== undefined)
        for (const list of this.listsContaining(member).filter(leaves))
          ops = append<MemberOp>(ops, { list, member, op: 'out', mapKey });
      for (const list of certain) ops = append<MemberOp>(ops, { list, member, op: side, mapKey });
    }
    return ops;
  }

  /** The lists of this table that show the member, or in which an optimistic write hides or inserts the member. */
  listsContaining(member: StoreRecord): StoredList[] {
    return containingLists(member, this.#store.layers.pendingLists).filter(
      (list) => this.records.get(list.pk) === list,
    );
  }

  /** As `listsContaining`, without lists in which an optimistic change hides the member: it may have never been there. */
  listsWith(member: StoreRecord): StoredList[] {
    return this.listsContaining(member).filter(
      (list) => list.hasConfirmed(member) || list.pending?.inserts(member),
    );
  }

  /** Cost: the groups, the matches, and all lists of each group with a filter for which `lookup` has no value. */
  #matchByFilters(lookup: FilterLookup): MatchingLists {
    const certain: StoredList[] = [];
    const uncertain: StoredList[] = [];
    for (const group of this.groups.all) {
      const values = group.filters.map(({ name }) => lookup(name));
      for (const alike of listsWithValues(group, values)) {
        const verdict = verdictOf(alike, values);
        if (verdict === 'in') certain.push(...alike.lists);
        // an array of values may mean something else than a choice among the values; an order gives the row another place
        if (verdict !== 'out' && (verdict !== 'in' || group.hasChoices || group.order))
          uncertain.push(...alike.lists);
      }
    }
    return { certain, uncertain };
  }

  /** The lists that the members of an entry at another address may have changed. */
  uncertainListsForChange(change: ListChangeOp): StoredList[] {
    return change.members.flatMap((member, at) =>
      member instanceof StoreRecord
        ? this.uncertainLists(member, filterLookupAt(change, at, this))
        : EMPTY,
    );
  }

  /** The lists that contain the member, and the lists with filters that agree with the member. */
  uncertainLists(member: StoreRecord, lookup: FilterLookup): StoredList[] {
    return [...this.listsWith(member), ...this.openLists(lookup, false)];
  }

  /**
   * The lists with filters that agree with a member that leaves, and with members of which the server alone knows: numbered
   * pages and searches; `onlyOpen` false: the others, too. Params of the path are ignored, since those of another address
   * have another meaning.
   */
  openLists(lookup: FilterLookup, onlyOpen: boolean = true): StoredList[] {
    const found: StoredList[] = [];
    for (const group of this.groups.all) {
      const { filters, undecided, excludesMissingValues } = group;
      const values = filters.map(({ name }) =>
        this.kind.listOrigin.isPathParam(name) ? null : (lookup(name) ?? UNDECIDED),
      );
      const isSearch = filters.some(
        ({ isDeclared, isPlace }, at) => !isDeclared && !isPlace && values[at] === UNDECIDED,
      );
      if (onlyOpen && undecided.length === 0 && !(isSearch && !excludesMissingValues)) continue;
      for (const alike of listsWithValues(group, values))
        if (verdictOf(alike, values) !== 'out') found.push(...alike.lists);
    }
    return found;
  }
}

export interface ListTables {
  /**
   * Tables at the address of the change, else the table of the entry's kind; and nested lists. Conditions decide for
   * each list.
   */
  readonly matchedByConditions: readonly ListTable[];
  /** Lists of the same entities at other addresses. */
  readonly atOtherAddresses: readonly ListTable[];
}

type TableMap = ReadonlyMap<unknown, Table>;

/** All tables of lists that may contain entities of any of these tables. */
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

/**
 * True for the lists that a write at the address of the entity changes: the list of its resource, else the only list
 * that created rows enter, else the only list; and nested lists.
 */
export function isHomeTable({ kind }: ListTable, all: readonly ListTable[]): boolean {
  if (kind.listOrigin.isNestedOnly) return true;
  const origins = all.map((table) => table.kind.listOrigin).filter((one) => !one.isNestedOnly);
  const owners = origins.filter(({ listEndpoint }) => listEndpoint?.ownsList);
  if (owners.length > 0) return owners.includes(kind.listOrigin);
  const written = origins.filter(({ creationSide }) => creationSide);
  const [only, ...others] = written.length > 0 ? written : origins;
  return others.length === 0 && only === kind.listOrigin;
}
