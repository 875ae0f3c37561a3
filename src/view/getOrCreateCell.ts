/** Additional cells of a record: created on demand, held strongly while they are watched. */
import { Cell, deref } from '../reactive.ts';
import { RecordObservers } from '../store/RecordObservers.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';

type Slot = 'result' | 'shape';

export class AuxCell extends Cell<unknown> {
  /** Of a list: the last live rows and the index of the next edit. Collected with the cell when it has no readers. */
  lastRows: { readonly rows: readonly object[]; readonly next: number } | undefined = undefined;
  readonly #observers: RecordObservers;
  readonly #slot: Slot;
  readonly #read: () => unknown;

  constructor(fine: RecordObservers, slot: Slot, look: () => unknown) {
    super();
    this.#observers = fine;
    this.#slot = slot;
    this.#read = look;
    this.setStrong(false);
  }

  protected setStrong(firm: boolean): void {
    this.#observers[this.#slot] = firm ? this : new WeakRef(this);
  }

  protected current(): unknown {
    return this.#read();
  }
}

/** The cell in a slot of the record. A new cell reads its value through `look`. */
export function getOrCreateCell(record: StoreRecord, slot: Slot, look: () => unknown): AuxCell {
  const fine = (record.observers ??= new RecordObservers());
  return (deref(fine[slot]) as AuxCell | undefined) ?? new AuxCell(fine, slot, look);
}
