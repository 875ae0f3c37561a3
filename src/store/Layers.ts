/** All unconfirmed writes, in the order in which they were issued. */
import { warn } from '../diagnostics.ts';
import { confirmed, layeredOf } from './Layered.ts';
import { EntityRecord } from './EntityRecord.ts';
import { inOrder } from './inOrder.ts';
import type { Layer } from './Layer.ts';
import { LayeredEntity } from './LayeredEntity.ts';
import { LayeredList } from './LayeredList.ts';
import type { Change } from './LayeredList.ts';
import { ListRecord } from './ListRecord.ts';
import { more, NONE } from './more.ts';
import type { Merge } from './ListRecord.ts';
import type { Places } from './Overlay.ts';
import { TOUCHED } from './Record.ts';
import type { Builder, Record } from './Record.ts';
import { holdersOf } from './ListTable.ts';
import type { EntityTable } from './EntityTable.ts';
import type { ListTable, Move } from './ListTable.ts';

/*
 *   an answer   ──►  writes what is confirmed (`below`)          ─┐
 *   a new layer ──►  writes above (`lay`)                         ├─►  settle: layers said from what was touched are
 *   a layer that succeeds or fails  ──►  is lifted (`drop`)      ─┘    said anew, in their order; then each thing that
 *                                                                      was touched shows what differs from before
 */
export class Layers {
  readonly #store: Places & Builder;
  readonly #pending: Set<Layer> = new Set();
  /** Who was said from a record. */
  readonly #sayers = new Map<Record, Layer[]>();
  /** Lists, and entities on which layers lie, that are to be looked at; each once. */
  readonly #touched: Record[] = [];
  /** Layers that show again what an earlier one deletes: whichever list has it, it leaves. */
  readonly #leaving = new Set<Layer>();
  /** Entities in which something changed, and the least time of issue of who changed it. */
  readonly #shaken = new Map<Record, number>();
  /** To be said anew, in the order of their issue. */
  #due: Layer[] = [];
  /** Nobody is above the layer that was issued then. */
  #newest = 0;
  /** The layer that is said now; those before it have been. */
  #saying = -1;
  /** Lists that layers change. */
  readonly lists: Set<ListRecord> = new Set();

  constructor(store: Places & Builder) {
    this.#store = store;
  }

  /** The record to write an answer to. */
  below<R extends Record>(record: R): R {
    if (this.#pending.size === 0) return record;
    this.#touch(record);
    // what comes in may have to leave by a layer: readers see the outcome alone
    if (this.#leaving.size > 0 && record instanceof ListRecord && record.told) this.#list(record);
    return confirmed(record);
  }

  /** A creation is confirmed: what layers issued before it say of lists that have the entity may not hold any more. */
  claimed(record: EntityRecord): void {
    if (layeredOf(record) === undefined) return;
    for (const list of holdersOf(record, this.lists)) this.#touch(list);
  }

  /** Shows what it says, from the end of this commit on. */
  lay(layer: Layer): void {
    this.#lift(layer);
    this.#pending.add(layer);
    this.#newest = Math.max(this.#newest, layer.issued);
    this.#place(layer);
  }

  /** What is said of this entity is said of the other from now on. */
  move(record: EntityRecord, other: EntityRecord): void {
    for (const layer of this.#pending) {
      const { entities } = layer;
      if (!entities.includes(record) && !entities.includes(other)) continue;
      layer.overlay?.move(record, other);
      this.#wake([layer], -1);
      // laid before it is written: readers see the outcome alone
      if (layeredOf(other) === undefined) void new LayeredEntity(other);
      this.#touch(other);
    }
  }

  has(layer: Layer): boolean {
    return this.#pending.has(layer);
  }

  /** True for what layers lie on, or were said from. */
  pins(record: Record): boolean {
    return layeredOf(record) !== undefined || this.#sayers.has(record);
  }

  /** Takes exactly this layer away. */
  drop(layer: Layer): void {
    if (!this.has(layer)) return;
    this.#lift(layer);
    this.#pending.delete(layer);
    if (layer.due) this.#due.splice(this.#due.indexOf(layer), 1);
    layer.due = false;
  }

  /** At the end of a commit: brings what readers see up to date. */
  settle(): void {
    const touched = this.#touched;
    if (touched.length + this.#shaken.size + this.#due.length === 0) return;
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#again(next);
    this.#saying = -1;
    const lists = touched.filter((record) => record instanceof ListRecord);
    // rows that come or go are told to the lists alone that they were in and still are
    for (const list of lists) this.#shed(list);
    for (const record of touched) {
      record.flags &= ~TOUCHED;
      if (!(record instanceof ListRecord)) layeredOf(record)?.show(this.#store);
    }
    touched.length = 0;
    for (const list of lists) this.#show(list);
  }

  /** Takes all away. */
  clear(): void {
    for (const layer of this.#pending) this.drop(layer);
  }

  /** `issued`: of the layer that changes it, which those before it do not see. */
  #touch(record: Record, issued = -1): void {
    // an entity without layers shows what is written to it by itself
    if (!(record.flags & TOUCHED) && (record instanceof ListRecord || record.layered)) {
      record.flags |= TOUCHED;
      this.#touched.push(record);
    }
    if (record instanceof ListRecord) this.#wake(this.#leaving, -1);
    if (this.#sayers.size === 0) return;
    this.#call(record, issued);
    if (record instanceof EntityRecord)
      this.#call((this.#store.table(record.kind) as EntityTable).all, issued);
  }

  /** Layers that were said from this are to be said anew. */
  #call(record: Record | undefined, issued: number): void {
    if (record === undefined) return;
    const sayers = this.#sayers.get(record);
    if (sayers === undefined || issued >= this.#newest) return;
    // which of them see it is known when all is written
    if (layeredOf(record) instanceof LayeredEntity)
      this.#shaken.set(record, Math.min(issued, this.#shaken.get(record) ?? issued));
    else this.#wake(sayers, issued);
  }

  #next(): Layer | undefined {
    for (const [record, issued] of this.#shaken) {
      this.#shaken.delete(record);
      const sayers = this.#sayers.get(record);
      // who was said from it is gone
      if (sayers === undefined) continue;
      const reach = (layeredOf(record) as LayeredEntity | undefined)?.reach();
      this.#wake(
        reach === undefined ? sayers : sayers.filter((each) => reach(each.issued)),
        issued,
      );
    }
    return this.#due.shift();
  }

  #wake(layers: Iterable<Layer>, after: number): void {
    const said = Math.max(this.#saying, after);
    for (const layer of layers) {
      if (layer.due || layer.issued <= said) continue;
      layer.due = true;
      this.#due = inOrder(this.#due, layer);
    }
  }

  #again(layer: Layer): void {
    layer.due = false;
    this.#saying = layer.issued;
    this.#lift(layer);
    try {
      layer.say(this.#store);
    } catch (reason) {
      // what it said before stands
      warn('E5', layer.endpoint, { endpoint: layer.endpoint, reason });
    }
    this.#place(layer);
  }

  #lift(layer: Layer): void {
    for (const record of layer.entities) this.#raise(record, layer);
    if (layer.lists !== undefined) for (const list of layer.lists) this.#raise(list, layer);
    for (const record of layer.heard) this.#forget(record, layer);
    layer.entities = layer.heard = NONE;
    layer.lists = undefined;
    this.#leaving.delete(layer);
  }

  #raise(record: Record, { issued }: Layer): void {
    layeredOf(record)?.lift(issued);
    this.#touch(record, issued);
  }

  #forget(record: Record, layer: Layer): void {
    const others = this.#sayers.get(record)?.filter((other) => other !== layer);
    if (others?.length === 0) this.#sayers.delete(record);
    else if (others !== undefined) this.#sayers.set(record, others);
  }

  #place(layer: Layer): void {
    const { overlay, issued } = layer;
    this.#listen(layer, layer.seen);
    if (overlay === undefined) return;
    layer.entities = overlay.entities;
    for (const record of layer.entities) {
      const laying = overlay.said(record);
      if (laying !== undefined) this.#leave(layer, record);
      this.#entity(layer, record).add({ issued, laying });
    }
    for (const { list, how, members } of overlay.fills)
      this.#change(layer, list, { issued, how, members });
    for (const { table, entry } of overlay.entries) {
      for (const move of table.moves(entry)) this.#move(layer, move, entry.merge);
    }
  }

  /** What an earlier layer deletes, and this one shows again, is not in the lists that it was in. */
  #leave(layer: Layer, member: EntityRecord): void {
    const layered = layeredOf(member) as LayeredEntity | undefined;
    if (layered?.deletedBefore(layer.issued) !== true) return;
    this.#listen(layer, [member]);
    this.#leaving.add(layer);
    if (!layered.missingBefore(layer.issued)) return;
    for (const list of holdersOf(member, this.lists))
      if (list instanceof ListRecord && list.told)
        this.#change(layer, list, { issued: layer.issued, how: 'out', members: [member] });
  }

  #listen(layer: Layer, records: readonly Record[]): void {
    if (records.length === 0) return;
    layer.heard = [...layer.heard, ...records];
    for (const record of records) {
      const sayers = this.#sayers.get(record) ?? NONE;
      if (!sayers.includes(layer)) this.#sayers.set(record, more(sayers, layer));
    }
  }

  #entity({ issued }: Layer, record: EntityRecord): LayeredEntity {
    const layered = (layeredOf(record) as LayeredEntity | undefined) ?? new LayeredEntity(record);
    this.#touch(record, issued);
    return layered;
  }

  #move(layer: Layer, { list, member, side }: Move, merge: Merge | undefined): void {
    // maps show their members when they are confirmed
    if (list instanceof ListRecord)
      this.#change(layer, list, { issued: layer.issued, how: side, members: [member], merge });
  }

  #change(layer: Layer, list: ListRecord, change: Change): void {
    (layer.lists ??= new Set()).add(list);
    this.#touch(list, layer.issued);
    this.#list(list).add(change);
  }

  #list(list: ListRecord): LayeredList {
    this.lists.add(list);
    return (layeredOf(list) as LayeredList | undefined) ?? new LayeredList(list);
  }

  #shed(list: ListRecord): void {
    if (list.told) this.#join(list);
    (layeredOf(list) as LayeredList | undefined)?.shed(this.#store);
  }

  #show(list: ListRecord): void {
    const layered = layeredOf(list);
    layered?.show(this.#store);
    if (layered?.empty === true) this.lists.delete(list);
  }

  /** A list that came to be known, or has other members: layers that move members into such lists move them here. */
  #join(list: ListRecord): void {
    const table = this.#store.table(list.kind) as ListTable;
    for (const layer of this.#pending) {
      for (const entering of layer.overlay?.entries ?? []) {
        if (entering.table !== table || layer.lists?.has(list)) continue;
        const { entry } = entering;
        for (const move of table.movesIn(list, entry)) this.#move(layer, move, entry.merge);
      }
    }
  }
}
