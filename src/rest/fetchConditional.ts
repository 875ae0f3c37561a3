/** Requests under the policy `http`: a GET asks whether what is stored still holds; what servers say of responses is noted. */
import { cacheControl, secondsIn } from './cacheControl.ts';

/** What a server said of its response. */
export interface HttpCacheInfo {
  /** The address of the request. */
  readonly url?: string;
  /** The header that asks whether the response still holds, with its value: a validator (RFC 9110, 8.8). */
  readonly condition?: readonly [name: string, value: string] | undefined;
  /** The names in `Vary`, with what the request had for them: only a request that has the same is answered so. */
  readonly vary?: ReadonlyMap<string, string | null> | undefined;
  /** How long the response is fresh, ms from its arrival; undefined: the server did not say. Below 0 it came too late. */
  readonly lifetime?: number | undefined;
  /** How much longer it may be shown while it is fetched again, ms; -Infinity: it must not be kept at all. */
  readonly grace?: number | undefined;
}

/** One attempt. */
export interface ConditionalRequest {
  /** Of the response that is stored, as long as that stands as it came; undefined: none is stored. */
  readonly known: HttpCacheInfo | undefined;
  /** True when the server was asked whether that still holds. */
  isConditional?: boolean;
  /** Of the response to this attempt. */
  info?: HttpCacheInfo;
}

/** Of a stored response without a validator. */
export const NO_INFO: HttpCacheInfo = {};

/** Of a response that must not be kept; only one to a GET is stale at once, too. */
const NO_STORE: HttpCacheInfo = { lifetime: 0, grace: -Infinity };
const NO_STORE_OTHER: HttpCacheInfo = { grace: -Infinity };

/**
 * As `fetch`; a GET with `If-None-Match` or `If-Modified-Since` where the stored response came from this address and the
 * caller sets neither itself (RFC 9110, 13.1). `request` gets what is said of the response; of a value that is made of several
 * responses, only that one of them must not be kept.
 */
export async function fetchConditional(
  request: ConditionalRequest,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Response> {
  const { method = 'GET' } = init;
  if (input instanceof Request || method.toUpperCase() !== 'GET') {
    const other = await fetch(input, init);
    if (other.ok && directivesOf(other).has('no-store')) request.info = NO_STORE_OTHER;
    return other;
  }
  const url = String(input);
  const headers = new Headers(init.headers);
  const response = await fetch(input, { ...init, ...withCondition(request, url, headers, init) });
  const { info } = request;
  if (!response.ok && response.status !== 304) return response;
  if (directivesOf(response).has('no-store')) request.info = NO_STORE;
  else if (info === undefined) request.info = infoOf(response, request.known, url, headers);
  else if (info.grace !== -Infinity) request.info = NO_INFO;
  return response;
}

function directivesOf({ headers }: Response): ReadonlyMap<string, number> {
  return cacheControl(headers.get('cache-control') ?? '');
}

function withCondition(
  request: ConditionalRequest,
  url: string,
  headers: Headers,
  { cache }: RequestInit,
): RequestInit {
  const { known } = request;
  if (known === undefined || headers.has('if-none-match') || headers.has('if-modified-since'))
    return { headers };
  const isSame = suits(known, headers);
  const condition = known.url === url && isSame ? known.condition : undefined;
  request.isConditional = condition !== undefined;
  if (condition !== undefined) {
    headers.set(...condition);
    return { headers };
  }
  // what is there is not to come again from a cache of the browser's, which may ask with the validator of another language
  return { headers, cache: cache ?? (isSame ? 'no-cache' : 'reload') };
}

/** True where the request has the headers of the one before, as far as the response depends on them (RFC 9111, 4.1). */
function suits({ vary }: HttpCacheInfo, headers: Headers): boolean {
  for (const [name, value] of vary ?? [])
    if (name === '*' || headers.get(name) !== value) return false;
  return true;
}

function varyOf(response: Response, headers: Headers): HttpCacheInfo['vary'] {
  const names = response.headers.get('vary')?.match(/[\w!#$%&'*+.^`|~-]+/g);
  return names ? new Map(names.map((name) => [name, headers.get(name)])) : undefined;
}

/*
 *   no-store                   fresh for nobody who comes, and not kept; it is asked for without conditions
 *   no-cache                   expired at once
 *   max-age=N                  fresh for N s, less its Age
 *   else Expires, with Date    fresh for the difference, less its Age
 *   stale-while-revalidate=N   shown for N s more while it is asked again; after that its readers wait
 */
function infoOf(
  response: Response,
  known: HttpCacheInfo | undefined,
  url: string,
  sent: Headers,
): HttpCacheInfo {
  const { headers } = response;
  const said = directivesOf(response);
  const isRenewal = response.status === 304;
  const vary = varyOf(response, sent) ?? (isRenewal ? known?.vary : undefined);
  const condition = validatorIn(headers);
  const further = said.get('stale-while-revalidate');
  const length = said.has('no-cache') ? 0 : (said.get('max-age') ?? untilExpires(headers));
  if (length === undefined && further === undefined)
    // a 304 stands for the answer before it (RFC 9111, 4.3.4)
    return isRenewal ? { ...known, vary } : { url, condition, vary };
  const age = secondsIn(headers.get('age'));
  const lifetime = length && (length - age) * 1_000;
  return { url, condition, vary, lifetime, grace: further && further * 1_000 };
}

/** As it came: what a server calls its answers means something to it alone. */
function validatorIn(headers: Headers): HttpCacheInfo['condition'] {
  const etag = headers.get('etag');
  if (etag) return ['If-None-Match', etag];
  const modified = headers.get('last-modified');
  return modified ? ['If-Modified-Since', modified] : undefined;
}

/** By the server's own clock, s; undefined where it does not say. What is no date has expired. */
function untilExpires(headers: Headers): number | undefined {
  const expires = headers.get('expires');
  const date = headers.get('date');
  if (!expires || !date) return undefined;
  // all forms of a date begin with the name of its day; without, engines take numbers for dates
  const at = /^[a-z]/i.test(expires) ? Date.parse(expires) : 0;
  return Math.max((at - Date.parse(date)) / 1_000 || 0, 0);
}
