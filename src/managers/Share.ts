/** The types of the values `shareRequests` and `shareConnection`, which an application passes on and never looks into. */
declare const SHARE: unique symbol;

/** Nothing but the value of this name is of this type. */
export interface Share<Name extends 'shareRequests' | 'shareConnection'> {
  readonly [SHARE]: Name;
}
