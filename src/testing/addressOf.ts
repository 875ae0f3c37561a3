/** Parses the address of a request into the params that the endpoint built it from. */
import type { PathPart } from '../rest/parsePath.ts';
import { path } from '../rest/path.ts';

/** A parsed address: the names of the path with their values, and the search params behind the `?`. */
export interface RequestAddress {
  readonly path: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}

/** Parses the addresses of one endpoint. Undefined: the address belongs to another endpoint. */
export type ReadAddress = (url: string) => RequestAddress | undefined;

/*
 *   prefix and path begin with   match
 *   https://host                 that origin
 *   /                            the page's own origin; any where there is no page (a server, a test)
 *   anything else                any folder, as the page's own address decides
 */

/**
 * Matches the addresses that `prefix` and the path `template` build: all forms of rule R3, optional parts and
 * `?page=:page` included.
 */
export function addressOf(prefix: string, template: string): ReadAddress {
  const names: string[] = [];
  const body = patternOf([prefix, ...path(template).parts], names);
  const pattern = new RegExp(`^${startOf(body)}${lowerOrigin(body)}(?:[?&]([^#]*))?(?:#.*)?$`);
  return (url) => {
    const found = pattern.exec(url);
    if (found === null) return undefined;
    const values = names.flatMap((name, at): [string, string][] => {
      const value = found[at + 1];
      return value === undefined ? [] : [[name, decodeURIComponent(value)]];
    });
    return { path: Object.fromEntries(values), search: searchIn(template, found) };
  };
}

/** The search params behind the `?`, without the params that the path template itself contains there. */
function searchIn(template: string, found: RegExpExecArray): URLSearchParams {
  const search = new URLSearchParams(found.at(-1) ?? '');
  for (const name of path(template).names) search.delete(name);
  return search;
}

/** The source of a regular expression with one group for each name, in their order. */
function patternOf(parts: readonly PathPart[], names: string[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return literal(part);
      if (!('name' in part)) return `(?:${patternOf(part, names)})?`;
      names.push(part.name);
      return part.wild ? '([^?#&]+)' : '([^/?#&]+)';
    })
    .join('');
}

/** Text in the spelling of an address (WHATWG URL): percent-encoded if it is not ASCII. */
function literal(text: string): string {
  return text
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const ABSOLUTE = /^[a-z][\w+-]*:\/\/[^/(]*/i;

/**
 * Schemes and hosts compare in lower case, and a scheme's default port is left out. The address of an origin alone ends
 * with a slash (WHATWG URL).
 */
function lowerOrigin(pattern: string): string {
  return pattern.replace(ABSOLUTE, (origin) => {
    const lower = origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2');
    return origin === pattern ? `${lower}/?` : lower;
  });
}

function startOf(pattern: string): string {
  if (ABSOLUTE.test(pattern)) return '';
  if (pattern.startsWith('//')) return '[a-z]+:';
  if (pattern !== '' && !pattern.startsWith('/')) return '.*/';
  const own = (globalThis as { location?: { origin?: string } }).location?.origin;
  return own?.startsWith('http') === true ? literal(own) : String.raw`[a-z]+:\/\/[^/]*`;
}
