/** The type of the value `httpCache`, which an application imports. */
declare const HTTP_CACHE: unique symbol;

/** Only `httpCache` has this type. */
export interface HttpCache {
  readonly [HTTP_CACHE]: true;
}
