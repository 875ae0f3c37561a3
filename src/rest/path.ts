/** Path templates such as `/users/:id`: parsed once, filled with values, and matched against keys. */
import { DEV } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { toPk } from '../schema/toPk.ts';
import { memberOf } from '../schema/fieldOf.ts';

type Chars<S extends string> = S extends `${infer C}${infer T}` ? C | Chars<T> : never;
type Letter = Chars<'abcdefghijklmnopqrstuvwxyz'>;
type NameStart = Letter | Uppercase<Letter> | '_' | '$';
type NameChar = NameStart | Chars<'0123456789'>;

/** `[name, the rest]`; the name is '' if none begins (a port, a scheme). */
type ReadName<S extends string> = S extends `"${infer Quoted}"${infer T}`
  ? [Quoted, T]
  : S extends `${infer C}${infer T}`
    ? C extends NameStart
      ? MoreName<T, C>
      : ['', S]
    : ['', S];
type MoreName<S extends string, N extends string> = S extends `${infer C}${infer T}`
  ? C extends NameChar
    ? MoreName<T, `${N}${C}`>
    : [N, S]
  : [N, S];

/** The text after a name, without the constraint. */
type AfterName<T extends string> = T extends `(${string})${infer Rest}` ? Rest : T;

/** True for the `?` of `:id?page=:page`, which begins a query and makes nothing optional. */
type IsQuery<T extends string> = T extends `${infer Head}=${string}`
  ? Head extends `${string}${'/' | ':' | '{' | '*' | '?' | '&'}${string}`
    ? false
    : true
  : false;

/** Scans the template and collects names by `kind`; G is the kind of a plain name: optional inside braces. */
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

/** The type of a value for a `:name`. */
export type PathValue = string | number;
/** The type of a value for `*rest`: a path, or segments. */
export type WildValue = PathValue | readonly PathValue[];

type FoundIn<P extends string> = Scan<P, never, 'required'>;
type Name<F, G> = F extends [infer N extends string, G, unknown] ? N : never;
type ValueOf<F, N> = F extends [N, unknown, infer V] ? V : never;

/**
 * The parameters that a path template needs: `PathArgs<'/users/:id'>` is `{id: string | number}`.
 * `:id?` and names in braces are optional, `*rest` may be an array; any record if the path is just `string`.
 */
export type PathArgs<P extends string> = string extends P
  ? // any: nothing is known of the parameters of an unknown path
    { [name: string]: any }
  : Flat<PathMembers<FoundIn<P>>>;

type Flat<T> = { [K in keyof T]: T[K] } & {};
type PathMembers<F> = { [N in Name<F, 'required'>]: ValueOf<F, N> } & {
  [N in Exclude<Name<F, 'optional'>, Name<F, 'required'>>]?: ValueOf<F, N> | null | undefined;
};

const read = new Map<string, ParsedPath>();

/** Parses a template, once, in linear time. Throws R3 for an invalid template. */
export function path(template: string): ParsedPath {
  let known = read.get(template);
  if (known === undefined) read.set(template, (known = parsePath(template)));
  return known;
}

/**
 * The path filled with values, each percent-encoded as a single segment (RFC 3986; `*rest` keeps slashes). Throws R1,
 * status 400, for a value that is missing, `undefined`, `null`, `''`, an object, a number that is not finite or text
 * with a lone surrogate, and R10 for `.` and `..` alone in a segment: URL parsers (WHATWG) resolve both as steps, and
 * %2E too, so no encoding can preserve them.
 */
export function fillPath(template: string, params: object, endpoint: NamedEndpoint): string {
  let dotted: string | undefined;
  const fill = (parts: readonly PathPart[]): string => {
    let text = '';
    for (const part of parts) {
      if (typeof part === 'string') text += part;
      else if (isParam(part)) {
        const value = encoded(part, params, endpoint);
        if (DOTS.test(value)) dotted = part.name;
        text += value;
      } else if (
        !part.some((inner) => isParam(inner) && (memberOf(params, inner.name) ?? '') === '')
      ) {
        text += fill(part);
      }
    }
    return text;
  };
  const text = fill(path(template).parts);
  const step = dotted === undefined ? undefined : STEP.exec(text)?.[1];
  if (step !== undefined) throw badDataError('R10', { param: dotted, value: step }, endpoint);
  return text;
}

const DOTS = /(?:^|\/)\.\.?(?:\/|$)/;
/** The first segment that URLs resolve as a step to another path. */
const STEP = /^(?:[^?#]*?\/)?((?:\.|%2e){1,2})(?:[/?#]|$)/i;

function encoded({ name, wild }: Param, params: object, endpoint: NamedEndpoint): string {
  const value = memberOf(params, name);
  let segments: readonly unknown[] = [value];
  if (wild) segments = typeof value === 'string' ? value.split('/') : segments.flat();
  const texts = segments.map((segment) => (segment === '' ? segment : segmentText(segment)));
  // slashes alone are not a value
  if (texts.includes(undefined) || texts.join('') === '') {
    const about = DEV ? { param: name, value, params } : { param: name, value };
    throw badDataError('R1', about, endpoint);
  }
  return (texts as string[]).map(encodeURIComponent).join('/');
}

/** A value as text for a url; undefined if there is none. Lone surrogates have no UTF-8. */
function segmentText(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  const text = toPk(value);
  return text === undefined || /\p{Surrogate}/u.test(text) ? undefined : text;
}

type WithoutLast<S extends string> = S extends `${infer Head}/${infer Tail}`
  ? Tail extends `${string}/${string}`
    ? `${Head}/${WithoutLast<Tail>}`
    : Head
  : '';
/** The text before the last parameter; ports and schemes are not parameters. */
type BeforeLast<
  S extends string,
  Best extends string = never,
  Done extends string = '',
> = S extends `${infer Head}:${infer T}`
  ? Head extends `${infer First}*${infer U}`
    ? PassSign<[First, '*'], `${U}:${T}`, Best, Done>
    : PassSign<[Head, ':'], T, Best, Done>
  : S extends `${infer Head}*${infer T}`
    ? PassSign<[Head, '*'], T, Best, Done>
    : Best;
/** Continues after the name and constraint at the start of T, if the sign in `Head` begins a name. */
type PassSign<
  Head extends [string, string],
  T extends string,
  Best extends string,
  Done extends string,
> = Head[0] extends `${string}\\`
  ? BeforeLast<T, Best, `${Done}${Head[0]}${Head[1]}`>
  : ReadName<T>[0] extends ''
    ? BeforeLast<T, Best, `${Done}${Head[0]}${Head[1]}`>
    : AfterName<ReadName<T>[1]> extends infer Rest extends string
      ? T extends `${infer Found}${Rest}`
        ? BeforeLast<Rest, `${Done}${Head[0]}`, `${Done}${Head[0]}${Head[1]}${Found}`>
        : never
      : never;
type OrRoot<S extends string> = S extends '' ? '/' : S;
type CloseBrace<S extends string> = S extends `${infer Head}{`
  ? Head
  : S extends `${string}{${infer T}`
    ? T extends `${string}}${string}`
      ? S
      : `${S}}`
    : S;

/** `/users/:id` becomes `/users`: the path of the list for the path of an entity. */
export type ShortenPath<P extends string> = string extends P
  ? string
  : OrRoot<WithoutLast<BeforeLast<P>> extends infer S extends string ? CloseBrace<S> : never>;

/** The path of a resource's list: empty for `/:id`, because no slash is added to the prefix. */
export type ListPath<P extends string> =
  ShortenPath<P> extends '/' ? '' : `${ShortenPath<P>}${PathEnd<P>}`;

/** A slash or a suffix behind the last argument. */
type PathEnd<P extends string> = string extends P
  ? ''
  : BehindLast<P> extends infer End extends string
    ? End extends '/'
      ? End
      : End extends `.${infer Suffix}`
        ? Suffix extends `${string}${'/' | ':' | '*' | '?' | '{' | '}' | '('}${string}`
          ? ''
          : End
        : ''
    : '';

/** The text behind the name of the last parameter; none if there is a constraint, or an optional part. */
type BehindLast<P extends string> = P extends `${BeforeLast<P>}${':' | '*'}${infer T}`
  ? ReadName<T>[1]
  : '';

/**
 * The template without the segment of the last argument and the text behind: `/a/:x/:y` becomes `/a/:x`, `/:id` `/`.
 * Throws R4 if there is no argument, R3 if the template is invalid.
 */
export function shortenPath<P extends string>(template: P): ShortenPath<P> {
  return (shorten(template) || '/') as ShortenPath<P>;
}

/** A slash, or a suffix such as `.json`, at the end of a path behind the last argument. */
const PATH_END = /(?<=[:*][\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\/|(?:\.\w+)+)$/u;

/**
 * The path of the list of a resource: for `/:id` the prefix alone, because it gets no slash. What ends the path of an
 * entity ends that of the list: `/a/:id/` becomes `/a/`, `/a/:id.json` `/a.json`.
 */
export function listPathOf(template: string): string {
  const head = shorten(template);
  return head === '' ? head : head + (PATH_END.exec(template)?.[0] ?? '');
}

function shorten(template: string): string {
  const { last } = path(template);
  if (last === undefined) throw badDataError('R4', { path: template });
  const head = template.slice(0, Math.max(0, template.lastIndexOf('/', last))).replace(/\{$/, '');
  // closes a brace that was cut open
  return head.replace(/\{[^{}]*$/, '$&}');
}

export interface Param {
  readonly name: string;
  /** True for `*rest`, which keeps slashes. */
  readonly wild: boolean;
}

/** Literal text, a parameter, or a group that is left out if a parameter in the group is missing. */
export type PathPart = string | Param | readonly PathPart[];

/** A parsed template. */
export interface ParsedPath {
  readonly parts: readonly PathPart[];
  /** All names, and the names that the path requires. */
  readonly names: ReadonlySet<string>;
  readonly required: readonly string[];
  /** The position of the last parameter in the template; undefined if there is no parameter. */
  readonly last: number | undefined;
  /** The literal query at the end, with the `?`. Empty if the query has params or optional parts. */
  readonly query: string;
}

/*
 *   :name          a segment              \x     the character x itself
 *   :name(\d+)     the same: constraints document, and are not run (no ReDoS)
 *   :name?         optional with the preceding slash or dot
 *   {/:name}?      optional as a group; {/:name} likewise
 *   *name          one or more segments
 *   :"a-b"  *"a-b" a name of any characters; a backslash escapes a quote
 *   :8080  ://     literal: a name begins with a letter, _ or $
 *   (a)            literal: parentheses that are not behind a name, in pairs
 *   :id?page=      the ? begins a query: a name and = follow
 */
function parsePath(template: string): ParsedPath {
  if (DEV && typeof template !== 'string') fail(template, 0, 'it must be text');
  const parts: PathPart[] = [];
  const names = new Set<string>();
  const required: string[] = [];
  // `parts`, or the parts of the open brace; the position of this brace
  let [target, opened] = [parts, 0];
  const parentheses: number[] = [];
  let last: number | undefined;
  let [text, at] = ['', 0];
  const addText = (): void => {
    if (text !== '') target.push(text);
    text = '';
  };
  while (at < template.length) {
    const from = at;
    TOKEN.lastIndex = at;
    const [token, escaped, sign, plain, quoted] = TOKEN.exec(template) as unknown as Token;
    const name = plain ?? quoted?.replace(/\\([^])/g, '$1');
    at += token.length;
    if (name !== undefined) {
      last = from;
      names.add(name);
      const wild = sign === '*';
      if (!wild) at = afterConstraint(template, at);
      const optional = !wild && OPTIONAL.test(template.slice(at));
      if (optional) at++;
      let part: PathPart = { name, wild };
      // inside braces the braces make a parameter optional
      if (target === parts && optional) {
        // `/users/:id?` gives `/users`, not `/users/`
        const cut = text.search(/[/.]?$/);
        part = [...text.slice(cut), part];
        text = text.slice(0, cut);
      } else if (target === parts) required.push(name);
      addText();
      target.push(part);
    } else if (escaped !== undefined) {
      text += escaped || fail(template, from, DEV && 'a backslash escapes nothing');
    } else if (token === '{') {
      if (target !== parts) fail(template, from, DEV && 'braces do not nest');
      addText();
      [target, opened] = [[], from];
    } else if (token === '}') {
      if (target === parts) fail(template, from, DEV && 'this brace was never opened');
      addText();
      parts.push(target);
      target = parts;
      if (template[at] === '?') at++;
    } else {
      checkLiteral(template, from, parentheses);
      text += token;
    }
  }
  if (target !== parts) fail(template, opened, DEV && 'this brace is never closed');
  if (parentheses[0] !== undefined)
    fail(template, parentheses[0], DEV && 'this parenthesis is never closed');
  addText();
  return { parts, names, required, last, query: QUERY.exec(template)?.[0] ?? '' };
}

const TOKEN = /\\([^]?)|([:*])(?:([A-Za-z_$][\w$]*)|"((?:\\[^]|[^"\\])+)")|[{}:*()]|[^\\{}:*()]+/y;
// the colon of a scheme, a port, an IPv6 address
const COLON = /^:(?:\/\/|\d|:)/;
// a `?` before a name and = begins a query, and makes nothing optional
const OPTIONAL = /^\?(?![^/:{*?&=]*=)/;
const QUERY = /\?[\w.~-]+=[^:{}()*?]*$/;

type Token = readonly [token: string, ...(string | undefined)[]];

/** Rejects a literal character that must be escaped or is unbalanced. `open` has the positions of open parentheses. */
function checkLiteral(template: string, at: number, open: number[]): void {
  const sign = template[at];
  if (sign === '*') fail(template, at, DEV && 'a wildcard needs a name');
  const begins = at === 0 || template[at - 1] === '/';
  if (sign === ':' && (begins || !COLON.test(template.slice(at))))
    fail(template, at, DEV && 'a name begins with a letter, _ or $, or stands in double quotes');
  if (sign === '(') open.push(at);
  if (sign === ')' && open.pop() === undefined)
    fail(template, at, DEV && 'this parenthesis was never opened');
}

/** The position after the parentheses at this position, if there are any. */
function afterConstraint(template: string, from: number): number {
  if (template[from] !== '(') return from;
  let depth = 0;
  for (let at = from; at < template.length; at++) {
    const char = template[at];
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
  }
  return fail(template, from, DEV && 'this parenthesis is never closed');
}

function fail(path: string, position: number, reason: string | false): never {
  throw badDataError('R3', { path, position, reason });
}

/**
 * True if `text` is the path with some values, alone or followed by a query or a body.
 * All possible ends of a part are followed at once, so that time is linear in `text` for every template.
 */
export function matchesPath(parts: readonly PathPart[], text: string): boolean {
  const ends = [...endsOf(parts, text, new Set([0]))];
  return ends.some((at) => at === text.length || '?#& '.includes(text.charAt(at)));
}

const SEGMENT = /[^/?#& ]/;
const WILD = /[^?#& ]/;

type Places = Set<number>;

/** The possible ends in `text` of the parts, starting at any of these positions. */
function endsOf(parts: readonly PathPart[], text: string, places: Places): Places {
  return parts.reduce((starts, part) => endsOfPart(part, text, starts), places);
}

function endsOfPart(part: PathPart, text: string, starts: Places): Places {
  const ends: Places = new Set();
  if (typeof part === 'string') {
    for (const at of starts) if (text.startsWith(part, at)) ends.add(at + part.length);
  } else if (isParam(part)) {
    const fitting = part.wild ? WILD : SEGMENT;
    for (const at of starts) {
      if (!fitting.test(text.charAt(at))) continue;
      ends.add(at + 1);
      // the loop includes positions that are added meanwhile
      starts.add(at + 1);
    }
    // a group may be left out
  } else return new Set([...starts, ...endsOf(part, text, starts)]);
  return ends;
}

function isParam(part: PathPart): part is Param {
  return typeof part === 'object' && 'name' in part;
}
