/** What one unconfirmed write says, laid out: it is shown above what is confirmed, and never mixed into it. */
import { assign } from '../schema/equal.ts';
import { namesIn } from '../schema/namesIn.ts';
import type { Entry, Fields, ListKind, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import type { Change } from './LayeredList.ts';
import type { ListRecord } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import type { Put } from './Puts.ts';
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

/** Whose overlay it is: names what the answer is going to name. */
interface Naming {
  named(turn: number): number;
}

const NOBODY: readonly never[] = [];
// most say one entity or a few: an array is the smaller, until there are more
const FEW = 8;

export class Overlay implements Sink {
  /** What is said of entities, each once. */
  readonly puts: Put[] = [];
  /** From many on: by entity. */
  #putOf: Map<EntityRecord, Put> | undefined;
  /** Undefined: none. */
  removals: Set<EntityRecord> | undefined;
  #fills: Fill[] | undefined;
  #entries: Entering[] | undefined;
  #minted = 0;
  readonly #places: Places;
  readonly #layer: Naming;
  readonly #unnamed: Unnamed | undefined;

  constructor(places: Places, layer: Naming, unnamed: Unnamed | undefined) {
    this.#places = places;
    this.#layer = layer;
    this.#unnamed = unnamed;
  }

  get fills(): readonly Fill[] {
    return this.#fills ?? NOBODY;
  }

  get entries(): readonly Entering[] {
    return this.#entries ?? NOBODY;
  }

  mint(): number {
    return this.#layer.named(this.#minted++);
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    const shown = top ? this.#unnamed?.name(this.#places.table(kind), pk) : undefined;
    // found through the store, which keeps from a sweep under way what is found
    return shown ?? this.#places.ref(kind, pk);
  }

  /** What is said of an entity. */
  of(record: EntityRecord): Put | undefined {
    const { puts } = this;
    if (puts.length > FEW) {
      this.#putOf ??= new Map(puts.map((put) => [put.record, put]));
      return this.#putOf.get(record);
    }
    for (const put of puts) if (put.record === record) return put;
    return undefined;
  }

  #set(put: Put, before = this.of(put.record)): void {
    if (before === undefined) this.puts.push(put);
    else this.puts[this.puts.indexOf(before)] = put;
    this.#putOf?.set(put.record, put);
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[]): void {
    const record = ref as EntityRecord;
    this.removals?.delete(record);
    const before = this.of(record);
    const names = namesIn(fields);
    if (before === undefined)
      return this.#set({ record, fields, names, nodes, instance: undefined, stamp: undefined });
    // the same entity twice: later fields over earlier ones
    before.fields = { ...before.fields };
    for (const name of names) assign(before.fields, name, fields[name]);
    before.names = Object.keys(before.fields);
    before.nodes = before.nodes.map((node, at) => nodes[at] ?? node);
  }

  remove(ref: Ref): void {
    (this.removals ??= new Set()).add(ref as EntityRecord);
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
    (this.#fills ??= []).push({ list, how, members });
  }

  enter(kind: ListKind, entry: Entry): void {
    (this.#entries ??= []).push({ table: this.#places.table(kind) as ListTable, entry });
  }

  /** What it makes of this entity, it makes of the other. */
  move(record: EntityRecord, other: EntityRecord): void {
    const put = this.of(record);
    if (put !== undefined) this.#set({ ...put, record: other });
  }

  /** True when the other makes no entity that this does not make. */
  covers({ puts }: Overlay): boolean {
    return puts.every(({ record }) => this.of(record) !== undefined || confirmed(record).exists);
  }

  /** True when an entity is made here, as far as is confirmed. */
  get makes(): boolean {
    return this.puts.some(isMade);
  }
}

function isMade({ record }: Put): boolean {
  return !confirmed(record).exists;
}
