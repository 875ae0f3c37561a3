/** Values that depend on the reader: fields selected by a lens, and nesting that ends at a depth. */
import { DEV } from '../errors.ts';
import { setOwn, isPlainObject } from './fieldOf.ts';
import { kindsIn } from './kindOf.ts';
import { registerProjector, dependsOnReader } from './projectForReader.ts';
import type { EntityKind } from './EntityKind.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Kind } from './schema.ts';

/*
 * Records have the same value for all readers. If a schema has a Scalar, or a class has a maxEntityDepth, readers
 * outside the store get copies of the affected entities: a copy per value, lens and depth, so equal readers share the
 * copies.
 *
 *   store ──► value with `ReaderDependentValue` members ──► projectForReader(value, …) ──► reader
 *
 * Applications that use neither do not bundle this file, and pay for a single comparison per read.
 */

/** A value that differs by the reader's arguments. */
export abstract class ReaderDependentValue {
  abstract valueFor(args: Args): unknown;
}

/** Computes from the arguments a key on which projected values depend. */
export type Lens = (args: Args) => unknown;

const lenses: Lens[] = [];
const NO_ARGS: Args = Object.freeze([]);
// containers around entities are few levels deep; deeper values are plain values
const MAX_CONTAINER_DEPTH = 50;
let deepestMaxDepth = 1;

/** Registers a lens. From this call on values may depend on the result of the lens. */
export function registerLens(lens: Lens): void {
  registerProjector(projector);
  lenses.push(lens);
}

/** Enables the depth limit of entities. */
function enableDepthLimit(): void {
  registerProjector(projector);
}

const dependenceByKind = new WeakMap<Kind, boolean>();

function detectDependence(kind: Kind): boolean {
  let found = dependenceByKind.get(kind);
  if (found === undefined) {
    found = false;
    for (const inner of kindsIn(kind)) {
      const depth = maxDepthOf(inner);
      found ||= inner.dependsOnReader === true || depth < Infinity;
      // raised before the first value of a kind is read: readers at each depth up to the limit have separate copies
      if (depth < Infinity) deepestMaxDepth = Math.max(deepestMaxDepth, depth);
    }
    dependenceByKind.set(kind, found);
  }
  return found;
}

/** The depth at which an entity of this kind resolves no further entities; Infinity without a limit. */
function maxDepthOf({ Class }: Kind & Partial<Pick<EntityKind, 'Class'>>): number {
  const depth = (Class?.maxEntityDepth as DepthLimit | undefined)?.depth;
  return depth !== undefined && Number.isFinite(depth) ? depth : Infinity;
}

function project<T>(value: T, args: Args = NO_ARGS): T {
  const lensKey = JSON.stringify(lenses.map((each) => each(args) ?? null));
  const pendingFills: (() => void)[] = [];
  const out = projectValue(value, { args, lensKey, pendingFills }, 1);
  // the loop includes elements that are appended meanwhile
  for (const fill of pendingFills) fill();
  return out as T;
}

const projector = { detectDependence, project };

/** The context of a projection. */
interface ProjectionContext {
  readonly args: Args;
  /** The results of all lenses for the arguments, as text. */
  readonly lensKey: string;
  /** Callbacks that fill copies with their nested members. A queue, because data can be deeper than the call stack. */
  readonly pendingFills: (() => void)[];
}

/** Copies by their source object. */
const copies = new WeakMap<object, Map<string, unknown>>();
const projectedCopies = new WeakSet();

/** `depth`: the number of entities around the value; `inside`: the number of containers within the innermost entity. */
function projectValue(value: unknown, walk: ProjectionContext, depth: number, inside = 0): unknown {
  if (typeof value !== 'object' || value === null || projectedCopies.has(value)) return value;
  if (value instanceof ReaderDependentValue) return value.valueFor(walk.args);
  const kind = entityKindOf(value);
  if (kind === undefined ? inside > MAX_CONTAINER_DEPTH : !dependsOnReader(kind)) return value;
  const id = `${Math.min(depth, deepestMaxDepth)} ${walk.lensKey}`;
  let copiesOfValue = copies.get(value);
  if (copiesOfValue === undefined) copies.set(value, (copiesOfValue = new Map()));
  if (copiesOfValue.has(id)) return copiesOfValue.get(id);
  if (kind === undefined) {
    // a cycle of plain values gets the original value
    copiesOfValue.set(id, value);
    const out = mapMembers(value, (member) => projectValue(member, walk, depth, inside + 1));
    copiesOfValue.set(id, out);
    return out;
  }
  const copy = kind.copyInstance(value as Fields);
  copiesOfValue.set(id, copy);
  projectedCopies.add(copy);
  const { nested } = kind.descriptor;
  const maxDepth = maxDepthOf(kind);
  walk.pendingFills.push(() => {
    for (const { name } of nested) {
      const inner = copy[name];
      const isCut = depth >= maxDepth && !(inner instanceof ReaderDependentValue);
      setOwn(copy, name, isCut ? keysOf(inner) : projectValue(inner, walk, depth + 1));
    }
    if (DEV) Object.freeze(copy);
  });
  return copy;
}

/** Replaces entities by their primary keys, in the same shape. */
function keysOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = entityKindOf(value);
  return kind === undefined ? mapMembers(value, keysOf) : kind.pkIn(value, NO_ARGS);
}

/** A copy of an array or a plain object with mapped members, or the object itself if no member changes. */
function mapMembers(value: object, mapMember: (member: unknown) => unknown): unknown {
  const isArray = Array.isArray(value);
  if (!isArray && !isPlainObject(value)) return value;
  const out = isArray ? [] : {};
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    const mapped = mapMember(member);
    if (mapped !== member) isSame = false;
    setOwn(out, name, mapped);
  }
  if (isSame) return value;
  projectedCopies.add(out);
  return DEV ? Object.freeze(out) : out;
}

function entityKindOf(value: object): EntityKind | undefined {
  const prototype = Object.getPrototypeOf(value) as { constructor?: object } | null;
  const Class = prototype?.constructor;
  return Class !== undefined && KIND in Class ? (Class[KIND] as EntityKind) : undefined;
}

/** How deep nested entities are resolved; created by `depthLimit`. */
export interface DepthLimit {
  readonly depth: number;
}

/**
 * `static maxEntityDepth = depthLimit(3)`: the greatest depth of entities, the outermost being 1, at which an entity of
 * the class resolves nested entities; beyond, primary keys take their place. Numbers that are not finite limit nothing.
 */
export function depthLimit(depth: number): DepthLimit {
  enableDepthLimit();
  return { depth };
}
