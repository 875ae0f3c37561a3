/** The records of one kind by primary key; for lists, also by what filters them. */
import type { AllOf } from '../schema/All.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
import { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex, textOf } from './FieldIndex.ts';
import { confirmed } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { Side } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import { Record } from './Record.ts';

// for links to a row that was just made
const MOST_ALIASES = 1_000;

export class EntityTable {
  readonly kind: EntityKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();

  constructor(kind: EntityKind) {
    this.kind = kind;
  }

  readonly #indexes: Map<string, FieldIndex> = new Map();
  /** Temporary keys to those that the server gave. */
  readonly #aliases = new Map<string, string>();
  /** The list of all entities here, if anybody asked for it. */
  all: AllRecord | undefined = undefined;

  make(pk: string): EntityRecord {
    const alias = this.records.get(this.#aliases.get(pk) ?? pk);
    if (alias !== undefined) return alias;
    const record = new EntityRecord(this.kind, pk);
    this.records.set(pk, record);
    if (this.all !== undefined) record.addParent(this.all);
    for (const index of this.#indexes.values()) index.add(record);
    return record;
  }

  /** The index of a field, made when it is first asked for. */
  by(field: string): FieldIndex {
    let index = this.#indexes.get(field);
    if (index === undefined) {
      this.#indexes.set(field, (index = new FieldIndex(field, this.records.values())));
    }
    return index;
  }

  drop(pk: string): void {
    this.records.delete(pk);
  }

  /** The server named an entity that had a temporary key: that key leads to it for a while longer. */
  rename(record: EntityRecord, pk: string): void {
    this.records.delete(record.pk);
    this.#aliases.delete(pk);
    this.#aliases.set(record.pk, pk);
    const [oldest] = this.#aliases.keys();
    if (this.#aliases.size > MOST_ALIASES) this.#aliases.delete(oldest as string);
    record.pk = pk;
    this.records.set(pk, record);
  }

  clear(stamp: Stamp): void {
    for (const record of this.records.values()) {
      confirmed(record).remove(stamp);
      if (!record.read) this.drop(record.pk);
    }
  }
}

/** What is known of a filter argument, as text. */
type Said = (name: string) => string | undefined;

/** A member enters a list at one side, or leaves it. */
export interface Move {
  readonly list: ListRecord;
  readonly member: Record;
  readonly side: Side | 'out';
}

/** Each goes before those that are there, or behind them: at the start, the last one goes first. */
function eachMember({ how, members, values }: Entry, visit: (member: Record, said: Said) => void) {
  const places = [...members.entries()];
  if (how === 'start') places.reverse();
  for (const [at, node] of places) if (node instanceof Record) visit(node, values[at] as Said);
}

function fieldText(member: Record, name: string): string | undefined {
  return member instanceof EntityRecord ? textOf(member.instance?.[name]) : undefined;
}

/** Lists that are filtered by arguments of the same names. */
interface Shape {
  readonly names: readonly string[];
  /** The values of these arguments, as JSON, to the lists that have them. */
  readonly lists: Map<string, Set<ListRecord>>;
}

export class ListTable {
  readonly kind: ListKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, ListRecord> = new Map();
  readonly #shapes: Map<string, Shape> = new Map();

  readonly #layered: Iterable<ListRecord>;

  constructor(kind: ListKind, layered: Iterable<ListRecord>) {
    this.kind = kind;
    this.#layered = layered;
  }

  make(pk: string): ListRecord {
    const record = new ListRecord(this.kind, pk);
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
    shape.lists.get(id)?.delete(record);
  }

  clear(): void {
    for (const record of this.records.values()) {
      confirmed(record).clear();
      if (!record.read) this.drop(record.pk);
    }
  }

  /** Which lists the members of an entry enter or leave, each in its turn. */
  moves(entry: Entry): Move[] {
    const moves: Move[] = [];
    eachMember(entry, (member, said) => {
      for (const [list, side] of this.#movesOf(member, entry, said))
        moves.push({ list, member, side });
    });
    return moves;
  }

  /** Those of one list. */
  movesIn(list: ListRecord, entry: Entry): Move[] {
    return this.moves(entry).filter((move) => move.list === list);
  }

  #movesOf(member: Record, { how, filter }: Entry, said: Said): [ListRecord, Move['side']][] {
    // where the answer says nothing of a filter argument, the entity may
    const known: Said = (name) => said(name) ?? fieldText(member, name);
    if (how === 'out') {
      const left = this.#holding(member).filter((list) => !this.#against(list, known));
      return left.map((list) => [list, 'out']);
    }
    const lists =
      filter === undefined ? this.#matching(how === 'move' ? known : said) : this.#where(filter);
    const left =
      how === 'move' ? this.#holding(member).filter((list) => !lists.includes(list)) : [];
    const side = how === 'start' ? 'start' : 'end';
    return [
      ...left.map((list): [ListRecord, 'out'] => [list, 'out']),
      ...lists.map((list): [ListRecord, Side] => [list, side]),
    ];
  }

  /** The lists whose filter arguments all have the values that `said` gives. Cost: the shapes and the matches. */
  #matching(said: Said): ListRecord[] {
    const found: ListRecord[] = [];
    for (const { names, lists } of this.#shapes.values()) {
      const values = names.map(said);
      if (values.includes(undefined)) continue;
      const matches = lists.get(JSON.stringify(values));
      if (matches !== undefined) found.push(...matches);
    }
    return found;
  }

  #where(filter: NonNullable<Entry['filter']>): ListRecord[] {
    return [...this.records.values()].filter(({ pk }) => filter(this.kind.filters(pk)));
  }

  #holding(member: Record): ListRecord[] {
    const holders = holdersOf(member, this.#layered);
    return holders.filter((list) => this.records.get(list.pk) === list);
  }

  /** True when a filter argument of the list has another value than what is said of it. */
  #against({ pk }: ListRecord, said: Said): boolean {
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

/** The one list of all entities of a table. */
export class AllTable {
  readonly kind: AllOf;
  writtenAt = 0;
  readonly records: Map<string, AllRecord> = new Map();
  readonly #of: EntityTable;

  constructor(kind: AllOf, of: EntityTable) {
    this.kind = kind;
    this.#of = of;
  }

  make(pk: string): AllRecord {
    const record = new AllRecord(this.kind, this.#of.records);
    this.#of.all = record;
    this.records.set(pk, record);
    return record;
  }

  /** Readers tell no difference between a table nobody asked for and one that nobody filled. */
  drop(): void {}

  clear(): void {
    for (const record of this.records.values()) record.clear();
  }
}

export type Table = EntityTable | ListTable | AllTable;

/** The lists that hold a member, or would but for layers: `layered` are the lists that have any. */
export function holdersOf(member: Record, layered: Iterable<ListRecord>): ListRecord[] {
  const { parents = [] } = member;
  const all = Array.isArray(parents) ? parents : [parents];
  const holders = all.filter((holder): holder is ListRecord => holder instanceof ListRecord);
  for (const list of layered) {
    if (!holders.includes(list) && confirmed(list).members?.includes(member)) holders.push(list);
  }
  return holders;
}

/** What a table needs of the others: those that it rests on, and the lists that layers change. */
export interface Others {
  readonly tableOf: (kind: StoredKind) => Table;
  readonly layered: Iterable<ListRecord>;
}

export function makeTable(kind: StoredKind, { tableOf, layered }: Others): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind, layered);
  const { of } = kind as AllOf;
  return new AllTable(kind as AllOf, tableOf(of) as EntityTable);
}
