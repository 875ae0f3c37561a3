/** Normalizes a response by the schema into a draft, and converts a record back to the form of a response. */
import { Decoded } from './DecoderKind.ts';
import type { NestedMember } from './EntityDescriptor.ts';
import type { EntityKind } from './EntityKind.ts';
import type { NamedEndpoint } from './badDataError.ts';
import { ObjectNode } from './containers.ts';
import { isPlainObject, setOwn } from './fieldOf.ts';
import { kindOf } from './kindOf.ts';
import { Composite, OpaqueValue, Ref } from './schema.ts';
import type {
  Args,
  Fields,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Sink,
} from './schema.ts';

/** The call that a response belongs to. */
export interface NormalizeOptions {
  readonly args: Args;
  readonly endpoint: NamedEndpoint | undefined;
  readonly knownPks?: NormalizeContext['knownPks'];
  readonly mayHavePks?: NormalizeContext['mayHavePks'];
}

/**
 * Normalizes `input` into `sink` by `schema` and returns the node. The input is never changed.
 * Throws the diagnostics S1 to S8 with status 400; the draft must be discarded then.
 */
export function normalize(
  schema: Schema,
  input: unknown,
  sink: Sink,
  origin: NormalizeOptions,
): NormalizedNode {
  const kind: Kind = kindOf(schema, origin.endpoint ?? 'schema');
  const walk = createWalk(sink, origin);
  const node = kind.normalize(input, undefined, '', walk);
  // stages entities that are too deep for the call stack; each may add further entities to `deferred`
  for (let next = walk.deferred?.pop(); next !== undefined; next = walk.deferred?.pop()) {
    walk.callDepth = 1;
    next();
  }
  return node;
}

export function createWalk(
  sink: Sink,
  { args, endpoint, knownPks, mayHavePks }: NormalizeOptions,
): NormalizeContext {
  return {
    sink,
    args,
    endpoint,
    knownPks,
    mayHavePks,
    // the input may be a primary key by itself
    callDepth: mayHavePks ? 1 : 0,
    enclosingEntity: undefined,
    creates: false,
    isPassedByClass: false,
    deferred: undefined,
    seenInputs: undefined,
  };
}

/** A record in the form of a response, with a primary key in the place of each entity. */
export function toInputForm(
  fields: Fields,
  nested: readonly NestedMember[],
  nodes: readonly NormalizedNode[],
): Fields {
  const input = { ...fields };
  nested.forEach(({ name }, at) => setOwn(input, name, nodeToInput(nodes[at])));
  return input;
}

function nodeToInput(node: NormalizedNode): unknown {
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
export type InputWithNodes = readonly [fields: Fields, nodes: readonly NormalizedNode[]];

/** The nodes of a merged record. A member with a new value is normalized like a member of a response. */
export function renormalizeMerged(
  merged: Fields,
  nested: readonly NestedMember[],
  inputs: readonly InputWithNodes[],
  sink: Sink,
): NormalizedNode[] {
  return nested.map(({ name, kind }, at) => {
    const value = merged[name];
    if (value === undefined) return undefined;
    const [, nodes] = inputs.find(([fields]) => Object.is(fields[name], value)) ?? [];
    return nodes ? nodes[at] : normalizeMember(kind, name, value, sink);
  });
}

function normalizeMember(kind: Kind, name: string, value: unknown, sink: Sink): NormalizedNode {
  // wrapped in an object: at the top level a primary key alone is invalid
  const origin = { args: [], endpoint: undefined };
  const node = normalize({ [name]: kind }, { [name]: value }, sink, origin) as ObjectNode;
  return node.inner[name];
}

/** The fields of a record, with nodes in the place of the nested members. */
export function fieldsWithNodes(
  { descriptor }: EntityKind,
  fields: Fields,
  nodes: readonly NormalizedNode[],
): Fields {
  const out = { ...fields };
  descriptor.nested.forEach(({ name }, at) => setOwn(out, name, nodes[at]));
  return out;
}
