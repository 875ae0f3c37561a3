/** The ETag of a stored response. */
import type { ArgsOf, Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { contextOf } from './FetchContext.ts';
import type { HttpCacheInfo } from '../rest/fetchConditional.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';

/**
 * `etagOf(controller, TodoResource.get, { id: 1 })`: the ETag (RFC 9110, 8.8.3) of the response that readers see, with
 * its quotes and `W/`, as the server sent it. Undefined if nothing is stored, if the endpoint has no `http: httpCache`,
 * if the server sent no ETag, and as soon as anything else has changed the data: a push, an own mutation, an optimistic
 * update, another response. Untracked. Throws E3 if the endpoint's key is not a string.
 */
export function etagOf<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): string | undefined {
  const { store } = contextOf(controller);
  const result = args[0] === null ? undefined : store.findResult(keyOf(endpoint, args));
  return result && etagIn(result);
}

/** The ETag of the stored response, as long as readers see its data. */
export function etagIn(result: ResultRecord): string | undefined {
  const { httpCacheEntry } = result;
  if (httpCacheEntry === undefined || readableData(result) !== httpCacheEntry.data)
    return undefined;
  const [name, value] = (httpCacheEntry.info as HttpCacheInfo).condition ?? [];
  return name === 'If-None-Match' ? value : undefined;
}

/** Undefined if a function of the schema throws: readers get that error. */
export function readableData(result: ResultRecord): unknown {
  try {
    return result.data();
  } catch {
    return undefined;
  }
}
