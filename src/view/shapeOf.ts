/** The cells that tell live readers who is there. */
import type { ReadonlySignal } from '../reactive.ts';
import type { Record } from '../store/Record.ts';
import { cellIn } from './cellIn.ts';

/** Woken when what a record is made of changes: an entity comes or goes, a list gains, loses or moves members. */
export function shapeOf(record: Record): ReadonlySignal<unknown> {
  return cellIn(record, 'shape', nothing);
}

// that it ticks is all that it says
const nothing = () => undefined;
