/** Converts nested members to the form that functions of an entity class get, and back to nodes. */
import { ObjectNode } from './containers.ts';
import { Decoded } from './DecoderKind.ts';
import type { NestedMember } from './EntityDescriptor.ts';
import { setOwn, isPlainObject } from './equal.ts';
import { normalize } from './normalize.ts';
import { Composite, OpaqueValue, Ref } from './schema.ts';
import type { Fields, Kind, Node, Sink } from './schema.ts';

/** A record in the form of a response, with a primary key in the place of each entity. */
export function toInputForm(
  fields: Fields,
  nested: readonly NestedMember[],
  nodes: readonly Node[],
): Fields {
  const input = { ...fields };
  nested.forEach(({ name }, at) => setOwn(input, name, nodeToInput(nodes[at])));
  return input;
}

function nodeToInput(node: Node): unknown {
  if (node instanceof Ref) return node.pk;
  if (node instanceof Decoded) return node.raw;
  if (node instanceof OpaqueValue) return node.value;
  if (node instanceof ObjectNode) return { ...node.rest, ...(nodeToInput(node.inner) as Fields) };
  if (node instanceof Composite) return nodeToInput(node.inner);
  if (Array.isArray(node)) return node.map(nodeToInput);
  if (!isPlainObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) => [name, nodeToInput(inner)]),
  );
}

/** A record in the form of a response, and the matching nodes. */
export type InputWithNodes = readonly [told: Fields, nodes: readonly Node[]];

/** The nodes of a merged record. A member with a new value is normalized as if a response had contained it. */
export function renormalizeMerged(
  made: Fields,
  nested: readonly NestedMember[],
  from: readonly InputWithNodes[],
  sink: Sink,
): Node[] {
  return nested.map(({ name, kind }, at) => {
    const value = made[name];
    if (value === undefined) return undefined;
    const [, nodes] = from.find(([known]) => Object.is(known[name], value)) ?? [];
    return nodes ? nodes[at] : normalizeMember(kind, name, value, sink);
  });
}

function normalizeMember(kind: Kind, name: string, value: unknown, sink: Sink): Node {
  // wrapped in an object: at the top level a primary key alone is invalid
  const origin = { args: [], endpoint: undefined };
  const node = normalize({ [name]: kind }, { [name]: value }, sink, origin) as ObjectNode;
  return node.inner[name];
}
