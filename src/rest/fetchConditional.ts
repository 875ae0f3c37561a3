/** The GET that asks whether what is stored still holds, and what the server says of its response. */
import { cacheControl, secondsIn } from './cacheControl.ts';

/** What a server said of its response. */
export interface HttpCacheInfo {
  /** The address of the request. */
  readonly url?: string;
  /** The header that asks whether the response still holds, with its value: a validator (RFC 9110, 8.8). */
  readonly condition?: readonly [name: string, value: string] | undefined;
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

/**
 * As `fetch`, with `If-None-Match` or `If-Modified-Since` where the stored response came from this address and the caller
 * sets neither itself (RFC 9110, 13.1). `request` gets what is said of the response; of a value that is made of several
 * responses, nothing.
 */
export async function fetchConditional(
  request: ConditionalRequest,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Response> {
  const { method = 'GET' } = init;
  if (input instanceof Request || method.toUpperCase() !== 'GET') return fetch(input, init);
  const { known } = request;
  const url = String(input);
  const headers = new Headers(init.headers);
  const sent: RequestInit = { ...init, headers };
  if (known !== undefined && !headers.has('if-none-match') && !headers.has('if-modified-since')) {
    const condition = known.url === url ? known.condition : undefined;
    request.isConditional = condition !== undefined;
    if (condition !== undefined) headers.set(...condition);
    // what is there is not to come again from a cache of the browser's
    else sent.cache ??= 'no-cache';
  }
  const response = await fetch(input, sent);
  if (response.ok || response.status === 304)
    request.info = request.info === undefined ? infoOf(response, url, known) : NO_INFO;
  return response;
}

/*
 *   no-store                   fresh for nobody who comes, and not kept; it is asked for without conditions
 *   no-cache                   expired at once
 *   max-age=N                  fresh for N s, less its Age
 *   else Expires, with Date    fresh for the difference, less its Age
 *   stale-while-revalidate=N   shown for N s more while it is asked again; after that its readers wait
 */
function infoOf(
  { headers, status }: Response,
  url: string,
  known: HttpCacheInfo | undefined,
): HttpCacheInfo {
  const said = cacheControl(headers.get('cache-control') ?? '');
  if (said.has('no-store')) return { lifetime: 0, grace: -Infinity };
  const condition = validatorIn(headers);
  const further = said.get('stale-while-revalidate');
  const length = said.has('no-cache') ? 0 : (said.get('max-age') ?? untilExpires(headers));
  if (length === undefined && further === undefined)
    // a 304 stands for the answer before it (RFC 9111, 4.3.4)
    return status === 304 ? { ...known } : { url, condition };
  const age = secondsIn(headers.get('age'));
  const lifetime = length && (length - age) * 1_000;
  return { url, condition, lifetime, grace: further && further * 1_000 };
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
