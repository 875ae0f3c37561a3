/** The cells that tell live readers who is there. */
import type { Record } from '../store/Record.ts';
import { cellIn } from '../view/cellIn.ts';
import type { SlotCell } from '../view/cellIn.ts';

/** Woken when what a record is made of changes: an entity comes or goes, a list gains, loses or moves members. */
export function shapeOf(record: Record): SlotCell {
  return cellIn(record, 'shape', nothing);
}

// that it ticks is all that it says
const nothing = () => undefined;
