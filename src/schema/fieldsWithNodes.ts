/** A record in normalized form. */
import type { EntityKind } from './EntityKind.ts';
import { setOwn } from './equal.ts';
import type { Fields, Node } from './schema.ts';

/** The fields of a record, with nodes in the place of its nested members. */
export function fieldsWithNodes(
  { descriptor }: EntityKind,
  fields: Fields,
  nodes: readonly Node[],
): Fields {
  const out = { ...fields };
  descriptor.nested.forEach(({ name }, at) => setOwn(out, name, nodes[at]));
  return out;
}
