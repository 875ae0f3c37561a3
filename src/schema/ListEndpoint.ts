/** The endpoint that reads lists: its address is part of their identity. */

/** The members of an endpoint that a Collection uses. */
export interface ListEndpoint {
  /**
   * Endpoints with one address read the same lists. An object stands for an address that a function computes. Undefined
   * if a path does not determine the address: endpoints that share a Collection read the same lists then.
   */
  readonly listAddress?: string | object | undefined;
  readonly name: string;
  readonly method?: string;
  readonly sideEffect?: boolean | undefined;
  /** The path in the address, if it has one. */
  readonly listPath?: string;
  /** Arguments that all its lists have. */
  readonly fixedParams?: Readonly<Record<string, string>> | undefined;
  /** True for the list of a resource: nested Collections of its entity with a `nestKey` are lists of this endpoint. */
  readonly ownsList?: boolean;
  /** Names of the path's params. These arguments always filter. */
  readonly pathParams?: ReadonlySet<string>;
  readonly paginationField?: string | undefined;
  /** False if the endpoint opts its lists out of refetches after mutations. */
  readonly revalidateLists?: unknown;
}
