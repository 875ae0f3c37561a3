/** The type of the value `httpCache`, which an application imports. */
declare const HTTP_CACHE: unique symbol;

/** Nothing but `httpCache` is of this type. */
export interface HttpCache {
  readonly [HTTP_CACHE]: true;
}
