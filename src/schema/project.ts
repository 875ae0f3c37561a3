/** What readers get where it depends on who reads: fields seen through a lens, and nesting that is cut. */
import { DEV } from '../diagnostics.ts';
import { assign, isPlain } from './equal.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Kind } from './schema.ts';

/*
 * Stored things have one value, whoever reads. Where a schema has a Scalar, or a class a maxEntityDepth, readers outside
 * get copies of the entities concerned: one per value, lens and depth, so equal readers share them.
 *
 *   store ──► value with `Projected` members ──► project(value, arguments) ──► reader
 *
 * Applications that use neither pay for one comparison per read.
 */

/** A value that shows itself differently to different arguments. */
export abstract class Projected {
  abstract under(args: Args): unknown;
}

/** Says of arguments what one sort of projected values depends on. */
export type Lens = (args: Args) => unknown;

/** An entity's kind, as far as copies of its instances need it. */
interface Copied extends Kind {
  readonly plan: {
    readonly nested: readonly { name: string }[];
    readonly depth: number | undefined;
  };
  copy(instance: Fields): Fields;
  pkIn(fields: object, args: Args): string | undefined;
}

/** Who reads, and what. */
export interface Readable {
  readonly kind?: Kind;
  readonly args?: Args;
}

const lenses: Lens[] = [];
const NO_ARGS: Args = Object.freeze([]);
// containers around entities are few deep; what is deeper is a plain value
const DEEPEST = 50;
let active = false;
let limit = 1;

/** From now on values may depend on what this gives. */
export function readThrough(lens: Lens): void {
  active = true;
  lenses.push(lens);
}

/** From now on entities may be cut at this depth. */
export function cutAt(depth: number): void {
  active = true;
  limit = Math.max(limit, depth);
}

const known = new WeakMap<Kind, boolean>();

/** True when values of a kind depend on who reads. */
export function projects(kind: Kind | undefined): boolean {
  if (!active || kind === undefined) return false;
  let found = known.get(kind);
  if (found === undefined) {
    const kinds = new Set([kind]);
    // a set that grows while it is walked is walked to its end
    for (const one of kinds) for (const inner of one.inner?.() ?? []) kinds.add(inner);
    found = [...kinds].some(({ projected }) => projected === true);
    known.set(kind, found);
  }
  return found;
}

/** What a reader outside gets of a value; the same for the same lens. */
export function project<T>(value: T, { kind, args = NO_ARGS }: Readable): T {
  if (!active || !projects(kind)) return value;
  return new Projection(args).whole(value) as T;
}

/** Copies by what they were made from. */
const copies = new WeakMap<object, Map<string, unknown>>();
const made = new WeakSet();

class Projection {
  readonly #args: Args;
  readonly #lens: string;
  /** Copies whose nested members are still to come: no call stack is as deep as data. */
  readonly #open: (() => void)[] = [];

  constructor(args: Args) {
    this.#args = args;
    this.#lens = JSON.stringify(lenses.map((lens) => lens(args) ?? null));
  }

  whole(value: unknown): unknown {
    const shown = this.#of(value, 1, 0);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) next();
    return shown;
  }

  /** `depth`: how many entities deep; `inside`: how many containers inside of the last of them. */
  #of(value: unknown, depth: number, inside: number): unknown {
    if (typeof value !== 'object' || value === null || made.has(value)) return value;
    if (value instanceof Projected) return value.under(this.#args);
    const kind = entityKindOf(value);
    const rows = Array.isArray(value);
    if (kind === undefined ? inside > DEEPEST || !(rows || isPlain(value)) : !projects(kind)) {
      return value;
    }
    const id = `${Math.min(depth, limit)} ${this.#lens}`;
    let mine = copies.get(value);
    if (mine === undefined) copies.set(value, (mine = new Map()));
    if (mine.has(id)) return mine.get(id);
    if (kind !== undefined) return this.#entity(value as Fields, kind, [mine, id, depth]);
    // a cycle of plain values finds the value as it is
    mine.set(id, value);
    const shown = this.#members(value, (member) => this.#of(member, depth, inside + 1));
    mine.set(id, shown);
    return shown;
  }

  #entity(
    value: Fields,
    kind: Copied,
    [mine, id, depth]: readonly [Map<string, unknown>, string, number],
  ): object {
    const copy = kind.copy(value);
    mine.set(id, copy);
    made.add(copy);
    const { nested, depth: cut = Infinity } = kind.plan;
    this.#open.push(() => {
      for (const { name } of nested) {
        const inner = copy[name];
        const keys = depth >= cut && !(inner instanceof Projected);
        assign(copy, name, keys ? this.#keys(inner) : this.#of(inner, depth + 1, 0));
      }
      if (DEV) Object.freeze(copy);
    });
    return copy;
  }

  /** Entities as their primary keys, in the same shape. */
  #keys(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const kind = entityKindOf(value);
    if (kind !== undefined) return kind.pkIn(value, NO_ARGS);
    return this.#members(value, (member) => this.#keys(member));
  }

  /** An array or a plain object with other members, or itself where none is another. */
  #members(value: object, of: (member: unknown) => unknown): unknown {
    if (!Array.isArray(value) && !isPlain(value)) return value;
    const pairs = Object.entries(value).map(([name, member]) => [name, of(member)] as const);
    if (pairs.every(([name, member]) => member === (value as Fields)[name])) return value;
    const shown = Array.isArray(value)
      ? pairs.map(([, member]) => member)
      : Object.fromEntries(pairs);
    made.add(shown);
    return DEV ? Object.freeze(shown) : shown;
  }
}

function entityKindOf(value: object): Copied | undefined {
  const prototype = Object.getPrototypeOf(value) as { constructor?: object } | null;
  const Class = prototype?.constructor;
  return Class !== undefined && KIND in Class ? (Class[KIND] as Kind as Copied) : undefined;
}
