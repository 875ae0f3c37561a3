/** Cells that notify live readers of changes in membership. */
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { getOrCreateCell } from '../view/getOrCreateCell.ts';
import type { AuxCell } from '../view/getOrCreateCell.ts';

/** Ticks when an entity appears or disappears, or when a list gains, loses or moves members. */
export function membershipSignal(record: StoreRecord): AuxCell {
  return getOrCreateCell(record, 'shape', nothing);
}

// the cell has no value; only its ticks count
const nothing = () => undefined;
