/** The records of one kind by primary key; for lists, also by what filters them. */
import type { AllOf } from '../schema/All.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
import { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex, textOf } from './FieldIndex.ts';
import { ListRecord } from './ListRecord.ts';
import type { Moving } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

export class EntityTable {
  readonly kind: EntityKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();

  constructor(kind: EntityKind) {
    this.kind = kind;
  }

  readonly #indexes: Map<string, FieldIndex> = new Map();
  /** The list of all entities here, if anybody asked for it. */
  all: AllRecord | undefined = undefined;

  make(pk: string): EntityRecord {
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

  clear(stamp: Stamp): void {
    for (const record of this.records.values()) {
      record.remove(stamp);
      if (!record.read) this.drop(record.pk);
    }
  }
}

/** What is known of a filter argument, as text. */
export type Said = (name: string) => string | undefined;

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
  readonly records: Map<string, Listed> = new Map();
  readonly #shapes: Map<string, Shape> = new Map();

  constructor(kind: ListKind) {
    this.kind = kind;
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
    shape.lists.get(id)?.delete(record);
  }

  clear(): void {
    for (const record of this.records.values()) {
      record.clear();
      if (!record.read) this.drop(record.pk);
    }
  }

  /** The lists that take a member. */
  taking(member: Record, { how, filter }: Entry, said: Said): readonly Listed[] {
    if (filter !== undefined) return this.#where(filter);
    return this.#matching(how === 'move' ? knownOf(member, said) : said);
  }

  /** Lets a member into the lists that it belongs to, or out of them, as `entry` says; `given`: those were asked. */
  admit(moving: Moving, entry: Entry, said: Said, given?: readonly Listed[]): void {
    const { member } = moving;
    const { how, merge } = entry;
    if (how === 'out') {
      const known = knownOf(member, said);
      for (const list of this.#holding(member)) if (!this.#against(list, known)) list.leave(moving);
      return;
    }
    const lists = given ?? this.taking(member, entry, said);
    if (how === 'move') {
      for (const list of this.#holding(member)) if (!lists.includes(list)) list.leave(moving);
    }
    if (merge !== undefined) return;
    for (const list of lists) list.enter(moving, how === 'start' ? 'start' : 'end');
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
    const { parents = [] } = member;
    const holders = Array.isArray(parents) ? parents : [parents];
    return holders.filter((holder): holder is Listed => this.records.get(holder.pk) === holder);
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
    const record = new AllRecord(this.kind, this.#of.records.values());
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

/** The table of a kind; `tableOf` gives those that it rests on. */
export function makeTable(kind: StoredKind, tableOf: (kind: StoredKind) => Table): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind);
  if (kind.stores === 'list') return new ListTable(kind as ListKind);
  const { of } = kind as AllOf;
  return new AllTable(kind as AllOf, tableOf(of) as EntityTable);
}
