/** What one answer is going to change, laid out before any of it is written. */
import type { Meta } from '../schema/EntityPlan.ts';
import { assign, equal } from '../schema/equal.ts';
import { fieldOf, namesIn } from '../schema/namesIn.ts';
import { INVALID } from '../schema/schema.ts';
import type { Entry, Fields, ListKind, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import type { EntityRecord, Laying } from './EntityRecord.ts';
import type { ListRecord } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import { eachRecord, MARKED, Record } from './Record.ts';
import type { Builder } from './Record.ts';
import { judgeSuspects } from './suspect.ts';
import type { ListTable, Said, Table } from './Table.ts';

/** What a draft needs of the store. */
export interface Tables extends Builder {
  table(kind: StoredKind): Table;
  /** Logical time at which the oldest request still under way was issued; Infinity without one. */
  readonly oldest: () => number;
}

const NO_NAMES: readonly string[] = [];

/** What is laid for one entity; `names` and `instance` are filled in when everything is laid. */
interface Put extends Laying {
  readonly record: EntityRecord;
}

interface Fill {
  readonly list: ListRecord;
  readonly members: readonly Node[];
  /** `append`: they are one page of it. */
  readonly how: 'fill' | 'append';
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
  readonly #stamp: Stamp;
  readonly #made: { table: Table; pk: string }[] = [];
  readonly #puts: Put[] = [];
  readonly #removals = new Set<EntityRecord>();
  readonly #fills: Fill[] = [];
  readonly #entries: Entering[] = [];
  readonly #touched = new Set<Table>();
  /** From the first entity that comes twice on: its first put. */
  #putOf: Map<EntityRecord, Put> | undefined;
  #kind: StoredKind | undefined;
  #table: Table | undefined;

  constructor(tables: Tables, stamp: Stamp) {
    this.#tables = tables;
    this.#stamp = stamp;
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
    this.#table = this.#tables.table(kind);
    this.#touched.add(this.#table);
    return this.#table;
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[]): void {
    const record = ref as EntityRecord;
    const own = record.kind.plan.merges ? this.#merged(record, fields, nodes) : { fields, nodes };
    if (record.flags & MARKED) return this.#again(record, own.fields, own.nodes);
    record.flags |= MARKED;
    const put: Put = {
      record,
      fields: own.fields,
      nodes: own.nodes,
      names: NO_NAMES,
      instance: undefined,
    };
    this.#puts.push(put);
    this.#putOf?.set(record, put);
    // there again in the same answer
    this.#removals.delete(record);
  }

  #laid(record: EntityRecord): Put | undefined {
    if (!(record.flags & MARKED)) return undefined;
    this.#putOf ??= new Map(this.#puts.map((put) => [put.record, put]));
    return this.#putOf.get(record);
  }

  /**
   * What a merge() of the user's makes of it. It sees nested members in normalized form; what it changes counts as
   * written. It runs here, where a throw costs nothing.
   */
  #merged(
    record: EntityRecord,
    fields: Fields,
    nodes: readonly Node[],
  ): Pick<Put, 'fields' | 'nodes'> {
    const { kind } = record;
    const laid = this.#laid(record);
    if (laid === undefined && !record.exists) return { fields, nodes };
    const stored = kind.normalized(record.instance ?? {}, record.nodes);
    const existing = laid ? { ...stored, ...kind.normalized(laid.fields, laid.nodes) } : stored;
    const merged = this.#decided(record, existing, kind.normalized(fields, nodes));
    const { decides } = kind.plan;
    const written = Object.keys(merged).filter(
      (name) => merged[name] !== existing[name] || (!decides && Object.hasOwn(fields, name)),
    );
    const out: Fields = {};
    for (const name of written) assign(out, name, merged[name]);
    return { fields: out, nodes: kind.plan.nested.map(({ name }) => merged[name]) };
  }

  #decided({ kind, stamp }: EntityRecord, existing: Fields, incoming: Fields): Fields {
    if (!kind.plan.decides) return kind.Class.merge(existing, incoming);
    return kind.Class.mergeWithStore(metaOf(stamp), metaOf(this.#stamp), existing, incoming);
  }

  /** The same entity twice in one answer: later fields over earlier ones, and one write. */
  #again(record: EntityRecord, fields: Fields, nodes: readonly Node[]): void {
    const put = this.#laid(record) as Put;
    const fresh = Object.keys(fields).filter(
      (name) => fields[name] !== undefined && !equal(fieldOf(put.fields, name), fields[name]),
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
    this.#removals.add(ref as EntityRecord);
  }

  /** True where it deletes entities: `process` gave undefined, or a schema says so. */
  get removes(): boolean {
    return this.#removals.size > 0;
  }

  fill(ref: Ref, members: readonly Node[]): void {
    this.#fills.push({ list: ref as ListRecord, members, how: 'fill' });
  }

  append(ref: Ref, members: readonly Node[]): void {
    this.#fills.push({ list: ref as ListRecord, members, how: 'append' });
  }

  enter(kind: ListKind, entry: Entry): void {
    this.#entries.push({ table: this.#tables.table(kind) as ListTable, entry });
  }

  /** Runs what is not ours (getters, constructors) now, where a throw costs nothing: `write` cannot fail half-way. */
  finish(): void {
    for (const put of this.#puts) {
      const { record, fields } = put;
      put.names = namesIn(fields);
      if (!record.exists) put.instance = record.kind.instance(fields, put.names);
    }
  }

  /** Writes everything. `root` is the node of the answer: what a mutation wrote itself is found there. */
  write(stamp: Stamp, root: Node): void {
    this.#unmark();
    const { own, ownTime = stamp.time } = stamp;
    if (own === undefined) {
      for (const put of this.#puts) put.record.write(put, stamp);
    } else this.#writeOwn(stamp, root);
    // what came or went by these is told to the lists of before, not to those that they are about to enter
    judgeSuspects(this.#tables);
    for (const record of this.#removals) {
      const { shown } = record;
      if (record.remove(stamp)) leaveAll(record, shown, this.#contested(ownTime));
    }
    for (const { list, members, how } of this.#fills) list[how](members, stamp, this.#tables);
    for (const entering of this.#entries) this.#enterAll(entering, this.#contested(ownTime));
  }

  #enterAll({ table, entry }: Entering, time: number | undefined): void {
    const places = [...entry.members.entries()];
    // each goes before those that are there: the last one first
    if (entry.how === 'start') places.reverse();
    places.forEach(([at, node]) => {
      if (!(node instanceof Record)) return;
      const shown = !node.mayHide || this.#tables.read(node) !== INVALID;
      table.admit({ member: node, shown, time }, entry, entry.values[at] as Said);
    });
  }

  /** The time of a membership, where an answer to an older request may still come and deny it. */
  #contested(time: number): number | undefined {
    return this.#tables.oldest() < time ? time : undefined;
  }

  /** The fields that a mutation's body names are its own in the entities it answers with, not in those nested there. */
  #writeOwn(stamp: Stamp, root: Node): void {
    const roots = new Set<Record>();
    eachRecord(root, (record) => roots.add(record));
    const { time, fetchedAt, expiresAt } = stamp;
    const plain: Stamp = { time, fetchedAt, expiresAt };
    for (const table of this.#touched) table.writtenAt = stamp.ownTime ?? time;
    for (const put of this.#puts) put.record.write(put, roots.has(put.record) ? stamp : plain);
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

function leaveAll(member: Record, shown: boolean, time: number | undefined): void {
  const { parents } = member;
  const holders = Array.isArray(parents) ? [...parents] : [parents];
  for (const holder of holders) {
    if (holder !== undefined && 'leave' in holder)
      (holder as ListRecord).leave({ member, shown, time });
  }
}

function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}
