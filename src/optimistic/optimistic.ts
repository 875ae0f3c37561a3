/** The module of optimistic writes: what `new Controller({ optimistic })` installs. */
import { nextMicrotask } from '../clock.ts';
import type { Optimistic } from '../endpoint/Optimistic.ts';
import { checkObject, DEV } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import type { OptimisticWrites } from '../request/OptimisticWrites.ts';
import { applyOptimistic, rollback } from './applyOptimistic.ts';
import { expectedResponse, formFields } from './expectedResponse.ts';
import type { Layer } from './Layer.ts';
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

/** Installs optimistic writes, unless they are installed. Requests that were issued before show nothing. */
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

/** Sends the request once the server has named the temporary primary keys in its arguments, and the gate admits it. */
function sendWhenKeysKnown(request: InFlightRequest): void {
  const { tempIds, gate, inflight } = request.context;
  request.waitsForKeys = true;
  // in the order of issue: earlier requests whose keys have just become known first. An offline queue has its own order
  if (tempIds && !gate)
    for (const other of inflight.allRequests)
      if (other.waitsForKeys && tempIds.resolutionsFor(other.args).length === 0) endWait(other);
  const named = tempIds?.resolveArgs(request.args);
  const ready = gate ? gate(request, named) : named;
  if (ready === undefined) return endWait(request);
  ready.then(
    (resolvedArgs) => endWait(request, resolvedArgs),
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
