/** Path templates such as `/users/:id`: read once, filled with values, and found again in a key. */
import { SignalboxError } from '../diagnostics.ts';
import { parsePath } from './parsePath.ts';
import type { Param, Part } from './parsePath.ts';

type Chars<S extends string> = S extends `${infer C}${infer T}` ? C | Chars<T> : never;
type Letter = Chars<'abcdefghijklmnopqrstuvwxyz'>;
type NameStart = Letter | Uppercase<Letter> | '_' | '$';
type NameChar = NameStart | Chars<'0123456789'>;

/** `[name, what follows]`; the name is '' where none begins (a port, a scheme). */
type ReadName<S extends string> = S extends `${infer C}${infer T}`
  ? C extends NameStart
    ? MoreName<T, C>
    : ['', S]
  : ['', S];
type MoreName<S extends string, N extends string> = S extends `${infer C}${infer T}`
  ? C extends NameChar
    ? MoreName<T, `${N}${C}`>
    : [N, S]
  : [N, S];

/** What follows a name, without its constraint. */
type AfterName<T extends string> = T extends `(${string})${infer Rest}` ? Rest : T;

/** True for the `?` of `:id?page=:page`: it begins a query and makes nothing optional. */
type IsQuery<T extends string> = T extends `${infer Head}=${string}`
  ? Head extends `${string}${'/' | ':' | '{' | '*' | '?' | '&'}${string}`
    ? false
    : true
  : false;

/** Walks the template and collects its names by `kind`; G is what a plain name is: optional inside braces. */
type Scan<S extends string, Found, G> = S extends `\\${string}${infer T}`
  ? Scan<T, Found, G>
  : S extends `{${infer T}`
    ? Scan<T, Found, 'optional'>
    : S extends `}${infer T}`
      ? Scan<T, Found, 'required'>
      : S extends `:${infer T}`
        ? Named<ReadName<T>, Found, G>
        : S extends `*${infer T}`
          ? Wild<ReadName<T>, Found, G>
          : S extends `${string}${infer T}`
            ? Scan<T, Found, G>
            : Found;

type Named<N extends [string, string], Found, G> = N[0] extends ''
  ? Scan<N[1], Found, G>
  : AfterName<N[1]> extends `?${infer T}`
    ? IsQuery<T> extends true
      ? Scan<T, Found | [N[0], G, PathValue], G>
      : Scan<T, Found | [N[0], 'optional', PathValue], G>
    : Scan<AfterName<N[1]>, Found | [N[0], G, PathValue], G>;

type Wild<N extends [string, string], Found, G> = Scan<N[1], Found | [N[0], G, WildValue], G>;

/** What may stand for one `:name`. */
export type PathValue = string | number;
/** What may stand for `*rest`: a path, or its segments. */
export type WildValue = PathValue | readonly PathValue[];

type FoundIn<P extends string> = Scan<P, never, 'required'>;
type Name<F, G> = F extends [infer N extends string, G, unknown] ? N : never;
type ValueOf<F, N> = F extends [N, unknown, infer V] ? V : never;

/**
 * The parameters that a path template needs: `PathArgs<'/users/:id'>` is `{id: string | number}`.
 * `:id?` and what stands in braces is optional, `*rest` may be an array; any record where the path is just `string`.
 */
export type PathArgs<P extends string> = string extends P
  ? // any: nothing is known of the parameters of an unknown path
    { [name: string]: any }
  : Flat<PathMembers<FoundIn<P>>>;

type Flat<T> = { [K in keyof T]: T[K] };
type PathMembers<F> = { [N in Name<F, 'required'>]: ValueOf<F, N> } & {
  [N in Exclude<Name<F, 'optional'>, Name<F, 'required'>>]?: ValueOf<F, N> | null | undefined;
};

/** A template that was read. */
export interface Path {
  readonly parts: readonly Part[];
  /** All names, and those without which there is no path. */
  readonly names: ReadonlySet<string>;
  readonly required: readonly string[];
}

const read = new Map<string, Path>();

/** Reads a template, once; throws R3 where it cannot be read. Time is linear in its length. */
export function path(template: string): Path {
  const known = read.get(template);
  if (known !== undefined) return known;
  const parts = parsePath(template);
  const required = parts.filter(isParam).map(({ name }) => name);
  const all = (parts as readonly (readonly Part[])[]).flat().filter(isParam);
  const made = { parts, required, names: new Set(all.map(({ name }) => name)) };
  read.set(template, made);
  return made;
}

function isParam(part: Part): part is Param {
  return typeof part === 'object' && 'name' in part;
}

/**
 * The path with its values, each percent-encoded as one segment (RFC 3986; `*rest` keeps its slashes).
 * Throws R1, status 400, for a value that is missing, `undefined`, `null`, `''`, NaN or an object, and R10 for `.`
 * and `..` alone in a segment: URL parsers (WHATWG) read them, and %2E too, as steps, so no encoding can carry them.
 */
export function fillPath(template: string, params: object, endpoint: string): string {
  let dotted: string | undefined;
  const write = (part: Part): string => {
    if (typeof part === 'string') return part;
    if ('name' in part) {
      const segments = segmentsOf(part, params, endpoint);
      if (segments.some((segment) => DOTS.test(segment))) dotted = part.name;
      return segments.map(encodeURIComponent).join('/');
    }
    const complete = part.every(
      (inner) => !isParam(inner) || !isMissing(paramOf(params, inner.name)),
    );
    return complete ? part.map(write).join('') : '';
  };
  const text = path(template).parts.map(write).join('');
  if (dotted !== undefined) refuseDots(text, dotted, endpoint);
  if (AUTHORITY.test(text) && !AUTHORITY.test(template)) {
    throw new SignalboxError('R12', { path: text }, { status: 400, endpoint });
  }
  return text;
}

// what stands between the slashes of a url is the name of a host
const AUTHORITY = /^[/\\]{2}/;
const DOTS = /^\.\.?$/;

function segmentsOf({ name, wild }: Param, params: object, endpoint: string): string[] {
  const value = paramOf(params, name);
  const segments = wild ? wildSegments(value) : [value];
  return segments.map((segment) => {
    if (
      !(wild && segment === '' && segments.length > 1) &&
      (isMissing(segment) || !isScalar(segment))
    ) {
      throw new SignalboxError('R1', { param: name, value }, { status: 400, endpoint });
    }
    // lone surrogates become U+FFFD, as in a USVString (Web IDL); `encodeURIComponent` would throw
    return String(segment).replace(/\p{Surrogate}/gu, '\uFFFD');
  });
}

function wildSegments(value: unknown): readonly unknown[] {
  const segments: readonly unknown[] =
    typeof value === 'string' ? value.split('/') : [value].flat();
  // nothing but slashes names nothing
  return segments.every((segment) => segment === '') ? [''] : segments;
}

/** True for what has a text: strings, numbers, booleans, BigInts. */
export function isScalar(value: unknown): boolean {
  return !['object', 'function', 'symbol'].includes(typeof value);
}

/** A member that the caller gave; what every object inherits (`constructor`) is not given. */
export function paramOf(params: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(params, name)) return undefined;
  return (params as Record<string, unknown>)[name];
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

function refuseDots(text: string, param: string, endpoint: string): void {
  const [segments = ''] = text.split(/[?#]/, 1);
  const step = segments.split('/').find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (step === undefined) return;
  throw new SignalboxError('R10', { param, value: step }, { status: 400, endpoint });
}

type WithoutLast<S extends string> = S extends `${infer Head}/${infer Tail}`
  ? Tail extends `${string}/${string}`
    ? `${Head}/${WithoutLast<Tail>}`
    : Head
  : '';
/** What stands before the last `:name`; ports and schemes are no names. */
type BeforeLast<
  S extends string,
  Best extends string = never,
  Done extends string = '',
> = S extends `${infer Head}:${infer T}`
  ? ReadName<T>[0] extends ''
    ? BeforeLast<T, Best, `${Done}${Head}:`>
    : Head extends `${string}\\`
      ? BeforeLast<T, Best, `${Done}${Head}:`>
      : BeforeLast<T, `${Done}${Head}`, `${Done}${Head}:`>
  : Best;
type OrRoot<S extends string> = S extends '' ? '/' : S;
type CloseBrace<S extends string> = S extends `${infer Head}{`
  ? Head
  : S extends `${string}{${infer T}`
    ? T extends `${string}}${string}`
      ? S
      : `${S}}`
    : S;

/** `/users/:id` becomes `/users`: the path of the list that a path of one belongs to. */
export type ShortenPath<P extends string> = string extends P
  ? string
  : OrRoot<WithoutLast<BeforeLast<P>> extends infer S extends string ? CloseBrace<S> : never>;

/**
 * The template without the segment of its last argument and what follows: `/a/:x/:y` becomes `/a/:x`, `/:id` `/`.
 * Throws R4 when there is no argument.
 */
export function shortenPath<P extends string>(template: P): ShortenPath<P> {
  const at = lastArgument(template);
  if (at === -1) throw new SignalboxError('R4', { path: template }, { status: 400 });
  const head = template.slice(0, Math.max(0, template.lastIndexOf('/', at)));
  return (closeBrace(head) || '/') as ShortenPath<P>;
}

function closeBrace(head: string): string {
  if (head.endsWith('{')) return head.slice(0, -1);
  return head.lastIndexOf('{') > head.lastIndexOf('}') ? `${head}}` : head;
}

/** Where the last `:name` begins, or -1. */
function lastArgument(template: string): number {
  let at = -1;
  for (const { index } of template.matchAll(/\\[^]|(:[A-Za-z_$])/g)) {
    if (template[index] === ':') at = index;
  }
  return at;
}
