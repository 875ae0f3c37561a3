/** The GET that asks whether what is stored still holds, and what the server says of its answer. */
import type { Exchange, Told } from '../endpoint/Exchange.ts';
import { cacheControl, secondsIn } from './cacheControl.ts';

const NOTHING: Told = {};

/**
 * As `fetch`, with `If-None-Match` or `If-Modified-Since` where the stored answer came from this address and the caller
 * sets neither itself (RFC 9110, 13.1). It notes what is said of the answer; of a value that is made of several, nothing.
 */
export async function conditional(
  exchange: Exchange,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Response> {
  const { method = 'GET' } = init;
  if (input instanceof Request || method.toUpperCase() !== 'GET') return fetch(input, init);
  const { known } = exchange;
  const url = String(input);
  const headers = new Headers(init.headers);
  const sent: RequestInit = { ...init, headers };
  if (known !== undefined && !headers.has('if-none-match') && !headers.has('if-modified-since')) {
    const condition = known.url === url ? known.condition : undefined;
    exchange.asked = condition !== undefined;
    if (condition !== undefined) headers.set(...condition);
    // what is there is not to come again from a cache of the browser's
    else sent.cache ??= 'no-cache';
  }
  const response = await fetch(input, sent);
  if (response.ok || response.status === 304)
    exchange.told = exchange.told === undefined ? toldBy(response, url, known) : NOTHING;
  return response;
}

/*
 *   no-store                   fresh for nobody who comes, and not kept; it is asked for without conditions
 *   no-cache                   expired at once
 *   max-age=N                  fresh for N s, less its Age
 *   else Expires, with Date    fresh for the difference, less its Age
 *   stale-while-revalidate=N   shown for N s more while it is asked again; after that its readers wait
 */
function toldBy({ headers, status }: Response, url: string, known: Told | undefined): Told {
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
function validatorIn(headers: Headers): Told['condition'] {
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
