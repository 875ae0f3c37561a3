/** Promises that a framework can look into. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';

/** A promise that React's `use` can look into. It never rejects: errors come from the result. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

export const FULFILLED: Ready = fulfill(Promise.resolve());

function fulfill(promise: Ready): Ready {
  promise.status = 'fulfilled';
  promise.value = undefined;
  return promise;
}

/** Whether they are fetching, of all that send no request. */
export const IDLE: ReadonlySignal<boolean> = /* @__PURE__ */ signal(false);

/** One that is pending, and how to fulfil it. */
export function trackedWithResolver(): { promise: Ready; resolve: () => void } {
  let resolve!: () => void;
  const promise: Ready = new Promise<void>((settle) => {
    resolve = () => {
      void fulfill(promise);
      settle();
    };
  });
  promise.status = 'pending';
  return { promise, resolve };
}
