/** What becomes of a request that fails, or is given up. */
import { quote } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Failure } from '../store/Result.ts';
import type { Asked } from './Asked.ts';
import { change, requestOf, writeOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { rollBack } from './foretell.ts';
import { failureOf } from './stampOf.ts';

/** Takes back what was shown, remembers the error of a read that nothing has overtaken, and throws it. */
export function fail(desk: Desk, asked: Asked, thrown: unknown): never {
  const { store, inflight, events } = desk;
  inflight.end(asked);
  rollBack(desk, asked, thrown);
  const { endpoint, read } = asked;
  // what was aborted or reset has not happened, be it by a signal that the endpoint took by itself
  const lost = asked.lost ?? (read && isAbort(thrown) ? thrown : undefined);
  if (lost !== undefined) {
    events.emit('abort', () => ({ ...requestOf(asked), reason: lost }));
    throw lost;
  }
  const error = asError(thrown);
  if (read) {
    const result = asked.resultIn(store);
    // one that was overtaken says nothing about what is there now
    if (asked.issued > store.horizon(result)) {
      const failure = failureOf(desk, endpoint, error, asked.issued);
      remember(desk, result, failure, { endpoint, by: asked });
    }
  }
  tell(desk, asked, error);
}

/** Who failed. */
interface Failed {
  readonly endpoint: EndpointInterface;
  readonly by?: Asked;
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
export function tell(desk: Desk, asked: Asked, error: Error): never {
  desk.events.emit('error', () => ({ ...requestOf(asked), error }));
  throw error;
}

/** Whatever was thrown, as an error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(quote(thrown, 200), { cause: thrown });
  const status = (thrown as { status?: unknown } | undefined | null)?.status;
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
