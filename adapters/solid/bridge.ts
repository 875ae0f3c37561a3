/** The signals of the store as Solid's: one per cell that is read in a computation of Solid's. */
import { createSignal, getListener, getOwner, onCleanup } from 'solid-js';
import { bridging } from '../bridging.ts';
import type { Bridging } from '../bridging.ts';

const made: Bridging = /* @__PURE__ */ bridging({
  isTracking: () => getListener() !== null && getOwner() !== null,
  createSignal: () => createSignal(0),
  onCleanup,
});

export const bridge: Bridging['bridge'] = made.bridge;
export const look: Bridging['look'] = made.look;
