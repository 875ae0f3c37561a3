/** The records of one kind by primary key; for lists, also by what filters them. */
import type { AllOf } from '../schema/All.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Entry, ListKind, StoredKind } from '../schema/schema.ts';
import { AllRecord } from './AllRecord.ts';
import { EntityRecord } from './EntityRecord.ts';
import { FieldIndex, textOf } from './FieldIndex.ts';
import { ListRecord } from './ListRecord.ts';
import type { Moving } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

/** True for a record that is in its table, and about to be taken out by a sweep. */
export type Doomed = (record: Record) => boolean;

export class EntityTable {
  readonly kind: EntityKind;
  /** Logical time of the last own write that was confirmed here. */
  writtenAt = 0;
  readonly records: Map<string, EntityRecord> = new Map();
  readonly #doomed: Doomed;

  constructor(kind: EntityKind, doomed: Doomed) {
    this.kind = kind;
    this.#doomed = doomed;
  }

  readonly indexes: Map<string, FieldIndex> = new Map();
  /** The list of all entities here, if anybody asked for it. */
  all: AllRecord | undefined = undefined;

  make(pk: string): EntityRecord {
    const record = new EntityRecord(this.kind, pk);
    this.records.set(pk, record);
    if (this.all !== undefined) record.addParent(this.all);
    for (const index of this.indexes.values()) index.add(record);
    return record;
  }

  /** The index of a field, made when it is first asked for. */
  by(field: string): FieldIndex {
    let index = this.indexes.get(field);
    if (index === undefined) {
      this.indexes.set(field, (index = new FieldIndex(field, this.staying())));
    }
    return index;
  }

  /** Its records but those that a sweep is about to take out. */
  *staying(): Generator<EntityRecord> {
    for (const record of this.records.values()) if (!this.#doomed(record)) yield record;
  }

  drop(pk: string): void {
    this.records.delete(pk);
  }

  release(pk: string): boolean {
    const record = this.records.get(pk) as EntityRecord;
    for (const index of this.indexes.values()) index.forget(record);
    return this.records.delete(pk);
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

  constructor(kind: ListKind) {
    this.kind = kind;
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
    const lists = shape.lists.get(id);
    if (lists?.delete(record) && lists.size === 0) shape.lists.delete(id);
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

  /** Lets a member into the lists that it belongs to, or out of them, as `entry` says. */
  admit(moving: Moving, { how, filter }: Entry, said: Said): void {
    const { member } = moving;
    // where the answer says nothing of a filter argument, the entity may
    const known: Said = (name) => said(name) ?? fieldText(member, name);
    if (how === 'out') {
      for (const list of this.#holding(member)) if (!this.#against(list, known)) list.leave(moving);
      return;
    }
    const lists =
      filter === undefined ? this.#matching(how === 'move' ? known : said) : this.#where(filter);
    if (how === 'move') {
      for (const list of this.#holding(member)) if (!lists.includes(list)) list.leave(moving);
    }
    for (const list of lists) list.enter(moving, how === 'start' ? 'start' : 'end');
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
    const { parents = [] } = member;
    const holders = Array.isArray(parents) ? parents : [parents];
    return holders.filter((holder): holder is ListRecord => this.records.get(holder.pk) === holder);
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
    const record = new AllRecord(this.kind, this.#of.staying());
    this.#of.all = record;
    this.records.set(pk, record);
    return record;
  }

  /** Readers tell no difference between a table nobody asked for and one that nobody filled. */
  drop(): void {}

  release(pk: string): boolean {
    this.#of.all = undefined;
    return this.records.delete(pk);
  }

  clear(): void {
    for (const record of this.records.values()) record.clear();
  }
}

export type Table = EntityTable | ListTable | AllTable;

/** The table of a kind; `tableOf` gives those that it rests on. */
export function makeTable(
  kind: StoredKind,
  tableOf: (kind: StoredKind) => Table,
  doomed: Doomed,
): Table {
  if (kind.stores === 'entity') return new EntityTable(kind as EntityKind, doomed);
  if (kind.stores === 'list') return new ListTable(kind as ListKind);
  const { of } = kind as AllOf;
  return new AllTable(kind as AllOf, tableOf(of) as EntityTable);
}
