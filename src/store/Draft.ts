/** What one response or one unconfirmed write says, laid out before any of it is written. */
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
import { ask } from './asked.ts';
import type { Asked } from './asked.ts';
import type { DraftStore } from './DraftStore.ts';
import { again, patchOf, received, standing, widest } from './EntityPatch.ts';
import type { EntityPatch } from './EntityPatch.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { foundIn } from './foundIn.ts';
import type { Listed, ListTable } from './ListTable.ts';
import { mergedByClass } from './mergedByClass.ts';
import { more, NONE } from './more.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';
import type { Renaming } from './Renaming.ts';
import { laidFirst } from './said.ts';
import type { Table } from './Table.ts';
import { Unnamed } from './Unnamed.ts';
import type { Expecting } from './Unnamed.ts';

/** What the draft stands in the place of. */
export interface Instead {
  /** What was shown so far; it names what the response does not. */
  readonly layer?: Expecting | undefined;
  readonly mint?: Sink['mint'];
  /** The response may give an entity another key. */
  readonly renaming?: Renaming | undefined;
}

interface Fill {
  readonly list: Listed;
  readonly members: readonly Node[];
  readonly how: Filling;
}

/** Members on their way into the lists of a table. */
export interface Entering {
  readonly table: ListTable;
  readonly entry: Entry;
  /** Tables of lists at other addresses. */
  readonly others: readonly ListTable[];
  asked: Asked | undefined;
}

const NO_REMOVALS: Set<EntityRecord> = new Set();

/**
 * Records that are missing are made at once, empty: no reader can tell. `discard` takes those away again that this draft
 * made, and the store is as it was. A response is written by `writeDraft`; an unconfirmed write is a layer.
 */
export class Draft implements Sink {
  /** In the order in which the entities came; while it is laid out, each record has its own, too. */
  patches: EntityPatch[] = NONE;
  removals: Set<EntityRecord> = NO_REMOVALS;
  fills: Fill[] = NONE;
  entries: Entering[] = NONE;
  /** Of the entities that enter lists. */
  created: EntityPatch[] = NONE;
  /** Tables of its entities. */
  touched: Table[] = NONE;
  /** Entities that a layer shows under temporary keys, and that this is to name. */
  unnamed: Unnamed | undefined;
  readonly layer: Expecting | undefined;
  readonly renaming: Renaming | undefined;
  readonly mint: Sink['mint'];
  readonly #store: DraftStore;
  readonly #stamp: Stamp | undefined;
  #made: Record[] = NONE;
  #kind: StoredKind | undefined;
  #table: Table | undefined;

  /** `stamp`: when it is known to be true; undefined: it is not confirmed. */
  constructor(
    store: DraftStore,
    stamp: Stamp | undefined,
    { layer, mint, renaming }: Instead = {},
  ) {
    this.#store = store;
    this.#stamp = stamp;
    this.layer = layer;
    this.renaming = renaming;
    this.mint = mint;
  }

  ref(kind: StoredKind, pk: string, top = false): Ref {
    // rows of one kind come in runs
    const table = kind === this.#kind ? (this.#table as Table) : this.#turnTo(kind);
    const { sweep } = this.#store;
    const stored = sweep.find<Record>(table, pk);
    const renamed = top ? this.renaming?.ref(table, pk, stored) : undefined;
    if (renamed !== undefined) return renamed;
    const known = stored ?? foundIn(sweep, table, pk, this.#stamp?.time);
    if (top && this.layer !== undefined)
      this.unnamed ??= new Unnamed(this.layer, this.#store.tables);
    if (known !== undefined) {
      if (top && this.#stamp) this.unnamed?.meet(table, known as EntityRecord);
      return known;
    }
    const shown = top ? this.unnamed?.name(table, pk) : undefined;
    if (shown !== undefined) return shown;
    const made = sweep.born<Record>(table.make(pk));
    this.#made = more(this.#made, made);
    return made;
  }

  #turnTo(kind: StoredKind): Table {
    this.#kind = kind;
    this.#table = this.#store.table(kind);
    if (!this.touched.includes(this.#table)) this.touched = more(this.touched, this.#table);
    return this.#table;
  }

  /** What a class of the user's makes of it is asked here, where a throw costs nothing. */
  put(ref: Ref, given: Fields, nodes: readonly Node[], as: StoredKind): void {
    const record = ref as EntityRecord;
    const its = as as EntityKind;
    const kind = this.#kindOf(record, its);
    const fields = kind === its ? given : kind.fitting(given, its);
    const merged =
      kind.plan.merges && this.#stamp
        ? mergedByClass(record, { fields, nodes, kind }, this.#stamp, this)
        : undefined;
    const { patch } = record;
    if (patch === undefined) {
      record.patch = patchOf(record, merged?.fields ?? fields, merged?.nodes ?? nodes, kind);
      record.patch.stamp = merged?.stamp;
      this.patches = more(this.patches, record.patch);
    } else {
      if (patch.kind !== kind) patch.fields = kind.fitting(patch.fields, patch.kind);
      patch.kind = kind;
      again(patch, merged?.fields ?? fields, merged?.nodes ?? nodes);
      patch.stamp = merged?.stamp ?? patch.stamp;
    }
    // there again in the same response
    if (this.removals.size > 0) this.removals.delete(record);
  }

  /** Of classes that share a table a response may bring the most derived one; an unconfirmed write changes no class. */
  #kindOf(record: EntityRecord, as: EntityKind): EntityKind {
    if (this.#stamp !== undefined)
      return widest(record.patch?.kind ?? (record.confirmed ? record.kind : as), as);
    // what nobody knows is what it is made as
    if (!record.exists && !record.confirmed) record.kind = as;
    return record.kind;
  }

  stored(ref: Ref): boolean {
    return (ref as EntityRecord).confirmed;
  }

  remove(ref: Ref): void {
    // any list may hold it
    this.#store.complete?.();
    if (this.removals === NO_REMOVALS) this.removals = new Set();
    this.removals.add(ref as EntityRecord);
  }

  /** True where it deletes entities: `process` gave undefined, or a schema says so. */
  get removes(): boolean {
    return this.removals.size > 0;
  }

  fill(ref: Ref, members: Node, how: Filling = 'fill'): void {
    this.fills = more(this.fills, { list: ref as Listed, members: members as Node[], how });
  }

  enter(kind: ListKind, entry: Entry): void {
    if (entry.how === 'start' || entry.how === 'end') {
      for (const member of entry.members) {
        const { patch } = member as EntityRecord;
        if (patch !== undefined) this.created = more(this.created, patch);
      }
    }
    const laid = laidFirst(entry, kind, ({ patch }) => patch);
    const { certain, others } = this.#store.listTables(kind, entry.address);
    for (const [at, table] of certain.entries()) {
      const entering = { table, entry: laid, others: at === 0 ? others : NONE, asked: undefined };
      this.entries = more<Entering>(this.entries, entering);
    }
  }

  /** Runs what is not ours now (getters, constructors, filters), where a throw costs nothing. */
  finish(): void {
    if (this.#stamp) this.unnamed?.keep((list, members) => this.fill(list, members));
    for (const patch of this.patches) this.#complete(patch);
    if (this.#stamp)
      for (const entering of this.entries) entering.asked = ask(entering.table, entering.entry);
    this.#end();
  }

  #complete(patch: EntityPatch): void {
    const { record, kind } = patch;
    if (this.#stamp)
      patch.fields = record.confirmed
        ? received(patch.fields, record, this.#stamp)
        : standing(patch.fields, record, this.#stamp);
    patch.form = kind.formOf(patch.fields);
    if (this.#stamp && !record.confirmed) patch.instance = kind.instance(patch.fields, patch.form);
  }

  /** To be run when all is laid out, or nothing is to be. */
  #end(): void {
    for (const { record } of this.patches) record.patch = undefined;
  }

  /** Takes back what laying out made. */
  discard(): void {
    this.#end();
    this.unnamed?.undo();
    this.renaming?.undo();
    for (const { kind, pk } of this.#made) this.#store.table(kind as StoredKind).drop(pk);
  }

  /** What is said of an entity; undefined: nothing, or that it is deleted. */
  patchOf(record: EntityRecord): EntityPatch | undefined {
    if (this.removals.has(record)) return undefined;
    return this.patches.find((patch) => patch.record === record);
  }

  /** What it puts into lists and maps. */
  get entered(): Set<Node> {
    const entries = this.entries.map(({ entry }) => entry);
    return new Set(
      entries.flatMap(({ how, members }) => (how === 'move' || how === 'out' ? NONE : members)),
    );
  }

  /** What it says of this entity, it says of the other. */
  move(record: EntityRecord, other: EntityRecord): void {
    const patch = this.patchOf(record);
    if (patch !== undefined) this.patches = more(this.patches, { ...patch, record: other });
  }

  /** True when the other makes no entity that this does not make. */
  covers(other: Draft): boolean {
    return other.patches.every(
      ({ record }) => other.removals.has(record) || this.patchOf(record) || record.confirmed,
    );
  }
}
