/** The content of an entity: fields and nested nodes. */
import type { Fields, Node } from '../schema/schema.ts';

/** `nodes`: the nested members in normalized form, in the order of the descriptor of the kind. */
export interface EntityContent {
  readonly fields: Fields;
  readonly nodes: readonly Node[];
}
