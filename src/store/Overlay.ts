/** What one unconfirmed write says, laid out: it is shown above what is confirmed, and never mixed into it. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign } from '../schema/equal.ts';
import { namesIn } from '../schema/namesIn.ts';
import type {
  Entry,
  Fields,
  Filling,
  ListKind,
  Node,
  Ref,
  Sink,
  StoredKind,
} from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { Laying } from './Laying.ts';
import { confirmed } from './Layered.ts';
import type { Change } from './LayeredList.ts';
import type { ListRecord } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';
import type { ListTables } from './listTables.ts';
import { more, NONE } from './more.ts';
import { Record } from './Record.ts';
import { laidFirst } from './said.ts';
import type { Tables } from './refile.ts';
import type { Table } from './Table.ts';
import type { Unnamed } from './Unnamed.ts';

/** What an overlay needs from above. */
export interface Places {
  ref(kind: StoredKind, pk: string): Record;
  table(kind: StoredKind): Table;
  listTables(kind: ListKind, address?: Entry['address']): ListTables;
  readonly tables: Tables;
}

interface Fill {
  readonly list: ListRecord;
  readonly how: Change['how'];
  readonly members: readonly Record[];
}

/** Members on their way into the lists of a table. */
export interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
}

export class Overlay implements Sink {
  /** What it says of each; undefined: that it is deleted. */
  readonly says: Map<EntityRecord, Laying | undefined> = new Map();
  fills: Fill[] = NONE;
  entries: Entering[] = NONE;
  readonly mint: () => number;
  readonly #places: Places;
  readonly #unnamed: Unnamed | undefined;

  constructor(places: Places, mint: () => number, unnamed: Unnamed | undefined) {
    this.#places = places;
    this.mint = mint;
    this.#unnamed = unnamed;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    const shown = top ? this.#unnamed?.name(this.#places.table(kind), pk) : undefined;
    // found through the store, which keeps from a sweep under way what is found
    return shown ?? this.#places.ref(kind, pk);
  }

  /** What is said of an entity; undefined: nothing, or that it is deleted. */
  said(record: EntityRecord): Laying | undefined {
    return this.says.get(record);
  }

  put(ref: Ref, given: Fields, nodes: readonly Node[], kind: StoredKind): void {
    const record = ref as EntityRecord;
    const its = kind as EntityKind;
    // what nobody knows is what it is made as
    if (!record.exists && !confirmed(record).exists) record.kind = its;
    const fields = record.kind === its ? given : record.kind.fitting(given, its);
    const before = this.said(record);
    const names = namesIn(fields);
    if (before === undefined) {
      this.says.set(record, { fields, names, nodes });
      return;
    }
    // the same entity twice: later fields over earlier ones
    before.fields = { ...before.fields };
    for (const name of names) assign(before.fields, name, fields[name]);
    before.names = Object.keys(before.fields);
    before.nodes = before.nodes.map((node, at) => nodes[at] ?? node);
  }

  stored(ref: Ref): boolean {
    return confirmed(ref as EntityRecord).exists;
  }

  remove(ref: Ref): void {
    this.says.set(ref as EntityRecord, undefined);
  }

  fill(ref: Ref, nodes: Node, how: Filling = 'fill'): void {
    const list = ref as ListRecord;
    if (!list.told || !Array.isArray(nodes)) return;
    const members = nodes.filter((node) => node instanceof Record);
    this.fills = more(this.fills, { list, how, members });
  }

  enter(kind: ListKind, entry: Entry): void {
    const laid = laidFirst(entry, kind, (member) => this.said(member));
    for (const table of this.#places.listTables(kind, entry.address).certain)
      this.entries = more<Entering>(this.entries, { table, entry: laid });
  }

  /** What it puts into lists and maps. */
  get entered(): Set<Node> {
    const entries = this.entries.map(({ entry }) => entry);
    return new Set(
      entries.flatMap(({ how, members }) => (how === 'move' || how === 'out' ? NONE : members)),
    );
  }

  /** What it makes of this entity, it makes of the other. */
  move(record: EntityRecord, other: EntityRecord): void {
    const laying = this.said(record);
    if (laying !== undefined) this.says.set(other, laying);
  }

  /** True when the other makes no entity that this does not make. */
  covers(other: Overlay): boolean {
    return [...other.says].every(
      ([record, laying]) => !laying || this.said(record) || confirmed(record).exists,
    );
  }
}
