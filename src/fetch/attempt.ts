/** What throws and what rejects, as one. */

/** Does it now; what it throws is what the promise rejects with, like any other error. */
export function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
