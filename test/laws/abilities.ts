/** What the programs of the laws may do: the one place where a part of the library is let into them, once it is there. */
import { Controller } from 'signalbox';

interface Coming {
  sweep?(): void;
  transaction?(work: () => void): unknown;
}

const coming = Controller.prototype as Coming;

export const abilities = {
  /** O5, O6: mutations show what they expect. */
  optimism: process.env['LAWS_OPTIMISM'] === '1',
  /** O4: the creation and the deletion of one row are on their way together. */
  rebirth: process.env['LAWS_REBIRTH'] === '1',
  /** I3 */
  sweep: typeof coming.sweep === 'function',
  /** O9 */
  transaction: typeof coming.transaction === 'function',
} as const;

/** The verbs that may not be there yet. */
export function comingOf(controller: Controller): Coming {
  return controller as Coming;
}
