/** What becomes of a request that fails, or is given up. */
import { quote } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Failure } from '../store/Result.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { change, requestOf, writeOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { rollBack } from './foretell.ts';
import { failureOf } from './stampOf.ts';

/** Takes back what was shown, remembers the error of a read that nothing has overtaken, and throws it. */
export function fail(desk: Desk, request: InFlightRequest, thrown: unknown): never {
  const { store, inflight, events } = desk;
  inflight.end(request);
  rollBack(desk, request, thrown);
  const { endpoint, read } = request;
  // what was aborted or reset has not happened, be it by a signal that the endpoint took by itself
  const lost = request.lost ?? (read && isAbort(thrown) ? thrown : undefined);
  if (lost !== undefined) {
    events.emit('abort', () => ({ ...requestOf(request), reason: lost }));
    throw lost;
  }
  const error = asError(thrown);
  if (read) {
    const result = request.resultIn(store);
    // one that was overtaken says nothing about what is there now
    if (request.issued > store.horizon(result)) {
      const failure = failureOf(desk, endpoint, error, request.issued);
      remember(desk, result, failure, { endpoint, by: request });
    }
  }
  tell(desk, request, error);
}

/** Who failed. */
interface Failed {
  readonly endpoint: EndpointInterface;
  readonly by?: InFlightRequest;
}

/** Stores an error in the place of an answer. */
export function remember(
  desk: Desk,
  result: ResultRecord,
  failure: Failure,
  { endpoint, by }: Failed,
): void {
  const writes = [{ ...writeOf(result), endpoint, failure }];
  const { key } = result;
  change(desk, 'error', () => result.fail(failure), { key, by, writes });
}

/** Throws it, and tells of it. */
export function tell(desk: Desk, request: InFlightRequest, error: Error): never {
  desk.events.emit('error', () => ({ ...requestOf(request), error }));
  throw error;
}

/** Whatever was thrown, as an error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(quote(thrown, 200), { cause: thrown });
  const status = (thrown as { status?: unknown } | undefined | null)?.status;
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
