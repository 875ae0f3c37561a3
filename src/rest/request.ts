/** Converts params and body to the url, the headers and the body of a request. */
import { badDataError } from '../schema/badDataError.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { isPlainObject } from '../schema/equal.ts';
import { hasOwnToString, stringTagOf } from '../schema/serialize.ts';

/** A body as a caller passes it. */
export type BodyValue = unknown;

/** `url` with a query added; its existing query stays. */
export function addSearch(url: string, search: string): string {
  if (search === '') return url;
  const head = url.split('#', 1)[0] as string;
  const joint = head.includes('?') ? '&' : '?';
  return head + joint + search + url.slice(head.length);
}

/*
 *   undefined        left out          null          a=
 *   [1, 2]           a=1&a=2           []            left out
 *   Date             ISO 8601          Temporal, URL and others with a custom toString: its text
 *   {b: 1}, [[1]]    R2                an invalid Date, NaN, Infinity    R2
 */

/**
 * Search params as `application/x-www-form-urlencoded` text (WHATWG URL), sorted by name so that equal params give
 * equal keys. Throws R2, status 400, for nested objects and numbers that are not finite.
 */
export function searchText(params: object, endpoint: NamedEndpoint): string {
  let text = '';
  for (const name of Object.keys(params).sort()) {
    const value = (params as Record<string, unknown>)[name];
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      text += (text && '&') + pair(name, spell(one, name, endpoint));
    }
  }
  return text;
}

/** Fast path: most params need no encoding. URLSearchParams encodes the others. */
function pair(name: string, value: string): string {
  if (/^[\w*.-]*$/.test(name + value)) return `${name}=${value}`;
  const search = new URLSearchParams();
  search.append(name, value);
  return search.toString();
}

const SILENT = ['function', 'symbol'];

function spell(value: unknown, param: string, endpoint: NamedEndpoint): string {
  if (value === null || value === undefined) return '';
  const isDate = value instanceof Date;
  const isText =
    isDate || typeof value === 'number'
      ? Number.isFinite(Number(value))
      : typeof value === 'object'
        ? !Array.isArray(value) && hasOwnToString(value)
        : !SILENT.includes(typeof value);
  if (!isText) throw badDataError('R2', { param, value }, endpoint);
  return isDate ? value.toISOString() : String(value);
}

const UNTOUCHED = [
  'FormData',
  'Blob',
  'File',
  'URLSearchParams',
  'ReadableStream',
  'ArrayBuffer',
  'SharedArrayBuffer',
] as const;

/** True for bodies that `fetch` sends unchanged (the BodyInit of WHATWG Fetch). */
function isBodyInit(body: object): boolean {
  // fast path: most bodies are plain data
  if (isPlainObject(body)) return false;
  // by tag: the same class of another realm; by class: polyfills without a tag
  const tag = stringTagOf(body);
  const isOf = (name: string): boolean => {
    const Class: unknown = (globalThis as Record<string, unknown>)[name];
    return tag === name || (typeof Class === 'function' && body instanceof Class);
  };
  return ArrayBuffer.isView(body) || UNTOUCHED.some(isOf);
}

/**
 * The RequestInit of a body: empty for `undefined` and `null`, JSON with its content type (RFC 8259) for data, the body
 * itself for types that fetch can send. Throws R9, status 400, for values that JSON cannot express.
 */
export function bodyInit(body: BodyValue, endpoint: NamedEndpoint): RequestInit {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body };
  if (typeof body === 'object') {
    // WHATWG Fetch requires `duplex` for streams; the DOM types lack the name, and only quotes keep it in a build
    if (Symbol.asyncIterator in body) return { body, ['duplex']: 'half' } as never;
    if (isBodyInit(body)) return { body: body as BodyInit };
  }
  return { body: toJson(body, endpoint), headers: { 'Content-Type': 'application/json' } };
}

function toJson(body: unknown, endpoint: NamedEndpoint): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  throw badDataError('R9', { reason: cause ?? typeof body }, endpoint, cause);
}

/** Headers of a plain object with one spelling of each name (RFC 9110: case is ignored); the later one wins. */
export function lastOfEachName(headers: HeadersInit): HeadersInit {
  if (Array.isArray(headers) || headers instanceof Headers) return headers;
  const last = new Map<string, [string, string]>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) last.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(last.values());
}

/** The init with these headers; a promise only if `headers` is a promise. */
export function withHeaders(
  init: RequestInit,
  headers: HeadersInit | Promise<HeadersInit>,
): RequestInit | Promise<RequestInit> {
  const isPromise = typeof (headers as Partial<Promise<HeadersInit>>).then === 'function';
  if (!isPromise) return { ...init, headers: headers as HeadersInit };
  return (headers as Promise<HeadersInit>).then((given) => ({ ...init, headers: given }));
}
