/** The identities of lists as text. */
import { setOwn, isPlainObject } from './equal.ts';
import type { Args, Fields } from './schema.ts';
import { serialize } from './serialize.ts';
import type { Identified } from './serialize.ts';

/** The identity of a list: its members sorted, numbers and strings alike. Throws E16 as `serialize` does. */
export function collectionKey(value: unknown, read?: Identified): string {
  if (value === null || value === undefined) return '{}';
  if (!isPlainObject(value)) return JSON.stringify({ '': asText(value, read) });
  const texts = {};
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) setOwn(texts, name, asText(value[name], read));
  }
  return JSON.stringify(texts);
}

/**
 * The members of all arguments. An argument that is not an object has an empty name. A name that an earlier argument
 * has is followed by the position: `id$2`, `$2`.
 */
export function joinArgs(args: Args): Fields {
  const joined: Fields = {};
  args.forEach((arg, at) => {
    for (const [name, value] of Object.entries(isPlainObject(arg) ? arg : { '': arg }))
      setOwn(joined, Object.hasOwn(joined, name) ? `${name}$${at + 1}` : name, value);
  });
  return joined;
}

/** True for results of `collectionKey`. */
export function isCollectionKey(text: string): boolean {
  try {
    return collectionKey(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** A value as text for the identity of lists; text of an object has a prefix that marks it as an object. */
export function asText(value: unknown, read?: Identified): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return `\u0000${serialize(value, read)}`;
  return typeof value === 'function' ? serialize(value, read) : String(value);
}
