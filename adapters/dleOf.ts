/** A result as an object of data, loading and error, for frameworks that track reads. */
import type { Result, UnknownError } from '../src/store/results/Result.ts';
import type { AnyReads, DataOfRead } from './readersOf.ts';

/** Each member is tracked separately; must not be destructured. */
export interface TrackedDLE<T> {
  /** Live data; stale data stay while they are refetched. */
  readonly data: T | undefined;
  /** There are no data yet. */
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
  /** The entity is deleted: `data` is its last value. */
  readonly deleted: boolean;
}

/** The object of each read, in order. */
export type TrackedDLEOfReads<R extends AnyReads> = {
  -readonly [K in keyof R]: TrackedDLE<DataOfRead<R[K]>>;
};

/** `shown` is undefined before the first data. */
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
