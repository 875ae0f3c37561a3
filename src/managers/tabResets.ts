/** Log outs of other tabs, for persistence: one log out of all tabs empties their disk once. */
import type { Store } from '../store/Store.ts';

/** A controller that is connected with other tabs. */
export interface TabReset {
  /** The logical time of the reset, while a reset of another tab is repeated here; identifies the reset in all tabs. */
  heard: number | undefined;
  /** The channel and the version of the tabs. */
  readonly name: string;
}

/** By the store of the controller. */
export const tabResets: WeakMap<Store, TabReset> = new WeakMap();
