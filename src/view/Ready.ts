/** Promises with a status that a framework can read. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';

/** A promise whose state React's `use` can read. It never rejects: the result holds the error. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

/** The members of a fulfilled promise. */
export const FULFILLED = { status: 'fulfilled', value: undefined } as const;

export const FULFILLED_READY: Ready = Object.assign(Promise.resolve(), FULFILLED);

/** The signal `fetching` of all readers that send no request. */
export const NOT_FETCHING: ReadonlySignal<boolean> = /* @__PURE__ */ signal(false);
