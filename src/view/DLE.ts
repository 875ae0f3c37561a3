/** A result as an object of data, loading and error. */

/** One of the three: loading while there is nothing to show; stale data are shown while they are asked again. */
export type DLE<T> =
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: undefined; readonly loading: false; readonly error: Error }
  | { readonly data: T; readonly loading: false; readonly error: undefined };

export const LOADING: DLE<never> = { data: undefined, loading: true, error: undefined };
