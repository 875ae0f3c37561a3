/** Decides which failures of a mutation may pass by themselves: the mutation is sent again, under the same key. */
import { isAbort } from '../endpoint/isAbort.ts';
import { isTransient } from '../request/retryDelay.ts';

// how many attempts are made while the server responds with 409, because it is busy with an earlier attempt
const BUSY = 5;

/** True for 401 (the user is not logged in) and 403 (the user may not do this). */
export function isUnauthorized(error: unknown): boolean {
  return [401, 403].includes(statusOf(error));
}

/*
 *   may pass              as for reads            sent again
 *   409 to a repetition   the first is under way  sent again, up to the fifth attempt
 *   any other             final                   refused
 */

/** `attempts`: how often the mutation has been sent. */
export function isRetryable(error: unknown, attempts: number): boolean {
  return !isAbort(error) && (isTransient(error) || isBusy(error, attempts));
}

/** The server is busy with an earlier attempt: other mutations need not wait. */
export function isBusy(error: unknown, attempts: number): boolean {
  return statusOf(error) === 409 && attempts > 1 && attempts < BUSY;
}

/** The entity at the server differs from the entity that the user has changed. */
export function isConflict(error: unknown, attempts: number): boolean {
  return [409, 412].includes(statusOf(error)) && !isBusy(error, attempts);
}

function statusOf(error: unknown): number {
  return Number((error as { status?: unknown } | undefined | null)?.status);
}
