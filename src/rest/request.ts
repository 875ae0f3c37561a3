/** Converts params and body to the url, the headers and the body of a request. */
import { DEV, warn } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { hasOwnToString, stringTagOf } from '../schema/serialize.ts';
import { isJson } from './response.ts';

/** A body as passed by a caller. */
export type BodyValue = unknown;

/** `url` with a query added; an existing query stays. */
export function addSearch(url: string, search: string): string {
  if (search === '') return url;
  const head = url.split('#', 1)[0] as string;
  const joint = head.includes('?') ? '&' : '?';
  return head + joint + search + url.slice(head.length);
}

/*
 *   undefined        left out          null          a=
 *   [1, undefined]   a=1               []            left out
 *   Date             ISO 8601          Temporal, URL and others with a custom toString: the text
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
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part === undefined) continue;
      text += (text && '&') + encodePair(name, toParamText(part, name, endpoint));
    }
  }
  return text;
}

/** Fast path: most params need no encoding. URLSearchParams encodes the others. */
function encodePair(name: string, value: string): string {
  if (/^[\w*.-]*$/.test(name + value)) return `${name}=${value}`;
  const search = new URLSearchParams();
  search.append(name, value);
  return search.toString();
}

const TYPES_WITHOUT_TEXT = ['function', 'symbol'];

/** The text of a search param. Throws R2, status 400, for a value without a text. */
export function toParamText(value: unknown, param: string, endpoint: NamedEndpoint): string {
  if (value === null) return '';
  const isDate = value instanceof Date;
  const isText =
    isDate || typeof value === 'number'
      ? Number.isFinite(Number(value))
      : typeof value === 'object'
        ? !Array.isArray(value) && hasOwnToString(value)
        : !TYPES_WITHOUT_TEXT.includes(typeof value);
  if (!isText) throw badDataError('R2', { param, value }, endpoint);
  return isDate ? value.toISOString() : String(value);
}

const BODY_INIT_CLASSES = [
  'FormData',
  'Blob',
  'File',
  'URLSearchParams',
  'ReadableStream',
  'ArrayBuffer',
  'SharedArrayBuffer',
] as const;

/** True for bodies that `fetch` sends unchanged (the BodyInit of WHATWG Fetch). */
export function isBodyInit(body: object): boolean {
  // fast path: most bodies are plain data
  if (isPlainObject(body)) return false;
  return ArrayBuffer.isView(body) || BODY_INIT_CLASSES.some((name) => isOfClass(body, name));
}

type BodyClass = (typeof BODY_INIT_CLASSES)[number];

/** By tag: the same class of another realm. By class: polyfills without a tag. */
function isOfClass(body: object, name: BodyClass): boolean {
  const Class: unknown = (globalThis as Record<string, unknown>)[name];
  return stringTagOf(body) === name || (typeof Class === 'function' && body instanceof Class);
}

/**
 * The RequestInit of a body: empty for `undefined` and `null`, JSON with its content type (RFC 8259) for data, the body
 * itself for types that fetch can send. Throws R9, status 400, for values that JSON cannot express.
 */
export function toRequestInit(body: BodyValue, endpoint: NamedEndpoint): RequestInit {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body };
  if (typeof body === 'object') {
    // WHATWG Fetch requires `duplex` for streams; the DOM types lack this name, which only quotes keep in a build
    if (Symbol.asyncIterator in body) return { body, ['duplex']: 'half' } as never;
    if (isBodyInit(body)) return { body: body as BodyInit };
  }
  return { body: toJson(body, endpoint), headers: { 'Content-Type': 'application/json' } };
}

function toJson(body: unknown, endpoint: NamedEndpoint): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(body, DEV ? refuseEmptied : undefined);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  throw badDataError('R9', { reason: cause ?? typeof body }, endpoint, cause);
}

/** Throws for a value that JSON replaces by an object without content: a file would be lost. */
function refuseEmptied(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isEmptied = value instanceof Map || value instanceof Set || isBodyInit(value);
  if (isEmptied) throw new TypeError(`JSON has no ${stringTagOf(value)}`);
  return value;
}

/**
 * The headers for a body. The last of several spellings wins (RFC 9110: case is ignored); `fetch` joins equal names in
 * pairs, so there only the last content type wins. A content type that contradicts the body is left out: any beside
 * FormData, whose boundary only `fetch` knows, and JSON, usually a default for all requests, beside a body of another
 * type. `fetch` then sets the type of the body.
 */
export function fitHeaders(
  headers: HeadersInit,
  body?: unknown,
  endpoint: NamedEndpoint = {},
): HeadersInit {
  // pairs: also a Map, and Headers of a polyfill or of another realm
  const isList = Symbol.iterator in headers;
  const fitting = new Map<unknown, [string, string]>();
  for (const pair of isList ? headers : Object.entries(headers)) {
    const name = pair[0].toLowerCase();
    if (pair[1] !== undefined) fitting.set(isList && name !== 'content-type' ? pair : name, pair);
  }
  const type = fitting.get('content-type')?.[1];
  // an empty type contradicts a form, too
  const bodyType = type === undefined ? type : contentTypeOf(body);
  if (bodyType && (bodyType === MULTIPART || (isJson(type as string) && !isJson(bodyType)))) {
    if (DEV) {
      const title = endpoint.title ?? endpoint.name ?? '';
      warn('R16', title, { endpoint: title, type, body: stringTagOf(body as object) });
    }
    fitting.delete('content-type');
  }
  const kept = [...fitting.values()];
  if (headers instanceof Headers) return new Headers(kept);
  return isList ? kept : Object.fromEntries(kept);
}

const MULTIPART = 'multipart/form-data';

/** The content type that `fetch` derives from a body; undefined if any type may be right. */
export function contentTypeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const isOf = (name: BodyClass) => isOfClass(body, name);
  if (isOf('FormData')) return MULTIPART;
  if (isOf('URLSearchParams')) return 'application/x-www-form-urlencoded';
  return (isOf('Blob') || isOf('File')) && (body as Blob).type ? (body as Blob).type : undefined;
}

/**
 * The init with the headers that `getHeaders` returned; a promise only if these are a promise. Throws R17 if
 * `getHeaders` returned no headers.
 */
export function withHeaders(
  init: RequestInit,
  result: HeadersInit | Promise<HeadersInit>,
  endpoint: NamedEndpoint,
): RequestInit | Promise<RequestInit> {
  const isPromise = typeof (result as Partial<Promise<HeadersInit>> | null)?.then === 'function';
  if (isPromise)
    return (result as Promise<HeadersInit>).then((headers) => withHeaders(init, headers, endpoint));
  const headers = requireObject('getHeaders', result as HeadersInit, endpoint);
  return { ...init, headers: fitHeaders(headers, init.body, endpoint) };
}

/**
 * The value that a function of the application returned for a request; throws R17 for anything but an object, and for an
 * init of another method than GET that has no method: a spread promise has no members.
 */
export function requireObject<T extends object>(
  member: string,
  value: T,
  endpoint: NamedEndpoint,
  method = 'GET',
): T {
  if (typeof value === 'object' && value !== null && (/get/i.test(method) || 'method' in value))
    return value;
  throw badDataError('R17', { member, value }, endpoint);
}
