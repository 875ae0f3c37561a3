/** Reads a path template into its parts, and finds out whether a text could have been made from them. */
import { SignalboxError } from '../diagnostics.ts';

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
  return new PathReader(template).read();
}

const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const QUERY = /\?[^/:{*?&=]*=/y;

class PathReader {
  readonly #template: string;
  readonly #parts: Part[] = [];
  #at = 0;
  #text = '';
  /** Where the open brace stands, and what is inside so far. */
  #group: { readonly at: number; readonly parts: Part[] } | undefined;

  constructor(template: string) {
    this.#template = template;
  }

  read(): readonly Part[] {
    while (this.#at < this.#template.length) this.#step(this.#template[this.#at] as string);
    if (this.#group !== undefined) this.#fail(this.#group.at, 'this brace is never closed');
    this.#flush();
    return this.#parts;
  }

  #step(char: string): void {
    if (char === '\\') return this.#escape();
    if (char === ':') return this.#param();
    if (char === '*') return this.#wild();
    if (char === '{') return this.#open();
    if (char === '}') return this.#close();
    this.#text += char;
    this.#at += 1;
  }

  #escape(): void {
    const next = this.#template[this.#at + 1];
    if (next === undefined) this.#fail(this.#at, 'a backslash escapes nothing');
    this.#text += next;
    this.#at += 2;
  }

  #param(): void {
    const name = this.#match(NAME, this.#at + 1);
    this.#at += 1 + name.length;
    if (name === '') {
      this.#text += ':';
      return;
    }
    this.#skipConstraint();
    const param = { name, wild: false };
    if (this.#template[this.#at] !== '?' || this.#match(QUERY, this.#at) !== '') {
      this.#add(param);
      return;
    }
    this.#at += 1;
    // inside braces the braces decide
    this.#add(this.#group === undefined ? this.#withPrefix(param) : param);
  }

  /** `/users/:id?` gives `/users`, not `/users/`. */
  #withPrefix(param: Param): readonly Part[] {
    const prefix = this.#text.slice(-1);
    if (prefix !== '/' && prefix !== '.') return [param];
    this.#text = this.#text.slice(0, -1);
    return [prefix, param];
  }

  #wild(): void {
    const name = this.#match(NAME, this.#at + 1);
    if (name === '') this.#fail(this.#at, 'a wildcard needs a name');
    this.#at += 1 + name.length;
    this.#add({ name, wild: true });
  }

  #open(): void {
    if (this.#group !== undefined) this.#fail(this.#at, 'braces do not nest');
    this.#flush();
    this.#group = { at: this.#at, parts: [] };
    this.#at += 1;
  }

  #close(): void {
    if (this.#group === undefined) this.#fail(this.#at, 'this brace was never opened');
    this.#flush();
    this.#parts.push(this.#group.parts);
    this.#group = undefined;
    this.#at += this.#template[this.#at + 1] === '?' ? 2 : 1;
  }

  #skipConstraint(): void {
    const from = this.#at;
    let depth = 0;
    while (this.#template[this.#at] === '(' || depth > 0) {
      const char = this.#template[this.#at];
      if (char === undefined) this.#fail(from, 'this parenthesis is never closed');
      if (char === '(') depth += 1;
      if (char === ')') depth -= 1;
      this.#at += char === '\\' ? 2 : 1;
      if (depth === 0) return;
    }
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.#template)?.[0] ?? '';
  }

  #add(part: Part): void {
    this.#flush();
    (this.#group?.parts ?? this.#parts).push(part);
  }

  #flush(): void {
    if (this.#text !== '') (this.#group?.parts ?? this.#parts).push(this.#text);
    this.#text = '';
  }

  #fail(position: number, reason: string): never {
    const parameters = { path: this.#template, position, reason };
    throw new SignalboxError('R3', parameters, { status: 400 });
  }
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
