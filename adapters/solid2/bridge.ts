/** The signals of the store as Solid's: one per cell that is read in a computation of Solid's. */
import { bridging } from '../bridging.ts';
import type { Bridging } from '../bridging.ts';
import { createSignal, getObserver, onCleanup } from './solid.ts';

const made: Bridging = /* @__PURE__ */ bridging({
  isTracking: () => getObserver() !== null,
  createSignal: () => createSignal(0, { ownedWrite: true }),
  onCleanup,
});

export const bridge: Bridging['bridge'] = made.bridge;
export const look: Bridging['look'] = made.look;
