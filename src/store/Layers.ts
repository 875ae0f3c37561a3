/** All unconfirmed writes, in the order in which they were issued. */
import type { Draft } from './Draft.ts';
import type { Entering } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import { eachRecord } from './eachRecord.ts';
import { inOrder } from './inOrder.ts';
import type { Layer } from './Layer.ts';
import { ListRecord } from './ListRecord.ts';
import type { PendingChange } from './foldChanges.ts';
import { holdersOf } from './ListTable.ts';
import { more, NONE } from './more.ts';
import { NEVER } from './order.ts';
import { Record } from './Record.ts';

/*
 *   a response   ──►  writes what is confirmed (`touch`)          ─┐
 *   a new layer  ──►  its patches and changes lie over it (`lay`)  ├─►  settle: layers that saw what is another now are
 *   a layer that succeeds or fails  ──►  is lifted (`drop`)       ─┘    said anew, in their order; then each record that
 *                                                                       was touched shows the fold of base and layers
 */
export class Layers {
  readonly #store: DraftStore;
  /** All that are laid, in the order in which they were. */
  readonly laid: Set<Layer> = new Set();
  /** Which layers were said from a record, in the order of their issue. */
  readonly #sayers = new Map<Record, Layer[]>();
  /** Lists, and entities over which layers lie, that are to be shown anew. */
  readonly #touched = new Set<EntityRecord | ListRecord>();
  /** Entities that layers delete. */
  readonly #deleted = new Set<EntityRecord>();
  /** To be said anew if they saw anything else, in the order of their issue. */
  #due: Layer[] = [];
  /** Lists over which layers lie. */
  readonly lists: Set<ListRecord> = new Set();

  constructor(store: DraftStore) {
    this.#store = store;
  }

  /** To be called before what is confirmed of a record changes. Gives the record. */
  touch<R extends Record>(record: R): R {
    if (this.laid.size === 0) return record;
    this.#touch(record);
    // what comes in may have to leave by a layer: readers see the outcome alone
    if (this.#deleted.size > 0 && record instanceof ListRecord && record.told) this.#begin(record);
    return record;
  }

  /** A creation is confirmed: what layers issued before it say of lists that have the entity may not hold any more. */
  claimed(record: EntityRecord): void {
    if (record.pending) for (const list of holdersOf(record, this.lists)) this.#touch(list);
  }

  /** Shows what it says, from the end of this commit on. */
  lay(layer: Layer): void {
    this.#lift(layer);
    this.laid.add(layer);
    this.#place(layer);
  }

  /** What is said of this entity is said of the other from now on. */
  move(record: EntityRecord, other: EntityRecord): void {
    for (const layer of this.laid) {
      if (!layer.on.includes(record) && !layer.on.includes(other)) continue;
      layer.draft?.move(record, other);
      this.renew(layer);
      // before it is written: readers see the outcome alone
      other.begin();
      this.#touch(other);
    }
    this.#end(record);
  }

  /** It is said anew at the end of this commit: what it is called with is another. */
  renew(layer: Layer): void {
    this.#suspect(layer, undefined);
  }

  /** Nothing is unconfirmed. */
  get none(): boolean {
    return this.laid.size === 0;
  }

  has(layer: Layer): boolean {
    return this.laid.has(layer);
  }

  /** What layers lie on, or were said from, and what is below them. */
  pinned(): ReadonlySet<Record> {
    const pinned: Set<Record> = new Set(this.#sayers.keys());
    for (const { on } of this.laid)
      for (const record of on) {
        pinned.add(record);
        eachRecord(record.needs(), (part) => pinned.add(part));
      }
    return pinned;
  }

  /** Takes exactly this layer away; `failed`: with what was pushed to rows that will have no other name. */
  drop(layer: Layer, failed = false): void {
    if (!this.laid.has(layer)) return;
    if (failed) for (const record of layer.made) this.#end(record);
    this.laid.delete(layer);
    this.#lift(layer);
  }

  #end(record: EntityRecord): void {
    if (record.confirmed) this.touch(record).remove({ ...NEVER, time: record.latest });
  }

  /** At the end of a commit: brings what readers see up to date. */
  settle(): void {
    if (this.#touched.size + this.#due.length === 0) return;
    for (let layer = this.#due.shift(); layer; layer = this.#due.shift()) this.#sayAnew(layer);
    // taken out at once: rows that are read while lists are brought up to date may settle what is left
    const touched = [...this.#touched];
    this.#touched.clear();
    const lists = touched.filter((record) => record instanceof ListRecord);
    for (const list of lists) if (list.told) this.#join(list);
    for (const record of touched) if (record instanceof EntityRecord) record.refold();
    for (const list of lists) {
      list.refold();
      if (!list.pending) this.lists.delete(list);
    }
  }

  /** Takes all away. */
  clear(): void {
    for (const layer of this.laid) this.drop(layer);
  }

  /** `issued`: of the layer that changes it, which those before it do not see. */
  #touch(record: Record, issued = -1): void {
    // an entity without layers shows what is written to it by itself
    if (record instanceof ListRecord || (record instanceof EntityRecord && record.pending))
      this.#touched.add(record);
    if (this.#sayers.size === 0) return;
    this.wake(record, issued);
    if (record instanceof EntityRecord)
      this.wake((this.#store.table(record.kind) as EntityTable).all, issued);
  }

  /** Layers that were said from this, and were issued after the one that changes it, may have to be said anew. */
  wake(record: Record | undefined, issued = -1): void {
    const sayers = (record && this.#sayers.get(record)) ?? NONE;
    if (sayers.length === 0 || issued >= (sayers.at(-1) as Layer).issued) return;
    for (const layer of sayers) if (layer.issued > issued) this.#suspect(layer, record);
  }

  #suspect(layer: Layer, record: Record | undefined): void {
    if (layer.suspects.length === 0) this.#due = inOrder(this.#due, layer);
    if (!layer.suspects.includes(record)) layer.suspects = more(layer.suspects, record);
  }

  #sayAnew(layer: Layer): void {
    const { suspects, seen, issued } = layer;
    layer.suspects = NONE;
    const saw = (record: Record | undefined) => record && seen.get(record);
    const isSame = (record: Record | undefined) =>
      record?.isAsBefore(issued, saw(record) ?? record) === true;
    if (!this.has(layer) || suspects.every(isSame)) return;
    this.#lift(layer);
    layer.attempt(this.#store);
    this.#place(layer);
  }

  #lift(layer: Layer): void {
    const { issued, on, heard } = layer;
    for (const record of heard) {
      const others = this.#sayers.get(record)?.filter((other) => other !== layer) ?? NONE;
      if (others.length === 0) this.#sayers.delete(record);
      else this.#sayers.set(record, others);
    }
    for (const record of on) {
      if (record instanceof EntityRecord) this.#liftPatch(record, issued);
      else (record as ListRecord).dropChange(issued);
      this.#touch(record, issued);
    }
    layer.on = layer.heard = NONE;
  }

  #liftPatch(record: EntityRecord, issued: number): void {
    record.pending?.drop(issued);
    if (!this.#deleted.has(record)) return;
    this.#touchHolders(record, issued);
    if (!record.pending?.deletions.length) this.#deleted.delete(record);
  }

  /** The lists that an entity leaves, or comes back to, since a layer deletes it. */
  #touchHolders(record: EntityRecord, issued: number): void {
    for (const list of holdersOf(record, this.lists))
      if (list instanceof ListRecord && list.told) {
        this.#begin(list);
        this.#touch(list, issued);
      }
  }

  #place(layer: Layer): void {
    const { draft, issued, seen } = layer;
    for (const record of seen.keys()) this.#listen(layer, record);
    if (draft === undefined) return;
    this.#placePatches(layer, draft);
    for (const { list, how, members } of draft.fills)
      if (list instanceof ListRecord && list.told && Array.isArray(members))
        this.#change(layer, list, {
          issued,
          how,
          members: members.filter((node): node is Record => node instanceof Record),
        });
    for (const entering of draft.entries) {
      // where they go hangs on what was known of them before
      const { how, members } = entering.entry;
      if (how === 'move' || how === 'out')
        eachRecord(members, (member) => {
          if (!seen.has(member)) seen.set(member, member.before(issued));
          this.#listen(layer, member);
        });
      this.#enter(layer, entering);
    }
  }

  #placePatches(layer: Layer, { patches, removals }: Draft): void {
    const { issued } = layer;
    const shows = layer.maker(this.#store);
    for (const patch of patches) {
      const { record } = patch;
      if (removals.has(record)) continue;
      const makes = shows(record);
      layer.on = more(layer.on, record);
      record.begin().add({ issued, patch, makes });
      this.#touch(record, issued);
    }
    for (const record of removals) {
      layer.on = more(layer.on, record);
      this.#deleted.add(record);
      record.begin().add({ issued, patch: undefined, makes: false });
      this.#touch(record, issued);
      this.#touchHolders(record, issued);
    }
  }

  #listen(layer: Layer, record: Record): void {
    const sayers = this.#sayers.get(record) ?? NONE;
    if (sayers.includes(layer)) return;
    this.#sayers.set(record, inOrder(sayers, layer));
    layer.heard = more(layer.heard, record);
  }

  /** `only`: into this list alone. */
  #enter(layer: Layer, { table, entry }: Entering, only?: ListRecord): void {
    const { issued } = layer;
    const { merge } = entry;
    for (const { list, member, side: how } of table.moves(entry, { issued }))
      // maps show their members when they are confirmed
      if (list instanceof ListRecord && list === (only ?? list))
        this.#change(layer, list, { issued, how, members: [member], merge });
  }

  #change(layer: Layer, list: ListRecord, change: PendingChange): void {
    if (!layer.on.includes(list)) layer.on = more(layer.on, list);
    this.#begin(list);
    list.addChange(change);
    this.#touch(list, layer.issued);
  }

  #begin(list: ListRecord): void {
    if (list.pending) return;
    list.begin(this.#deleted);
    this.lists.add(list);
  }

  /** A list that came to be known, or has other members: what layers do to such lists they do to this. */
  #join(list: ListRecord): void {
    for (const layer of this.laid)
      for (const entering of layer.draft?.entries ?? NONE)
        if (entering.table.kind === list.kind && !layer.on.includes(list))
          this.#enter(layer, entering, list);
  }
}
