/** From the address of a request back to the params that an endpoint made it of. */
import type { PathPart } from '../rest/parsePath.ts';
import { path } from '../rest/path.ts';

/** What an address says: names of the path, each with its value, and what stands behind the `?`. */
export interface RequestAddress {
  readonly path: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}

/** Reads the addresses of one endpoint. Undefined: the address is none of them. */
export type ReadAddress = (url: string) => RequestAddress | undefined;

/*
 *   prefix and path begin with   are found at
 *   https://host                 that origin
 *   /                            the page's own origin; any where there is no page (a server, a test)
 *   anything else                any folder, as the page's own address decides
 */

/** Reads what `prefix` and the path `template` make: all that rule R3 allows, optional parts and `?page=:page` included. */
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

/** All that stands behind the `?`, without what the path itself names there. */
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

/** Text as an address spells it (WHATWG URL): percent-encoded where it is not ASCII. */
function literal(text: string): string {
  return text
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const ABSOLUTE = /^[a-z][\w+-]*:\/\/[^/(]*/i;

/**
 * Schemes and hosts are compared in lower case, and the port that a scheme has anyway is left out. The address of an
 * origin alone has a slash behind it (WHATWG URL).
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
