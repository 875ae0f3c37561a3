/** What a mutation is expected to answer, as its endpoint's `getOptimisticResponse` says. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { carried, INVALID } from '../schema/schema.ts';
import type { Args, Denormalized, Node, Schema } from '../schema/schema.ts';
import { Layer, NOTHING } from '../store/Layer.ts';
import type { Call } from '../store/Layer.ts';
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
export interface Expected extends Call {
  readonly endpoint: EndpointInterface;
  /** Wall time, ms since 1970. */
  readonly fetchedAt: number;
}

/** Lays out what the answer is expected to be; undefined where nothing is, or where it cannot be said. */
export function expect(store: Store, call: Expected): Layer | undefined {
  const { endpoint, fetchedAt } = call;
  if (endpoint.getOptimisticResponse === undefined || endpoint.schema === undefined)
    return undefined;
  const layer = new Layer(call, (past) => {
    try {
      return endpoint.getOptimisticResponse?.(new Seen(store, past, fetchedAt), ...call.args);
    } catch (thrown) {
      if (thrown instanceof AbortOptimistic) return NOTHING;
      throw thrown;
    }
  });
  layer.guess = true;
  // a guess that fails must not keep the request from its server
  return layer.attempt(store) ? layer : undefined;
}

class Seen implements OptimisticSnapshot {
  readonly fetchedAt: number;
  readonly #store: Store;
  readonly #past: Past;

  constructor(store: Store, past: Past, fetchedAt: number) {
    this.#store = store;
    this.#past = past;
    this.fetchedAt = fetchedAt;
  }

  // functions that may be taken out of it, made for those who ask
  get get(): OptimisticSnapshot['get'] {
    return (schema, ...args) =>
      this.#shown(schema, kindOf(schema, 'schema').infer?.(args, this.#past)) as never;
  }

  get getResponse(): OptimisticSnapshot['getResponse'] {
    return (endpoint, ...args) => {
      const result = this.#store.result(keyOf(endpoint, args), endpoint.schema, args);
      this.#past.note(result);
      const hidden = result.invalidatedAt !== undefined;
      return {
        data: hidden ? undefined : this.#shown(endpoint.schema, result.node),
        error: result.failure?.error,
        expiresAt: result.stamp.expiresAt,
      };
    };
  }

  get getError(): OptimisticSnapshot['getError'] {
    return (endpoint, ...args) => this.getResponse(endpoint, ...args).error;
  }

  #shown(schema: Schema, node: Node | undefined): unknown {
    if (node === undefined || schema === undefined) return carried(node);
    const value = kindOf(schema, 'schema').denormalize(node, this.#past);
    return value === INVALID ? undefined : value;
  }

  get abort(): Error {
    return new AbortOptimistic('nothing is shown before the answer');
  }
}
