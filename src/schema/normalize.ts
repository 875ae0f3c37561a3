/** Normalizes a response by its schema into a draft. Nothing is written to the store here. */
import type { NamedEndpoint } from './badDataError.ts';
import { kindOf } from './kindOf.ts';
import type { Args, Kind, Node, Schema, Sink, NormalizeContext } from './schema.ts';

/** The call that a response belongs to. */
export interface NormalizeOptions {
  readonly args: Args;
  readonly endpoint: NamedEndpoint | undefined;
  readonly knownPks?: NormalizeContext['knownPks'];
  readonly mayHavePks?: NormalizeContext['mayHavePks'];
}

/**
 * Normalizes `input` into `sink` by `schema` and returns its node. The input is never changed.
 * Throws the diagnostics S1 to S8 with status 400; the draft must be discarded then.
 */
export function normalize(
  schema: Schema,
  input: unknown,
  sink: Sink,
  origin: NormalizeOptions,
): Node {
  const kind: Kind = kindOf(schema, origin.endpoint ?? 'schema');
  const { args, endpoint, knownPks, mayHavePks } = origin;
  const walk: NormalizeContext = {
    sink,
    args,
    endpoint,
    knownPks,
    mayHavePks,
    // the input may be a primary key by itself
    callDepth: mayHavePks ? 1 : 0,
    enclosingEntity: undefined,
    creates: false,
    deferred: undefined,
    seenInputs: undefined,
  };
  const node = kind.normalize(input, undefined, '', walk);
  // stages entities that are too deep for the call stack; each may add further entities to `deferred`
  for (let next = walk.deferred?.pop(); next !== undefined; next = walk.deferred?.pop()) {
    walk.callDepth = 1;
    next();
  }
  return node;
}
