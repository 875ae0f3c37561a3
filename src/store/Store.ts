/** The tables, the results and the logical clock; the only writer of signals: one draft, one commit, one batch. */
import { report } from '../diagnostics.ts';
import { batch, held, ticked } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { kindOf } from '../schema/kindOf.ts';
import { normalize } from '../schema/normalize.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import type { Origin } from '../schema/normalize.ts';
import { project } from '../schema/project.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { carried, carry, INVALID } from '../schema/schema.ts';
import type {
  Args,
  Entry,
  ListKind,
  Node,
  Ref,
  Schema,
  Sink,
  StoredKind,
} from '../schema/schema.ts';
import { buildBelow } from './buildBelow.ts';
import { foundIn } from './foundIn.ts';
import { Draft } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import type { Layer } from './Layer.ts';
import { ListChanges } from './ListChanges.ts';
import type { ListTable } from './ListTable.ts';
import { listsOf, listTables } from './listTables.ts';
import type { ListTables } from './listTables.ts';
import { Layers } from './Layers.ts';
import { NONE } from './more.ts';
import type { Stamp } from './order.ts';
import { DIRTY } from './flags.ts';
import { flush } from './mark.ts';
import { RecordCell } from './RecordCell.ts';
import type { Record } from './Record.ts';
import { ResultRecord } from './ResultRecord.ts';
import { renamingOf } from './Renaming.ts';
import { ResultTable } from './ResultTable.ts';
import type { Failure } from './Result.ts';
import { Sweep } from './Sweep.ts';
import type { Surroundings } from './Sweep.ts';
import type { Shelf } from './SweepRound.ts';
import { EntityTable } from './EntityTable.ts';
import { makeTable } from './Table.ts';
import type { Table } from './Table.ts';
import { writeDraft } from './writeDraft.ts';

// records are built inside each other up to this depth; below it, children first
const DEEPEST = 200;

/** A framework's own batch around a commit. */
export type Wrap = (commit: () => void) => void;

/** One write to the store. */
export interface Writing extends Origin {
  readonly schema: Schema;
  readonly value: unknown;
  readonly stamp: Stamp;
  /** It changes an entity that its arguments name. */
  readonly updates?: boolean | undefined;
  /** What the results of other requests become by it. */
  readonly others?: ((node: Node) => readonly Other[]) | undefined;
  /** What was shown in the place of the answer so far: entities that it made are named by the answer. */
  readonly layer?: Layer | undefined;
  /** Names those that the answer does not name. */
  readonly mint?: Sink['mint'];
}

/** What another request is to show: a value in the form of its schema. */
export interface Other {
  readonly result: ResultRecord;
  readonly value: unknown;
  readonly stamp: Stamp;
}

/** The request that waits for an answer, and what to remember if it is not in there. */
export interface Expecting {
  readonly result?: ResultRecord | undefined;
  readonly orElse?: () => Failure;
  /** What was shown in the place of the answer so far. */
  readonly layer?: Layer | undefined;
  /** To be run in the same commit. */
  readonly written?: () => void;
}

/** A value laid out, not yet written. */
export interface Laid {
  readonly draft: Draft;
  readonly node: Node;
  readonly stamp: Stamp;
  readonly changed?: readonly Amended[] | undefined;
}

/** A change of the result of another request, laid out. */
interface Amended extends Laid {
  readonly result: ResultRecord;
}

export class Store implements DraftStore {
  readonly stable = true;
  readonly tables: Map<string | object, Table> = new Map();
  readonly #results = new ResultTable(this);
  readonly #derived = new ResultTable(this, true);
  readonly oldest: () => number;
  readonly layers: Layers = new Layers(this);
  #time = 0;
  #depth = 0;
  #together = false;
  readonly #wrappers = new Set<{ readonly wrap: Wrap }>();

  /** Loads what persistence has not loaded yet: to be called before a change that may concern records of any name. */
  complete: (() => void) | undefined;

  readonly sweep: Sweep;
  readonly changes: ListChanges = new ListChanges();

  /** `flights` tell when the oldest request still under way was issued: what no answer can deny is not remembered. */
  constructor(surroundings: Surroundings) {
    this.oldest = () => surroundings.flights.oldest();
    this.sweep = new Sweep(this, surroundings);
  }

  /** Logical time. */
  get time(): number {
    return this.#time;
  }

  /** Logical time goes on from that of another store, where that is ahead. */
  follow(time: number): void {
    this.#time = Math.max(this.#time, time);
  }

  /** Logical time, after one tick. */
  tick(): number {
    return ++this.#time;
  }

  /** The table of a kind. Two classes with one key, neither of which extends the other: S5, in development. */
  table(kind: StoredKind): Table {
    const known = this.tables.get(kind.table);
    if (known === undefined) return this.#open(kind);
    if (known.kind !== kind && typeof kind.table === 'string')
      (known as EntityTable).share(kind as EntityKind);
    return known;
  }

  #open(kind: StoredKind): Table {
    const made = makeTable(kind, {
      tableOf: (of) => this.table(of),
      pending: this.layers.lists,
    });
    this.tables.set(kind.table, made);
    return made;
  }

  listTables(kind: ListKind, address: Entry['address']): ListTables {
    // the entry opens its own table
    const own = this.table(kind) as ListTable;
    return listTables(this.tables, own, address);
  }

  listsOf(entities: StoredKind['table']): readonly ListTable[] {
    return listsOf(this.tables, entities);
  }

  /** The record of a kind and primary key, made empty where it is missing: its readers wake for it alone. */
  ref(kind: StoredKind, pk: string): Record {
    const table = this.table(kind);
    return foundIn(this.sweep, table, pk) ?? this.sweep.born(table.make(pk));
  }

  find(kind: StoredKind, field: string, value: string): Record {
    const index = (this.table(kind) as EntityTable).by(field);
    index.settle();
    const found = index.records.get(value) ?? this.sweep.born(index.at(value));
    return this.sweep.use(found);
  }

  get results(): ReadonlyMap<string, ResultRecord> {
    return this.#results.records;
  }

  /** The record of a request; what it shows before any answer is inferred from its arguments. */
  result(key: string, schema: Schema, args: Args): ResultRecord {
    return this.#results.find(key, schema, args);
  }

  /** The record of a value that is found by its arguments alone. */
  derived(key: string, schema: Schema, args: Args): ResultRecord {
    return this.#derived.find(key, schema, args);
  }

  /** What a reader outside gets for `record`, or undefined. */
  peek(record: Record): unknown {
    const value = this.read(record);
    return value === INVALID ? undefined : project(value, record);
  }

  cell(record: Record): ReadonlySignal<unknown> {
    const known = held(record.cell);
    if (known !== undefined) return known;
    const cell = new RecordCell(record, this);
    record.cell = new WeakRef(cell);
    this.sweep.use(record);
    return cell;
  }

  /** Lays out one value. Throws a diagnostic, and leaves the store as it was, where it does not fit. */
  lay(writing: Writing): Laid {
    const { stamp, others, updates } = writing;
    const renaming = updates && stamp.own ? renamingOf(this, writing, stamp) : undefined;
    const draft = new Draft(this, stamp, { ...writing, renaming });
    const changed: Amended[] = [];
    try {
      const node = nodeOf(draft, writing);
      for (const { result, ...other } of others?.(node) ?? NONE) {
        const { schema, args } = result;
        const { endpoint } = writing;
        changed.push({ result, ...this.lay({ ...other, endpoint, schema, args, keyed: true }) });
      }
      draft.finish();
      return { draft, node, stamp, changed };
    } catch (error) {
      this.discard({ draft, changed });
      throw error;
    }
  }

  /** Takes back what laying out made. */
  discard({ draft, changed = NONE }: Pick<Laid, 'draft' | 'changed'>): void {
    draft.discard();
    for (const other of changed) other.draft.discard();
  }

  /** Writes what was laid out, be it the answer to a request or not. */
  accept(laid: Laid, { result, orElse, layer, written }: Expecting): number {
    const { node, stamp } = laid;
    return this.commit(() => {
      this.write(laid);
      written?.();
      if (layer !== undefined) this.layers.drop(layer);
      this.layers.settle();
      if (result === undefined) return;
      result.answer(node, stamp);
      // one that came before the entity was deleted says nothing of the fields that it lacks now
      if (orElse === undefined || result.incomplete || result.has(this)) return;
      // in the same commit: whoever waits is told once. What an expected deletion hides is no error
      if (result.gone !== undefined && result.below(this) !== INVALID) result.look(this);
      else result.fail(orElse());
    });
  }

  /** As a part of a commit. */
  write({ draft, node, stamp, changed = NONE }: Laid): void {
    writeDraft(this, draft, stamp, node);
    for (const { result, ...other } of changed) {
      writeDraft(this, other.draft, other.stamp, other.node);
      result.amend(other.node, other.stamp);
    }
  }

  /** Logical time after which a read must have been issued to say anything new about `result`. */
  horizon({ kind, invalidatedAt = 0, amendedAt }: ResultRecord): number {
    let latest = Math.max(invalidatedAt, amendedAt);
    for (const identity of tablesIn(kind)) {
      latest = Math.max(latest, this.tables.get(identity)?.writtenAt ?? 0);
    }
    return latest;
  }

  /** What readers get for a node under a schema; undefined where it is missing. */
  show(schema: Schema, node: Node, args: Args): unknown {
    if (this.#together) this.layers.settle();
    if (schema === undefined) return carried(node);
    const kind = kindOf(schema, 'schema');
    const shown = this.#outside(() => kind.denormalize(node, this));
    return shown === INVALID ? undefined : project(shown, { kind, args });
  }

  /** Runs one atomic change: readers see all of it or nothing and run at most once. Gives the signals written. */
  commit(change: () => void): number {
    if (this.#together) {
      change();
      return 0;
    }
    const before = ticked();
    let done = false;
    const whole = () => {
      change();
      this.layers.settle();
      flush(this);
      done = true;
    };
    try {
      if (this.#wrappers.size === 0) batch(whole);
      else this.#wrapped(() => batch(whole))();
    } catch (error) {
      if (!done) throw error;
      // a reader's: what was written stands
      report(error);
    }
    this.sweep.watch();
    return ticked() - before;
  }

  #wrapped(run: () => void): () => void {
    for (const { wrap } of this.#wrappers) {
      const inner = run;
      run = () => wrap(inner);
    }
    return run;
  }

  /** Runs several changes as one commit. What is read meanwhile shows the layers that were laid. */
  together(changes: () => void): number {
    return this.commit(() => {
      const outer = this.#together;
      this.#together = true;
      try {
        changes();
      } finally {
        this.#together = outer;
      }
    });
  }

  /** Lets a framework with a graph of its own flush once per commit. Gives back how to stop. */
  wrapCommits(wrap: Wrap): () => void {
    // an entry of its own: one wrapper may be lent twice and taken back once
    const entry = { wrap };
    this.#wrappers.add(entry);
    return () => void this.#wrappers.delete(entry);
  }

  read(record: Record): unknown {
    if (this.#together) this.layers.settle();
    // what is built already reaches for nothing
    return record.flags & DIRTY ? this.#built(record) : record.current(this);
  }

  #built(record: Record): unknown {
    return this.#outside(() => record.current(this));
  }

  /** Reads as from outside: the call stack starts anew. */
  #outside<T>(read: () => T): T {
    const depth = this.#depth;
    this.#depth = 0;
    try {
      return read();
    } finally {
      this.#depth = depth;
    }
  }

  value(ref: Ref): unknown {
    const record = ref as Record;
    if (!(record.flags & DIRTY)) return record.current(this);
    if (this.#depth >= DEEPEST) buildBelow(record, this);
    this.#depth++;
    const value = record.current(this);
    this.#depth--;
    return value;
  }

  /** Empties everything in one commit. What somebody reads stays, empty, and is told. Gives the signals written. */
  clear(): number {
    const stamp: Stamp = { time: this.tick(), fetchedAt: 0, expiresAt: 0 };
    const written = this.commit(() => {
      this.layers.clear();
      for (const table of this.tables.values()) table.clear(stamp);
      this.layers.settle();
      // nothing outlives a log out
      for (const { records } of this.tables.values())
        for (const { fine } of records.values()) fine?.recall(undefined);
      this.#results.clear();
      this.#derived.clear();
    });
    this.sweep.emptied();
    return written;
  }

  /** Everything that is stored. Requests go before the lists they show, lists before their rows. */
  *shelves(): Generator<Shelf> {
    yield this.#results;
    yield this.#derived;
    for (const table of this.tables.values()) {
      yield table;
      if (table instanceof EntityTable) yield* table.indexes.values();
    }
  }

  shelfOf(record: Record): Shelf | undefined {
    const { kind } = record;
    if (record instanceof ResultRecord)
      return this.#results.records.get(record.key) === record ? this.#results : this.#derived;
    return kind && this.tables.get((kind as StoredKind).table);
  }

  get entities(): number {
    let count = 0;
    for (const table of this.tables.values()) {
      if (table instanceof EntityTable) count += table.records.size;
    }
    return count;
  }
}

function nodeOf(draft: Draft, given: Writing): Node {
  const { schema, value } = given;
  return schema === undefined ? carry(value) : normalize(schema, value, draft, given);
}
