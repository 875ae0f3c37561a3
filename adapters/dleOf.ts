/** A result as an object of data, loading and error, for frameworks that track what is read. */
import type { Result } from '../src/store/Result.ts';

/** Each member is tracked alone; not to be destructured. */
export interface TrackedDLE<T> {
  /** Live data; stale data are shown while they are asked again. */
  readonly data: T | undefined;
  /** There is nothing to show yet. */
  readonly loading: boolean;
  readonly error: Error | undefined;
  /** The entity is deleted: the data are those that were shown last. */
  readonly deleted: boolean;
}

/** `shown` is undefined while there is nothing to show. */
export function dleOf(shown: () => Result | undefined): TrackedDLE<unknown> {
  return {
    get data() {
      return shown()?.data;
    },
    get loading() {
      return shown() === undefined;
    },
    get error() {
      return shown()?.error;
    },
    get deleted() {
      return (shown() as { deleted?: true } | undefined)?.deleted === true;
    },
  };
}
