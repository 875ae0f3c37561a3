/** Small helpers for promises. */

/** Runs `work` synchronously. If `work` throws, the promise rejects. */
export function promiseTry<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** For a rejection that is stored or reported elsewhere. */
export function noop(): undefined {}
