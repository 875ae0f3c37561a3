/** The value of `static maxEntityDepth`. */
import { cutEntities } from './Projected.ts';

/** How deep entities are shown inside of one another; made by `depthLimit`. */
export interface DepthLimit {
  readonly depth: number;
}

/**
 * `static maxEntityDepth = depthLimit(3)`: how many entities deep, the outermost being 1, an entity of the class may stand and
 * still show those inside of it; beyond, it shows their primary keys. Numbers that are not finite limit nothing.
 */
export function depthLimit(depth: number): DepthLimit {
  cutEntities();
  return { depth };
}
