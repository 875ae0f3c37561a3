/** The content of an entity: fields and nested nodes. */
import type { Fields, Node } from '../../schema/schema.ts';

/** `nodes`: the nested members in normalized form, in the order of the descriptor of the kind. */
export interface EntityContent {
  readonly fields: Fields;
  readonly nodes: readonly Node[];
}

/** A copy of the nodes with another node at one position. */
export function withNodeAt(nodes: readonly Node[], at: number, node: Node): Node[] {
  const changed = nodes.slice();
  changed[at] = node;
  return changed;
}
