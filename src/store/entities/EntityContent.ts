/** The content of an entity: fields and nested nodes. */
import { fieldOf } from '../../schema/fieldOf.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';

/** `nodes`: the nested members in normalized form, in the order of the descriptor of the kind. */
export interface EntityContent {
  readonly fields: Fields;
  readonly nodes: readonly NormalizedNode[];
}

/** Content of which only the fields `names` count. */
export interface PartialContent extends EntityContent {
  readonly names: readonly string[];
}

/** A copy of the nodes with another node at one position. */
export function withNodeAt(
  nodes: readonly NormalizedNode[],
  at: number,
  node: NormalizedNode,
): NormalizedNode[] {
  const changed = nodes.slice();
  changed[at] = node;
  return changed;
}

/** The value of a field. Names of `Object.prototype` are read as own fields only; accessors through their getter. */
export function readFieldSafely(fields: Fields, name: string): unknown {
  const value = fields[name];
  // fast path: members of `Object.prototype` are functions, or the object itself
  if (typeof value !== 'function' && typeof value !== 'object') return value;
  return name in Object.prototype ? fieldOf(fields, name) : value;
}
