/** Which failures are worth another attempt, and when it follows. */
import type { Clock } from '../clock.ts';
import { isUnreadable } from '../endpoint/Endpoint.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import { backoffDelay } from './backoffDelay.ts';

const TIMES = 3;
// too long, too early, too often (RFC 9110, 8470, 6585)
const PASSING = [408, 425, 429];
// a reader is not kept waiting for longer than this because a server demands it, ms
const PATIENCE = 60_000;

/** How long to wait before the next attempt, ms, after this many. Throws the error where none follows. */
export function retryDelay(
  { policies, clock }: { readonly policies: Policies; readonly clock: Clock },
  endpoint: EndpointInterface,
  error: unknown,
  times: number,
): number {
  if (!isWorth(endpoint, policies, error, times)) throw error;
  const after = retryAfter(error, clock.now());
  if (after > PATIENCE) throw error;
  return after + backoffDelay(times - 1, clock);
}

/** True where policies want another attempt after this many, and it may do better. */
function isWorth(own: EndpointInterface, wider: Policies, error: unknown, times: number): boolean {
  if (isAbort(error)) return false;
  const chosen = own.retry ?? (own.sideEffect ? 0 : (wider.retry ?? TIMES));
  if (typeof chosen === 'function') return chosen(error, times);
  if (times > Number(chosen === true ? TIMES : chosen)) return false;
  // a page of a proxy or a body cut off; a mutation may have been done
  return isTransient(error) || (!own.sideEffect && isUnreadable(error));
}

/** True for an error that may pass by itself: no response, a failure of the server, or "not now". */
export function isTransient(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status !== 'number' || status >= 500 || PASSING.includes(status);
}

/** The delay that `Retry-After` of the error's response asks for (RFC 9110, 10.2.3: seconds or a date), ms from now. */
export function retryAfter(error: unknown, now: number): number {
  const failed = error as { response?: { headers?: Headers } } | undefined | null;
  const text = failed?.response?.headers?.get?.('retry-after')?.trim();
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // all forms of a date begin with the name of its day; without, engines take numbers for dates
  return /^[a-z]/i.test(text) ? Math.max(Date.parse(text) - now || 0, 0) : 0;
}
