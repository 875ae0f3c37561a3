/** The optimistic writes that requests use, installed by the value `optimistic`, which an application imports. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { UnknownError } from '../errors.ts';
import type { OptimisticResource, ResourceChange } from '../rest/createResource.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Args, Denormalized, Fields, NormalizedNode, Schema, Sink } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { ReplacedLayer, WriteRequest } from '../store/writes/Draft.ts';
import type { Write } from './Events.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

export interface OptimisticWrites {
  /** Shows the optimistic response of a mutation, if there is any. */
  show(request: InFlightRequest): void;
  /** Sends the request once the server has named the temporary primary keys in the arguments. */
  send(request: InFlightRequest): void;
  /** Ends the optimistic state within the commit that stores the response. */
  end(request: InFlightRequest): void;
  /** Drops the optimistic response of a failed or cancelled mutation. */
  rollback(request: InFlightRequest, reason: unknown): void;
  /** See `OptimisticSnapshot.expected`. */
  expected(
    snapshot: Pick<OptimisticSnapshot, 'get' | 'abort'>,
    ...call: Parameters<NonNullable<OptimisticSnapshot['expected']>>
  ): unknown;
  /** The fields of a form that can be read as fields of the class. `known`: the present values. */
  formFields(form: FormData, kind: EntityKind, known?: object): Fields;
  /** The changes of other results that the endpoint's `update` defines. */
  updatesOf(
    store: Store,
    request: InFlightRequest,
    context: UpdateContext,
  ): WriteRequest['stageLinkedWrites'];
  /** For a read of `result`: the updates that the response may be too old to contain. */
  lateUpdatesOf(
    store: Store,
    result: ResultRecord,
    context: UpdateContext,
  ): WriteRequest['stageLinkedWrites'];
}

/** The optimistic response of a mutation, for the handling of the response. */
export interface OptimisticResponse extends ReplacedLayer {
  /** True if entities are shown under temporary keys. */
  readonly hasTempPks: boolean;
  /** True if nothing is shown, because the entities to change do not exist. */
  hasNoEffect(): boolean;
  /**
   * The names of the fields of an entity that differ from what readers saw before the layer. Undefined: the function gave
   * up, because the entity is hidden.
   */
  changedFields(record: EntityRecord): readonly string[] | undefined;
  /**
   * Those of the fields `changed` that the row `given` in the response leaves out. `eachRow` calls `read` with the row in
   * a response.
   */
  changesLeftOut(
    changed: readonly string[] | undefined,
    given: Fields,
    eachRow: (response: unknown, read: (row: unknown) => void) => void,
  ): Fields;
  /** The expected response over confirmed data. */
  computeOverConfirmed(): unknown;
  /** Numbers the temporary keys of entities without a key in the response. */
  createTempPkAdder(): Sink['addTempPk'];
}

/** The context of a staged response. */
export interface UpdateContext {
  readonly stamp: Stamp;
  /** Collects the entries of the commit event. */
  readonly eventWrites: Write[];
  /** Collects the results to refetch: the last response of each may or may not contain the change. */
  readonly uncertain?: Set<ResultRecord> | undefined;
  /**
   * The values that updates have returned so far, by result; shared by responses confirmed together: each update
   * continues from the last.
   */
  readonly updatedValues?: Map<ResultRecord, unknown>;
}

/**
 * Ends the creations of a request: matches them with the entities in `answer`, and fails unmatched creations with
 * `reason`. Returns the server's keys by temporary keys.
 */
export type ResolveTempIds = (
  answer: NormalizedNode,
  reason?: unknown,
) => ReadonlyMap<string, unknown>;

/** The source of the server's keys for temporary ones. */
export interface TempIdSource {
  /** `created`: the entities with temporary keys, in the order of the expected response. */
  expectKeys(created: readonly EntityRecord[], args: Args): ResolveTempIds;
  /** Replaces temporary keys in `args` by the server's keys. Undefined if `args` contains none. */
  resolveArgs(args: Args): Promise<Args> | undefined;
  /** The promised keys of the temporary keys in `args`. */
  resolutionsFor(args: Args): readonly Promise<unknown>[];
}

/** Thrown by a `getOptimisticResponse` that has no optimistic response: the request continues without a layer. */
export class AbortOptimistic extends Error {
  override readonly name = 'AbortOptimistic';
}

/** The store for an optimistic function: confirmed data, and the pending writes issued before. */
export interface OptimisticSnapshot {
  /** The stored value of a schema and arguments, or undefined. */
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
