/** HTTP caching: freshness from the response headers, conditional requests, and the ETag of a stored response. */
import type { ArgsOf, Controller } from '../Controller.ts';
import type { HttpCache, EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { checkObject, DEV } from '../errors.ts';
import { fetchConditional, NO_INFO } from '../rest/fetchConditional.ts';
import type { ConditionalRequest, HttpCacheInfo } from '../rest/fetchConditional.ts';
import type { Store } from '../store/Store.ts';
import { reachableRecords } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { contextOf } from './FetchContext.ts';
import type { Exchange, InFlightRequest } from './InFlightRequest.ts';
import { commit, refetchIfUpdated } from './commit.ts';
import { readResult } from './handleResponse.ts';
import { listResultOfPage } from './queryStore.ts';
import { responseStamp } from './responseStamp.ts';

/**
 * The value of the policy `http`, of a controller, a resource or an endpoint: `http: httpCache`. The server's headers
 * decide how long a response is fresh, and a stored response is revalidated by `ETag` or `Last-Modified`. See
 * `Policies.http`.
 */
export const httpCache: HttpCache = createHttpExchange as never;

/** Begins an attempt. */
function createHttpExchange(request: InFlightRequest): Exchange {
  if (DEV) checkObject('httpCache', request, 'no call: write { http: httpCache }');
  return new HttpExchange(request);
}

/*
 * Newer data may override parts of a response, and later writes may change any part. Readers then see another value.
 * If the server later returned to the earlier response, a 304 would confirm data that the server never sent. So the
 * validator is stored with the value that readers get, and only if the response overrode nothing newer. As long as
 * readers get the same reference, the data are the same: a written entity gets a new reference, and so does everything
 * that contains the entity.
 */
class HttpExchange implements Exchange {
  readonly #store: Store;
  readonly #request: InFlightRequest;
  /** The result record of a read; undefined for a mutation. */
  readonly #result: ResultRecord | undefined;
  readonly #conditional: ConditionalRequest;

  constructor(request: InFlightRequest) {
    this.#store = request.context.store;
    this.#request = request;
    this.#result = request.read ? request.result : undefined;
    this.#conditional = { known: this.#storedInfo() };
  }

  /** The cache info of the stored response, while the data are unchanged; undefined if no response is stored. */
  #storedInfo(): HttpCacheInfo | undefined {
    const result = this.#result;
    if (result === undefined) return undefined;
    const { httpCacheEntry, hasResponse } = result;
    if (httpCacheEntry !== undefined && hasSameData(result, httpCacheEntry.data))
      return httpCacheEntry.info as HttpCacheInfo;
    result.forgetHttpCache();
    return hasResponse ? NO_INFO : undefined;
  }

  readonly fetch: Exchange['fetch'] = (input, init = {}) =>
    fetchConditional(this.#conditional, input, init);

  adjustStamp(stamp: Stamp): Stamp {
    const { info } = this.#conditional;
    if (info === undefined) return stamp;
    const { lifetime, grace } = info;
    // the freshness of a response to a mutation does not apply to the entities inside
    if (this.#result === undefined && grace !== -Infinity) return stamp;
    const expiresAt = lifetime === undefined ? stamp.expiresAt : stamp.fetchedAt + lifetime;
    return { ...stamp, expiresAt, staleUntil: grace === undefined ? undefined : expiresAt + grace };
  }

  onStored(data: unknown): void {
    const result = this.#result as ResultRecord;
    const { info } = this.#conditional;
    if (info?.condition === undefined || this.#store.layers.active.size > 0) return;
    for (const { latestTime } of reachableRecords(result))
      if (latestTime > this.#request.issued) return;
    result.httpCacheEntry = { info, data };
  }

  outcomeOfError(error: unknown): (() => unknown) | 'again' | undefined {
    const { status } = (error ?? {}) as { status?: unknown };
    const { isConditional, known } = this.#conditional;
    // 304: the server confirms the stored response (RFC 9110, 15.4.5)
    if (isConditional !== true || status !== 304) return undefined;
    const unchanged = () => renewStored(this.#request);
    // if the confirmed data have changed meanwhile, the request is sent again without a condition
    if (this.#storedInfo() === known) return unchanged;
    const result = this.#result as ResultRecord;
    // an overtaken 304 does not apply to the present data: these must be refetched, as after an overtaken response with
    // a body
    return this.#request.isOvertaken(result) && result.hasData() ? unchanged : 'again';
  }
}

/** False if a function of the schema throws: readers get that error. */
function hasSameData(result: ResultRecord, data: unknown): boolean {
  try {
    return result.data() === data;
  } catch {
    return false;
  }
}

/** The stored data count as the response. No value is written; only readers without access to the data are notified. */
function renewStored(request: InFlightRequest): unknown {
  const { context, result } = request;
  result.listResult = listResultOfPage(context.store, request);
  const stamp = responseStamp(request, result);
  const change = () => result.setResponse(result.node, stamp);
  commit(context, 'answer', change, { causedBy: request });
  refetchIfUpdated(request, result);
  return readResult(result);
}

/**
 * `etagOf(controller, TodoResource.get, { id: 1 })`: the ETag (RFC 9110, 8.8.3) of the response that readers see, with
 * quotes and `W/`, as sent by the server. Undefined if nothing is stored, if the endpoint has no `http: httpCache`,
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

/** The ETag of the stored response, as long as readers see the data of that response. */
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
