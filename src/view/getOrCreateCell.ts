/** Additional cells of a record: created on demand, held strongly while they are watched. */
import { Cell, deref } from '../signals.ts';
import { RecordObservers } from '../store/records/RecordObservers.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';

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
