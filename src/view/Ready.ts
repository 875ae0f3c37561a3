/** Promises with a status that a framework can read. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';

/** A promise whose state React's `use` can read. It never rejects: the result holds the error. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

export const FULFILLED_READY: Ready = toFulfilled(Promise.resolve());

/** Marks a promise as fulfilled. */
export function toFulfilled(ready: Ready): Ready {
  return Object.assign(ready, { status: 'fulfilled', value: undefined } as const);
}

/** The signal `fetching` of all readers that send no request. */
export const NOT_FETCHING: ReadonlySignal<boolean> = /* @__PURE__ */ signal(false);
