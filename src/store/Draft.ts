/** What one answer is going to change, laid out before any of it is written. */
import type { Meta } from '../schema/EntityStatics.ts';
import { assign, equal } from '../schema/equal.ts';
import { fieldOf, namesIn } from '../schema/namesIn.ts';
import { INVALID } from '../schema/schema.ts';
import type { Entry, Fields, ListKind, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import { ask } from './asked.ts';
import type { Asked } from './asked.ts';
import type { EntityRecord, Laying } from './EntityRecord.ts';
import type { Layer } from './Layer.ts';
import { confirmed } from './Layered.ts';
import type { Layers } from './Layers.ts';
import type { ListRecord, Moving } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import { eachRecord, MARKED } from './Record.ts';
import type { Builder, Record } from './Record.ts';
import { judgeSuspects } from './suspect.ts';
import type { Sweep } from './Sweep.ts';
import { holdersOf } from './Table.ts';
import type { Listed, ListTable, Move, Table } from './Table.ts';
import { Unnamed } from './Unnamed.ts';

/** What a draft needs of the store. */
export interface Tables extends Builder {
  table(kind: StoredKind): Table;
  /** Logical time at which the oldest request still under way was issued; Infinity without one. */
  readonly oldest: () => number;
  readonly layers: Layers;
  readonly sweep: Sweep;
}

const NO_NAMES: readonly string[] = [];

/** What is laid for one entity; `names` and `instance` are filled in when everything is laid. */
interface Put extends Laying {
  readonly record: EntityRecord;
}

type Merged = Pick<Put, 'fields' | 'nodes' | 'stamp'>;

interface Fill {
  readonly list: Listed;
  readonly members: readonly Node[];
  /** `append`: they are one page of it. */
  readonly how: 'fill' | 'append';
}

interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
  asked: Asked | undefined;
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
  /** Readers were shown before what it is expected to bring. */
  readonly #expected: boolean;
  /** Entities that this answer is to name. */
  readonly #unnamed: Unnamed;
  readonly mint: Sink['mint'];

  /** `layer`: what was shown in the place of this answer so far; it names what the answer does not. */
  constructor(tables: Tables, stamp: Stamp, layer?: Layer, mint?: Sink['mint']) {
    this.#tables = tables;
    this.#stamp = stamp;
    this.#unnamed = new Unnamed(layer?.made);
    this.#expected = layer !== undefined;
    this.mint = mint;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    // rows of one kind come in runs
    const table = kind === this.#kind ? (this.#table as Table) : this.#turnTo(kind);
    const { sweep } = this.#tables;
    const known = sweep.find<Record>(table, pk);
    if (known !== undefined) return known;
    const shown = top ? this.#unnamed.name(table, pk) : undefined;
    if (shown !== undefined) return shown;
    this.#made.push({ table, pk });
    return sweep.born(table.make(pk));
  }

  #turnTo(kind: StoredKind): Table {
    this.#kind = kind;
    this.#table = this.#tables.table(kind);
    this.#touched.add(this.#table);
    return this.#table;
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[]): void {
    const record = ref as EntityRecord;
    const { merges } = record.kind.plan;
    const own: Merged = merges
      ? this.#merged(record, fields, nodes)
      : { fields, nodes, stamp: undefined };
    if (record.flags & MARKED) return this.#again(record, own);
    record.flags |= MARKED;
    const put: Put = {
      record,
      fields: own.fields,
      nodes: own.nodes,
      names: NO_NAMES,
      instance: undefined,
      stamp: own.stamp,
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
  #merged(record: EntityRecord, fields: Fields, nodes: readonly Node[]): Merged {
    const { kind } = record;
    const laid = this.#laid(record);
    const base = confirmed(record);
    if (laid === undefined && !base.exists) return { fields, nodes, stamp: undefined };
    const stored = kind.normalized(base.instance ?? {}, base.nodes);
    const existing = laid ? { ...stored, ...kind.normalized(laid.fields, laid.nodes) } : stored;
    const incoming = kind.normalized(fields, nodes);
    const merged = this.#decided(record, existing, incoming);
    const { decides } = kind.plan;
    const written = Object.keys(merged).filter(
      (name) => merged[name] !== existing[name] || (!decides && Object.hasOwn(fields, name)),
    );
    const out: Fields = {};
    for (const name of written) assign(out, name, merged[name]);
    const stamp = this.#known(record, existing, incoming);
    return { fields: out, nodes: kind.plan.nested.map(({ name }) => merged[name]), stamp };
  }

  #known(record: EntityRecord, existing: Fields, incoming: Fields): Stamp | undefined {
    const { kind, stamp } = confirmed(record);
    if (!kind.plan.metas) return undefined;
    const [was, is] = [metaOf(stamp), metaOf(this.#stamp)];
    const meta = kind.Class.mergeMetaWithStore(was, is, existing, incoming);
    return { time: meta.fetchedAt, fetchedAt: meta.date, expiresAt: meta.expiresAt };
  }

  #decided(record: EntityRecord, existing: Fields, incoming: Fields): Fields {
    const { kind, stamp } = confirmed(record);
    if (!kind.plan.decides) return kind.Class.merge(existing, incoming);
    return kind.Class.mergeWithStore(metaOf(stamp), metaOf(this.#stamp), existing, incoming);
  }

  /** The same entity twice in one answer: later fields over earlier ones, and one write. */
  #again(record: EntityRecord, { fields, nodes, stamp }: Merged): void {
    const put = this.#laid(record) as Put;
    put.stamp = stamp ?? put.stamp;
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

  fill(ref: Ref, members: Node): void {
    this.#fills.push({ list: ref as ListRecord, members: members as Node[], how: 'fill' });
  }

  append(ref: Ref, members: Node): void {
    this.#fills.push({ list: ref as ListRecord, members: members as Node[], how: 'append' });
  }

  enter(kind: ListKind, entry: Entry): void {
    if (entry.how === 'start' || entry.how === 'end') {
      for (const member of entry.members) {
        const put = this.#laid(member as EntityRecord);
        if (put !== undefined) put.created = true;
      }
    }
    this.#entries.push({ table: this.#tables.table(kind) as ListTable, entry, asked: undefined });
  }

  /** Runs what is not ours (getters, constructors) now, where a throw costs nothing: `write` cannot fail half-way. */
  finish(): void {
    for (const put of this.#puts) {
      const { record, fields } = put;
      put.names = namesIn(fields);
      if (!confirmed(record).exists) put.instance = record.kind.instance(fields, put.names);
    }
    const laid = (record: Record) => this.#laid(record as EntityRecord)?.fields;
    for (const entering of this.#entries) {
      entering.asked = ask(entering.table, entering.entry, laid);
    }
    this.#unmark();
  }

  /** Writes everything. `root` is the node of the answer: what a mutation wrote itself is found there. */
  write(stamp: Stamp, root: Node): void {
    const { own } = stamp;
    const { layers } = this.#tables;
    if (own === undefined) {
      for (const put of this.#puts) layers.below(put.record).write(put, stamp);
    } else this.#writeOwn(stamp, root);
    // what came or went by these is told to the lists of before, not to those that they are about to enter
    judgeSuspects(this.#tables, true);
    for (const record of this.#removals) {
      const { shown } = record;
      if (layers.below(record).remove(stamp)) this.#leaveAll(record, shown);
    }
    for (const { list, members, how } of this.#fills)
      layers.below(list)[how](members, stamp, this.#tables);
    for (const { table, entry, asked } of this.#entries) {
      table.moved = true;
      for (const move of table.moves(entry, asked?.lists)) this.#move(move);
      const time = this.#contested(stamp.ownTime ?? stamp.time);
      for (const { list, apply } of asked?.apply ?? []) {
        layers.below(list);
        apply(time, this.#tables);
      }
    }
  }

  #move({ list, member, side, key }: Move): void {
    if (side === 'merge') return;
    const shown = !member.mayHide || this.#tables.read(member) !== INVALID;
    const moving = { ...this.#moving(member, shown), key };
    const target = this.#tables.layers.below(list);
    if (side === 'out') target.leave(moving);
    else target.enter(moving, side);
  }

  #leaveAll(member: Record, shown: boolean): void {
    const { layers } = this.#tables;
    for (const list of holdersOf(member, layers.lists))
      layers.below(list).leave(this.#moving(member, shown));
  }

  #moving(member: Record, shown: boolean): Moving {
    const { time: issued, ownTime = issued } = this.#stamp;
    const confirmed = this.#expected ? undefined : ownTime;
    return { member, shown, issued, confirmed, time: this.#contested(ownTime) };
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
    const { layers } = this.#tables;
    for (const put of this.#puts)
      layers.below(put.record).write(put, roots.has(put.record) ? stamp : plain);
  }

  /** Takes back what laying out made. */
  discard(): void {
    this.#unmark();
    this.#unnamed.undo();
    for (const { table, pk } of this.#made) table.drop(pk);
  }

  #unmark(): void {
    for (const { record } of this.#puts) record.flags &= ~MARKED;
  }
}

function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}
