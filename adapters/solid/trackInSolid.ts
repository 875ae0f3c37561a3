/** The signals of the store as Solid's: one per cell that is read in a computation of Solid's. */
import { createSignal, getListener, getOwner, onCleanup } from 'solid-js';
import { createInterop } from '../signalInterop.ts';
import type { SignalInterop } from '../signalInterop.ts';

const made: SignalInterop = /* @__PURE__ */ createInterop({
  isTracking: () => getListener() !== null && getOwner() !== null,
  createSignal: () => createSignal(0),
  onCleanup,
});

export const trackInSolid: SignalInterop['bridge'] = made.bridge;
export const readTracked: SignalInterop['look'] = made.look;
