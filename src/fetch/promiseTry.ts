/** Small helpers for promises. */

/** Runs `work` at once; the promise rejects with an exception of `work`, too. */
export function promiseTry<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** For a rejection whose error is stored, or reported elsewhere. */
export function noop(): undefined {}
