/** The identities of lists as text. */
import { setOwn, isPlainObject } from './equal.ts';
import { hasField } from './fieldOf.ts';
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
 * The members of all arguments. A further argument that is not an object has its position as a name (`$2`), and so has
 * a member with the name of an earlier one (`id$2`).
 */
export function joinArgs(args: Args): Fields {
  const joined: Fields = {};
  args.forEach((arg, at) => {
    for (const [name, value] of Object.entries(isPlainObject(arg) ? arg : { '': arg }))
      setOwn(joined, at && (!name || hasField(joined, name)) ? `${name}$${at + 1}` : name, value);
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
