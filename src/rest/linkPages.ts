/** The `Link` header (RFC 8288): pages of a list whose next address is in the header, and the parser of the header. */
import type { RestBase } from './RestBase.ts';

/** The param of a page that is fetched by address. */
const PAGE_PARAM = 'next';

/** Rows, and the address of the next page; null on the last page. */
export interface LinkedPage {
  // any: a response has no type
  readonly rows: any;
  readonly next: string | null;
}

/**
 * Options of a list whose pages are linked by the header `Link` (RFC 8288): `parseResponse` gives `{ rows, next }`, and
 * `getPage({ next })` fetches the address that `next` names. Its schema is
 * `{ rows: new Collection([Todo]), next: '' }`. An address of another origin than the list's own is not fetched: error,
 * since the request may carry credentials.
 */
export const linkPages: {
  readonly paginationField: 'next';
  parseResponse(response: Response): Promise<LinkedPage>;
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
} = {
  paginationField: PAGE_PARAM,
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
  const next = new URLSearchParams(search).get(PAGE_PARAM);
  if (next === null) return url;
  const origin = /^\w+:\/\/[^/?#]+/.exec(url)?.[0];
  if (origin !== undefined && new URL(next, url).origin !== new URL(url).origin)
    throw new TypeError(`the next page ${next} is not at ${origin}`);
  return next;
}

const TARGET = /[\s,]*<([^>]*)>/y;
const END = /\s*(?:,|$)/y;
const PARAM = /\s*;\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/**
 * Addresses by relation: `parseLink('<https://h/?page=2>; rel="next"').next`. Of two links with the same relation, the
 * first counts. An absent header gives nothing; a malformed header gives the links before the error. Linear time.
 */
export function parseLink(header: string | null | undefined): Readonly<Record<string, string>> {
  const links = Object.create(null) as Record<string, string>;
  const text = header ?? '';
  let at = 0;
  for (let target = read(TARGET, text, at); target !== null; target = read(TARGET, text, at)) {
    at = TARGET.lastIndex;
    let rel: string | undefined;
    for (let param = read(PARAM, text, at); param !== null; param = read(PARAM, text, at)) {
      at = PARAM.lastIndex;
      const [, name = '', quoted, token] = param;
      // RFC 8288, 3.3: only the first counts
      if (name.toLowerCase() === 'rel') rel ??= quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
    }
    for (const one of (rel ?? '').toLowerCase().split(/\s+/)) {
      if (one !== '') links[one] ??= target[1] as string;
    }
    if (read(END, text, at) === null) break;
  }
  return links;
}

function read(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
