/** The record of a whole table: its entities in the order in which they came. */
import type { Node, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import { ListRecord } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

/** The table. */
interface Rows {
  /** Its records, but those that are on their way out. */
  staying(): Iterable<EntityRecord>;
}

/**
 * Every record of the table has this one as a parent from the day it is made, so `taint` tells who comes and goes.
 * Unknown, not empty, until the first entity comes or an answer says that there is none.
 */
export class AllRecord extends ListRecord {
  readonly #rows: Rows;
  /** Who is in, and in which turn it came. */
  readonly #in = new Map<Record, number>();
  /** Who left by a deletion that is not confirmed: taken back, it comes to its old place. */
  readonly #left = new WeakMap<Record, number>();
  #turns = 0;
  /** All that is known came by a creation that is not confirmed. */
  #guessed = false;

  constructor(kind: StoredKind, rows: Rows) {
    super(kind, '');
    this.#rows = rows;
    for (const record of rows.staying()) {
      record.addParent(this);
      if (record.exists) this.#come(record);
    }
  }

  override get told(): boolean {
    return false;
  }

  /** An answer came: the table is known, be it empty. */
  override fill(_members: readonly Node[], stamp: Stamp): void {
    this.stamp = stamp;
    this.#guessed = false;
    if (this.members === undefined) this.replace([]);
  }

  /** Who is in is told of it, and so is who may come. */
  protected override relink(): void {}

  /** Deletions are told by `taint`. */
  override leave(): void {}

  override taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.#turn(child as EntityRecord);
    return super.taint(child, flipped);
  }

  #turn(record: EntityRecord): void {
    const turn = this.#in.get(record);
    if (record.exists) {
      if (turn === undefined) this.#come(record);
    } else if (turn !== undefined) {
      this.#in.delete(record);
      if (record.layered) this.#left.set(record, turn);
      this.erase(record, true);
      if (this.#guessed && this.#in.size === 0) super.clear();
    }
  }

  #come(record: EntityRecord): void {
    const real = confirmed(record).exists;
    const back = real && record.layered ? this.#left.get(record) : undefined;
    const turn = back ?? ++this.#turns;
    this.#in.set(record, turn);
    if (this.members === undefined) {
      this.#guessed = !real;
      this.replace([]);
    } else if (real) this.#guessed = false;
    const members = this.members ?? [];
    const next =
      back === undefined ? -1 : members.findIndex((other) => (this.#in.get(other) ?? 0) > turn);
    this.insert(record, next < 0 ? members.length : next, true);
  }

  override aside(): ListRecord {
    const copy = super.aside();
    if (this.members !== undefined) copy.hold([...this.#rows.staying()]);
    return copy;
  }

  override clear(): void {
    this.#in.clear();
    super.clear();
  }
}
