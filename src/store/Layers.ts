/** All unconfirmed writes, in the order in which they were issued. */
import { confirmed, layeredOf } from './Layered.ts';
import { EntityRecord } from './EntityRecord.ts';
import { eachRecord } from './eachRecord.ts';
import { inOrder } from './inOrder.ts';
import type { Layer } from './Layer.ts';
import { LayeredEntity } from './LayeredEntity.ts';
import { LayeredList } from './LayeredList.ts';
import type { Change } from './LayeredList.ts';
import { ListRecord } from './ListRecord.ts';
import { more, NONE } from './more.ts';
import type { Entering, Places } from './Overlay.ts';
import { NEVER } from './order.ts';
import { TOUCHED } from './Record.ts';
import type { Builder, Record } from './Record.ts';
import { holdersOf } from './ListTable.ts';
import type { EntityTable } from './EntityTable.ts';

/*
 *   an answer   ──►  writes what is confirmed (`below`)          ─┐
 *   a new layer ──►  writes above (`lay`)                         ├─►  settle: layers said from what was touched are
 *   a layer that succeeds or fails  ──►  is lifted (`drop`)      ─┘    said anew, in their order; then each thing that
 *                                                                      was touched shows what differs from before
 */
export class Layers {
  readonly #store: Places & Builder;
  /** All that are laid, in the order in which they were. */
  readonly laid: Set<Layer> = new Set();
  /** Who was said from a record, in the order of their issue. */
  readonly #sayers = new Map<Record, Layer[]>();
  /** Lists, and entities on which layers lie, that are to be looked at; each once. */
  readonly #touched: Record[] = [];
  /** Layers that show again what an earlier one deletes: whichever list has it, it leaves. */
  readonly #leaving = new Set<Layer>();
  /** Entities that layers delete. */
  readonly #deleted = new Set<EntityRecord>();
  /** Entities in which something changed, and the least time of issue of who changed it. */
  readonly #shaken = new Map<Record, number>();
  /** To be said anew, in the order of their issue. */
  #due: Layer[] = [];
  /** Lists that layers change. */
  readonly lists: Set<ListRecord> = new Set();

  constructor(store: Places & Builder) {
    this.#store = store;
  }

  /** The record to write an answer to. */
  below<R extends Record>(record: R): R {
    if (this.laid.size === 0) return record;
    this.#touch(record);
    // what comes in may have to leave by a layer: readers see the outcome alone
    if (this.#leaving.size > 0 && record instanceof ListRecord && record.told) this.#above(record);
    return confirmed(record);
  }

  /** A creation is confirmed: what layers issued before it say of lists that have the entity may not hold any more. */
  claimed(record: EntityRecord): void {
    if (record.layered) for (const list of holdersOf(record, this.lists)) this.#touch(list);
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
      layer.overlay?.move(record, other);
      this.#wake([layer], -1);
      // laid before it is written: readers see the outcome alone
      this.#above(other);
      this.#touch(other);
    }
    this.#end(record);
  }

  /** It is said anew at the end of this commit: what it is called with is another. */
  renew(layer: Layer): void {
    this.#wake([layer], -1);
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
        eachRecord(layeredOf(record)?.needs, (part) => pinned.add(part));
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
    const base = this.below(record);
    if (base.exists) base.remove({ ...NEVER, time: base.latest });
  }

  /** At the end of a commit: brings what readers see up to date. */
  settle(): void {
    if (this.#touched.length + this.#shaken.size + this.#due.length === 0) return;
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#again(next);
    // taken out at once: rows that are read while lists are brought up to date may settle what is left
    const touched = this.#touched.splice(0);
    const lists = touched.filter((record) => record instanceof ListRecord);
    for (const list of lists) if (list.told) this.#join(list);
    for (const record of touched) {
      record.flags &= ~TOUCHED;
      if (!(record instanceof ListRecord)) layeredOf(record)?.show(this.#store);
    }
    for (const list of lists) {
      layeredOf(list)?.show(this.#store);
      if (!list.layered) this.lists.delete(list);
    }
  }

  /** Takes all away. */
  clear(): void {
    for (const layer of this.laid) this.drop(layer);
  }

  /** `issued`: of the layer that changes it, which those before it do not see. */
  #touch(record: Record, issued = -1): void {
    const isList = record instanceof ListRecord;
    // an entity without layers shows what is written to it by itself
    if (!(record.flags & TOUCHED) && (isList || record.layered)) {
      record.flags |= TOUCHED;
      this.#touched.push(record);
    }
    if (isList) this.#wake(this.#leaving, issued);
    if (this.#sayers.size === 0) return;
    this.heed(record, issued);
    if (record instanceof EntityRecord)
      this.heed((this.#store.table(record.kind) as EntityTable).all, issued);
  }

  /** Layers that were said from this, and after the one that changes it was issued, are to be said anew. */
  heed(record: Record | undefined, issued = -1): void {
    const sayers = record && this.#sayers.get(record);
    if (sayers === undefined || issued >= (sayers.at(-1) as Layer).issued) return;
    // which of them see it is known when all is written
    if (record?.layered instanceof LayeredEntity)
      this.#shaken.set(record, Math.min(issued, this.#shaken.get(record) ?? issued));
    else this.#wake(sayers, issued);
  }

  #next(): Layer | undefined {
    for (const [record, issued] of this.#shaken) {
      this.#shaken.delete(record);
      const sayers = this.#sayers.get(record);
      // who was said from it may be gone
      if (sayers !== undefined)
        this.#wake(sayers, issued, (layeredOf(record) as LayeredEntity | undefined)?.reach());
    }
    return this.#due.shift();
  }

  /** Those issued later than this, and, where it is known who sees a change, in its reach. */
  #wake(layers: Iterable<Layer>, after: number, reach?: (issued: number) => boolean): void {
    for (const layer of layers) {
      const { issued } = layer;
      if (layer.due || issued <= after || reach?.(issued) === false) continue;
      layer.due = true;
      this.#due = inOrder(this.#due, layer);
    }
  }

  #again(layer: Layer): void {
    layer.due = false;
    if (!this.has(layer)) return;
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
      const layered = layeredOf(record);
      layered?.lift(issued);
      if (layered instanceof LayeredEntity && !layered.deletes)
        this.#deleted.delete(layered.record);
      this.#touch(record, issued);
    }
    layer.on = layer.heard = NONE;
    this.#leaving.delete(layer);
  }

  #place(layer: Layer): void {
    const { overlay, issued, seen } = layer;
    for (const record of seen) this.#listen(layer, record);
    if (overlay === undefined) return;
    const shows = layer.maker(this.#store);
    for (const [record, laying] of overlay.says) {
      layer.on = more(layer.on, record);
      const makes = laying !== undefined && shows(record);
      if (laying === undefined) this.#deleted.add(record);
      else if (makes) this.#leave(layer, record);
      this.#above(record).add({ issued, laying, makes });
      this.#touch(record, issued);
    }
    for (const { list, how, members } of overlay.fills)
      this.#change(layer, list, { issued, how, members });
    for (const entering of overlay.entries) {
      // where they go hangs on what was known of them before
      const { how, members } = entering.entry;
      if (how === 'move' || how === 'out')
        eachRecord(members, (member) => this.#listen(layer, member));
      this.#enter(layer, entering);
    }
  }

  /** What an earlier layer deletes, and this one shows again, is not in the lists that it was in. */
  #leave(layer: Layer, member: EntityRecord): void {
    const { issued } = layer;
    const layered = layeredOf(member) as LayeredEntity | undefined;
    if (layered?.deletedBefore(issued) !== true) return;
    this.#listen(layer, member);
    this.#leaving.add(layer);
    if (!layered.missingBefore(issued)) return;
    for (const list of holdersOf(member, this.lists))
      if (list instanceof ListRecord && list.told)
        this.#change(layer, list, { issued, how: 'out', members: [member] });
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

  #change(layer: Layer, list: ListRecord, change: Change): void {
    if (!layer.on.includes(list)) layer.on = more(layer.on, list);
    this.#above(list).add(change);
    this.#touch(list, layer.issued);
  }

  /** What lies over it, from now on if not before. */
  #above(record: ListRecord): LayeredList;
  #above(record: EntityRecord): LayeredEntity;
  #above(record: ListRecord | EntityRecord): object {
    if (record.layered) return record.layered;
    if (record instanceof EntityRecord) return new LayeredEntity(record);
    this.lists.add(record);
    return new LayeredList(record, this.#deleted);
  }

  /** A list that came to be known, or has other members: layers that move members into such lists move them here. */
  #join(list: ListRecord): void {
    for (const layer of this.laid)
      for (const entering of layer.overlay?.entries ?? NONE)
        if (entering.table.kind === list.kind && !layer.on.includes(list))
          this.#enter(layer, entering, list);
  }
}
