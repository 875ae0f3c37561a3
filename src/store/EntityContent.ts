/** What an entity is made of. */
import type { Fields, Node } from '../schema/schema.ts';

/** The fields of an entity, and its nested members in normalized form, in the order of the kind's plan. */
export interface EntityContent {
  readonly fields: Fields;
  readonly nodes: readonly Node[];
}
