/** Determines which lists a row enters and leaves because of a change of its fields. */
import { EMPTY } from '../records/SmallSet.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import type { FilterLookup } from './FilterLookup.ts';
import { ANY_FIELD, isExclusion, listsWithValues, valuesFor, verdictOf } from './ListGroups.ts';
import type { AlikeLists, ListGroup, Verdict } from './ListGroups.ts';
import type { StoredList } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import type { ListEnd } from './MembershipLog.ts';

/** A change of fields by which lists are filtered. */
export interface FieldChange {
  readonly member: StoreRecord;
  /** True for a creation that stands; false: another write, or a creation that a later push supersedes. */
  readonly isCreation?: boolean;
  /** The fields that have changed. */
  readonly names: readonly string[];
  /** The fields to which a mutation has given the same value as in the store. */
  readonly repeatedFields: readonly string[];
  /** Written by a mutation: a value that was not known before was another, and any field may matter to a search. */
  readonly isOwn: boolean;
  /** The first push or mutation of a row: which values the row had before the change is not known. */
  readonly isFirstWrite?: boolean;
  readonly before: FilterLookup;
  readonly after: FilterLookup;
}

/** The effect on a list. */
export interface FieldMove {
  readonly list: StoredList;
  readonly op: ListEnd | 'out' | undefined;
  /** The server may have other members. */
  readonly expires: boolean;
  /** None of the changed fields has the name of an argument. */
  readonly isSearch: boolean;
}

/*
 *   before \ after    in                      choice, out                 open
 *   in                -                       leaves                      expires
 *   out, choice       enters                  expires if present          expires
 *   open              enters if own, expires  leaves                      expires if own
 *   first write       expires                 -                           expires
 *   in, sorted        expires if own          leaves                      expires
 *
 * "Sorted": the changed field is one by which an argument orders the rows.
 * A row enters only a list at the address of the entity, or at an address and under a parent where a list contains the
 * row already. Elsewhere, and in maps and open lists, the list expires and shows what it has. What moves expires, too.
 */

/** The effects of a change on the lists of a table. `isHome`: see `isHomeTable`. Cost: the lists filtered by `names`. */
export function fieldMovesIn(table: ListTable, change: FieldChange, isHome: boolean): FieldMove[] {
  const { member, names, repeatedFields, isOwn, before, after } = change;
  const { groups } = table;
  const { byField, byOrder } = groups;
  const groupsBy = (fields: readonly string[], map = byField) =>
    fields.flatMap((name) => [...(map.get(name) ?? EMPTY)]);
  const orderGroups = isOwn && !change.isFirstWrite ? groupsBy(names, byOrder) : EMPTY;
  const concerned = new Set([...groupsBy(names), ...orderGroups]);
  const searches = (isOwn && byField.get(ANY_FIELD)) || EMPTY;
  const changedGroups = new Set([...concerned, ...searches]);
  const all = new Set([...changedGroups, ...groupsBy(repeatedFields)]);
  const moves: FieldMove[] = [];
  if (all.size === 0) return moves;
  const containing = table.listsWith(member);
  const known = containing.map((list) => groups.placeOf(list) as AlikeLists);
  const places = new Set(known.map(placeKey));
  for (const group of all) {
    const old = valuesFor(group, before);
    const now = valuesFor(group, after);
    const candidates = [...listsWithValues(group, old), ...listsWithValues(group, now)];
    for (const alike of new Set([...candidates, ...known])) {
      const isPlaced = group.filters.some(({ isPlace }) => isPlace);
      const hasPlace = places.has(placeKey(alike));
      // the row is known to be in another place
      if (alike.group !== group || (isPlaced && places.size > 0 && !hasPlace)) continue;
      const mayEnter = hasPlace || (isHome && !isPlaced);
      const verdicts = { old: verdictOf(alike, old), now: verdictOf(alike, now) };
      const isSearch = !concerned.has(group);
      moves.push(
        ...alike.lists.flatMap((list) => {
          const isThere = containing.includes(list);
          const situation = {
            ...verdicts,
            isThere,
            mayEnter,
            isRepeated: !changedGroups.has(group),
          };
          const effect = effectOf(change, group, situation);
          return effect ? moveOf(table, list, effect, isSearch) : EMPTY;
        }),
      );
    }
  }
  return moves;
}

interface Effect {
  readonly op?: 'in' | 'out' | false;
  readonly expires: boolean;
}

interface Situation {
  readonly old: Verdict;
  readonly now: Verdict;
  readonly isThere: boolean;
  readonly mayEnter: boolean;
  /** No field has changed: a response from before the mutation may contradict it. */
  readonly isRepeated: boolean;
}

function effectOf(
  { isOwn, isFirstWrite, names }: FieldChange,
  { undecided, hasChoices, order }: ListGroup,
  { old, now, isThere, mayEnter, isRepeated }: Situation,
): Effect | undefined {
  if (isFirstWrite) return isExclusion(now) || isThere ? undefined : { expires: true };
  if (isRepeated)
    return { expires: now === 'in' ? mayEnter && !isThere : now !== 'open' && isThere };
  if (now === 'open') {
    // a changed field without a known value before: most likely received for the first time
    const expires = old !== now || isOwn || names.some((name) => undecided.includes(name));
    return expires ? { expires } : undefined;
  }
  if (now === 'in') {
    if (old === now) return hasChoices || (order && isThere) ? { expires: true } : undefined;
    const op = mayEnter && (old !== 'open' || isOwn) && now;
    return { op, expires: !isThere || hasChoices };
  }
  const leaves = old === 'in' || old === 'open';
  const expires = isThere || now === 'choice' || (leaves && undecided.length > 0);
  return { op: leaves && 'out', expires };
}

/** The key of a row that enters a map is not known, and an application with a filter of its own decides by a call. */
function moveOf(
  { kind }: ListTable,
  list: StoredList,
  { op, expires }: Effect,
  isSearch: boolean,
): FieldMove {
  const { options, creationSide = 'end' } = kind.listOrigin;
  const side = op === 'out' ? op : op && !kind.isMap && creationSide;
  return { list, op: (!options.createCollectionFilter && side) || undefined, expires, isSearch };
}

function placeKey({ group, texts }: AlikeLists): string {
  return JSON.stringify(
    group.filters.flatMap(({ name, isPlace }, at) => (isPlace ? [name, texts[at]] : [])),
  );
}
