/** Ends requests: with a response, with an error, or by a cancellation. */
import { nextMicrotask } from '../clock.ts';
import { ResetError, toShortText } from '../errors.ts';
import { isAbort } from '../endpoint/defaultErrorPolicy.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Failure } from '../store/results/Result.ts';
import type { InFlightRequest, OutcomeHandler } from './InFlightRequest.ts';
import { commit, requestEvent, toEventWrite } from './commit.ts';
import type { CommitContext } from './commit.ts';
import type { Write } from './Events.ts';
import type { FetchContext } from './FetchContext.ts';
import { createFailure } from './responseStamp.ts';

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
  if (aborts) context.optimistic?.rollback(context, request, reason);
  void nextMicrotask(() => request.finish(handleFailure, context, reason));
}

/** For a reset, which empties the store. Reads are aborted; mutations that were sent still reach the server. */
export function cancelAll(context: FetchContext): void {
  const { inflight, activeViews, failingKey } = context;
  const keys = [...inflight.reads.keys(), ...Array.from(activeViews, ({ key }) => key)];
  context.keysAfterReset = new Set(failingKey === undefined ? keys : [...keys, failingKey]);
  const requests = [...inflight.allRequests];
  for (const request of requests) context.inflight.remove(request);
  for (const request of requests)
    cancel(context, request, new ResetError({ key: request.key }), request.read);
}

/** Drops the optimistic layer, stores the error of a read that was not overtaken, and throws the error. */
export function handleFailure(
  context: FetchContext,
  request: InFlightRequest,
  thrown: unknown,
): never {
  const { store, inflight } = context;
  inflight.mutations.delete(request);
  context.optimistic?.rollback(context, request, thrown);
  const { endpoint, read } = request;
  // an aborted request stores no error, even if the endpoint used a signal of its own
  const isQuiet = read && (isAbort(thrown) || request.holder !== undefined);
  // the list stores the error of a page that is kept back
  const lost = request.cancelReason ?? (isQuiet ? thrown : undefined);
  if (lost !== undefined) {
    context.events?.emit('abort', () => ({ ...requestEvent(request), reason: lost }));
    throw lost;
  }
  const error = asError(thrown);
  if (read) {
    const result = request.resultIn(store);
    // the error of an overtaken request does not apply to the present data
    if (!request.isOvertaken(store, result)) {
      const failure = createFailure(context, endpoint, error, request.issued);
      storeFailure(context, result, failure, { endpoint, causedBy: request });
    }
  }
  emitAndThrow(context, request, error);
}

/**
 * True for a `reset` in a listener of `error`, if the failed request is the first one that a reader has sent because of
 * the last reset: another one would make the reader fetch for ever.
 */
export function repeatsReset({ failingKey, keysAfterReset }: FetchContext): boolean {
  return failingKey !== undefined && keysAfterReset?.has(failingKey) === true;
}

/** Stores an error as the result of a read. */
export function storeFailure(
  context: FetchContext,
  result: ResultRecord,
  failure: Failure,
  { endpoint, causedBy }: Pick<Write, 'endpoint'> & Pick<CommitContext, 'causedBy'>,
): void {
  const eventWrites = [{ ...toEventWrite(result), endpoint, failure }];
  const change = () => result.setFailure(failure);
  commit(context, 'error', change, { key: result.key, causedBy, eventWrites });
}

/** Emits the event `error`, and throws the error. */
export function emitAndThrow(context: FetchContext, request: InFlightRequest, error: Error): never {
  // a listener may reset the store
  const { events, failingKey, keysAfterReset } = context;
  context.failingKey = request.key;
  events?.emit('error', () => ({ ...requestEvent(request), error }));
  context.failingKey = failingKey;
  keysAfterReset?.delete(request.key);
  throw error;
}

/** A thrown value as an Error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(toShortText(thrown, 200), { cause: thrown });
  const status = (thrown as { status?: unknown } | undefined | null)?.status;
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
