/** Values that depend on the reader. Schemas that need this register the implementation: Projected.ts. */
import type { Args, Kind } from './schema.ts';

/** The schema and the arguments of a reader. */
export interface ReadContext {
  readonly kind?: Kind;
  readonly args?: Args;
}

interface Projection {
  /** True if values of a kind depend on the reader. */
  isFor(kind: Kind): boolean;
  /** The value for a reader with these arguments. */
  shownTo<T>(value: T, args: Args | undefined): T;
}

let projection: Projection | undefined;

/** Registers the projection. From this call on some values depend on the reader. */
export function projectBy(own: Projection): void {
  projection = own;
}

/** True if values of a kind depend on the reader. */
export function projects(kind: Kind | undefined): boolean {
  return kind !== undefined && projection?.isFor(kind) === true;
}

/** The value for a reader outside the store; the same reference for the same lens. */
export function project<T>(value: T, { kind, args }: ReadContext): T {
  return projection === undefined || !projects(kind) ? value : projection.shownTo(value, args);
}
