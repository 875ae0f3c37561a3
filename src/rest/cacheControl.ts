/** What `Cache-Control` says, whatever it holds (RFC 9111, 5.2). */

// RFC 9111, 1.2.2: what is longer counts as this, s
const LONGEST = 2 ** 31;

// a name, and a value in quotes or up to the next comma; no part of it ever has to be read again in another way
const DIRECTIVE = /([^\s,="]+)\s*(?:=\s*(?:"([^"]*)|([^,]*)))?/g;

/** By its name in lower case, the seconds of each directive: the least where it is repeated. */
export function cacheControl(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, name, quoted, plain] of text.toLowerCase().matchAll(DIRECTIVE)) {
    const key = name as string;
    found.set(key, Math.min(found.get(key) ?? LONGEST, secondsIn(quoted ?? plain)));
  }
  return found;
}

/** The first of a list, should there be several; 0 for what is no number of seconds. */
export function secondsIn(text: string | null | undefined): number {
  const digits = /^\s*(\d+)\s*(?:,|$)/.exec(text ?? '')?.[1] ?? 0;
  return Math.min(Number(digits), LONGEST);
}
