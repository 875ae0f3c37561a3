/** The record of a whole table: its entities in the order in which they came. */
import type { Node, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { ListRecord } from './ListRecord.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

/**
 * Every record of the table has this one as a parent from the day it is made, so `taint` tells who comes and goes.
 * Unknown, not empty, until the first entity comes or an answer says that there is none.
 */
export class AllRecord extends ListRecord {
  readonly #in = new Set<Record>();

  constructor(kind: StoredKind, records: Iterable<EntityRecord>) {
    super(kind, '');
    for (const record of records) {
      record.addParent(this);
      if (record.exists) this.#come(record);
    }
  }

  /** An answer came: the table is known, be it empty. */
  override fill(_members: readonly Node[], stamp: Stamp): void {
    this.stamp = stamp;
    if (this.members === undefined) this.open();
  }

  /** Deletions are told by `taint`. */
  override leave(): void {}

  override taint(child: Record, flipped: boolean): boolean {
    if (flipped) this.#turn(child as EntityRecord);
    return super.taint(child, flipped);
  }

  #turn(record: EntityRecord): void {
    if (!record.exists) {
      if (this.#in.delete(record)) this.erase(record, true);
    } else if (!this.#in.has(record)) this.#come(record);
  }

  #come(record: EntityRecord): void {
    this.#in.add(record);
    if (this.members === undefined) this.open();
    this.insert(record, this.members?.length ?? 0, true);
  }

  override clear(): void {
    this.#in.clear();
    super.clear();
  }
}
