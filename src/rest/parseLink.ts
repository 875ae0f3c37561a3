/** Parses the `Link` header (RFC 8288): the addresses of a list's other pages. */

const TARGET = /[\s,]*<([^>]*)>/y;
const END = /\s*(?:,|$)/y;
const PARAM = /\s*;\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/**
 * Addresses by relation: `parseLink('<https://h/?page=2>; rel="next"').next`. Of two links with one relation, the first
 * counts. An absent header gives nothing; a malformed header gives the links before the error. Linear time.
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
