/** The interface of one Collection's lists for the store: where they are read, and which members they have. */

import type { ListEndpoint } from './ListEndpoint.ts';

/** The conditions in the arguments of one list. */
export interface ListConditions {
  /** The values that its members have, by name, as text; including the values of searches. */
  readonly filters: Readonly<Record<string, string>>;
  /** True for a page of numbered pages: its rows depend on the rows of other pages. */
  readonly isPage: boolean;
  /** True if a member without a value for a filter is not in the list. False: it may be in the list. */
  readonly excludesMissingValues: boolean;
}

/** The place where lists are read. */
export interface ListOrigin {
  /** The endpoint that reads the lists. */
  readonly listEndpoint: ListEndpoint | undefined;
  /** The path in its address, and the place in the responses; undefined if there is none. */
  readonly urlAndResponsePath: string | undefined;
  /** Arguments that the path contains literally. */
  readonly fixedParams: Readonly<Record<string, string>> | undefined;
  /** True for lists that only responses with their parent contain. */
  readonly isNestedOnly: boolean;
  /** The name under which entities have the Collection as a member; empty if there are several. */
  readonly memberName: string | undefined;
  /** True for a param of the path. */
  isPathParam(name: string): boolean;
}
