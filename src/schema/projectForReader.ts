/** Values that depend on the reader. Schemas that need this register the implementation: ReaderDependentValue.ts. */
import type { Args, Kind } from './schema.ts';

/** The schema and the arguments of a reader. */
export interface ReadContext {
  readonly kind?: Kind;
  readonly args?: Args;
}

interface ReaderProjector {
  /** True if values of a kind depend on the reader. */
  detectDependence(kind: Kind): boolean;
  /** The value for a reader with these arguments. */
  project<T>(value: T, args: Args | undefined): T;
}

let projector: ReaderProjector | undefined;

/** Registers the projection. From this call on some values depend on the reader. */
export function registerProjector(implementation: ReaderProjector): void {
  projector = implementation;
}

/** True if values of a kind depend on the reader. */
export function dependsOnReader(kind: Kind | undefined): boolean {
  return kind !== undefined && projector?.detectDependence(kind) === true;
}

/** The value for a reader outside the store; the same reference for the same lens. */
export function projectForReader<T>(value: T, { kind, args }: ReadContext): T {
  return projector === undefined || !dependsOnReader(kind) ? value : projector.project(value, args);
}
