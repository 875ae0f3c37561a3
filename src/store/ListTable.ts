/** The lists of one kind by their arguments, and by what filters them. */
import type { Entry, ListKind } from '../schema/schema.ts';
import { confirmed } from './Layered.ts';
import type { LayeredList } from './LayeredList.ts';
import { ListRecord } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { Side } from './Memberships.ts';
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

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  /** Members have entered or left since this was made, other than by a read. */
  moved = false;
  readonly records: Map<string, Listed> = new Map();
  /** The names of filter arguments that lists have together, by themselves as JSON. */
  readonly #shapes: Map<string, readonly string[]> = new Map();
  /** The lists with the same filter arguments, by names and values. */
  readonly #alike: Map<string, Set<Listed>> = new Map();
  readonly #layered: Iterable<ListRecord>;

  constructor(kind: ListKind, layered: Iterable<ListRecord>) {
    this.kind = kind;
    this.#layered = layered;
  }

  make(pk: string): Listed {
    const { kind } = this;
    const record = (kind.records?.(kind, pk) as Listed | undefined) ?? new ListRecord(kind, pk);
    return this.#file(record, pk);
  }

  /** An entity whose key stands in the identity of this list has another key. */
  rename(list: Listed, pk: string): void {
    this.drop(list.pk);
    list.pk = confirmed(list).pk = pk;
    this.#file(list, pk);
  }

  #file(record: Listed, pk: string): Listed {
    this.records.set(pk, record);
    const id = this.#idOf(pk);
    this.#alike.set(id, (this.#alike.get(id) ?? new Set()).add(record));
    return record;
  }

  drop(pk: string): void {
    const id = this.#idOf(pk);
    const alike = this.#alike.get(id);
    alike?.delete(this.records.get(pk) as Listed);
    if (alike?.size === 0) this.#alike.delete(id);
    this.records.delete(pk);
  }

  release(pk: string): boolean {
    this.drop(pk);
    return true;
  }

  clear(): void {
    for (const record of this.records.values()) {
      confirmed(record).clear();
      if (!record.read) this.drop(record.pk);
    }
  }

  /**
   * Which lists the members of an entry enter or leave, each in its turn. `given`: those that take each were asked;
   * `issued`: of the layer that says it.
   */
  moves(entry: Entry, given?: readonly (readonly Listed[])[], issued?: number): Move[] {
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
      const taking = how === 'out' ? [] : (given?.[at] ?? this.taking(entry, said));
      const go = (list: Listed, where: Move['side']) =>
        moves.push({ list, member, side: where, key: keys?.[at] });
      for (const list of this.#left(member, how, taking, said)) go(list, 'out');
      for (const list of taking) go(list, merge === undefined ? side : 'merge');
    }
    return moves;
  }

  /** Those of one list. */
  movesIn(list: Listed, entry: Entry): Move[] {
    return this.moves(entry).filter((move) => move.list === list);
  }

  /** The lists that take a member. */
  taking({ filter }: Entry, said: Said): readonly Listed[] {
    if (filter !== undefined)
      return [...this.records.values()].filter(({ pk }) => filter(this.kind.filters(pk)));
    return this.#matching(said);
  }

  /** The lists that a member leaves. What is stored of it never keeps it in one that it was removed from. */
  #left(member: Record, how: Entry['how'], taking: readonly Listed[], said: Said): Listed[] {
    if (how !== 'out' && how !== 'move') return [];
    return holdersOf(member, this.#layered).filter((list) => {
      if (this.records.get(list.pk) !== list) return false;
      return how === 'out' ? !this.#against(list, said) : !taking.includes(list);
    });
  }

  /** The lists whose filter arguments all have the values that `said` gives. Cost: the shapes and the matches. */
  #matching(said: Said): Listed[] {
    const found: Listed[] = [];
    for (const [shape, names] of this.#shapes) {
      const values = names.map(said);
      if (!values.includes(undefined))
        found.push(...(this.#alike.get(shape + JSON.stringify(values)) ?? []));
    }
    return found;
  }

  /** True when a filter argument of the list has another value than what is said of it. */
  #against({ pk }: Listed, said: Said): boolean {
    const filters = Object.entries(this.kind.filters(pk));
    return filters.some(([name, value]) => (said(name) ?? value) !== value);
  }

  #idOf(pk: string): string {
    const filters = this.kind.filters(pk);
    const names = Object.keys(filters);
    const shape = JSON.stringify(names);
    this.#shapes.set(shape, names);
    return shape + JSON.stringify(Object.values(filters));
  }
}

/** The lists that hold a member, or may but for layers: `layered` are the lists that have any. */
export function holdersOf(member: Record, layered: Iterable<ListRecord>): Listed[] {
  const holders = [...member.allParents].filter((holder): holder is Listed => 'leave' in holder);
  for (const list of layered)
    if (!holders.includes(list) && (list.layered as LayeredList).names(member)) holders.push(list);
  return holders;
}
