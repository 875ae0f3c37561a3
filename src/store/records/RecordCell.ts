/** The signals of a record: of its value, and, created on demand, of its result and of its members. */
import { Cell, deref } from '../../signals.ts';
import { projectForReader } from '../../schema/projectForReader.ts';
import { INVALID } from '../../schema/schema.ts';
import { append, EMPTY } from './append.ts';
import { RecordObservers } from './RecordObservers.ts';
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

type SlotName = 'result' | 'shape';

export class AuxCell extends Cell<unknown> {
  /** Of a list: the last live rows and the index of the next edit. Collected with the cell when it has no readers. */
  lastLiveRows: { readonly rows: readonly object[]; readonly next: number } | undefined = undefined;
  readonly #recordObservers: RecordObservers;
  readonly #slotName: SlotName;
  readonly #read: () => unknown;

  constructor(observers: RecordObservers, slot: SlotName, read: () => unknown) {
    super();
    this.#recordObservers = observers;
    this.#slotName = slot;
    this.#read = read;
    this.setStrong(false);
  }

  protected setStrong(strong: boolean): void {
    this.#recordObservers[this.#slotName] = strong ? this : new WeakRef(this);
  }

  protected current(): unknown {
    return this.#read();
  }
}

/** The cell in a slot of the record. A new cell reads its value through `read`. */
export function getOrCreateCell(record: StoreRecord, slot: SlotName, read: () => unknown): AuxCell {
  const observers = (record.observers ??= new RecordObservers());
  return (deref(observers[slot]) as AuxCell | undefined) ?? new AuxCell(observers, slot, read);
}

/** Ticks when an entity appears or disappears, or when a list gains, loses or moves members. */
export function membershipSignal(record: StoreRecord): AuxCell {
  return getOrCreateCell(record, 'shape', nothing);
}

// the cell has no value; only its ticks count
const nothing = () => undefined;
