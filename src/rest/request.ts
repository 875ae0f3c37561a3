/** From params and body to what goes over the wire: the url, the headers, the bytes. */
import { SignalboxError } from '../diagnostics.ts';
import { isPlain } from '../schema/equal.ts';
import { speaks, tagOf } from '../schema/serialize.ts';
import { isScalar } from './path.ts';

/** A body as a caller gives it. */
export type BodyValue = unknown;

/** `url` with a query added; what stands in the url already stays. */
export function addSearch(url: string, search: string): string {
  if (search === '') return url;
  const [head = '', ...fragment] = url.split('#');
  const joint = head.includes('?') ? '&' : '?';
  return [`${head}${joint}${search}`, ...fragment].join('#');
}

/*
 *   undefined        left out          null          a=
 *   [1, 2]           a=1&a=2           []            left out
 *   Date             ISO 8601          Temporal, URL and others with a toString of their own: that text
 *   {b: 1}, [[1]]    R2
 */

/**
 * Search params as `application/x-www-form-urlencoded` text (WHATWG URL), sorted by name so that equal params give
 * equal keys. Throws R2, status 400, for nested objects.
 */
export function searchText(params: object, endpoint: string): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(params).sort()) {
    const value = (params as Record<string, unknown>)[name];
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      search.append(name, spell(one, name, endpoint));
    }
  }
  return search.toString();
}

function spell(value: unknown, param: string, endpoint: string): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  const isObject = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
  if (isObject ? speaks(value) : isScalar(value)) return String(value);
  throw new SignalboxError('R2', { param }, { status: 400, endpoint });
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

/** True for what `fetch` sends as it is (the BodyInit of WHATWG Fetch). */
export function isBodyInit(body: unknown): body is BodyInit {
  if (typeof body === 'string') return true;
  if (body === null || typeof body !== 'object') return false;
  if (ArrayBuffer.isView(body) || Symbol.asyncIterator in body) return true;
  // most are data, of no class at all
  if (isPlain(body)) return false;
  // by tag: the same class of another realm; by class: polyfills that have no tag
  const tag = tagOf(body);
  return UNTOUCHED.some((name) => tag === name || isInstance(body, name));
}

function isInstance(body: object, name: (typeof UNTOUCHED)[number]): boolean {
  const Class: unknown = (globalThis as Record<string, unknown>)[name];
  return typeof Class === 'function' && body instanceof Class;
}

/**
 * What a body adds to the request: nothing for `undefined` and `null`, JSON with its content type (RFC 8259) for
 * data, the body itself for what fetch knows how to send. Throws R9, status 400, for what JSON cannot hold.
 */
export function bodyInit(body: BodyValue, endpoint: string): RequestInit {
  if (body === undefined || body === null) return {};
  if (!isBodyInit(body)) {
    return { body: toJson(body, endpoint), headers: { 'Content-Type': 'application/json' } };
  }
  const streams = typeof body === 'object' && Symbol.asyncIterator in body;
  // WHATWG Fetch: a stream needs it; the DOM types do not know it yet
  return (streams ? { body, duplex: 'half' } : { body }) as RequestInit;
}

function toJson(body: unknown, endpoint: string): string {
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new SignalboxError('R9', { reason: cause }, { status: 400, endpoint, cause });
  }
  throw new SignalboxError('R9', { reason: typeof body }, { status: 400, endpoint });
}

/** Headers of a plain object with one spelling of each name (RFC 9110: case means nothing); the later wins. */
export function lastOfEachName(headers: HeadersInit | undefined): HeadersInit | undefined {
  if (headers === undefined || Array.isArray(headers) || headers instanceof Headers) return headers;
  const last = new Map<string, [string, string]>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) last.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(last.values());
}
