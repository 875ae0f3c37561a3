/** What readers get where it depends on who reads. Schemas of which that is so bring the work: Projected.ts. */
import type { Args, Kind } from './schema.ts';

/** Who reads, and what. */
export interface Readable {
  readonly kind?: Kind;
  readonly args?: Args;
}

interface Projection {
  /** True when values of a kind depend on who reads. */
  isFor(kind: Kind): boolean;
  /** What a reader with these arguments gets of a value. */
  shownTo<T>(value: T, args: Args | undefined): T;
}

let projection: Projection | undefined;

/** From now on some values depend on who reads. */
export function projectBy(own: Projection): void {
  projection = own;
}

/** True when values of a kind depend on who reads. */
export function projects(kind: Kind | undefined): boolean {
  return kind !== undefined && projection?.isFor(kind) === true;
}

/** What a reader outside gets of a value; the same for the same lens. */
export function project<T>(value: T, { kind, args }: Readable): T {
  return projection === undefined || !projects(kind) ? value : projection.shownTo(value, args);
}
