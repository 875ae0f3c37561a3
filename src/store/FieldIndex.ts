/** The entities of a table by the value of one field. */
import { indexText } from '../schema/EntityPlan.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { INVALID } from '../schema/schema.ts';
import type { Kind, Node } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { isVisible } from './joined.ts';
import { DIRTY } from './flags.ts';
import { Record } from './Record.ts';
import { lookAtCommitEnd, mark } from './mark.ts';
import type { Builder } from './Record.ts';
import type { Late } from './mark.ts';

/** What is found under one value: the entity that has held it longest, among those that readers can see. */
export class Found extends Record {
  readonly pk: string;
  readonly records: Set<EntityRecord>;
  /** Who left it last. */
  #left: EntityRecord | undefined;
  #value: unknown = INVALID;

  constructor(value: string, records: Iterable<EntityRecord> = []) {
    super();
    this.pk = value;
    this.records = new Set(records);
    this.flags |= DIRTY;
  }

  protected get held(): unknown {
    return this.#value;
  }

  protected build(builder: Builder): void {
    this.#value = this.#first((record) => builder.value(record));
  }

  override lively(builder: Builder, row: (member: Record) => object): unknown {
    return this.#first((record) => (isVisible(record, builder) ? row(record) : INVALID));
  }

  #first(show: (record: EntityRecord) => unknown): unknown {
    for (const record of this.records) {
      const shown = show(record);
      if (shown !== INVALID) return shown;
    }
    return INVALID;
  }

  override get gone(): number | undefined {
    return this.records.size === 0 ? this.#left?.gone : undefined;
  }

  parts(): Node {
    return [...this.records];
  }

  override before(): Found {
    return new Found(this.pk, this.records);
  }

  override shows(part: Record): boolean {
    return this.records.has(part as EntityRecord);
  }

  protected override turned(): void {
    this.reshape();
  }

  override lacks(since: number, kind?: Kind): boolean {
    const [first] = [...this.records].filter(({ shown }) => shown);
    return first?.lacks(since, kind as EntityKind) === true;
  }

  override filled(): void {
    for (const parent of this.allParents) parent.filled?.();
  }

  /** A record came under this value, or left it. */
  turn(record: EntityRecord, here: boolean): void {
    mark(this);
    if (here) {
      this.records.add(record);
      record.addParent(this);
    } else {
      this.records.delete((this.#left = record));
      record.removeParent(this);
    }
    this.flip();
  }
}

/**
 * Made when somebody first asks by the field. Every record of the table has it as a parent, so each change passes here:
 * after later answers, changes, deletions and resets alike, a value finds who holds it now.
 */
export class FieldIndex extends Record implements Late {
  readonly pk: string;
  /** Under each value what is found there. */
  readonly records: Map<string, Found> = new Map();
  readonly #known = new Map<EntityRecord, string>();
  /** Records that have changed in a commit that has not ended. */
  readonly #changed = new Set<EntityRecord>();

  constructor(field: string, records: Iterable<EntityRecord>) {
    super();
    this.pk = field;
    for (const record of records) this.add(record);
  }

  protected get held(): unknown {
    return INVALID;
  }

  protected build(): void {}

  parts(): Node {
    return undefined;
  }

  override shows(): boolean {
    return false;
  }

  override get follows(): boolean {
    return true;
  }

  add(record: EntityRecord): void {
    record.addParent(this);
    this.#place(record, indexText(record.instance?.[this.pk]));
  }

  override taint(child: Record): void {
    this.#changed.add(child as EntityRecord);
    lookAtCommitEnd(this);
  }

  look(builder: Builder): void {
    this.settle();
    // who is clean tells of the next change
    for (const record of this.#changed) isVisible(record, builder);
    this.#changed.clear();
  }

  /** Places those that have changed so far. */
  override settle(): void {
    for (const record of this.#changed) this.#place(record, indexText(record.instance?.[this.pk]));
  }

  #place(record: EntityRecord, now: string | undefined): void {
    const before = this.#known.get(record);
    if (before === now) return;
    if (before !== undefined) this.at(before).turn(record, false);
    if (now === undefined) this.#known.delete(record);
    else {
      this.#known.set(record, now);
      this.at(now).turn(record, true);
    }
  }

  /** What is found under a value; it stays the same as long as somebody needs it, whoever holds the value. */
  at(value: string): Found {
    let found = this.records.get(value);
    if (found === undefined) this.records.set(value, (found = new Found(value)));
    return found;
  }

  /** The record is in its table no more; nobody is told, as nobody reads it. */
  forget(record: EntityRecord): void {
    this.#place(record, undefined);
  }

  /** Lets go of a value that nobody holds. True when it went. */
  release(value: string): boolean {
    return this.records.get(value)?.records.size === 0 && this.records.delete(value);
  }
}
