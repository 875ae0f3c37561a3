/** The signals of the store as Solid's: one per cell that is read in a computation of Solid's. */
import { createInterop } from '../signalInterop.ts';
import type { SignalInterop } from '../signalInterop.ts';
import { createSignal, getObserver, onCleanup } from './solid.ts';

const made: SignalInterop = /* @__PURE__ */ createInterop({
  isTracking: () => getObserver() !== null,
  createSignal: () => createSignal(0, { ownedWrite: true }),
  onCleanup,
});

export const trackInSolid: SignalInterop['bridge'] = made.bridge;
export const readTracked: SignalInterop['look'] = made.look;
