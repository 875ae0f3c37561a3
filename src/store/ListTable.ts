/** The lists that are read at one address, by their arguments and by the filter conditions in these. */
import type { ListChangeOp, ListKind } from '../schema/schema.ts';
import { ListRecord } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { ListEnd } from './MembershipLog.ts';
import { EMPTY } from './append.ts';
import { StoreRecord } from './StoreRecord.ts';
import { withStoredValues } from './FilterLookup.ts';
import type { FilterLookup } from './FilterLookup.ts';

/** A member enters a list at one side, leaves the list, or goes to the position that a user-defined merge returns. */
export interface MemberOp {
  readonly list: StoredList;
  readonly member: StoreRecord;
  readonly side: ListEnd | 'out' | 'merge';
  /** For a map: the key at which the member enters. */
  readonly key: string | undefined;
}

/** A list, or a map. */
export type StoredList = ListRecord | MapRecord;

/** The lists that take a member, and the lists for which this is unknown. */
export interface MatchingLists {
  readonly certain: readonly StoredList[];
  readonly uncertain: readonly StoredList[];
}

/** Lists with the same argument names, grouped by the values of their filters as JSON. */
interface Shape {
  readonly names: readonly string[];
  readonly paged: boolean;
  readonly strict: boolean;
  readonly groups: Map<string, Set<StoredList>>;
}

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write confirmed in this table. */
  writtenAt = 0;
  /** True once members have entered or left by anything other than a read. */
  moved = false;
  readonly records: Map<string, StoredList> = new Map();
  readonly #filed: Map<string, Shape> = new Map();
  /** Lists whose filters were not needed yet, because no member has moved since. */
  readonly #unfiled: Set<StoredList> = new Set();
  readonly #pending: Iterable<ListRecord>;

  constructor(kind: ListKind, pending: Iterable<ListRecord>) {
    this.kind = kind;
    this.#pending = pending;
  }

  make(pk: string): StoredList {
    const { kind } = this;
    const record = (kind.records?.(kind, pk) as StoredList | undefined) ?? new ListRecord(kind, pk);
    this.records.set(pk, record);
    this.#unfiled.add(record);
    return record;
  }

  /** Renames a list, because a primary key in its identity was replaced. */
  rename(list: StoredList, pk: string): void {
    this.drop(list.pk);
    list.pk = pk;
    this.records.set(pk, list);
    this.#unfiled.add(list);
  }

  get #shapes(): ReadonlyMap<string, Shape> {
    for (const list of this.#unfiled) {
      const { shape, values } = this.#placeOf(list.pk);
      shape.groups.set(values, (shape.groups.get(values) ?? new Set()).add(list));
    }
    this.#unfiled.clear();
    return this.#filed;
  }

  drop(pk: string): void {
    const list = this.records.get(pk) as StoredList;
    this.records.delete(pk);
    if (this.#unfiled.delete(list)) return;
    const { shape, values } = this.#placeOf(pk);
    const group = shape.groups.get(values);
    group?.delete(list);
    if (group?.size === 0) shape.groups.delete(values);
  }

  release(pk: string): boolean {
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
   * The lists that the members of an entry enter or leave, in order. `given`: the matching lists of each member, if
   * known. `issued`: time of the layer with this entry. `doubt` is called with each list that may have changed.
   */
  memberOps(entry: ListChangeOp, { given, issued, doubt }: MemberOpOptions = {}): MemberOp[] {
    const { how, merge, keys, values } = entry;
    const moves: MemberOp[] = [];
    const places = [...entry.members.entries()];
    // each member is inserted at the start, so the last one comes first
    if (how === 'start') places.reverse();
    const side = how === 'start' ? 'start' : 'end';
    for (const [at, member] of places) {
      if (!(member instanceof StoreRecord)) continue;
      const told = values[at] as FilterLookup;
      const said = how === 'move' ? withStoredValues(member, told, issued) : told;
      const matchingLists = given?.[at] ?? this.#taking(entry, member, said);
      const go = (list: StoredList, where: MemberOp['side']) =>
        moves.push({ list, member, side: where, key: keys?.[at] });
      for (const list of this.#left(member, how, matchingLists, said)) go(list, 'out');
      for (const list of matchingLists.certain) go(list, merge === undefined ? side : 'merge');
      if (doubt !== undefined) matchingLists.uncertain.forEach(doubt);
    }
    return moves;
  }

  #taking(entry: ListChangeOp, member: StoreRecord, said: FilterLookup): MatchingLists {
    if (entry.how !== 'out') return this.taking(entry, said);
    return { certain: EMPTY, uncertain: this.possiblyAffected(member, said, true) };
  }

  /** The lists that take a member. */
  taking({ filter }: ListChangeOp, said: FilterLookup): MatchingLists {
    if (filter === undefined) return this.#matching(said);
    const lists = [...this.records.values()].filter(({ pk }) => filter(this.kind.filters(pk)));
    return { certain: lists, uncertain: EMPTY };
  }

  /** The lists that a member leaves. Stored values of the member never keep it in a list it was removed from. */
  #left(
    member: StoreRecord,
    how: ListChangeOp['how'],
    taking: MatchingLists,
    said: FilterLookup,
  ): StoredList[] {
    if (how !== 'out' && how !== 'move') return [];
    const { certain, uncertain } = taking;
    return this.#holding(member).filter((list) =>
      how === 'out'
        ? !this.#against(list, said)
        : !certain.includes(list) && !uncertain.includes(list),
    );
  }

  #holding(member: StoreRecord): StoredList[] {
    return containingLists(member, this.#pending).filter(
      (list) => this.records.get(list.pk) === list,
    );
  }

  /** Cost: the shapes, the matches, and all lists of each shape with a filter for which `said` has no value. */
  #matching(said: FilterLookup): MatchingLists {
    const certain: StoredList[] = [];
    const uncertain: StoredList[] = [];
    for (const { names, paged, strict, groups } of this.#shapes.values()) {
      const values = names.map(said);
      if (!values.includes(undefined))
        (paged ? uncertain : certain).push(...(groups.get(JSON.stringify(values)) ?? EMPTY));
      else if (!strict) uncertain.push(...agreeing(groups, values));
    }
    return { certain, uncertain };
  }

  /**
   * The lists that a change to a member at another address may have changed: lists with this member, and lists with
   * filters that agree with it. Path params of another address are ignored, since their meaning here is unknown.
   * `paged`: only numbered pages, which change when a member leaves.
   */
  possiblyAffected(member: StoreRecord, said: FilterLookup, paged: boolean): StoredList[] {
    const found = paged ? [] : this.#holding(member);
    for (const shape of this.#shapes.values()) {
      if (paged && !shape.paged) continue;
      const values = shape.names.map((name) =>
        this.kind.at.isPathParam(name) ? undefined : said(name),
      );
      found.push(...agreeing(shape.groups, values));
    }
    return found;
  }

  /** The lists that an entry at another address may have changed. */
  *possiblyAffectedBy({ members, values, how }: ListChangeOp): Generator<StoredList> {
    for (const [at, member] of members.entries()) {
      if (!(member instanceof StoreRecord)) continue;
      const told = values[at] as FilterLookup;
      yield* this.possiblyAffected(
        member,
        how === 'move' ? withStoredValues(member, told) : told,
        false,
      );
    }
  }

  /** True if a filter argument of the list has another value than `said`. */
  #against({ pk }: StoredList, said: FilterLookup): boolean {
    const filters = Object.entries(this.kind.filters(pk));
    return filters.some(([name, value]) => (said(name) ?? value) !== value);
  }

  #placeOf(pk: string): { readonly shape: Shape; readonly values: string } {
    const { filters, paged, strict } = this.kind.conditions(pk);
    const names = Object.keys(filters);
    const id = JSON.stringify([paged, ...names]);
    const shape = this.#filed.get(id) ?? { names, paged, strict, groups: new Map() };
    this.#filed.set(id, shape);
    return { shape, values: JSON.stringify(Object.values(filters)) };
  }
}

interface MemberOpOptions {
  readonly given?: readonly MatchingLists[] | undefined;
  readonly issued?: number | undefined;
  readonly doubt?: (list: StoredList) => void;
}

/** The lists of a shape in which no filter has another value than `said`. */
function* agreeing(
  groups: Shape['groups'],
  said: readonly (string | undefined)[],
): Generator<StoredList> {
  for (const [text, lists] of groups) {
    const values = JSON.parse(text) as readonly string[];
    if (values.every((value, at) => (said[at] ?? value) === value)) yield* lists;
  }
}

/** The lists that contain `member`, as confirmed or by an optimistic write. `pending`: lists with optimistic writes. */
export function containingLists(member: StoreRecord, pending: Iterable<ListRecord>): StoredList[] {
  const holders = [...member.allParents].filter(
    (holder): holder is StoredList => 'removeMember' in holder,
  );
  for (const list of pending)
    if (!holders.includes(list) && list.containsAnywhere(member)) holders.push(list);
  return holders;
}
