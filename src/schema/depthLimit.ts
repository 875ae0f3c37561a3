/** The value of `static maxEntityDepth`. */
import { enableDepthLimit } from './ReaderDependentValue.ts';

/** How deep nested entities are resolved; created by `depthLimit`. */
export interface DepthLimit {
  readonly depth: number;
}

/**
 * `static maxEntityDepth = depthLimit(3)`: the greatest depth of entities, the outermost being 1, at which an entity of
 * the class resolves its nested entities; beyond, it has their primary keys. Numbers that are not finite limit nothing.
 */
export function depthLimit(depth: number): DepthLimit {
  enableDepthLimit();
  return { depth };
}
