/** What one unconfirmed write says, laid out: it is shown above what is confirmed, and never mixed into it. */
import { assign } from '../schema/equal.ts';
import { namesIn } from '../schema/namesIn.ts';
import type { Entry, Fields, ListKind, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import type { Change } from './LayeredList.ts';
import type { Laying } from './Laying.ts';
import type { ListRecord } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import { more, NONE } from './more.ts';
import { Record } from './Record.ts';
import type { Table } from './Table.ts';
import type { Unnamed } from './Unnamed.ts';

/** What an overlay needs from above. */
export interface Places {
  ref(kind: StoredKind, pk: string): Record;
  table(kind: StoredKind): Table;
}

interface Fill {
  readonly list: ListRecord;
  readonly how: Change['how'];
  readonly members: readonly Record[];
}

interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
}

/** What it says of one entity. */
export interface Said extends Laying {
  readonly record: EntityRecord;
  fields: Fields;
  names: readonly string[];
  nodes: readonly Node[];
}

/** Whose overlay it is: names what the answer is going to name. */
interface Naming {
  named(turn: number): number;
}

// most say one entity or a few: an array is the smaller, until there are more
const FEW = 8;

export class Overlay implements Sink {
  #puts: Said[] = NONE;
  /** From many on: by entity. */
  #putOf: Map<EntityRecord, Said> | undefined;
  #removals: Set<EntityRecord> | undefined;
  #fills: Fill[] = NONE;
  #entries: Entering[] = NONE;
  #minted = 0;
  readonly #places: Places;
  readonly #layer: Naming;
  readonly #unnamed: Unnamed | undefined;

  constructor(places: Places, layer: Naming, unnamed: Unnamed | undefined) {
    this.#places = places;
    this.#layer = layer;
    this.#unnamed = unnamed;
  }

  /** What it says something of, each once. */
  get entities(): readonly EntityRecord[] {
    const said = this.#puts.map(({ record }) => record);
    return this.#removals === undefined ? said : [...said, ...this.#removals];
  }

  get fills(): readonly Fill[] {
    return this.#fills;
  }

  get entries(): readonly Entering[] {
    return this.#entries;
  }

  mint(): number {
    return this.#layer.named(this.#minted++);
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    const shown = top ? this.#unnamed?.name(this.#places.table(kind), pk) : undefined;
    // found through the store, which keeps from a sweep under way what is found
    return shown ?? this.#places.ref(kind, pk);
  }

  /** What is said of an entity; undefined: nothing, or that it is deleted. */
  said(record: EntityRecord): Said | undefined {
    const puts = this.#puts;
    if (puts.length > FEW) {
      this.#putOf ??= new Map(puts.map((put) => [put.record, put]));
      return this.#putOf.get(record);
    }
    for (const put of puts) if (put.record === record) return put;
    return undefined;
  }

  #set(put: Said, before = this.said(put.record)): void {
    if (before === undefined) this.#puts = more(this.#puts, put);
    else this.#puts[this.#puts.indexOf(before)] = put;
    this.#putOf?.set(put.record, put);
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[]): void {
    const record = ref as EntityRecord;
    this.#removals?.delete(record);
    const before = this.said(record);
    const names = namesIn(fields);
    if (before === undefined) return this.#set({ record, fields, names, nodes });
    // the same entity twice: later fields over earlier ones
    before.fields = { ...before.fields };
    for (const name of names) assign(before.fields, name, fields[name]);
    before.names = Object.keys(before.fields);
    before.nodes = before.nodes.map((node, at) => nodes[at] ?? node);
  }

  remove(ref: Ref): void {
    const put = this.said(ref as EntityRecord);
    if (put !== undefined) this.#puts = this.#puts.filter((other) => other !== put);
    this.#putOf?.delete(ref as EntityRecord);
    (this.#removals ??= new Set()).add(ref as EntityRecord);
  }

  fill(ref: Ref, members: Node): void {
    this.#filling(ref, members, 'all');
  }

  append(ref: Ref, members: Node): void {
    this.#filling(ref, members, 'page');
  }

  #filling(ref: Ref, nodes: Node, how: Change['how']): void {
    const list = ref as ListRecord;
    if (!list.told || !Array.isArray(nodes)) return;
    const members = nodes.filter((node) => node instanceof Record);
    this.#fills = more(this.#fills, { list, how, members });
  }

  enter(kind: ListKind, entry: Entry): void {
    this.#entries = more(this.#entries, { table: this.#places.table(kind) as ListTable, entry });
  }

  /** What it makes of this entity, it makes of the other. */
  move(record: EntityRecord, other: EntityRecord): void {
    const put = this.said(record);
    if (put !== undefined) this.#set({ ...put, record: other });
  }

  /** True when the other makes no entity that this does not make. */
  covers(other: Overlay): boolean {
    return other.#puts.every(
      ({ record }) => this.said(record) !== undefined || confirmed(record).exists,
    );
  }

  /** True when an entity is made here, as far as is confirmed. */
  get makes(): boolean {
    return this.#puts.some(isMade);
  }
}

function isMade({ record }: Said): boolean {
  return !confirmed(record).exists;
}
