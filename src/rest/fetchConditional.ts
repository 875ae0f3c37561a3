/** Requests under the policy `http`: sends conditional GETs, and records the caching headers of responses. */

/** The caching headers of a response. */
export interface HttpCacheInfo {
  /** The address of the request. */
  readonly url?: string;
  /** The header of a conditional request, with the value: a validator (RFC 9110, 8.8). */
  readonly condition?: readonly [name: string, value: string] | undefined;
  /** The names in `Vary`, with the request's values: the response is valid only for requests with equal values. */
  readonly vary?: ReadonlyMap<string, string | null> | undefined;
  /** How long the response is fresh, ms from arrival; undefined: not specified; below 0: arrived too late. */
  readonly lifetime?: number | undefined;
  /** How much longer the response may be used during a refetch, ms; -Infinity: it must not be stored at all. */
  readonly grace?: number | undefined;
}

/** The conditional request of an attempt. */
export interface ConditionalRequest {
  /** The headers of the stored response while unmodified; undefined: no response is stored. */
  readonly known: HttpCacheInfo | undefined;
  /** True if the request was sent with a condition. */
  isConditional?: boolean;
  /** The headers of the response to this attempt. */
  info?: HttpCacheInfo;
}

/** For a stored response without a validator. */
export const NO_INFO: HttpCacheInfo = {};

/** For a response that must not be stored. A response to a GET is stale at once, too. */
const NO_STORE: HttpCacheInfo = { lifetime: 0, grace: -Infinity };
const NO_STORE_OTHER: HttpCacheInfo = { grace: -Infinity };

/**
 * As `fetch`; a GET has `If-None-Match` or `If-Modified-Since` if the stored response came from this address and the
 * caller sets neither header (RFC 9110, 13.1). `request.info` gets the headers of the response. If a value is made of
 * several responses, `request.info` only records whether any response must not be stored.
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
  // bypass the browser's cache, which could return the stored response again, or use the validator of another language
  return { headers, cache: cache ?? (isSame ? 'no-cache' : 'reload') };
}

/** True if the request has the same headers as the previous request, for all names in `Vary` (RFC 9111, 4.1). */
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
 *   no-store                   stale for new readers, and not stored; refetched without conditions
 *   no-cache                   expired at once
 *   max-age=N                  fresh for N s, less the Age
 *   else Expires, with Date    fresh for the difference, less the Age
 *   stale-while-revalidate=N   used for N s more during a refetch; after that readers wait
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
    // a 304 stands for the previous response (RFC 9111, 4.3.4)
    return isRenewal ? { ...known, vary } : { url, condition, vary };
  const age = secondsIn(headers.get('age'));
  const lifetime = length && (length - age) * 1_000;
  return { url, condition, vary, lifetime, grace: further && further * 1_000 };
}

/** The validator, unchanged: the text has a meaning only for the server. */
function validatorIn(headers: Headers): HttpCacheInfo['condition'] {
  const etag = headers.get('etag');
  if (etag) return ['If-None-Match', etag];
  const modified = headers.get('last-modified');
  return modified ? ['If-Modified-Since', modified] : undefined;
}

/** The seconds until `Expires`, by the server's own clock; undefined if unspecified. An invalid date has expired. */
function untilExpires(headers: Headers): number | undefined {
  const expires = headers.get('expires');
  const date = headers.get('date');
  if (!expires || !date) return undefined;
  // all date formats begin with the name of the day; engines parse other texts, for example numbers, as dates
  const at = /^[a-z]/i.test(expires) ? Date.parse(expires) : 0;
  return Math.max((at - Date.parse(date)) / 1_000 || 0, 0);
}

// RFC 9111, 1.2.2: greater values are capped at 2^31 s
const LONGEST = 2_147_483_648;

// a name, and a value in quotes or up to the next comma; the expression never backtracks
const DIRECTIVE = /([^\s,="]+)\s*(?:=\s*(?:"([^"]*)|([^,]*)))?/g;

/** The seconds of each directive, by name in lower case; of a repeated directive the least. */
export function cacheControl(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, name, quoted, plain] of text.toLowerCase().matchAll(DIRECTIVE)) {
    const key = name as string;
    found.set(key, Math.min(found.get(key) ?? LONGEST, secondsIn(quoted ?? plain)));
  }
  return found;
}

/** The first value of a list; 0 if not a number of seconds. */
function secondsIn(text: string | null | undefined): number {
  const digits = /^\s*(\d+)\s*(?:,|$)/.exec(text ?? '')?.[1] ?? 0;
  return Math.min(Number(digits), LONGEST);
}
