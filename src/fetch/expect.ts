/** What a mutation is expected to answer, as its endpoint's `getOptimisticResponse` says. */
import { warn } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, Denormalized, Node, Schema } from '../schema/schema.ts';
import { NOTHING } from '../store/Layer.ts';
import type { Layer } from '../store/Layer.ts';
import type { Past } from '../store/Past.ts';
import type { Store } from '../store/Store.ts';

/** Thrown by a `getOptimisticResponse` that has nothing to show: the request goes on without it. */
export class AbortOptimistic extends Error {
  override readonly name = 'AbortOptimistic';
}

/** What is stored, as an optimistic response sees it: what is confirmed, and the unconfirmed writes issued before. */
export interface OptimisticSnapshot {
  /** What is stored under a schema and its arguments, or undefined. */
  get<S extends Schema>(schema: S, ...args: Args): Denormalized<S> | undefined;
  /** What is stored of a request. */
  getResponse(
    endpoint: EndpointInterface,
    ...args: Args
  ): { readonly data: unknown; readonly error: Error | undefined; readonly expiresAt: number };
  getError(endpoint: EndpointInterface, ...args: Args): Error | undefined;
  /** When the request was issued: wall time, ms since 1970. The same each time it is asked. */
  readonly fetchedAt: number;
  /** `throw snapshot.abort`: nothing is shown before the answer. */
  readonly abort: Error;
}

/** One call of a mutation. */
export interface Expected {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  /** Logical time. */
  readonly issued: number;
  /** Wall time, ms since 1970. */
  readonly fetchedAt: number;
  readonly title: string;
}

/** Lays out what the answer is expected to be; undefined where nothing is, or where it cannot be said. */
export function expect(store: Store, call: Expected): Layer | undefined {
  const { endpoint, title } = call;
  if (endpoint.getOptimisticResponse === undefined || endpoint.schema === undefined)
    return undefined;
  try {
    return store.foretell({
      schema: endpoint.schema,
      issued: call.issued,
      endpoint: title,
      // with the server's primary keys, once they are known
      get args() {
        return call.args;
      },
      expect: (past) => guess(store, past, call),
    });
  } catch (reason) {
    // a guess that fails must not keep the request from its server
    warn('E5', title, { endpoint: title, reason });
    return undefined;
  }
}

function guess(store: Store, past: Past, { endpoint, args, fetchedAt }: Expected): unknown {
  try {
    return endpoint.getOptimisticResponse?.(seen(store, past, fetchedAt), ...args);
  } catch (thrown) {
    if (thrown instanceof AbortOptimistic) return NOTHING;
    throw thrown;
  }
}

function seen(store: Store, past: Past, fetchedAt: number): OptimisticSnapshot {
  const shown = (schema: Schema, node: Node): unknown => {
    if (node === undefined || schema === undefined) return node;
    const value = kindOf(schema, 'schema').denormalize(node, past);
    return value === INVALID ? undefined : value;
  };
  const getResponse: OptimisticSnapshot['getResponse'] = (endpoint, ...args) => {
    const { schema } = endpoint;
    const { invalidatedAt, node, failure, stamp } = store.result(
      keyOf(endpoint, args),
      schema,
      args,
    );
    const data = invalidatedAt === undefined ? shown(schema, node) : undefined;
    return { data, error: failure?.error, expiresAt: stamp.expiresAt };
  };
  return {
    fetchedAt,
    get: (schema, ...args) => shown(schema, kindOf(schema, 'schema').infer?.(args, past)) as never,
    getResponse,
    getError: (endpoint, ...args) => getResponse(endpoint, ...args).error,
    get abort() {
      return new AbortOptimistic('nothing is shown before the answer');
    },
  };
}
