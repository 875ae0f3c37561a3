/** What an optimistic function reads, and how it says that it has no response. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { UnknownError } from '../errors.ts';
import type { OptimisticResource, ResourceChange } from '../rest/optimisticMembers.ts';
import type { Args, Denormalized, Schema } from '../schema/schema.ts';

/** Thrown by a `getOptimisticResponse` that has no optimistic response: the request continues without a layer. */
export class AbortOptimistic extends Error {
  override readonly name = 'AbortOptimistic';
}

/** The store as an optimistic function sees it: confirmed data, and the pending writes issued before. */
export interface OptimisticSnapshot {
  /** The stored value of a schema and its arguments, or undefined. */
  get<S extends Schema>(schema: S, ...args: Args): Denormalized<S> | undefined;
  /** The stored response of a request. */
  getResponse(
    endpoint: EndpointInterface,
    ...args: Args
  ): {
    readonly data: unknown;
    readonly error: UnknownError | undefined;
    readonly expiresAt: number;
  };
  getError(endpoint: EndpointInterface, ...args: Args): UnknownError | undefined;
  /** When the request was issued: wall time, ms since 1970. The same on each rebase. */
  readonly fetchedAt: number;
  /** For resources with `optimistic: true`: the expected response to a change. */
  readonly expected?:
    | ((change: ResourceChange, resource: OptimisticResource, args: Args) => unknown)
    | undefined;
  /** `throw snapshot.abort`: no data are shown before the response. */
  readonly abort: Error;
}
