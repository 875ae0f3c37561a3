/** Finds the list that a page belongs to. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

/** The result record of the list; undefined if the endpoint does not fetch pages. */
export function listResultOfPage(
  store: Store,
  endpoint: EndpointInterface,
  args: Args,
): ResultRecord | undefined {
  const list = endpoint.listOf?.(...args);
  if (list === undefined) return undefined;
  return store.result(list.endpoint.key(...list.args), list.endpoint.schema, list.args);
}
