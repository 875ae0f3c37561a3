/** Parses `Cache-Control` (RFC 9111, 5.2), including invalid values. */

// RFC 9111, 1.2.2: greater values are capped at 2^31 s
const LONGEST = 2_147_483_648;

// a name, and a value in quotes or up to the next comma; the expression never backtracks
const DIRECTIVE = /([^\s,="]+)\s*(?:=\s*(?:"([^"]*)|([^,]*)))?/g;

/** The seconds of each directive, by its name in lower case; of a repeated directive the least. */
export function cacheControl(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, name, quoted, plain] of text.toLowerCase().matchAll(DIRECTIVE)) {
    const key = name as string;
    found.set(key, Math.min(found.get(key) ?? LONGEST, secondsIn(quoted ?? plain)));
  }
  return found;
}

/** The first value of a list; 0 if it is not a number of seconds. */
export function secondsIn(text: string | null | undefined): number {
  const digits = /^\s*(\d+)\s*(?:,|$)/.exec(text ?? '')?.[1] ?? 0;
  return Math.min(Number(digits), LONGEST);
}
