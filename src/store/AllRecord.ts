/** The record of a whole table: its entities in the order in which they came. */
import type { Node, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { ListRecord } from './ListRecord.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** The table. */
interface Rows {
  /** Its records in the order in which they came. */
  inTurn(): EntityRecord[];
}

/**
 * Every record of the table has this one as a parent from the day it is made, so `taint` tells who comes and goes.
 * Unknown, not empty, until the first entity comes or an answer says that there is none.
 */
export class AllRecord extends ListRecord {
  readonly #rows: Rows;
  /** Who is in. */
  readonly #in = new Set<StoreRecord>();
  /** All that is known came by a creation that is not confirmed. */
  #guessed = false;

  constructor(kind: StoredKind, rows: Rows) {
    super(kind, '');
    this.#rows = rows;
    for (const record of rows.inTurn()) {
      record.addParent(this);
      if (record.exists) this.#come(record);
      // it was there, and is deleted: the table is known
      else if (this.members === undefined && record.time > 0) this.replace([]);
    }
  }

  override get isServerOwned(): boolean {
    return false;
  }

  /** An answer came: the table is known, be it empty. */
  override fill(_members: readonly Node[], stamp: Stamp): void {
    this.stamp = stamp;
    this.#guessed = false;
    if (this.members === undefined) this.replace([]);
  }

  override includesPart(part: StoreRecord): boolean {
    return this.#in.has(part);
  }

  /** Who is in is told of it, and so is who may come. */
  protected override relink(): void {}

  /** Deletions are told by `taint`. */
  override removeMember(): void {}

  protected override onPartVisibilityChange(child: StoreRecord): void {
    const record = child as EntityRecord;
    if (record.exists) {
      if (this.#in.has(record)) super.onPartVisibilityChange(child);
      else this.#come(record);
    } else if (this.#in.delete(record)) {
      this.erase(record);
      if (this.#guessed && this.#in.size === 0) super.clear();
    }
  }

  #come(record: EntityRecord): void {
    const real = record.isConfirmed;
    this.#in.add(record);
    if (this.members === undefined) {
      this.#guessed = !real;
      this.replace([]);
    } else if (real) this.#guessed = false;
    const members = (this.members ?? []) as EntityRecord[];
    let at = members.length;
    // mostly the last; one whose deletion is taken back comes to its old place
    while (at > 0 && (members[at - 1] as EntityRecord).sequence > record.sequence) at--;
    this.insert(record, at);
  }

  override replaceParts(): void {}

  /** Who was hidden then is left out when the copy is built. */
  override contentBefore(): StoreRecord[] | undefined {
    return this.members && this.#rows.inTurn();
  }

  override clear(): void {
    this.#in.clear();
    super.clear();
  }
}
