/** Promises that a framework can look into. */

/** A promise that React's `use` can look into. It never rejects: errors come from the result. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

export const FULFILLED: Ready = fulfill(Promise.resolve());

export function fulfill(promise: Ready): Ready {
  promise.status = 'fulfilled';
  promise.value = undefined;
  return promise;
}

export function noop(): void {}

export function withResolver(): { promise: Ready; resolve: () => void } {
  let resolve = noop;
  const promise: Ready = new Promise<void>((settled) => {
    resolve = settled;
  });
  promise.status = 'pending';
  return { promise, resolve };
}
