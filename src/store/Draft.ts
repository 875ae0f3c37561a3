/** What one answer is going to change, laid out before any of it is written. */
import { assign, equal } from '../schema/equal.ts';
import type { Entry, Fields, ListKind, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { ListRecord } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import { eachRecord, MARKED } from './Record.ts';
import type { Record } from './Record.ts';
import type { ListTable, Table } from './Table.ts';

/** What a draft needs of the store. */
export interface Tables {
  table(kind: StoredKind): Table;
}

interface Put {
  readonly record: EntityRecord;
  fields: Fields;
  nodes: readonly Node[];
}

interface Fill {
  readonly list: ListRecord;
  readonly members: readonly Node[];
}

interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
}

/**
 * Records that are missing are made at once, empty: no reader can tell. `write` fills them in; `discard` takes those
 * that this draft made away again, and the store is as it was.
 */
export class Draft implements Sink {
  readonly #tables: Tables;
  readonly #made: { table: Table; pk: string }[] = [];
  readonly #puts: Put[] = [];
  readonly #removals: EntityRecord[] = [];
  readonly #fills: Fill[] = [];
  readonly #entries: Entering[] = [];
  /** From the first entity that comes twice on: its first put. */
  #putOf: Map<EntityRecord, Put> | undefined;
  #kind: StoredKind | undefined;
  #table: Table | undefined;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  ref(kind: StoredKind, pk: string): Ref {
    // rows of one kind come in runs
    const table = kind === this.#kind ? (this.#table as Table) : this.#turnTo(kind);
    const known = table.records.get(pk);
    if (known !== undefined) return known;
    this.#made.push({ table, pk });
    return table.make(pk);
  }

  #turnTo(kind: StoredKind): Table {
    this.#kind = kind;
    return (this.#table = this.#tables.table(kind));
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[]): void {
    const record = ref as EntityRecord;
    if (record.flags & MARKED && !record.kind.plan.merges)
      return this.#again(record, fields, nodes);
    record.flags |= MARKED;
    const put = { record, fields, nodes };
    this.#puts.push(put);
    this.#putOf?.set(record, put);
  }

  /** The same entity twice in one answer: later fields over earlier ones, and one write. */
  #again(record: EntityRecord, fields: Fields, nodes: readonly Node[]): void {
    this.#putOf ??= new Map(this.#puts.map((put) => [put.record, put]));
    const put = this.#putOf.get(record) as Put;
    const fresh = Object.keys(fields).filter(
      (name) => fields[name] !== undefined && !equal(put.fields[name], fields[name]),
    );
    if (fresh.length > 0) {
      put.fields = { ...put.fields };
      for (const name of fresh) assign(put.fields, name, fields[name]);
    }
    if (nodes.some((node, at) => node !== undefined && node !== put.nodes[at])) {
      put.nodes = put.nodes.map((node, at) => (nodes[at] === undefined ? node : nodes[at]));
    }
  }

  remove(ref: Ref): void {
    this.#removals.push(ref as EntityRecord);
  }

  fill(ref: Ref, members: readonly Node[]): void {
    this.#fills.push({ list: ref as ListRecord, members });
  }

  enter(kind: ListKind, entry: Entry): void {
    this.#entries.push({ table: this.#tables.table(kind) as ListTable, entry });
  }

  /** Writes everything. `root` is the node of the answer: what a mutation wrote itself is found there. */
  write(stamp: Stamp, root: Node): void {
    this.#unmark();
    const { own, ownTime = stamp.time } = stamp;
    if (own === undefined) {
      for (const { record, fields, nodes } of this.#puts) record.write(fields, nodes, stamp);
    } else this.#writeOwn(stamp, root);
    for (const record of this.#removals) if (record.remove(stamp)) leaveAll(record, ownTime);
    for (const { list, members } of this.#fills) list.fill(members, stamp);
    for (const { table, entry } of this.#entries) enterAll(table, entry, ownTime);
  }

  /** The fields that a mutation's body names are its own in the entities it answers with, not in those nested there. */
  #writeOwn(stamp: Stamp, root: Node): void {
    const roots = new Set<Record>();
    eachRecord(root, (record) => roots.add(record));
    const { time, fetchedAt, expiresAt } = stamp;
    const plain: Stamp = { time, fetchedAt, expiresAt };
    for (const { record, fields, nodes } of this.#puts) {
      record.write(fields, nodes, roots.has(record) ? stamp : plain);
    }
  }

  /** Takes back what laying out made. */
  discard(): void {
    this.#unmark();
    for (const { table, pk } of this.#made) table.drop(pk);
  }

  #unmark(): void {
    for (const { record } of this.#puts) record.flags &= ~MARKED;
  }
}

function leaveAll(record: Record, time: number): void {
  const { parents } = record;
  const holders = Array.isArray(parents) ? [...parents] : [parents];
  for (const holder of holders) {
    if (holder !== undefined && 'leave' in holder) (holder as ListRecord).leave(record, time);
  }
}

function enterAll(table: ListTable, { members, side, values }: Entry, time: number): void {
  members.forEach((member, at) => {
    const valueOf = values[at] as (name: string) => unknown;
    for (const list of table.matching(valueOf)) list.enter(member as Record, side, time);
  });
}
