/** Reads a path template into its parts, and finds out whether a text could have been made from them. */
import { DEV, SignalboxError } from '../diagnostics.ts';

export interface Param {
  readonly name: string;
  /** True for `*rest`, which keeps its slashes. */
  readonly wild: boolean;
}

/** Literal text, a parameter, or what is left out as a whole when one of its parameters is missing. */
export type Part = string | Param | readonly Part[];

/*
 *   :name          one segment            \x     the character x itself
 *   :name(\d+)     the same: constraints document, and are not run (no ReDoS)
 *   :name?         optional with the slash or dot before it
 *   {/:name}?      optional as a whole; {/:name} likewise
 *   *name          one or more segments
 *   :8080  ://     literal: a name begins with a letter, _ or $
 *   :id?page=      the ? begins a query: a name and = follow
 */
export function parsePath(template: string): readonly Part[] {
  const parts: Part[] = [];
  // what is inside of the open brace so far, and where that stands
  let group: Part[] | undefined;
  let opened = 0;
  let text = '';
  let at = 0;
  const add = (part?: Part): void => {
    const to = group ?? parts;
    if (text !== '') to.push(text);
    if (part !== undefined) to.push(part);
    text = '';
  };
  while (at < template.length) {
    const from = at;
    const [token, escaped, sign, name] = tokenAt(template, from);
    at += token.length;
    if (name !== undefined) {
      if (sign === ':') at = afterConstraint(template, at);
      const optional = sign === ':' && isOptional(template, at);
      if (optional) at++;
      const param = { name, wild: sign === '*' };
      // inside braces the braces decide
      if (optional && group === undefined) {
        // `/users/:id?` gives `/users`, not `/users/`
        const cut = text.search(/[/.]?$/);
        const inner = [...text.slice(cut), param];
        text = text.slice(0, cut);
        add(inner);
      } else add(param);
    } else if (escaped !== undefined) {
      if (escaped === '') fail(template, from, DEV && 'a backslash escapes nothing');
      text += escaped;
    } else if (token === '{') {
      if (group !== undefined) fail(template, from, DEV && 'braces do not nest');
      add();
      [group, opened] = [[], from];
    } else if (token === '}') {
      if (group === undefined) fail(template, from, DEV && 'this brace was never opened');
      add();
      parts.push(group);
      group = undefined;
      if (template[at] === '?') at++;
    } else {
      if (token === '*') fail(template, from, DEV && 'a wildcard needs a name');
      text += token;
    }
  }
  if (group !== undefined) fail(template, opened, DEV && 'this brace is never closed');
  add();
  return parts;
}

const TOKEN = /\\([^]?)|([:*])([A-Za-z_$][\w$]*)|[{}:*]|[^\\{}:*]+/y;
const QUERY = /\?[^/:{*?&=]*=/y;

type Token = readonly [token: string, escaped?: string, sign?: string, name?: string];

function tokenAt(template: string, at: number): Token {
  TOKEN.lastIndex = at;
  return TOKEN.exec(template) as readonly string[] as Token;
}

function isOptional(template: string, at: number): boolean {
  QUERY.lastIndex = at;
  return template[at] === '?' && !QUERY.test(template);
}

/** Where what follows the parentheses at this place begins, if there are any. */
function afterConstraint(template: string, from: number): number {
  let depth = 0;
  let at = from;
  while (template[at] === '(' || depth > 0) {
    const char = template[at];
    if (char === undefined) fail(template, from, DEV && 'this parenthesis is never closed');
    if (char === '(') depth++;
    else if (char === ')') depth--;
    at += char === '\\' ? 2 : 1;
    if (depth === 0) break;
  }
  return at;
}

function fail(path: string, position: number, reason: string | false): never {
  throw new SignalboxError('R3', { path, position, reason }, { status: 400 });
}

/** One character, a parameter, or how far an optional part may be jumped. */
type Step = string | Param | number;

function steps(parts: readonly Part[]): Step[] {
  return parts.flatMap((part): Step[] => {
    if (typeof part === 'string') return [...part];
    if ('name' in part) return [part];
    const inner = steps(part);
    return [inner.length + 1, ...inner];
  });
}

const SEGMENT = /[^/?#& ]/;
const WILD = /[^?#& ]/;

/**
 * True when `text` is the path with some values, alone or followed by a query or a body.
 * All places in the template are followed at once, so that time is linear in `text` for every template.
 */
export function matchesPath(parts: readonly Part[], text: string): boolean {
  const program = steps(parts);
  let states = reach(program, [0]);
  for (const char of text) {
    if (states.has(program.length) && '?#& '.includes(char)) return true;
    states = reach(
      program,
      [...states].flatMap((at) => after(program[at], at, char)),
    );
    if (states.size === 0) return false;
  }
  return states.has(program.length);
}

function after(step: Step | undefined, at: number, char: string): number[] {
  if (typeof step === 'string') return step === char ? [at + 1] : [];
  if (typeof step !== 'object') return [];
  return (step.wild ? WILD : SEGMENT).test(char) ? [at, at + 1] : [];
}

/** These places, and those that jumping over optional parts leads to. */
function reach(program: readonly Step[], places: readonly number[]): Set<number> {
  const reached = new Set(places);
  for (const at of reached) {
    const step = program[at];
    if (typeof step === 'number') reached.add(at + 1).add(at + step);
  }
  return reached;
}
