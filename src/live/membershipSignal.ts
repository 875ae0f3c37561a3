/** The cells that tell live readers who is there. */
import type { Record } from '../store/Record.ts';
import { getOrCreateCell } from '../view/getOrCreateCell.ts';
import type { AuxCell } from '../view/getOrCreateCell.ts';

/** Woken when what a record is made of changes: an entity comes or goes, a list gains, loses or moves members. */
export function membershipSignal(record: Record): AuxCell {
  return getOrCreateCell(record, 'shape', nothing);
}

// that it ticks is all that it says
const nothing = () => undefined;
