/** The identities of lists as text. */
import { setOwn, isPlainObject } from './equal.ts';
import type { Args, Fields } from './schema.ts';
import { serialize } from './serialize.ts';

/** The identity of a list: its members sorted, numbers and strings alike. */
export function collectionKey(value: unknown): string {
  if (value === null || value === undefined) return '{}';
  if (!isPlainObject(value)) return JSON.stringify({ '': asText(value) });
  const texts = {};
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) setOwn(texts, name, asText(value[name]));
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
export function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? `\u0000${serialize(value)}` : String(value);
}
