/** Values that depend on the reader: fields selected by a lens, and nesting that ends at a depth. */
import { DEV } from '../diagnostics.ts';
import { assign, isPlain } from './equal.ts';
import { kindsIn } from './kindsIn.ts';
import { projectBy, projects } from './project.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Kind } from './schema.ts';

/*
 * Records have one value for all readers. If a schema has a Scalar, or a class has a maxEntityDepth, readers outside
 * the store get copies of the affected entities: one per value, lens and depth, so equal readers share the copies.
 *
 *   store ──► value with `Projected` members ──► project(value, arguments) ──► reader
 *
 * Applications that use neither do not bundle this file, and pay for one comparison per read.
 */

/** A value that differs by the reader's arguments. */
export abstract class Projected {
  abstract under(args: Args): unknown;
}

/** Computes from the arguments the key on which one sort of projected values depends. */
export type ArgsSelector = (args: Args) => unknown;

/** An entity's kind, as far as copies of its instances need it. */
interface Copied extends Kind {
  readonly plan: {
    readonly nested: readonly { name: string }[];
    readonly depth: number | undefined;
  };
  copy(instance: Fields): Fields;
  pkIn(fields: object, args: Args): string | undefined;
}

const lenses: ArgsSelector[] = [];
const NO_ARGS: Args = Object.freeze([]);
// containers around entities are few levels deep; deeper values are plain values
const DEEPEST = 50;
let limit = 1;

/** Registers a lens. From this call on values may depend on its result. */
export function registerSelector(lens: ArgsSelector): void {
  projectBy(projection);
  lenses.push(lens);
}

/** Enables the depth limit of entities. */
export function cutEntities(): void {
  projectBy(projection);
}

const known = new WeakMap<Kind, boolean>();

function isFor(kind: Kind): boolean {
  let found = known.get(kind);
  if (found === undefined) {
    const inside = [...kindsIn(kind)].filter(({ projected }) => projected === true);
    // raised before the first value of a kind is read: readers at each depth up to the limit have separate copies
    for (const { plan } of inside as readonly Partial<Copied>[])
      limit = Math.max(limit, plan?.depth ?? 1);
    found = inside.length > 0;
    known.set(kind, found);
  }
  return found;
}

function shownTo<T>(value: T, args: Args = NO_ARGS): T {
  const lens = JSON.stringify(lenses.map((each) => each(args) ?? null));
  const open: (() => void)[] = [];
  const shown = shownOf(value, { args, lens, open }, 1);
  // the loop includes elements that are appended while it runs
  for (const fill of open) fill();
  return shown as T;
}

const projection = { isFor, shownTo };

/** The context of one projection. */
interface Walk {
  readonly args: Args;
  /** The results of all lenses for the arguments, as text. */
  readonly lens: string;
  /** Callbacks that fill copies with their nested members. A queue, because data can be deeper than the call stack. */
  readonly open: (() => void)[];
}

/** Copies by their source object. */
const copies = new WeakMap<object, Map<string, unknown>>();
const made = new WeakSet();

/** `depth`: the number of entities around the value; `inside`: the number of containers within the last of them. */
function shownOf(value: unknown, walk: Walk, depth: number, inside = 0): unknown {
  if (typeof value !== 'object' || value === null || made.has(value)) return value;
  if (value instanceof Projected) return value.under(walk.args);
  const kind = entityKindOf(value);
  if (kind === undefined ? inside > DEEPEST : !projects(kind)) return value;
  const id = `${Math.min(depth, limit)} ${walk.lens}`;
  let mine = copies.get(value);
  if (mine === undefined) copies.set(value, (mine = new Map()));
  if (mine.has(id)) return mine.get(id);
  if (kind === undefined) {
    // a cycle of plain values gets the original value
    mine.set(id, value);
    const shown = withMembers(value, (member) => shownOf(member, walk, depth, inside + 1));
    mine.set(id, shown);
    return shown;
  }
  const copy = kind.copy(value as Fields);
  mine.set(id, copy);
  made.add(copy);
  const { nested, depth: cut = Infinity } = kind.plan;
  walk.open.push(() => {
    for (const { name } of nested) {
      const inner = copy[name];
      const isCut = depth >= cut && !(inner instanceof Projected);
      assign(copy, name, isCut ? keysOf(inner) : shownOf(inner, walk, depth + 1));
    }
    if (DEV) Object.freeze(copy);
  });
  return copy;
}

/** Replaces entities by their primary keys, in the same shape. */
function keysOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = entityKindOf(value);
  return kind === undefined ? withMembers(value, keysOf) : kind.pkIn(value, NO_ARGS);
}

/** A copy of an array or a plain object with mapped members, or the object itself if no member changes. */
function withMembers(value: object, of: (member: unknown) => unknown): unknown {
  const rows = Array.isArray(value);
  if (!rows && !isPlain(value)) return value;
  const shown = rows ? [] : {};
  let same = true;
  for (const [name, member] of Object.entries(value)) {
    const other = of(member);
    if (other !== member) same = false;
    assign(shown, name, other);
  }
  if (same) return value;
  made.add(shown);
  return DEV ? Object.freeze(shown) : shown;
}

function entityKindOf(value: object): Copied | undefined {
  const prototype = Object.getPrototypeOf(value) as { constructor?: object } | null;
  const Class = prototype?.constructor;
  return Class !== undefined && KIND in Class ? (Class[KIND] as Kind as Copied) : undefined;
}
