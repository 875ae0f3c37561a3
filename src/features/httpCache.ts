/** The policy by which HTTP says how fresh a response is, and whether it is another than the stored one. */
import type { HttpCache } from '../endpoint/HttpCache.ts';
import { readResult } from '../fetch/handleResponse.ts';
import { commitChange } from '../fetch/commit.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { Exchange, InFlightRequest, RequestOutcome } from '../fetch/InFlightRequest.ts';
import { parentListResult } from '../fetch/parentListResult.ts';
import { refetchAmended } from '../fetch/revalidate.ts';
import { responseStamp } from '../fetch/responseStamp.ts';
import { fetchConditional, NO_INFO } from '../rest/fetchConditional.ts';
import type { ConditionalRequest, HttpCacheInfo } from '../rest/fetchConditional.ts';
import { recordsBelow } from '../store/eachRecord.ts';
import type { Stamp } from '../store/versioning.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

/**
 * The value of the policy `http`, of a controller, a resource or an endpoint: `http: httpCache`. What the server says decides how
 * long a response is fresh, and what is stored is asked again with its `ETag` or `Last-Modified`. See `Policies.http`.
 */
export const httpCache: HttpCache = begin as never;

/** Begins an attempt. */
function begin(context: FetchContext, request: InFlightRequest): Exchange {
  return new HttpExchange(context, request);
}

/*
 * What a response brings may have to give way to what is newer, and any of it may be written by others later. What is shown
 * then is another value, and a server that goes back to the response it gave before would confirm what it never said.
 * So a response that was laid over nothing newer is remembered by the value that readers get of it: as long as they get the
 * same reference, the data are the same. (A written entity gets a new one, and so does whatever shows it.)
 */
class HttpExchange implements Exchange {
  readonly #context: FetchContext;
  readonly #store: Store;
  readonly #request: InFlightRequest;
  /** Of a read. */
  readonly #result: ResultRecord | undefined;
  readonly #conditional: ConditionalRequest;

  constructor(context: FetchContext, request: InFlightRequest) {
    this.#context = context;
    this.#store = context.store;
    this.#request = request;
    this.#result = request.read ? request.resultIn(context.store) : undefined;
    this.#conditional = { known: this.#known() };
  }

  /** What was said of the stored response, as long as that stands as it came; undefined where none is stored. */
  #known(): HttpCacheInfo | undefined {
    const result = this.#result;
    if (result === undefined) return undefined;
    const { validator: vouched, answered } = result;
    if (vouched !== undefined && shows(result, this.#store, vouched.data))
      return vouched.told as HttpCacheInfo;
    result.validator = undefined;
    return answered ? NO_INFO : undefined;
  }

  readonly send: Exchange['send'] = (input, init = {}) =>
    fetchConditional(this.#conditional, input, init);

  date(stamp: Stamp): Stamp {
    const { info } = this.#conditional;
    if (info === undefined) return stamp;
    const { lifetime, grace } = info;
    // how long a response to a mutation is fresh is not said of the entities in it
    if (this.#result === undefined && grace !== -Infinity) return stamp;
    const expiresAt = lifetime === undefined ? stamp.expiresAt : stamp.fetchedAt + lifetime;
    return { ...stamp, expiresAt, staleUntil: grace === undefined ? undefined : expiresAt + grace };
  }

  stored(data: unknown): void {
    const result = this.#result as ResultRecord;
    result.validator = undefined;
    const { info } = this.#conditional;
    if (info?.condition === undefined || !this.#store.layers.isEmpty) return;
    for (const { latestTime: latest } of recordsBelow(result))
      if (latest > this.#request.issued) return;
    result.validator = { told: info, data };
  }

  outcome(error: unknown): RequestOutcome | 'again' | undefined {
    const { status } = (error ?? {}) as { status?: unknown };
    const { isConditional, known } = this.#conditional;
    // the server was asked whether what is stored still holds, and it does (RFC 9110, 15.4.5)
    if (isConditional !== true || status !== 304) return undefined;
    const unchanged = () => renew(this.#context, this.#request);
    // what it was asked about may be there no more: then it is asked for all of it
    if (this.#known() === known) return unchanged;
    const result = this.#result as ResultRecord;
    // overtaken, it says nothing of what is there now: that must be asked again, as after a response with a body
    return this.#request.isOvertaken(this.#store, result) && result.has(this.#store)
      ? unchanged
      : 'again';
  }
}

/** False also where a function of the schema throws: that is for those who read. */
function shows(result: ResultRecord, store: Store, data: unknown): boolean {
  try {
    return result.data(store) === data;
  } catch {
    return false;
  }
}

/** What is stored counts as the response. No value is written; readers run only where they were kept from the data. */
function renew(context: FetchContext, request: InFlightRequest): unknown {
  const { store } = context;
  const result = request.resultIn(store);
  result.list = parentListResult(store, request.endpoint, request.args);
  const stamp = responseStamp(context, request, result);
  commitChange(context, 'answer', () => result.setResponse(result.node, stamp), { by: request });
  refetchAmended(context, request, result);
  return readResult(result, store);
}
