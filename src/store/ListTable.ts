/** The lists of one kind by their arguments, and by what filters them. */
import type { Entry, ListKind } from '../schema/schema.ts';
import { EntityRecord } from './EntityRecord.ts';
import { textOf } from './FieldIndex.ts';
import { confirmed } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { Side } from './Memberships.ts';
import { Record } from './Record.ts';

/** What is known of a filter argument, as text. */
export type Said = (name: string) => string | undefined;

/** A member enters a list at one side, leaves it, or goes where a merge of the user's own puts it. */
export interface Move {
  readonly list: Listed;
  readonly member: Record;
  readonly side: Side | 'out' | 'merge';
  /** Of a map: where it enters. */
  readonly key: string | undefined;
}

function fieldText(member: Record, name: string): string | undefined {
  return member instanceof EntityRecord ? textOf(member.instance?.[name]) : undefined;
}

/** A list, or a map. */
export type Listed = ListRecord | MapRecord;

/** Lists that are filtered by arguments of the same names. */
interface Shape {
  readonly names: readonly string[];
  /** The values of these arguments, as JSON, to the lists that have them. */
  readonly lists: Map<string, Set<Listed>>;
}

/** Where an answer says nothing of a filter argument, the entity may. */
function knownOf(member: Record, said: Said): Said {
  return (name) => said(name) ?? fieldText(member, name);
}

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  /** Members have entered or left since this was made, other than by a read. */
  moved = false;
  readonly records: Map<string, Listed> = new Map();
  readonly #shapes: Map<string, Shape> = new Map();

  readonly #layered: Iterable<ListRecord>;

  constructor(kind: ListKind, layered: Iterable<ListRecord>) {
    this.kind = kind;
    this.#layered = layered;
  }

  make(pk: string): Listed {
    const { kind } = this;
    const record = (kind.records?.(kind, pk) as Listed | undefined) ?? new ListRecord(kind, pk);
    this.records.set(pk, record);
    const { shape, id } = this.#place(pk);
    const lists = shape.lists.get(id);
    if (lists === undefined) shape.lists.set(id, new Set([record]));
    else lists.add(record);
    return record;
  }

  drop(pk: string): void {
    const record = this.records.get(pk);
    if (record === undefined) return;
    this.records.delete(pk);
    const { shape, id } = this.#place(pk);
    const lists = shape.lists.get(id);
    if (lists?.delete(record) && lists.size === 0) shape.lists.delete(id);
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

  /** Which lists the members of an entry enter or leave, each in its turn; `given`: those that take each were asked. */
  moves(entry: Entry, given?: readonly (readonly Listed[])[]): Move[] {
    const moves: Move[] = [];
    const places = [...entry.members.entries()];
    // each goes before those that are there: the last one first
    if (entry.how === 'start') places.reverse();
    for (const [at, member] of places) {
      if (!(member instanceof Record)) continue;
      const key = entry.keys?.[at];
      for (const [list, side] of this.#movesOf(
        member,
        entry,
        entry.values[at] as Said,
        given?.[at],
      ))
        moves.push({ list, member, side, key });
    }
    return moves;
  }

  /** Those of one list. */
  movesIn(list: Listed, entry: Entry): Move[] {
    return this.moves(entry).filter((move) => move.list === list);
  }

  /** The lists that take a member. */
  taking(member: Record, { how, filter }: Entry, said: Said): readonly Listed[] {
    if (filter !== undefined) return this.#where(filter);
    return this.#matching(how === 'move' ? knownOf(member, said) : said);
  }

  #movesOf(
    member: Record,
    entry: Entry,
    said: Said,
    lists: readonly Listed[] | undefined,
  ): (readonly [Listed, Move['side']])[] {
    const { how, merge } = entry;
    if (how === 'out') {
      const known = knownOf(member, said);
      const left = this.#holding(member).filter((list) => !this.#against(list, known));
      return left.map((list) => [list, 'out']);
    }
    const taking = lists ?? this.taking(member, entry, said);
    const left =
      how === 'move' ? this.#holding(member).filter((list) => !taking.includes(list)) : [];
    const side = merge === undefined ? (how === 'start' ? 'start' : 'end') : 'merge';
    return [
      ...left.map((list) => [list, 'out'] as const),
      ...taking.map((list) => [list, side] as const),
    ];
  }

  /** The lists whose filter arguments all have the values that `said` gives. Cost: the shapes and the matches. */
  #matching(said: Said): Listed[] {
    const found: Listed[] = [];
    for (const { names, lists } of this.#shapes.values()) {
      const values = names.map(said);
      if (values.includes(undefined)) continue;
      const matches = lists.get(JSON.stringify(values));
      if (matches !== undefined) found.push(...matches);
    }
    return found;
  }

  #where(filter: NonNullable<Entry['filter']>): Listed[] {
    return [...this.records.values()].filter(({ pk }) => filter(this.kind.filters(pk)));
  }

  #holding(member: Record): Listed[] {
    const holders = holdersOf(member, this.#layered);
    return holders.filter((list) => this.records.get(list.pk) === list);
  }

  /** True when a filter argument of the list has another value than what is said of it. */
  #against({ pk }: Listed, said: Said): boolean {
    const filters = Object.entries(this.kind.filters(pk));
    return filters.some(([name, value]) => (said(name) ?? value) !== value);
  }

  #place(pk: string): { shape: Shape; id: string } {
    const filters = this.kind.filters(pk);
    const names = Object.keys(filters);
    const named = JSON.stringify(names);
    let shape = this.#shapes.get(named);
    if (shape === undefined) this.#shapes.set(named, (shape = { names, lists: new Map() }));
    return { shape, id: JSON.stringify(Object.values(filters)) };
  }
}

/** The lists that hold a member, or would but for layers: `layered` are the lists that have any. */
export function holdersOf(member: Record, layered: Iterable<ListRecord>): Listed[] {
  const holders = [...member.allParents].filter((holder): holder is Listed => 'leave' in holder);
  for (const list of layered) {
    if (!holders.includes(list) && confirmed(list).members?.includes(member)) holders.push(list);
  }
  return holders;
}
