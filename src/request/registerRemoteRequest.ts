/** Registers requests of other controllers as in flight, so that records keep what the later responses need. */
import type { FetchContext } from './FetchContext.ts';
import type { Issued } from './Events.ts';
import { InFlightRequest } from './InFlightRequest.ts';

/** Registers one request. Returns the function that ends it. */
export function registerRemoteRequest(
  { store, inflight }: FetchContext,
  issued: Issued,
): () => void {
  const { endpoint, args, key, read, id, at } = issued;
  if (read) store.result(key, endpoint.schema, args);
  const request = new InFlightRequest(endpoint, args, id, key);
  // the other controller settles the request
  Object.assign(request, { read, fetchedAt: at, settled: true });
  const { allRequests } = inflight;
  const later = [...allRequests].filter((own) => own.issued > id);
  // `allRequests` is in the order of issue
  for (const own of later) allRequests.delete(own);
  for (const one of [request, ...later]) allRequests.add(one);
  return () => inflight.remove(request);
}
