/** What becomes of a request that fails, or is given up. */
import { quote } from '../diagnostics.ts';
import type { Asked } from './Asked.ts';
import { commit, requestOf, writeOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { rollBack } from './foretell.ts';
import { failureOf } from './stampOf.ts';

/** Takes back what was shown, remembers the error of a read, and throws it. */
export function fail(desk: Desk, asked: Asked, thrown: unknown): never {
  const { store, inflight } = desk;
  inflight.end(asked);
  rollBack(desk, asked, thrown);
  if (asked.lost !== undefined) giveUp(desk, asked);
  const error = asError(thrown);
  if (asked.read) {
    const { endpoint, args, key, issued } = asked;
    const failure = failureOf(desk, endpoint, error, issued);
    const result = store.result(key, endpoint.schema, args);
    const change = () => store.commit(() => result.fail(failure, store));
    commit(desk, 'error', change, {
      by: asked,
      writes: [{ ...writeOf(result), endpoint, failure }],
    });
  }
  tell(desk, asked, error);
}

/** Throws it, and tells of it. */
export function tell(desk: Desk, asked: Asked, error: Error): never {
  desk.events.emit('error', () => ({ ...requestOf(asked), error }));
  throw error;
}

/** What was aborted or reset has not happened. */
function giveUp(desk: Desk, asked: Asked): never {
  desk.events.emit('abort', () => ({ ...requestOf(asked), reason: asked.lost }));
  throw asked.lost;
}

/** Whatever was thrown, as an error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(quote(thrown, 200), { cause: thrown });
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
