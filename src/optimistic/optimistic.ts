/** The module of optimistic writes: what `new Controller({ optimistic })` installs. */
import { nextMicrotask } from '../clock.ts';
import type { Optimistic } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { checkObject, DEV } from '../errors.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import { AbortOptimistic } from '../request/OptimisticWrites.ts';
import type { OptimisticSnapshot, OptimisticWrites } from '../request/OptimisticWrites.ts';
import { commit } from '../request/commit.ts';
import { denormalizeIn, queryIn } from '../request/queryStore.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, NormalizedNode, Schema } from '../schema/schema.ts';
import { keysIn, swapKeys } from '../schema/toPk.ts';
import type { Store } from '../store/Store.ts';
import { NO_LAYERS } from '../store/StoreLayers.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import { Layer, NO_VALUE } from './Layer.ts';
import type { LayerReadView } from './LayerReadView.ts';
import { Layers, layersOf } from './Layers.ts';
import { TempIds, hasIssuedTempIds, isNumericTempPk, unresolvedTempIdError } from './TempIds.ts';
import { expectedResponse, formFields } from './expectedResponse.ts';
import { lateUpdatesOf, updatesOf } from './updatesOf.ts';

// how long a new row is hidden that may be the row of a creation in flight
const MAX_HIDDEN_MS = 5_000;

/**
 * The value of the option `optimistic` of a controller: `new Controller({ optimistic })`. Resources with
 * `optimistic: true`, and endpoints with `getOptimisticResponse` or `update`, need this option. Their changes are
 * visible before the confirmation by the server.
 */
export const optimistic: Optimistic = installOptimistic as never;

/** Installs optimistic writes, unless already installed. Requests that were issued before show nothing. */
export function installOptimistic(context: FetchContext): void {
  if (DEV) checkObject('optimistic', context, 'no call: write new Controller({ optimistic })');
  context.optimistic ??= writes;
}

const writes: OptimisticWrites = {
  show: applyOptimistic,
  send(request) {
    const { tempIds, gate } = request.context;
    if (hasIssuedTempIds || tempIds || gate) sendWhenKeysKnown(request);
    else request.send();
  },
  end({ context, layer }) {
    if (layer !== undefined) layersOf(context.store).remove(layer as Layer);
  },
  rollback,
  expected: expectedResponse,
  formFields,
  updatesOf,
  lateUpdatesOf,
};

/** Sends the request once admitted by the gate, and once the server has named the temporary keys in the arguments. */
function sendWhenKeysKnown(request: InFlightRequest): void {
  const { tempIds, gate, inflight, store } = request.context;
  // in the order of issue: earlier requests whose keys have just become known first. An offline queue has its own order
  if (tempIds && !gate)
    for (const other of inflight.allRequests)
      if (other.waitsForKeys && tempIds.resolutionsFor(other.args).length === 0) {
        // the server gets the other request first, although the clock has already ticked for this request
        other.noteSent(request.issued - 1);
        endWait(other);
      }
  request.waitsForKeys = true;
  const named = tempIds?.resolveArgs(request.args);
  const ready = gate ? gate(request, named) : named;
  if (ready === undefined) return endWait(request);
  ready.then(
    (resolvedArgs) => {
      // of requests that waited for one key, the later has a later time, too
      store.tick();
      endWait(request, resolvedArgs);
    },
    (reason) => request.fail(reason),
  );
}

/** Sends the request. Rejects temporary keys of unknown creations (forgotten, or of another page): no server knows them. */
function endWait(request: InFlightRequest, args: Args = request.args): void {
  if (!request.waitsForKeys) return;
  request.waitsForKeys = false;
  request.args = args;
  const pk = keysIn(args).find(isNumericTempPk);
  if (pk === undefined) return request.send();
  const reason = DEV ? 'its creation is unknown here' : 'unknown';
  void nextMicrotask(() => request.fail(unresolvedTempIdError(pk, reason)));
}

/** Adds the layer of a mutation's `getOptimisticResponse`. An exception of the user's function is reported. */
function applyOptimistic(request: InFlightRequest): void {
  const { context, endpoint, fetchedAt } = request;
  const { store } = context;
  if (endpoint.schema === undefined || endpoint.getOptimisticResponse === undefined) return;
  const layer = new Layer(store, request, (past) => {
    try {
      const snapshot = new LayerSnapshot(store, past, fetchedAt);
      return endpoint.getOptimisticResponse?.(snapshot, ...request.args);
    } catch (thrown) {
      if (thrown instanceof AbortOptimistic) return NO_VALUE;
      throw thrown;
    }
  });
  layer.isPrediction = true;
  // a failed optimistic function must not stop the request
  if (!layer.tryRebase()) return;
  request.layer = layer;
  const { createdEntities } = layer;
  if (createdEntities.length > 0) {
    const resolve = (context.tempIds ??= new TempIds()).expectKeys(createdEntities, request.args);
    request.resolveTempIds = (answer, reason) => {
      layersOf(store).findKeys();
      replaceTempIdsInArgs(context, resolve(withKnownKeys(store, answer), reason));
    };
  }
  addLayer(context, layer, request);
}

/** The records in the node; of a row that an echo has replaced, the record of the echo. */
function withKnownKeys(store: Store, answer: NormalizedNode): NormalizedNode {
  return Array.from(recordsIn(answer), (record) =>
    record instanceof EntityRecord ? store.ref(record.kind, record.pk) : record,
  );
}

/** Replaces temporary keys in waiting requests by the server's keys, and rebases the layers of these requests. */
function replaceTempIdsInArgs(
  { store, inflight }: FetchContext,
  keys: ReadonlyMap<string, unknown>,
): void {
  for (const request of inflight.allRequests) {
    if (!request.waitsForKeys) continue;
    const { args, layer } = request;
    request.args = swapKeys(args, (key) => keys.get(key));
    if (layer !== undefined && request.args !== args) layersOf(store).rebaseLater(layer as Layer);
  }
}

/** `by`: the request that the layer is the optimistic response of. */
export function addLayer(context: FetchContext, layer: Layer, by?: InFlightRequest): void {
  const layers = createLayers(context);
  commit(context, 'optimistic', () => layers.add(layer), { causedBy: by });
}

/** The layers of the store, created for the first layer: a page reads before the user changes anything. */
export function createLayers(context: FetchContext): Layers {
  const { store } = context;
  if (store.layers === NO_LAYERS)
    store.layers = new Layers(store, (reveal) => {
      context.clock.after(MAX_HIDDEN_MS, () => commit(context, 'optimistic', reveal));
    });
  return layersOf(store);
}

/** Drops the layer of a failed or cancelled mutation. Requests that wait for the created entities fail, too. */
function rollback(request: InFlightRequest, reason: unknown): void {
  const { context, layer, holder } = request;
  if (layer === undefined) return;
  request.resolveTempIds?.(undefined, reason);
  // a transaction removes the layers of all of its steps in one commit
  if (holder !== undefined) return;
  const { store } = context;
  const layers = layersOf(store);
  if (!layers.active.has(layer as Layer)) return;
  const views = (layer as Layer).draft?.removals.size
    ? [...context.activeViews].filter(({ key }) => isExpiredDeletion(store, key))
    : EMPTY;
  const remove = () => layers.remove(layer as Layer, true);
  commit(context, 'rollback', remove, { causedBy: request });
  for (const view of views) view.revalidate();
}

/** True if the data were declared expired after their deletion, which requested nothing. */
function isExpiredDeletion(store: Store, key: string): boolean {
  const { deletionIssued = Infinity, expiredAt = 0 } = store.results.get(key) ?? {};
  return deletionIssued < expiredAt;
}

// shared by all: an error, or a getter that creates the error, takes as long as the rest of an optimistic write
let abort: Error | undefined;

/** The argument of `getOptimisticResponse`: creates functions on access. Users may destructure the snapshot. */
class LayerSnapshot implements OptimisticSnapshot {
  readonly fetchedAt: number;
  readonly #store: Store;
  readonly #past: LayerReadView;

  constructor(store: Store, past: LayerReadView, fetchedAt: number) {
    this.#store = store;
    this.#past = past;
    this.fetchedAt = fetchedAt;
  }

  get get(): OptimisticSnapshot['get'] {
    return (schema, ...args) => queryIn(this.#past, schema, args) as never;
  }

  /** For `optimistic`: some stored fields of an entity. Many edits of an entity must not depend on all its fields. */
  getFields(schema: Schema, args: Args, names: readonly string[]): unknown {
    const found = kindOf(schema, 'schema').queryKey?.(args, this.#past);
    return found instanceof EntityRecord
      ? this.#past.fieldsOf(found, names)
      : denormalizeIn(this.#past, schema, found);
  }

  get expected(): NonNullable<OptimisticSnapshot['expected']> {
    return (...call) => expectedResponse(this, ...call);
  }

  get getResponse(): OptimisticSnapshot['getResponse'] {
    return (endpoint, ...args) => {
      const past = this.#past;
      const result = this.#store.result(keyOf(endpoint, args), endpoint.schema, args);
      past.addDependency(result);
      const hidden = result.invalidatedAt !== undefined;
      return {
        data: hidden ? undefined : denormalizeIn(past, endpoint.schema, result.node),
        error: result.failure?.error,
        expiresAt: result.stamp.expiresAt,
      };
    };
  }

  get getError(): OptimisticSnapshot['getError'] {
    return (endpoint, ...args) => this.getResponse(endpoint, ...args).error;
  }

  get abort(): Error {
    return (abort ??= new AbortOptimistic('nothing to show yet'));
  }
}
