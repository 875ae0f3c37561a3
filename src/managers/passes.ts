/** Which failures of a mutation may pass by themselves: it waits, and is sent again under the same key. */
import { isAbort } from '../endpoint/isAbort.ts';

/** Timeout, too early, too often (RFC 9110, 8470, 6585). */
const PASSING = [408, 425, 429];
// a server that is still busy with an earlier attempt answers 409: so often it is believed
const BUSY = 5;

/*
 *   no status             nobody answered         waits
 *   500 and up, PASSING   not now                 waits
 *   409 to a repetition   the first is under way  waits, up to the fifth attempt
 *   any other             the server's word       refused
 */

/** `attempts`: how often it has been sent. */
export function passes(error: unknown, attempts: number): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  if (isAbort(error)) return false;
  if (typeof status !== 'number' || status >= 500 || PASSING.includes(status)) return true;
  return status === 409 && attempts > 1 && attempts < BUSY;
}
