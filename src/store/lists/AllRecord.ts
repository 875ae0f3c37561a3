/** The record of a whole table: its entities in the order in which they were added. */
import type { NormalizedNode, StoredKind } from '../../schema/schema.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { ListRecord } from './ListRecord.ts';
import type { Stamp } from '../records/versioning.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

/** The table, as far as this file needs it. */
interface RowSource {
  /** The records in the order in which their entities were added. */
  byArrival(): EntityRecord[];
}

/**
 * Every record of the table has this record as a parent from its creation on, so `onPartVisibilityChange` is called for
 * each entity that appears or disappears. Unknown, not empty, until the first entity or an empty response arrives.
 */
export class AllRecord extends ListRecord {
  override readonly followsEntities = true;
  readonly #rows: RowSource;
  /** The records that are members, with their arrival numbers. */
  readonly #visibleRows = new Map<StoreRecord, number>();
  /** All members come from optimistic creations. */
  #isOnlyOptimistic = false;

  constructor(kind: StoredKind, rows: RowSource) {
    super(kind, '');
    this.#rows = rows;
    for (const record of rows.byArrival()) {
      record.addParent(this);
      if (record.exists) this.#addVisible(record);
      // the entity existed and was deleted: the table is known
      else if (this.members === undefined && record.time > 0) this.replaceMembers([]);
    }
  }

  /** A response makes the table known, even if it is empty. */
  override fill(_members: readonly NormalizedNode[], stamp: Stamp): boolean {
    this.stamp = stamp;
    this.#isOnlyOptimistic = false;
    if (this.members === undefined) this.replaceMembers([]);
    return false;
  }

  override includesPart(part: StoreRecord): boolean {
    return this.#visibleRows.has(part);
  }

  /** Nothing to link: all records of the table are linked already, members or not. */
  protected override relink(): void {}

  /** Nothing to do: deletions arrive in `onPartVisibilityChange`. */
  override removeMember(): void {}

  protected override onPartVisibilityChange(child: StoreRecord): void {
    const record = child as EntityRecord;
    if (record.exists) {
      const place = this.#visibleRows.get(record);
      if (place === record.arrivalNumber) return super.onPartVisibilityChange(child);
      // deleted while incomplete, and added again
      if (place !== undefined) this.deleteMember(record);
      this.#addVisible(record);
    } else if (this.#visibleRows.delete(record)) {
      this.deleteMember(record);
      if (this.#isOnlyOptimistic && this.#visibleRows.size === 0) super.clear();
    }
  }

  #addVisible(record: EntityRecord): void {
    const real = record.isConfirmed;
    this.#visibleRows.set(record, record.arrivalNumber);
    if (this.members === undefined) {
      this.#isOnlyOptimistic = !real;
      this.replaceMembers([]);
    } else if (real) this.#isOnlyOptimistic = false;
    const members = (this.members ?? []) as EntityRecord[];
    let at = members.length;
    // mostly the end; an entity with a rolled back deletion returns to its old place
    while (at > 0 && (members[at - 1] as EntityRecord).arrivalNumber > record.arrivalNumber) at--;
    this.insertMember(record, at);
  }

  override replaceParts(): void {}

  /** All records of the table in the order in which their entities were added; undefined while it is unknown. */
  get storedRows(): EntityRecord[] | undefined {
    return this.members && this.#rows.byArrival();
  }

  override clear(): void {
    this.#visibleRows.clear();
    super.clear();
  }
}
