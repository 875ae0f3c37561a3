/** Promises with a status that a framework can read. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';

/** A promise whose state React's `use` can read. It never rejects: the result holds the error. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

export const FULFILLED_READY: Ready = Object.assign(Promise.resolve(), {
  status: 'fulfilled',
  value: undefined,
} as const);

/** The signal `fetching` of all readers that send no request. */
export const NOT_FETCHING: ReadonlySignal<boolean> = /* @__PURE__ */ signal(false);

/** A pending promise and the function that fulfills it. */
export function trackedWithResolver(): { promise: Ready; resolve: () => void } {
  let resolve!: () => void;
  const promise: Ready = new Promise<void>((settle) => {
    resolve = () => {
      promise.status = 'fulfilled';
      promise.value = undefined;
      settle();
    };
  });
  promise.status = 'pending';
  return { promise, resolve };
}
