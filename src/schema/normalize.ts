/** The walk down: from an answer and its schema to a laid-out draft. Nothing is written to the store here. */
import { kindOf } from './kindOf.ts';
import type { Args, Kind, Node, Schema, Sink, Walk } from './schema.ts';

/** Whose answer it is. */
export interface Origin {
  readonly args: Args;
  readonly endpoint: string | undefined;
  readonly planted?: Walk['planted'];
  readonly keyed?: Walk['keyed'];
}

/**
 * Lays `input` into `sink` as `schema` says and gives back its node. The input is never changed.
 * Throws the diagnostics S1 to S8 with status 400; then nothing of the draft may be used.
 */
export function normalize(schema: Schema, input: unknown, sink: Sink, origin: Origin): Node {
  const kind: Kind = kindOf(schema, origin.endpoint ?? 'schema');
  const { args, endpoint, planted, keyed } = origin;
  const walk: Walk = {
    sink,
    args,
    endpoint,
    planted,
    keyed,
    // a primary key may stand for the whole
    depth: keyed ? 1 : 0,
    within: 0,
    later: undefined,
    seen: undefined,
  };
  const node = kind.normalize(input, undefined, '', walk);
  // entities too deep for the call stack: each lays itself and may add to the line
  for (let next = walk.later?.pop(); next !== undefined; next = walk.later?.pop()) {
    walk.depth = 1;
    walk.within = 1;
    next();
  }
  return node;
}
