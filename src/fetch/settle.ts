/** Ends requests: with a response, with an error, or by a cancellation. */
import { nextMicrotask } from '../clock.ts';
import { ResetError } from '../diagnostics.ts';
import type { FetchContext } from './FetchContext.ts';
import { handleFailure } from './handleFailure.ts';
import { rollback } from './applyOptimistic.ts';
import type { InFlightRequest, OutcomeHandler } from './InFlightRequest.ts';

/** Ends the request, unless its outcome is decided already. `handle` gets `outcome`: a response or an error. */
export function settle(
  context: FetchContext,
  request: InFlightRequest,
  handle: OutcomeHandler<FetchContext>,
  outcome?: unknown,
): void {
  if (request.settled) return;
  request.settled = true;
  context.inflight.remove(request);
  request.finish(handle, context, outcome);
}

/**
 * Cancels a request regardless of the network: callers are rejected with `reason`, and the next reader sends a new
 * request. `aborts`: aborts the current attempt, and drops the optimistic layer at once.
 */
export function cancel(
  context: FetchContext,
  request: InFlightRequest,
  reason: unknown,
  aborts: boolean = true,
): void {
  context.inflight.remove(request);
  request.cancelReason = reason;
  if (aborts) request.abort(reason);
  if (request.settled) return;
  request.settled = true;
  if (aborts) rollback(context, request, reason);
  void nextMicrotask(() => request.finish(handleFailure, context, reason));
}

/** For a reset, which empties the store. Reads are aborted; mutations that were sent still reach the server. */
export function cancelAll(context: FetchContext): void {
  const requests = [...context.inflight.allRequests];
  for (const request of requests) context.inflight.remove(request);
  for (const request of requests)
    cancel(context, request, new ResetError({ key: request.key }), request.read);
}
