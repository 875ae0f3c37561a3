/** The type of the value `optimistic`, which an application imports. */
declare const OPTIMISTIC: unique symbol;

/** Only `optimistic` has this type. */
export interface Optimistic {
  readonly [OPTIMISTIC]: true;
}
