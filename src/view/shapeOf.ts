/** The cells that tell live readers who is there. */
import { Cell, held } from '../reactive.ts';
import { Fine } from '../store/Fine.ts';
import type { Record } from '../store/Record.ts';

/** Woken when what a record is made of changes: an entity comes or goes, a list gains, loses or moves members. */
class ShapeCell extends Cell<number> {
  /** Of a list: the live rows that were shown last, and which edit comes next. It goes with the cell, when nobody reads. */
  shown: { readonly rows: readonly object[]; readonly next: number } | undefined;
  #turns = 0;
  readonly #fine: Fine;

  constructor(fine: Fine) {
    super();
    this.#fine = fine;
  }

  protected hold(firm: boolean): void {
    this.#fine.shape = firm ? this : new WeakRef(this);
  }

  protected current(): number {
    return this.#turns;
  }
  override tick(): void {
    this.#turns++;
    super.tick();
  }
}

export function shapeOf(record: Record): ShapeCell {
  const fine = (record.fine ??= new Fine());
  const known = held(fine.shape);
  if (known !== undefined) return known as ShapeCell;
  const cell = new ShapeCell(fine);
  fine.shape = new WeakRef(cell);
  return cell;
}
