/** A record in normalized form. */
import type { EntityKind } from './EntityKind.ts';
import { assign } from './equal.ts';
import type { Fields, Node } from './schema.ts';

/** The fields of a record, with nodes in the place of its nested members. */
export function normalizedOf({ plan }: EntityKind, fields: Fields, nodes: readonly Node[]): Fields {
  const whole = { ...fields };
  plan.nested.forEach(({ name }, at) => assign(whole, name, nodes[at]));
  return whole;
}
