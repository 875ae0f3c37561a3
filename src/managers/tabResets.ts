/** What persistence knows of the log outs of other tabs: one log out of all tabs empties their disk once. */
import type { Store } from '../store/Store.ts';

/** A controller that is connected with other tabs. */
export interface TabReset {
  /** While a reset of another tab is repeated here: its logical time, which names it in all tabs. */
  heard: number | undefined;
  /** Of the tabs it is connected with: their channel and version. */
  readonly name: string;
}

/** By the store of the controller. */
export const tabResets: WeakMap<Store, TabReset> = new WeakMap();
