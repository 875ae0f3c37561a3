/** The module of optimistic writes: what `new Controller({ optimistic })` installs. */
import { nextMicrotask } from '../clock.ts';
import type { Optimistic } from '../endpoint/Optimistic.ts';
import { DEV } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import type { OptimisticWrites } from '../request/OptimisticWrites.ts';
import { commit } from '../request/commit.ts';
import { send } from '../request/send.ts';
import { handleFailure, settle } from '../request/settle.ts';
import { applyOptimistic, rollback } from './applyOptimistic.ts';
import { expectedResponse, formFields } from './expectedResponse.ts';
import type { Layer } from './Layer.ts';
import { Layers } from './Layers.ts';
import { layersOf } from './layersOf.ts';
import { unresolvedTempIdError } from './TempIds.ts';
import { hasIssuedTempIds, isNumericTempPk } from './tempPk.ts';
import { lateUpdatesOf, updatesOf } from './updatesOf.ts';

/**
 * The value of the option `optimistic` of a controller: `new Controller({ optimistic })`. Resources with
 * `optimistic: true`, and endpoints with `getOptimisticResponse` or `update`, need it. Their changes are visible before
 * the server has confirmed them.
 */
export const optimistic: Optimistic = installOptimistic as never;

// how long a new row is hidden that may be the row of a creation in flight
const MAX_HIDDEN_MS = 5_000;

/** Installs optimistic writes, unless they are installed. Requests that were issued before show nothing. */
export function installOptimistic(context: FetchContext): void {
  if (context.optimistic !== undefined) return;
  const { store } = context;
  context.optimistic = writes;
  store.layers = new Layers(store, (reveal) => {
    context.clock.after(MAX_HIDDEN_MS, () => commit(context, 'optimistic', reveal));
  });
}

const writes: OptimisticWrites = {
  show: applyOptimistic,
  send(context, request) {
    if (hasIssuedTempIds || context.tempIds || context.gate) sendWhenKeysKnown(context, request);
    else send(context, request);
  },
  end({ store }, { layer }) {
    if (layer !== undefined) layersOf(store).remove(layer as Layer);
  },
  rollback,
  expected: expectedResponse,
  formFields,
  updatesOf,
  lateUpdatesOf,
};

/** Sends the request once the server has named the temporary primary keys in its arguments, and the gate admits it. */
function sendWhenKeysKnown(context: FetchContext, request: InFlightRequest): void {
  const { tempIds, gate } = context;
  request.waitsForKeys = true;
  // in the order of issue: earlier requests whose keys have just become known first. An offline queue has its own order
  if (tempIds && !gate)
    for (const other of context.inflight.allRequests)
      if (other.waitsForKeys && tempIds.resolutionsFor(other.args).length === 0)
        endWait(context, other);
  const named = tempIds?.resolveArgs(request.args);
  const ready = gate ? gate(request, named) : named;
  if (ready === undefined) return endWait(context, request);
  ready.then(
    (resolvedArgs) => endWait(context, request, resolvedArgs),
    (reason) => settle(context, request, handleFailure, reason),
  );
}

/** Sends the request. Rejects temporary keys of unknown creations (forgotten, or of another page): no server knows them. */
function endWait(context: FetchContext, request: InFlightRequest, args: Args = request.args): void {
  if (!request.waitsForKeys) return;
  request.waitsForKeys = false;
  request.args = args;
  const pk = keysIn(args).find(isNumericTempPk);
  if (pk === undefined) return send(context, request);
  const reason = DEV ? 'its creation is unknown here' : 'unknown';
  void nextMicrotask(() =>
    settle(context, request, handleFailure, unresolvedTempIdError(pk, reason)),
  );
}
