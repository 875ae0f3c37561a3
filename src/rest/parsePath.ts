/** Parses a path template into its parts, and tests whether a text could have been created from them. */
import { DEV } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';

export interface Param {
  readonly name: string;
  /** True for `*rest`, which keeps its slashes. */
  readonly wild: boolean;
}

/** Literal text, a parameter, or a group that is left out if one of its parameters is missing. */
export type PathPart = string | Param | readonly PathPart[];

/** A parsed template. */
export interface ParsedPath {
  readonly parts: readonly PathPart[];
  /** All names, and the names that the path requires. */
  readonly names: ReadonlySet<string>;
  readonly required: readonly string[];
  /** The position of the last parameter in the template; undefined if there is no parameter. */
  readonly last: number | undefined;
  /** The literal query at the end, with its `?`. Empty if the query has params or optional parts. */
  readonly query: string;
}

/*
 *   :name          one segment            \x     the character x itself
 *   :name(\d+)     the same: constraints document, and are not run (no ReDoS)
 *   :name?         optional with the slash or dot before it
 *   {/:name}?      optional as a group; {/:name} likewise
 *   *name          one or more segments
 *   :"a-b"  *"a-b" a name of any characters; a backslash escapes a quote
 *   :8080  ://     literal: a name begins with a letter, _ or $
 *   (a)            literal: parentheses that are not behind a name, in pairs
 *   :id?page=      the ? begins a query: a name and = follow
 */
export function parsePath(template: string): ParsedPath {
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
      // the loop includes positions that are added while it runs
      starts.add(at + 1);
    }
    // a group may be left out
  } else return new Set([...starts, ...endsOf(part, text, starts)]);
  return ends;
}

export function isParam(part: PathPart): part is Param {
  return typeof part === 'object' && 'name' in part;
}
