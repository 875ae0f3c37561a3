/** Arguments as text: equal arguments give equal text, regardless of the order of their members. */
import { badDataError } from './badDataError.ts';
import type { NamedEndpoint } from './badDataError.ts';
import { isPlainObject } from './fieldOf.ts';

// ancestors are tracked from this depth on: few arguments are deeper, and a cycle reaches this depth again
const MAX_DEPTH_WITHOUT_CYCLE_CHECK = 3;

/** The endpoint that a text of arguments identifies, and its option that replaces the text. */
export interface Identified extends NamedEndpoint {
  /** Default: `key`. */
  readonly keyOption?: string;
}

/*
 *   number, bigint, registered symbol         its own text         undefined member      left out
 *   Date, URL, class with toJSON()            its JSON             Map, Set              array of the entries
 *   plain object, class with own fields       sorted members       FormData of texts     its entries
 *   URLSearchParams, RegExp, bytes,           name of the class    function, symbol,     E16: two different values
 *   class with toString(), no own fields      and text             any other object      would share one text
 */

/**
 * The text of a value. Throws E16 for values without text if `read` is an endpoint that reads. The key of a mutation is
 * used in messages only: there, the name of their class suffices. Cycles throw, as in `JSON.stringify`.
 */
export function serialize(
  value: unknown,
  read?: Identified,
  depth = 0,
  above?: Set<object>,
): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return serializePrimitive(value, read);
  if (depth < MAX_DEPTH_WITHOUT_CYCLE_CHECK) return serializeObject(value, read, depth + 1);
  if (above?.has(value)) throw new TypeError('cyclic arguments');
  const inner = (above ?? new Set()).add(value);
  const text = serializeObject(value, read, depth + 1, inner);
  inner.delete(value);
  return text;
}

function serializePrimitive(value: unknown, read: Identified | undefined): string {
  if (typeof value === 'bigint') return `${value}n`;
  const isSilent =
    typeof value === 'function' || (typeof value === 'symbol' && !Symbol.keyFor(value));
  return isSilent ? withoutText(typeof value, read) : String(value);
}

function serializeObject(
  value: object,
  read: Identified | undefined,
  depth: number,
  above?: Set<object>,
): string {
  if (Array.isArray(value))
    return `[${value.map((member) => serialize(member, read, depth, above)).join()}]`;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') {
    // the JSON of an invalid date is null
    const json = toJSON.call(value) ?? ownText(value) ?? null;
    return serialize(json, read, depth, above);
  }
  if (!isPlainObject(value)) {
    if (value instanceof Map || value instanceof Set)
      return serializeObject([...(value as Iterable<unknown>)], read, depth, above);
    if (isReadableForm(value)) return `FormData${serializeObject([...value], read, depth, above)}`;
    const text = textOfInstance(value, read);
    if (text !== undefined) return text;
  }
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${serialize(member, read, depth, above)}`;
  }
  return `{${text}}`;
}

/** React Native's forms have no entries, but a field with their parts. */
function isReadableForm(value: object): value is FormData {
  return typeof FormData === 'function' && value instanceof FormData && Symbol.iterator in value;
}

/** The text of an object of a class; undefined if its own fields, or none, are its content. */
function textOfInstance(value: object, read: Identified | undefined): string | undefined {
  // the own fields of bytes are their numbers
  if (!ArrayBuffer.isView(value) && Object.keys(value).length > 0) return undefined;
  const tag = stringTagOf(value);
  const text = ownText(value);
  if (text !== undefined) return `${tag}(${JSON.stringify(text)})`;
  const prototype = Object.getPrototypeOf(value) as object;
  // an empty plain object of another realm
  if (Object.getPrototypeOf(prototype) === null) return undefined;
  return withoutText(tag === 'Object' ? prototype.constructor.name : tag, read);
}

function withoutText(argument: string, read: Identified | undefined): string {
  if (read === undefined || read.sideEffect) return argument;
  throw badDataError('E16', { argument, option: read.keyOption ?? 'key' }, read);
}

/** The text of an object with a toString() of its own. */
function ownText(value: object): string | undefined {
  return hasOwnToString(value) ? String(value) : undefined;
}

/** True for value objects with a toString() of their own, and for primitives. */
export function hasOwnToString(value: object): boolean {
  const { toString } = value as { toString?: unknown };
  if (typeof toString !== 'function' || toString === Object.prototype.toString) return false;
  // objects of another realm inherit the function of its Object.prototype
  return String(value) !== Object.prototype.toString.call(value);
}

export function stringTagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
