/** The signal of a record. */
import { Cell, deref } from '../../signals.ts';
import { projectForReader } from '../../schema/projectForReader.ts';
import { INVALID } from '../../schema/schema.ts';
import { append, EMPTY } from './append.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

/** The value is undefined while the record is missing or incomplete. */
export class RecordCell extends Cell<unknown> {
  #record: StoreRecord;
  readonly #builder: Builder;
  protected retainedCache: object | undefined;
  /** The cell that `StoreRecord.cell` refers to, if another cell of the same record. */
  #primaryCell: RecordCell | undefined;
  /** Further cells of the record, which `StoreRecord.cell` does not refer to. */
  #secondaryCells: RecordCell[] = EMPTY;

  constructor(record: StoreRecord, builder: Builder) {
    super();
    this.#record = record;
    this.#builder = builder;
  }

  /** Moves to `record`, after the record of this cell turned out to be the same entity. */
  moveTo(record: StoreRecord): void {
    const first = deref(record.cell) as RecordCell | undefined;
    this.#record = record;
    this.#primaryCell = first;
    if (first === undefined) this.setStrong(this.watchers > 0);
    else first.#secondaryCells = append(first.#secondaryCells, this);
    const others = this.#secondaryCells;
    this.#secondaryCells = EMPTY;
    for (const other of others) other.moveTo(record);
    this.tick();
  }

  override tick(): void {
    super.tick();
    for (const other of this.#secondaryCells) other.tick();
  }

  protected setStrong(strong: boolean): void {
    if (this.#primaryCell === undefined) this.#record.cell = strong ? this : new WeakRef(this);
  }

  protected current(): unknown {
    const value = this.#builder.read(this.#record);
    this.retainedCache = this.#record.derivedCache?.();
    return value === INVALID ? undefined : projectForReader(value, this.#record);
  }
}
