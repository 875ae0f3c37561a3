/** A result as an object of data, loading and error. */
import type { UnknownError } from '../src/errors.ts';
import type { Result } from '../src/store/StorePort.ts';

/** One of the three: loading before the first data; stale data stay while they are refetched. */
export type DLE<T> =
  | {
      readonly data: undefined;
      readonly loading: true;
      readonly error: undefined;
      readonly deleted?: never;
      readonly isPreviousData?: undefined;
    }
  | {
      readonly data: undefined;
      readonly loading: false;
      readonly error: UnknownError;
      readonly deleted?: never;
      readonly isPreviousData?: undefined;
    }
  | {
      readonly data: T;
      readonly loading: false;
      readonly error: undefined;
      /** The entity is deleted: `data` is its last value. */
      readonly deleted?: true;
      /** `data` belong to the former arguments: those of the present ones load (policy `keepPreviousData`). */
      readonly isPreviousData?: true;
    };

export const LOADING: DLE<never> = { data: undefined, loading: true, error: undefined };

/** Converts a result that is not pending. */
export function toDLE<T>(result: Result<T>): DLE<T> {
  const { data, error } = result;
  const deleted = result.status === 'success' && result.deleted;
  return { data, loading: false, error, ...(deleted && { deleted }) } as DLE<T>;
}

/** Each member is tracked separately; must not be destructured. */
export interface TrackedDLE<T> {
  /** Live data; stale data stay while they are refetched. */
  readonly data: T | undefined;
  /** There are no data yet. */
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
  /** The entity is deleted: `data` is its last value. */
  readonly deleted: boolean;
  /** `data` belong to the former arguments: those of the present ones load (policy `keepPreviousData`). */
  readonly isPreviousData: boolean;
}

/** For frameworks that track reads. `shown` returns undefined before the first data. */
export function trackedDLE(shown: () => Result | undefined): TrackedDLE<unknown> {
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
    get isPreviousData() {
      return (shown() as { isPreviousData?: true } | undefined)?.isPreviousData === true;
    },
  };
}
