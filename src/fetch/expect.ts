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
  const { endpoint, issued, title } = call;
  if (endpoint.getOptimisticResponse === undefined || endpoint.schema === undefined)
    return undefined;
  const foretold = {
    schema: endpoint.schema,
    endpoint: title,
    issued,
    get args() {
      return call.args;
    },
    expect: (past: Past) => said(store, call, past),
  };
  try {
    return store.foretell(foretold);
  } catch (reason) {
    // a guess that fails must not keep the request from its server
    warn('E5', title, { endpoint: title, reason });
    return undefined;
  }
}

function said(store: Store, call: Expected, past: Past): unknown {
  const { endpoint, args } = call;
  try {
    return endpoint.getOptimisticResponse?.call(endpoint, snapshotOf(store, call, past), ...args);
  } catch (thrown) {
    if (thrown instanceof AbortOptimistic) return NOTHING;
    throw thrown;
  }
}

function snapshotOf(store: Store, { fetchedAt }: Expected, past: Past): OptimisticSnapshot {
  const shown = (schema: Schema, node: Node | undefined): unknown => {
    if (node === undefined || schema === undefined) return node;
    const value = kindOf(schema, 'schema').denormalize(node, past);
    return value === INVALID ? undefined : value;
  };
  const getResponse: OptimisticSnapshot['getResponse'] = (endpoint, ...args) => {
    const result = store.result(keyOf(endpoint, args), endpoint.schema, args);
    const hidden = result.invalidatedAt !== undefined;
    return {
      data: hidden ? undefined : shown(endpoint.schema, result.node),
      error: result.failure?.error,
      expiresAt: result.stamp.expiresAt,
    };
  };
  return {
    get: (schema, ...args) => shown(schema, kindOf(schema, 'schema').infer?.(args, past)) as never,
    getResponse,
    getError: (endpoint, ...args) => getResponse(endpoint, ...args).error,
    fetchedAt,
    get abort() {
      return new AbortOptimistic('nothing is shown before the answer');
    },
  };
}
