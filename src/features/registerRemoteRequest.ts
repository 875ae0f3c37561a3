/** Requests of other controllers whose answers may come here: what they are about takes note of what is written meanwhile. */
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { Issued } from '../fetch/Events.ts';
import { InFlightRequest } from '../fetch/InFlightRequest.ts';

/** Begins one. Gives back how it ends. */
export function registerRemoteRequest(
  { store, inflight }: FetchContext,
  issued: Issued,
): () => void {
  const { endpoint, args, key, read, id, at } = issued;
  if (read) store.result(key, endpoint.schema, args);
  const request = new InFlightRequest(endpoint, args, id, { key });
  // the other controller settles it
  Object.assign(request, { read, fetchedAt: at, decided: true });
  const { flights } = inflight;
  const later = [...flights].filter((own) => own.issued > id);
  // they stand in the order of issue
  for (const own of later) flights.delete(own);
  for (const one of [request, ...later]) flights.add(one);
  return () => inflight.end(request);
}
