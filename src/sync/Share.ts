/** The types of the values `shareRequests` and `shareConnection`, which are opaque to applications. */
declare const SHARE: unique symbol;

/** The type of the value with this name only. */
export interface Share<Name extends 'shareRequests' | 'shareConnection'> {
  readonly [SHARE]: Name;
}
