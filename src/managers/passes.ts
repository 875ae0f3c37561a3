/** Which failures of a mutation may pass by themselves: it waits, and is sent again under the same key. */
import { isAbort } from '../endpoint/isAbort.ts';
import { mayPass } from '../fetch/retryDelay.ts';

// a server that is still busy with an earlier attempt answers 409: so often it is believed
const BUSY = 5;

/*
 *   what may pass         as for reads            waits
 *   409 to a repetition   the first is under way  waits, up to the fifth attempt
 *   any other             the server's word       refused
 */

/** `attempts`: how often it has been sent. */
export function passes(error: unknown, attempts: number): boolean {
  if (isAbort(error)) return false;
  if (mayPass(error)) return true;
  return (error as { status: number }).status === 409 && attempts > 1 && attempts < BUSY;
}
