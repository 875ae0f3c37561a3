/** Values as JSON, with a tag for each value that JSON cannot express: for server-rendered pages and for the disk. */
import { toDate } from '../clock.ts';
import { warn } from '../errors.ts';
import { setOwn } from './fieldOf.ts';
import type { Fields } from './schema.ts';

/*
 *   {"$": 5}                 entity number 5                     {"$": ["r", 5, 9]}     the list of the entities 5 to 9
 *   {"$": ["n", "NaN"]}      NaN, Infinity, -Infinity, -0        {"$": ["u"]}           undefined
 *   {"$": ["b", "12"]}       a BigInt                            {"$": ["d", 0]}        a Date, in ms; null: invalid
 *   {"$": ["m", [[1, 2]]]}   a Map                               {"$": ["s", [1, 2]]}   a Set
 *   {"$": ["o", [["$", 1]]]} an object with a member `$` or `__proto__`
 *   {"$": ["e", {…}]}        an Error: name, message, and status and code if defined
 */

/** The version of the format. Raised if code of the previous version could not read the new format. */
export const VERSION = 2;

/** All values that JSON can express. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

const NO_ANCESTORS: readonly object[] = [];

const encodeTagged = (tag: string, ...rest: readonly Json[]): Json => ({ $: [tag, ...rest] });

/** Called for a value that cannot be encoded at all; returns the replacement. `thing`: an object of the platform. */
export type OnLost = (type: string, value: unknown, thing?: object) => Json;

/**
 * Encodes a value without a schema. `onLost` is called for functions, symbols, cyclic values, and platform objects
 * without readable contents (bytes, a RegExp, a Blob): the default returns undefined, with a warning.
 */
export function encode(
  value: unknown,
  onLost: OnLost = warnLost,
  ancestors: readonly object[] = NO_ANCESTORS,
): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : encodeTagged('n', toNumberText(value));
    case 'bigint':
      return encodeTagged('b', String(value));
    case 'undefined':
      return encodeTagged('u');
    case 'object':
      if (value === null) return null;
      if (!ancestors.includes(value)) return encodeObject(value, onLost, [...ancestors, value]);
  }
  return onLost(typeof value, typeof value === 'object' ? 'cyclic' : value);
}

function warnLost(type: string, value: unknown): Json {
  warn('H1', type, { type, value });
  return encodeTagged('u');
}

export const isEncodedUndefined = (json: Json): boolean =>
  ((json as { $?: readonly unknown[] } | null)?.$ ?? [])[0] === 'u';

const toNumberText = (value: number) => (Object.is(value, -0) ? '-0' : String(value));

function encodeObject(value: object, onLost: OnLost, ancestors: readonly object[]): Json {
  const each = (member: unknown) => encode(member, onLost, ancestors);
  if (Array.isArray(value)) return Array.from(value, each);
  if (value instanceof Date) return encodeTagged('d', nullIfNaN(value.getTime()));
  if (value instanceof Map)
    return encodeTagged(
      'm',
      Array.from(value, ([a, b]) => [each(a), each(b)]),
    );
  if (value instanceof Set) return encodeTagged('s', Array.from(value, each));
  if (value instanceof Error) return encodeTagged('e', encodeMembers(errorFields(value), each));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return each(toJSON.call(value) as unknown);
  // neither a plain object nor an instance of a class: no readable members
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === 'Object' ? encodeMembers(value as Fields, each) : onLost(tag, 'not plain', value);
}

const nullIfNaN = (ms: number) => (Number.isNaN(ms) ? null : ms);

/** Without stack and cause: these are internals of the server. */
function errorFields(error: Error & { status?: unknown; code?: unknown }): Fields {
  const { name, message, status, code } = error;
  return {
    name,
    message,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
  };
}

/** An object with each member encoded by `each`; a member is left out if `each` returns undefined. */
export function encodeMembers(
  members: Fields,
  each: (member: unknown, name: string) => Json | undefined,
): Json {
  const encoded: Record<string, Json> = {};
  // in the source text of a script, `__proto__` would not be a member
  let needsTag = false;
  for (const name of Object.keys(members)) {
    const json = each(members[name], name);
    if (json === undefined) continue;
    needsTag ||= name === '$' || name === '__proto__';
    setOwn(encoded, name, json);
  }
  return needsTag ? encodeTagged('o', Object.entries(encoded)) : encoded;
}

/** A list of encoded members: consecutive entities as a range. */
export function encodeList(list: readonly Json[]): Json {
  const [first, last] = [list[0], list.at(-1)].map(entityNumber) as [number, number];
  const isRange =
    list.length > 2 &&
    last - first === list.length - 1 &&
    list.every((json, at) => entityNumber(json) === first + at);
  return isRange ? encodeTagged('r', first, last) : list;
}

/** NaN if the value is no reference to an entity. */
function entityNumber(json: Json | undefined): number {
  const { $ } = (json ?? {}) as { readonly $?: Json };
  return typeof $ === 'number' ? $ : NaN;
}

/** The decoded value; `entity` returns the entity of a number. */
export function decode(json: Json, entity: (number: number) => unknown): unknown {
  const each = (member: Json) => decode(member, entity);
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map(each);
  const { $: tag } = json as { readonly $?: Json };
  if (typeof tag === 'number') return entity(tag);
  if (tag !== undefined) return decodeTagged(tag as readonly [string, ...Json[]], each);
  return decodeMembers(Object.entries(json), each);
}

function decodeMembers(
  pairs: readonly (readonly [string, Json])[],
  each: (member: Json) => unknown,
): Fields {
  const members: Fields = {};
  for (const [name, member] of pairs) setOwn(members, name, each(member));
  return members;
}

type EntryPairs = readonly (readonly [Json, Json])[];

function decodeTagged(
  [tag, ...rest]: readonly [string, ...Json[]],
  each: (member: Json) => unknown,
): unknown {
  const [payload = null] = rest;
  switch (tag) {
    case 'n':
      return Number(payload);
    case 'b':
      return BigInt(payload as string);
    case 'd':
      return toDate((payload as number | null) ?? NaN);
    case 'm':
      return new Map((payload as EntryPairs).map(([a, b]) => [each(a), each(b)]));
    case 's':
      return new Set((payload as readonly Json[]).map(each));
    case 'r': {
      const [first = 0, last = 0] = rest as readonly number[];
      return Array.from({ length: last - first + 1 }, (_, at) => each({ $: first + at }));
    }
    case 'o':
      return decodeMembers(payload as readonly (readonly [string, Json])[], each);
    case 'e':
      return toError(each(payload) as { message: string });
    default:
      return undefined;
  }
}

/** An error of the base class, with the members of the server's error. */
function toError({ message, ...rest }: { message: string }): Error {
  return Object.assign(new Error(message), rest);
}

const UNSAFE_IN_SCRIPT = ['<', '>', '&', '\u2028', '\u2029'];

/** JSON that is safe inside of a script of a page: without any character that ends a script or a line. */
export function toScriptSafeJson(json: unknown): string {
  // a page has few of these characters: five searches cost less than one pass with a regular expression
  return UNSAFE_IN_SCRIPT.reduce((text, char) => {
    const escaped = `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return text.replaceAll(char, escaped);
  }, JSON.stringify(json));
}
