/** Determines which lists a row enters and leaves because of a change of its fields. */
import type { FilterValue } from '../../schema/conditionsOf.ts';
import { UNDECIDED } from '../../schema/conditionsOf.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { EMPTY } from '../records/append.ts';
import type { FilterLookup } from './FilterLookup.ts';
import { ANY_FIELD, compatibleLists, verdictOf } from './ListGroups.ts';
import type { AlikeLists, ListGroup, Verdict } from './ListGroups.ts';
import type { ListTable } from './ListTable.ts';
import type { ListEnd } from './MembershipLog.ts';
import type { StoredList } from './StoredList.ts';

/** A change of fields by which lists are filtered. */
export interface FieldChange {
  readonly member: StoreRecord;
  /** The fields that have changed. */
  readonly names: readonly string[];
  /** Written by a mutation: a value that was not known before was another, and any field may matter to a search. */
  readonly isOwn: boolean;
  readonly before: FilterLookup;
  readonly after: FilterLookup;
}

/** The effect on one list. */
export interface FieldMove {
  readonly list: StoredList;
  readonly op: ListEnd | 'out' | undefined;
  /** The server may have other members. */
  readonly expires: boolean;
  /** Any field may decide on the members: none of the changed ones has the name of an argument. */
  readonly isSearch: boolean;
}

/*
 *   before \ after    in                      choice, out                 open
 *   in                -                       leaves                      expires
 *   out, choice       enters                  expires if it is there      expires
 *   open              enters if own, expires  leaves                      expires if own
 *
 * A row enters only a list that holds rows of the same place already with this row, or a list at the address of the
 * entity. Elsewhere, and in maps and open lists, the list expires and shows what it has. What moves expires, too.
 */

/** The effects of a change on the lists of a table. `isHome`: see `isHomeTable`. Cost: the lists filtered by `names`. */
export function fieldMovesIn(table: ListTable, change: FieldChange, isHome: boolean): FieldMove[] {
  const groups = groupsFor(table, change);
  return groups.size === 0 ? EMPTY : new MoveFinder(table, change, isHome).find(groups);
}

/** The groups that a change concerns; true for those that it concerns because any field may decide. */
function groupsFor(table: ListTable, { names, isOwn }: FieldChange): Map<ListGroup, boolean> {
  const { byField } = table.groups;
  const groups = new Map<ListGroup, boolean>();
  for (const name of names)
    for (const group of byField.get(name) ?? EMPTY) groups.set(group, false);
  if (isOwn)
    for (const group of byField.get(ANY_FIELD) ?? EMPTY)
      if (!groups.has(group)) groups.set(group, true);
  return groups;
}

class MoveFinder {
  readonly #table: ListTable;
  readonly #change: FieldChange;
  readonly #isHome: boolean;
  readonly #containing: ReadonlySet<StoredList>;
  /** The places of the lists that contain the row. */
  readonly #places: ReadonlySet<string>;
  #isSearch = false;
  readonly #moves: FieldMove[] = [];

  constructor(table: ListTable, change: FieldChange, isHome: boolean) {
    this.#table = table;
    this.#change = change;
    this.#isHome = isHome;
    const { member } = change;
    // a list in which an optimistic change hides the row may have never contained it
    const isIn = (list: StoredList) =>
      list.hasConfirmed(member) || list.pending?.inserts(member) === true;
    this.#containing = new Set(table.listsContaining(member).filter(isIn));
    this.#places = new Set(
      Array.from(this.#containing, (list) => {
        const placed = table.groups.placeOf(list);
        return placed ? placeKey(placed.group, placed.alike) : '';
      }),
    );
  }

  find(groups: ReadonlyMap<ListGroup, boolean>): FieldMove[] {
    for (const [group, isSearch] of groups) {
      this.#isSearch = isSearch;
      this.#findIn(group);
    }
    return this.#moves;
  }

  #findIn(group: ListGroup): void {
    const { before, after } = this.#change;
    const old = valuesFor(group, before);
    const now = valuesFor(group, after);
    const candidates = new Set([...compatibleLists(group, old), ...compatibleLists(group, now)]);
    for (const list of this.#containing) {
      const placed = this.#table.groups.placeOf(list);
      if (placed?.group === group) candidates.add(placed.alike);
    }
    for (const alike of candidates) {
      const hasPlace = this.#places.has(placeKey(group, alike));
      // the row is known to be in another place
      if (group.places.includes(true) && this.#places.size > 0 && !hasPlace) continue;
      const verdicts = [old, now].map((values) => verdictOf(group, alike, values, true));
      for (const list of alike.lists)
        this.#add(list, group, verdicts as [Verdict, Verdict], hasPlace);
    }
  }

  #add(
    list: StoredList,
    group: ListGroup,
    [old, now]: [Verdict, Verdict],
    hasPlace: boolean,
  ): void {
    const { isOwn } = this.#change;
    const isThere = this.#containing.has(list);
    if (now === 'out' || now === 'choice') {
      const isOpen = now === 'choice' || group.undecided.length > 0;
      const leaves = old === 'in' || old === 'open';
      if (isThere || now === 'choice' || (leaves && isOpen))
        return this.#push(list, leaves && 'out');
      if (leaves) this.#push(list, 'out', false);
      return;
    }
    if (now === 'open') {
      if (old !== 'open' || isOwn || this.#isUndecided(group)) this.#push(list);
      return;
    }
    if (old === 'in') {
      if (group.hasChoices) this.#push(list);
      return;
    }
    const isCertain = this.#isHome || hasPlace;
    const enters = isCertain && this.#table.admitsMoves && (old !== 'open' || isOwn);
    const hasOtherPlace = group.places.includes(true) && !hasPlace;
    const op = enters && !hasOtherPlace && this.#table.sideOfMoves;
    this.#push(list, op, !isThere || group.hasChoices);
  }

  #push(list: StoredList, op: ListEnd | 'out' | false = false, expires = true): void {
    const moves = this.#table.hasCustomFilter ? false : op;
    this.#moves.push({ list, op: moves || undefined, expires, isSearch: this.#isSearch });
  }

  /** True if a changed field has, or had, a value with which no argument can be compared. */
  #isUndecided({ names, undecided }: ListGroup): boolean {
    const { names: changed, before, after } = this.#change;
    return changed.some(
      (name) =>
        undecided.includes(name) ||
        (names.includes(name) && (before(name) === UNDECIDED || after(name) === UNDECIDED)),
    );
  }
}

/** The values of a row by the filters of a group. Which place the row is in no field tells. */
function valuesFor({ names, places }: ListGroup, lookup: FilterLookup): FilterValue[] {
  return names.map((name, at) => (places[at] ? undefined : lookup(name)));
}

function placeKey({ names, places }: ListGroup, { values }: AlikeLists): string {
  return JSON.stringify(names.flatMap((name, at) => (places[at] ? [name, values[at]] : [])));
}
