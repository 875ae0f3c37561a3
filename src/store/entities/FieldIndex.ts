/** An index: the entities of a table by the value of a field. */
import type { EntityKind } from '../../schema/EntityKind.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Kind, NormalizedNode } from '../../schema/schema.ts';
import { toIndexKey } from '../../schema/toPk.ts';
import { DIRTY, StoreRecord } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { isVisible } from '../records/diffMembers.ts';
import { recomputeAtCommitEnd, markDirty } from '../records/markDirty.ts';
import type { DeferredRecord } from '../records/markDirty.ts';
import type { EntityRecord } from './EntityRecord.ts';

/** The record of an index value, read as the visible entity that has held this index value longest. */
export class IndexRecord extends StoreRecord {
  readonly pk: string;
  readonly records: Set<EntityRecord>;
  /** The entity that left last. */
  #lastRemoved: EntityRecord | undefined;
  #foundValue: unknown = INVALID;

  constructor(value: string, records?: Iterable<EntityRecord>) {
    super();
    this.pk = value;
    this.records = new Set(records);
    this.flags |= DIRTY;
  }

  get cachedValue(): unknown {
    return this.#foundValue;
  }

  protected build(builder: Builder): void {
    this.#foundValue = INVALID;
    for (const record of this.records) {
      this.#foundValue = builder.value(record);
      if (this.#foundValue !== INVALID) return;
    }
  }

  override get deletionIssued(): number | undefined {
    return this.records.size === 0 ? this.#lastRemoved?.deletionIssued : undefined;
  }

  parts(): NormalizedNode {
    return [...this.records];
  }

  override includesPart(part: StoreRecord): boolean {
    return this.records.has(part as EntityRecord);
  }

  protected override onPartVisibilityChange(): void {
    this.notifyShape();
  }

  /** @internal */
  override lacksRequiredField(since: number, kind?: Kind): boolean {
    const first = [...this.records].find(({ cachedValue }) => cachedValue !== INVALID);
    return first?.lacksRequiredField(since, kind as EntityKind) === true;
  }

  override onPartCompletenessChange(): void {
    for (const parent of this.allParents) parent.onPartCompletenessChange?.();
  }

  /** Adds a record to this value (`here`), or removes the record. */
  setMember(record: EntityRecord, here: boolean): void {
    markDirty(this);
    if (here) {
      this.records.add(record);
      record.addParent(this);
    } else {
      this.records.delete((this.#lastRemoved = record));
      record.removeParent(this);
    }
    this.notifyVisibilityChange();
  }
}

/**
 * Created at the first query by the field. The index is a parent of every record of the table and sees each change:
 * a lookup finds the present holder of a value after later responses, changes, deletions and resets alike.
 */
export class FieldIndex extends StoreRecord implements DeferredRecord {
  readonly pk: string;
  /** The lookup of each value. */
  readonly records: Map<string, IndexRecord> = new Map();
  readonly #lookupByRecord = new Map<EntityRecord, IndexRecord>();
  /** Records changed in the current commit. */
  readonly #changed = new Set<EntityRecord>();

  constructor(field: string, records: Iterable<EntityRecord>) {
    super();
    this.pk = field;
    for (const record of records) this.add(record);
  }

  get cachedValue(): unknown {
    return INVALID;
  }

  protected build(): void {}

  parts(): NormalizedNode {
    return undefined;
  }

  override includesPart(): boolean {
    return false;
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  /** Files the record under its present value, and follows further changes. */
  add(record: EntityRecord): void {
    record.addParent(this);
    // a record that was never read reports no change, and must be read by `recompute`
    if (record.flags & DIRTY) this.#changed.add(record);
    this.moveTo(record, this.keyOf(record));
  }

  /** The value under which a record is filed; undefined: none. */
  protected keyOf({ instance }: EntityRecord): string | undefined {
    return toIndexKey(instance?.[this.pk]);
  }

  override onPartDirty(child: StoreRecord): void {
    this.#changed.add(child as EntityRecord);
    recomputeAtCommitEnd(this);
  }

  /** Moves the records that have changed so far to their present values. */
  recompute(builder: Builder): void {
    // each settling of related rows asks all indexes
    if (this.#changed.size === 0) return;
    for (const record of this.#changed) {
      this.moveTo(record, this.keyOf(record));
      // builds the record: only a clean record reports the next change
      isVisible(record, builder);
    }
    this.#changed.clear();
  }

  /** Moves a record to its present value; undefined: there is none, or the table dropped the record. */
  moveTo(record: EntityRecord, now: string | undefined): void {
    const before = this.#lookupByRecord.get(record);
    if (before?.pk === now) return;
    before?.setMember(record, false);
    if (now === undefined) this.#lookupByRecord.delete(record);
    else {
      const lookup = this.lookupOf(now);
      this.#lookupByRecord.set(record, lookup);
      lookup.setMember(record, true);
    }
  }

  /** The lookup of a value. Stays the same record while in use, whichever entity holds the value. */
  lookupOf(value: string): IndexRecord {
    let found = this.records.get(value);
    if (found === undefined) this.records.set(value, (found = new IndexRecord(value)));
    return found;
  }

  /** Drops a value that no entity holds. Returns true if the value was dropped. */
  tryEvict(value: string): boolean {
    return this.records.get(value)?.records.size === 0 && this.records.delete(value);
  }
}
