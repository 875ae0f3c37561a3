/** The cells that tell live readers who is there. */
import type { StoreRecord } from '../store/StoreRecord.ts';
import { getOrCreateCell } from '../view/getOrCreateCell.ts';
import type { AuxCell } from '../view/getOrCreateCell.ts';

/** Woken when what a record is made of changes: an entity comes or goes, a list gains, loses or moves members. */
export function membershipSignal(record: StoreRecord): AuxCell {
  return getOrCreateCell(record, 'shape', nothing);
}

// that it ticks is all that it says
const nothing = () => undefined;
