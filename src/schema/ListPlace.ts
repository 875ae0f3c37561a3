/** What the store asks of the lists of one Collection: where they are read, and what decides on their members. */

/** The conditions that the arguments of one list make. */
export interface ListConditions {
  /** The values that its members have, by name, as text; those of searches are among them. */
  readonly filters: Readonly<Record<string, string>>;
  /** True for a page of numbered pages: its rows depend on those of other pages. */
  readonly paged: boolean;
  /** True where a member that has no value for a filter is not in the list; else it may be. */
  readonly strict: boolean;
}

/** Where lists are read. */
export interface ListPlace {
  /** The address; undefined where no endpoint reads them. */
  readonly address: string | object | undefined;
  /** The path in this address, and the place in the responses; undefined where there is none. */
  readonly path: string | undefined;
  readonly title: string | undefined;
  /** Arguments that the path writes out. */
  readonly fixed: Readonly<Record<string, string>> | undefined;
  /** True for the list of a resource. */
  readonly owned: boolean;
  /** True for lists that only responses with their parent bring. */
  readonly nested: boolean;
  /** False where the endpoint keeps its lists from being refetched after mutations. */
  readonly revalidates: boolean;
  /** True for a param of the path. */
  isPathParam(name: string): boolean;
}
