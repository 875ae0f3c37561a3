/** What the programs of the laws may do: the one place where a part of the library is let into them, once it is there. */
import type { Controller } from 'signalbox';

interface Coming {
  /** I3 */
  readonly sweep?: (() => unknown) | undefined;
  /** O9 */
  readonly transaction?:
    | ((work: (steps: Pick<Controller, 'set'>) => void) => Promise<unknown>)
    | undefined;
}

export const abilities = {
  /** O5, O6: mutations show what they expect. */
  optimism: process.env['LAWS_OPTIMISM'] === '1',
  /** O4: a row's creation and deletion are on their way together; a push brings a row back under what is expected of it. */
  rebirth: process.env['LAWS_REBIRTH'] === '1',
} as const;

/** Verbs that may not be there yet, bound: they do nothing until they are. */
export function comingOf(controller: Controller): Coming {
  const { sweep, transaction } = controller as Coming;
  return { sweep: sweep?.bind(controller), transaction: transaction?.bind(controller) };
}
