/** Pages of a list whose next address is in the `Link` header. */
import { parseLink } from './parseLink.ts';
import type { RestBase } from './RestBase.ts';

/** The param of a page that is fetched by its address. */
const PARAM = 'next';

/** Rows, and the address of the next page; null on the last one. */
export interface LinkedPage {
  // any: a response has no type
  readonly rows: any;
  readonly next: string | null;
}

/**
 * Options of a list whose pages are linked by the header `Link` (RFC 8288): `parseResponse` gives `{ rows, next }`, and
 * `getPage({ next })` fetches the address that `next` names. Its schema is `{ rows: new Collection([Todo]), next: '' }`.
 * An address of another origin than the list's own is not fetched: error, since the request may carry credentials.
 */
export const linkPages: {
  readonly paginationField: 'next';
  parseResponse(response: Response): Promise<LinkedPage>;
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
} = {
  paginationField: PARAM,
  async parseResponse(this: unknown, response: Response): Promise<LinkedPage> {
    const endpoint = this as RestBase;
    // a change of the list has a member as its response
    if (endpoint.sideEffect === true)
      return classOf(endpoint).parseResponse.call(endpoint, response) as never;
    const { next } = parseLink(response.headers.get('Link'));
    const rows: unknown = await classOf(endpoint).parseResponse.call(endpoint, response);
    return { rows, next: next === undefined ? null : absolute(next, response.url) };
  },
  async fetchResponse(
    this: unknown,
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> {
    const endpoint = this as RestBase;
    return classOf(endpoint).fetchResponse.call(endpoint, addressOf(String(input)), init);
  },
};

const classOf = (endpoint: RestBase): RestBase =>
  (endpoint.constructor as typeof RestBase).prototype;

function absolute(link: string, base: string): string {
  return base === '' ? link : new URL(link, base).href;
}

/** The address of the page that an address names. */
function addressOf(url: string): string {
  const [, search = ''] = url.split('?', 2);
  const next = new URLSearchParams(search).get(PARAM);
  if (next === null) return url;
  const origin = /^\w+:\/\/[^/?#]+/.exec(url)?.[0];
  if (origin !== undefined && new URL(next, url).origin !== new URL(url).origin)
    throw new TypeError(`the next page ${next} is not at ${origin}`);
  return next;
}
