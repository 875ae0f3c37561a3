/** The cells beside a record's own: made when first asked for, held while they are watched. */
import { Cell, held } from '../reactive.ts';
import { RecordObservers } from '../store/RecordObservers.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';

type Slot = 'result' | 'shape';

export class AuxCell extends Cell<unknown> {
  /** Of a list: the live rows that were shown last, and which edit comes next. It goes with the cell, when nobody reads. */
  shown: { readonly rows: readonly object[]; readonly next: number } | undefined = undefined;
  readonly #fine: RecordObservers;
  readonly #slot: Slot;
  readonly #look: () => unknown;

  constructor(fine: RecordObservers, slot: Slot, look: () => unknown) {
    super();
    this.#fine = fine;
    this.#slot = slot;
    this.#look = look;
    this.hold(false);
  }

  protected hold(firm: boolean): void {
    this.#fine[this.#slot] = firm ? this : new WeakRef(this);
  }

  protected current(): unknown {
    return this.#look();
  }
}

/** The cell in a slot; one that is made now shows what `look` gives. */
export function getOrCreateCell(record: StoreRecord, slot: Slot, look: () => unknown): AuxCell {
  const fine = (record.observers ??= new RecordObservers());
  return (held(fine[slot]) as AuxCell | undefined) ?? new AuxCell(fine, slot, look);
}
