/** What one answer is going to change, laid out before any of it is written. */
import type { EntityKind } from '../schema/EntityKind.ts';
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
import { claim, isDeleted } from './claim.ts';
import { ask } from './asked.ts';
import type { Asked } from './asked.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { Layer } from './Layer.ts';
import { confirmed } from './Layered.ts';
import type { ListRecord, Moving } from './ListRecord.ts';
import { more, NONE } from './more.ts';
import type { Stamp } from './order.ts';
import { among } from './eachRecord.ts';
import type { DraftPlace, Instead } from './DraftPlace.ts';
import { foundIn } from './foundIn.ts';
import { Puts } from './Puts.ts';
import type { Laid } from './Puts.ts';
import type { Record } from './Record.ts';
import { knownOf, laidFirst, unsaid } from './said.ts';
import { holdersOf } from './ListTable.ts';
import type { Listed, ListTable, Move } from './ListTable.ts';
import type { Table } from './Table.ts';
import type { Renaming } from './Renaming.ts';
import { Unnamed } from './Unnamed.ts';

interface Fill {
  readonly list: Listed;
  readonly members: readonly Node[];
  readonly how: Filling;
}

interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
  /** Tables of lists at other addresses. */
  readonly others: readonly ListTable[];
  asked: Asked | undefined;
}

/**
 * Records that are missing are made at once, empty: no reader can tell. `write` fills them in; `discard` takes those
 * that this draft made away again, and the store is as it was.
 */
export class Draft implements Sink {
  readonly #tables: DraftPlace;
  readonly #stamp: Stamp;
  #made: Record[] = NONE;
  readonly #puts: Puts;
  #removals: Set<EntityRecord> | undefined;
  #fills: Fill[] = NONE;
  #entries: Entering[] = NONE;
  #created: Laid[] = NONE;
  /** Those whose own deletion, or other creation, was issued later and is confirmed: they enter no list. */
  #outrun: Set<Record> | undefined;
  /** Of its entities. */
  #touched: Table[] = NONE;
  #kind: StoredKind | undefined;
  #table: Table | undefined;
  /** Entities that this answer is to name. */
  #unnamed: Unnamed | undefined;
  readonly #layer: Layer | undefined;
  readonly #renaming: Renaming | undefined;
  readonly mint: Sink['mint'];

  constructor(tables: DraftPlace, stamp: Stamp, { layer, mint, renaming }: Instead = {}) {
    this.#tables = tables;
    this.#stamp = stamp;
    this.#puts = new Puts(stamp, this);
    this.#layer = layer;
    this.#renaming = renaming;
    this.mint = mint;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    // rows of one kind come in runs
    const table = kind === this.#kind ? (this.#table as Table) : this.#turnTo(kind);
    const { sweep } = this.#tables;
    const stored = sweep.find<Record>(table, pk);
    const renamed = top ? this.#renaming?.ref(table, pk, stored) : undefined;
    if (renamed !== undefined) return renamed;
    const known = stored ?? foundIn(sweep, table, pk, this.#stamp.time);
    if (top && this.#layer !== undefined)
      this.#unnamed ??= new Unnamed(this.#layer, this.#tables.tables);
    if (known !== undefined) {
      if (top) this.#unnamed?.meet(table, known as EntityRecord);
      return known;
    }
    const shown = top ? this.#unnamed?.name(table, pk) : undefined;
    if (shown !== undefined) return shown;
    const made = sweep.born<Record>(table.make(pk));
    this.#made = more(this.#made, made);
    return made;
  }

  #turnTo(kind: StoredKind): Table {
    this.#kind = kind;
    this.#table = this.#tables.table(kind);
    if (!this.#touched.includes(this.#table)) this.#touched = more(this.#touched, this.#table);
    return this.#table;
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[], kind: StoredKind): void {
    this.#puts.add(ref as EntityRecord, fields, nodes, kind as EntityKind);
    // there again in the same answer
    this.#removals?.delete(ref as EntityRecord);
  }

  stored(ref: Ref): boolean {
    return confirmed(ref as EntityRecord).exists;
  }

  remove(ref: Ref): void {
    // any list may hold it
    this.#tables.complete?.();
    (this.#removals ??= new Set()).add(ref as EntityRecord);
  }

  /** True where it deletes entities: `process` gave undefined, or a schema says so. */
  get removes(): boolean {
    return this.#removals !== undefined && this.#removals.size > 0;
  }

  fill(ref: Ref, members: Node, how: Filling = 'fill'): void {
    this.#fills = more(this.#fills, { list: ref as ListRecord, members: members as Node[], how });
  }

  enter(kind: ListKind, entry: Entry): void {
    if (entry.how === 'start' || entry.how === 'end') {
      for (const member of entry.members) {
        const { put } = member as EntityRecord;
        if (put !== undefined) this.#created = more(this.#created, put);
      }
    }
    const laid = laidFirst(entry, kind, ({ put }) => put);
    const { certain, others } = this.#tables.listTables(kind, entry.address);
    for (const [at, table] of certain.entries()) {
      const entering = { table, entry: laid, others: at === 0 ? others : NONE, asked: undefined };
      this.#entries = more<Entering>(this.#entries, entering);
    }
  }

  /** Runs what is not ours now, where a throw costs nothing: `write` cannot fail half-way. */
  finish(): void {
    this.#unnamed?.keep((list, members) => this.fill(list, members));
    this.#puts.finish();
    for (const entering of this.#entries) entering.asked = ask(entering.table, entering.entry);
    this.#puts.end();
  }

  /** Writes everything. `root` is the node of the answer: what a mutation wrote itself is found there. */
  write(given: Stamp, root: Node): void {
    const stamp = this.#renaming?.settle(given) ?? given;
    const { own } = stamp;
    const { layers, changes } = this.#tables;
    for (const { record, known } of this.#unnamed?.met ?? NONE) layers.move(record, known);
    for (const put of this.#created) {
      put.created = claim(layers.below(put.record), { issued: stamp.time });
      if (put.created) layers.claimed(put.record);
      else (this.#outrun ??= new Set()).add(put.record);
    }
    if (own === undefined) {
      for (const put of this.#puts.all) layers.below(put.record).write(put, stamp);
    } else this.#writeOwn(stamp, root);
    for (const record of this.#removals ?? NONE) {
      const base = layers.below(record);
      const { nodes } = base;
      const said = knownOf(record, unsaid);
      if (!base.remove(stamp)) continue;
      this.#leaveAll(record);
      for (const table of this.#tables.listsOf(record.kind.table))
        changes.uncertain(table.open(record, said, true));
      // what is stored for it alone goes with it; a set that grows is walked to its end
      for (const [at, { kind }] of record.kind.plan.nested.entries())
        if (kind.always && nodes[at]) this.remove(nodes[at] as Ref);
    }
    for (const { list, members, how } of this.#fills) layers.below(list)[how](members, stamp);
    for (const { table, entry, asked, others } of this.#entries) {
      table.moved = true;
      const uncertain: Listed[] = [];
      const doubt = (list: Listed) => uncertain.push(list);
      for (const other of others) changes.uncertain(other.mayChange(entry));
      for (const move of table.moves(entry, { given: asked?.lists, doubt })) this.#move(move);
      changes.uncertain(uncertain);
      const time = this.#contested(stamp.ownTime ?? stamp.time);
      for (const { list, apply } of asked?.apply ?? NONE) {
        layers.below(list);
        apply(time);
      }
    }
  }

  #move({ list, member, side, key }: Move): void {
    const outrun = side !== 'out' && this.#outrun?.has(member) === true;
    const late = outrun && (key === undefined || isDeleted(confirmed(member as EntityRecord)));
    if (side === 'merge' || late) return;
    const moving = this.#moving(member, key);
    const target = this.#tables.layers.below(list);
    if (side === 'out' || !target.has(member)) this.#tables.changes.updated(list);
    if (side === 'out') target.leave(moving);
    else target.enter(moving, side);
  }

  #leaveAll(member: Record): void {
    const { layers, changes } = this.#tables;
    for (const list of holdersOf(member, layers.lists)) {
      changes.updated(list);
      layers.below(list).leave(this.#moving(member));
    }
  }

  #moving(member: Record, key?: string): Moving {
    const { time: issued, ownTime: confirmed = issued } = this.#stamp;
    const time = this.#contested(confirmed);
    const expected = this.#layer !== undefined;
    return { member, issued, confirmed, expected, time, key };
  }

  /** The time of a membership, where an answer to an older request may still come and deny it. */
  #contested(time: number): number | undefined {
    return this.#tables.oldest() < time ? time : undefined;
  }

  /** The fields that a mutation's body names are its own in the entities it answers with, not in those nested there. */
  #writeOwn(stamp: Stamp, root: Node): void {
    const isRoot = among(root);
    const { time, fetchedAt, expiresAt } = stamp;
    const plain: Stamp = { time, fetchedAt, expiresAt };
    for (const table of this.#touched) table.writtenAt = stamp.ownTime ?? time;
    const { layers } = this.#tables;
    for (const put of this.#puts.all)
      layers.below(put.record).write(put, isRoot(put.record) ? stamp : plain);
  }

  /** Takes back what laying out made. */
  discard(): void {
    this.#puts.end();
    this.#unnamed?.undo();
    this.#renaming?.undo();
    for (const { kind, pk } of this.#made) this.#tables.table(kind as StoredKind).drop(pk);
  }
}
