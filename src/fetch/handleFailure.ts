/** Stores the error of a request that failed, or reports that it was aborted. */
import { toShortText } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Failure } from '../store/Result.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { commit, requestEvent, toEventWrite } from './commit.ts';
import type { FetchContext } from './FetchContext.ts';
import { rollback } from './applyOptimistic.ts';
import { createFailure } from './responseStamp.ts';

/** Drops the optimistic layer, stores the error of a read that was not overtaken, and throws the error. */
export function handleFailure(
  context: FetchContext,
  request: InFlightRequest,
  thrown: unknown,
): never {
  const { store } = context;
  rollback(context, request, thrown);
  const { endpoint, read } = request;
  // an aborted request stores no error, even if the endpoint used a signal of its own
  const lost = request.cancelReason ?? (read && isAbort(thrown) ? thrown : undefined);
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
      storeFailure(context, result, failure, { endpoint, request });
    }
  }
  emitAndThrow(context, request, error);
}

/** The request that failed. */
interface FailedRequest {
  readonly endpoint: EndpointInterface;
  readonly request?: InFlightRequest;
}

/** Stores an error as the result of a read. */
export function storeFailure(
  context: FetchContext,
  result: ResultRecord,
  failure: Failure,
  { endpoint, request }: FailedRequest,
): void {
  const eventWrites = [{ ...toEventWrite(result), endpoint, failure }];
  const { key } = result;
  const change = () => context.store.commit(() => result.setFailure(failure));
  commit(context, 'error', change, { key, causedBy: request, eventWrites });
}

/** Emits the event `error`, and throws the error. */
export function emitAndThrow(context: FetchContext, request: InFlightRequest, error: Error): never {
  context.events?.emit('error', () => ({ ...requestEvent(request), error }));
  throw error;
}

/** A thrown value as an Error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(toShortText(thrown, 200), { cause: thrown });
  const status = (thrown as { status?: unknown } | undefined | null)?.status;
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
