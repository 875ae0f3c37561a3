/** The lists that are read at one address, by their arguments and by the conditions that these make. */
import type { Entry, ListKind } from '../schema/schema.ts';
import { ListRecord } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { Side } from './Memberships.ts';
import { NONE } from './more.ts';
import { Record } from './Record.ts';
import { knownOf } from './said.ts';
import type { Said } from './said.ts';

/** A member enters a list at one side, leaves it, or goes where a merge of the user's own puts it. */
export interface Move {
  readonly list: Listed;
  readonly member: Record;
  readonly side: Side | 'out' | 'merge';
  /** Of a map: where it enters. */
  readonly key: string | undefined;
}

/** A list, or a map. */
export type Listed = ListRecord | MapRecord;

/** The lists that take a member, and those of which nobody can tell. */
export interface Taking {
  readonly certain: readonly Listed[];
  readonly uncertain: readonly Listed[];
}

/** Lists whose arguments have the same names, by the values of their filters as JSON. */
interface Shape {
  readonly names: readonly string[];
  readonly paged: boolean;
  readonly strict: boolean;
  readonly groups: Map<string, Set<Listed>>;
}

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  /** Members have entered or left since this was made, other than by a read. */
  moved = false;
  readonly records: Map<string, Listed> = new Map();
  readonly #shapes: Map<string, Shape> = new Map();
  readonly #pending: Iterable<ListRecord>;

  constructor(kind: ListKind, pending: Iterable<ListRecord>) {
    this.kind = kind;
    this.#pending = pending;
  }

  make(pk: string): Listed {
    const { kind } = this;
    const record = (kind.records?.(kind, pk) as Listed | undefined) ?? new ListRecord(kind, pk);
    return this.#file(record, pk);
  }

  /** An entity whose key stands in the identity of this list has another key. */
  rename(list: Listed, pk: string): void {
    this.drop(list.pk);
    list.pk = pk;
    this.#file(list, pk);
  }

  #file(record: Listed, pk: string): Listed {
    this.records.set(pk, record);
    const { shape, values } = this.#placeOf(pk);
    shape.groups.set(values, (shape.groups.get(values) ?? new Set()).add(record));
    return record;
  }

  drop(pk: string): void {
    const { shape, values } = this.#placeOf(pk);
    const group = shape.groups.get(values);
    group?.delete(this.records.get(pk) as Listed);
    if (group?.size === 0) shape.groups.delete(values);
    this.records.delete(pk);
  }

  release(pk: string): boolean {
    this.drop(pk);
    return true;
  }

  clear(): void {
    for (const record of this.records.values()) {
      record.clear();
      if (!record.read) this.drop(record.pk);
    }
  }

  /**
   * Which lists the members of an entry enter or leave, each in its turn. `given`: those that take each were asked;
   * `issued`: of the layer that says it. `doubt` is called with each list that it may have changed.
   */
  moves(entry: Entry, { given, issued, doubt }: Asking = {}): Move[] {
    const { how, merge, keys, values } = entry;
    const moves: Move[] = [];
    const places = [...entry.members.entries()];
    // each goes before those that are there: the last one first
    if (how === 'start') places.reverse();
    const side = how === 'start' ? 'start' : 'end';
    for (const [at, member] of places) {
      if (!(member instanceof Record)) continue;
      const told = values[at] as Said;
      const said = how === 'move' ? knownOf(member, told, issued) : told;
      const taking = given?.[at] ?? this.#taking(entry, member, said);
      const go = (list: Listed, where: Move['side']) =>
        moves.push({ list, member, side: where, key: keys?.[at] });
      for (const list of this.#left(member, how, taking, said)) go(list, 'out');
      for (const list of taking.certain) go(list, merge === undefined ? side : 'merge');
      if (doubt !== undefined) taking.uncertain.forEach(doubt);
    }
    return moves;
  }

  #taking(entry: Entry, member: Record, said: Said): Taking {
    if (entry.how !== 'out') return this.taking(entry, said);
    return { certain: NONE, uncertain: [...this.open(member, said, true)] };
  }

  /** The lists that take a member. */
  taking({ filter }: Entry, said: Said): Taking {
    if (filter === undefined) return this.#matching(said);
    const lists = [...this.records.values()].filter(({ pk }) => filter(this.kind.filters(pk)));
    return { certain: lists, uncertain: NONE };
  }

  /** The lists that a member leaves. What is stored of it never keeps it in one that it was removed from. */
  #left(member: Record, how: Entry['how'], taking: Taking, said: Said): Listed[] {
    if (how !== 'out' && how !== 'move') return [];
    const { certain, uncertain } = taking;
    return this.#holding(member).filter((list) =>
      how === 'out'
        ? !this.#against(list, said)
        : !certain.includes(list) && !uncertain.includes(list),
    );
  }

  #holding(member: Record): Listed[] {
    return holdersOf(member, this.#pending).filter((list) => this.records.get(list.pk) === list);
  }

  /** Cost: the shapes, the matches, and all lists of a shape that has a filter of which nothing is said. */
  #matching(said: Said): Taking {
    const certain: Listed[] = [];
    const uncertain: Listed[] = [];
    for (const { names, paged, strict, groups } of this.#shapes.values()) {
      const values = names.map(said);
      if (!values.includes(undefined))
        (paged ? uncertain : certain).push(...(groups.get(JSON.stringify(values)) ?? NONE));
      else if (!strict) uncertain.push(...agreeing(groups, values));
    }
    return { certain, uncertain };
  }

  /**
   * The lists that a change to a member at another address may have changed: those that hold it, and those whose
   * filters agree with it. What the params of another path mean here, nobody knows. `paged`: only numbered pages, which
   * the departure of a member changes.
   */
  *open(member: Record, said: Said, paged: boolean): Generator<Listed> {
    const elsewhere: Said = (name) => (this.kind.at.isPathParam(name) ? undefined : said(name));
    for (const shape of this.#shapes.values()) {
      if (paged && !shape.paged) continue;
      const values = shape.names.map(elsewhere);
      yield* agreeing(shape.groups, values);
    }
    if (!paged) yield* this.#holding(member);
  }

  /** The lists that an entry at another address may have changed. */
  *mayChange({ members, values, how }: Entry): Generator<Listed> {
    for (const [at, member] of members.entries()) {
      if (!(member instanceof Record)) continue;
      const told = values[at] as Said;
      yield* this.open(member, how === 'move' ? knownOf(member, told) : told, false);
    }
  }

  /** True when a filter argument of the list has another value than what is said of it. */
  #against({ pk }: Listed, said: Said): boolean {
    const filters = Object.entries(this.kind.filters(pk));
    return filters.some(([name, value]) => (said(name) ?? value) !== value);
  }

  #placeOf(pk: string): { readonly shape: Shape; readonly values: string } {
    const { filters, paged, strict } = this.kind.conditions(pk);
    const names = Object.keys(filters);
    const id = JSON.stringify([paged, ...names]);
    const shape = this.#shapes.get(id) ?? { names, paged, strict, groups: new Map() };
    this.#shapes.set(id, shape);
    return { shape, values: JSON.stringify(Object.values(filters)) };
  }
}

interface Asking {
  readonly given?: readonly Taking[] | undefined;
  readonly issued?: number | undefined;
  readonly doubt?: (list: Listed) => void;
}

/** The lists of a shape none of whose filters has another value than what is said of it. */
function* agreeing(
  groups: Shape['groups'],
  said: readonly (string | undefined)[],
): Generator<Listed> {
  for (const [text, lists] of groups) {
    const values = JSON.parse(text) as readonly string[];
    if (values.every((value, at) => (said[at] ?? value) === value)) yield* lists;
  }
}

/** The lists that hold a member, or may but for unconfirmed writes: `pending` are the lists over which some lie. */
export function holdersOf(member: Record, pending: Iterable<ListRecord>): Listed[] {
  const holders = [...member.allParents].filter((holder): holder is Listed => 'leave' in holder);
  for (const list of pending) if (!holders.includes(list) && list.names(member)) holders.push(list);
  return holders;
}
