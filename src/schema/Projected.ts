/** What readers get where it depends on who reads: fields seen through a lens, and nesting that is cut. */
import { DEV } from '../diagnostics.ts';
import { assign, isPlain } from './equal.ts';
import { kindsIn } from './kindsIn.ts';
import { projectBy, projects } from './project.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Kind } from './schema.ts';

/*
 * Stored things have one value, whoever reads. Where a schema has a Scalar, or a class a maxEntityDepth, readers outside
 * get copies of the entities concerned: one per value, lens and depth, so equal readers share them.
 *
 *   store ──► value with `Projected` members ──► project(value, arguments) ──► reader
 *
 * Applications that use neither do not carry it, and pay for one comparison per read.
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

const lenses: Lens[] = [];
const NO_ARGS: Args = Object.freeze([]);
// containers around entities are few deep; what is deeper is a plain value
const DEEPEST = 50;
let limit = 1;

/** From now on values may depend on what this gives. */
export function readThrough(lens: Lens): void {
  projectBy(projection);
  lenses.push(lens);
}

/** From now on entities may be cut at a depth. */
export function cutEntities(): void {
  projectBy(projection);
}

const known = new WeakMap<Kind, boolean>();

function isFor(kind: Kind): boolean {
  let found = known.get(kind);
  if (found === undefined) {
    const inside = [...kindsIn(kind)].filter(({ projected }) => projected === true);
    // raised before the first value of a kind is shown: a reader at each depth up to it has a copy of its own
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
  // an array that grows while it is walked is walked to its end
  for (const fill of open) fill();
  return shown as T;
}

const projection = { isFor, shownTo };

/** One projection on its way down. */
interface Walk {
  readonly args: Args;
  /** What the lenses say of the arguments. */
  readonly lens: string;
  /** Fill copies whose nested members are still to come: no call stack is as deep as data. */
  readonly open: (() => void)[];
}

/** Copies by what they were made from. */
const copies = new WeakMap<object, Map<string, unknown>>();
const made = new WeakSet();

/** `depth`: how many entities deep; `inside`: how many containers inside of the last of them. */
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
    // a cycle of plain values finds the value as it is
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

/** Entities as their primary keys, in the same shape. */
function keysOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = entityKindOf(value);
  return kind === undefined ? withMembers(value, keysOf) : kind.pkIn(value, NO_ARGS);
}

/** An array or a plain object with other members, or itself where none is another. */
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
