/** Arguments as text: equal arguments give equal text, regardless of the order of their members. */
import { badDataError } from './badDataError.ts';
import type { NamedEndpoint } from './badDataError.ts';
import { isPlainObject } from './fieldOf.ts';

// ancestors are tracked from this depth on: few arguments are deeper, and a cycle reaches this depth again
const MAX_DEPTH_WITHOUT_CYCLE_CHECK = 3;

/** The endpoint or Collection that is keyed by a text of arguments, and the option that replaces the text. */
export interface KeyOwner extends NamedEndpoint {
  /** Default: `key`. */
  readonly keyOption?: string;
}

/*
 *   number, bigint, registered symbol         own text             undefined member      left out
 *   Date, URL, class with toJSON()            the JSON             Map, Set              array of the entries
 *   plain object, class with own fields       sorted members       FormData of texts     all entries
 *   URLSearchParams, RegExp, Error, bytes,    name of the class,   function, symbol,     E16: two different values
 *   class with toString()                     text, own fields     any other object      would share a text
 */

/**
 * The text of a value. Throws E16 for values without text if `owner` is given and is no mutation. The key of
 * a mutation is used in messages only: there, the name of their class suffices. Cycles throw, as in `JSON.stringify`.
 */
export function serialize(
  value: unknown,
  owner?: KeyOwner,
  depth = 0,
  ancestors?: Set<object>,
): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return serializePrimitive(value, owner);
  if (depth < MAX_DEPTH_WITHOUT_CYCLE_CHECK) return serializeObject(value, owner, depth + 1);
  if (ancestors?.has(value)) throw new TypeError('cyclic arguments');
  const inner = (ancestors ?? new Set()).add(value);
  const text = serializeObject(value, owner, depth + 1, inner);
  inner.delete(value);
  return text;
}

function serializePrimitive(value: unknown, owner: KeyOwner | undefined): string {
  if (typeof value === 'bigint') return `${value}n`;
  const isSilent =
    typeof value === 'function' || (typeof value === 'symbol' && !Symbol.keyFor(value));
  return isSilent ? refuseWithoutText(typeof value, owner) : String(value);
}

function serializeObject(
  value: object,
  owner: KeyOwner | undefined,
  depth: number,
  ancestors?: Set<object>,
): string {
  if (Array.isArray(value))
    // a spread has no holes
    return `[${[...(value as unknown[])].map((member) => serialize(member, owner, depth, ancestors)).join()}]`;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') {
    // the JSON of an invalid date is null
    const json = toJSON.call(value) ?? customText(value) ?? null;
    if (json !== value) return serialize(json, owner, depth, ancestors);
  }
  let head = '';
  if (!isPlainObject(value)) {
    if (value instanceof Map || value instanceof Set)
      head = serializeObject([...(value as Iterable<unknown>)], owner, depth, ancestors);
    else if (isReadableForm(value))
      head = `FormData${serializeObject([...value], owner, depth, ancestors)}`;
    else head = textOfInstance(value, owner);
    // the own fields of bytes are their numbers
    if (ArrayBuffer.isView(value)) return head;
  }
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${serialize(member, owner, depth, ancestors)}`;
  }
  return head && !text ? head : `${head}{${text}}`;
}

/** React Native's forms have no entries, but a field with their parts. */
function isReadableForm(value: object): value is FormData {
  return typeof FormData === 'function' && value instanceof FormData && Symbol.iterator in value;
}

/** The text of an object of a class beside the own fields; empty if these, or none, are the content. */
function textOfInstance(value: object, owner: KeyOwner | undefined): string {
  const tag = stringTagOf(value);
  const text = customText(value);
  if (text !== undefined) return `${tag}(${JSON.stringify(text)})`;
  const prototype = Object.getPrototypeOf(value) as object;
  // own fields are not the content of a File
  const hasFields = (tag === 'Object' || !(tag in globalThis)) && Object.keys(value).length > 0;
  // an empty plain object of another realm
  if (hasFields || Object.getPrototypeOf(prototype) === null) return '';
  return refuseWithoutText(tag === 'Object' ? prototype.constructor.name : tag, owner);
}

function refuseWithoutText(argument: string, owner: KeyOwner | undefined): string {
  if (owner === undefined || owner.sideEffect) return argument;
  throw badDataError('E16', { argument, option: owner.keyOption ?? 'key' }, owner);
}

/** The text of an object with a custom toString(). */
function customText(value: object): string | undefined {
  return hasOwnToString(value) ? String(value) : undefined;
}

/** True for value objects with a toString() of their own, and for primitives. */
export function hasOwnToString(value: object): boolean {
  const { toString } = value as { toString?: unknown };
  if (typeof toString !== 'function' || toString === Object.prototype.toString) return false;
  // objects of another realm inherit the function of that realm's Object.prototype
  return String(value) !== Object.prototype.toString.call(value);
}

export function stringTagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
