/** Decides which failures are retried, and after which delay. */
import type { Clock } from '../clock.ts';
import { isUnreadable, isAbort } from '../endpoint/Endpoint.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';

const DEFAULT_RETRIES = 3;
// Request Timeout, Too Early, Too Many Requests (RFC 9110, 8470, 6585)
const TRANSIENT_STATUSES = [408, 425, 429];
// the longest `Retry-After` that is waited for, ms: beyond that, readers get the error
const MAX_RETRY_AFTER = 60_000;
// of the backoff, ms
const DEFAULT_FIRST_DELAY = 1_000;
const DEFAULT_MAX_DELAY = 30_000;

/** The delay in ms before the next attempt, after `times` attempts. Throws the error if there is no further attempt. */
export function retryDelay(
  { policies, clock }: { readonly policies: Policies; readonly clock: Clock },
  endpoint: EndpointInterface,
  error: unknown,
  times: number,
): number {
  if (!canRetry(endpoint, policies, error, times)) throw error;
  const after = retryAfter(error, clock.now());
  if (after > MAX_RETRY_AFTER) throw error;
  return after + backoffDelay(times - 1, clock);
}

/** True if the policies allow another attempt after `times`, and the error is transient. */
function canRetry(own: EndpointInterface, wider: Policies, error: unknown, times: number): boolean {
  if (isAbort(error)) return false;
  const chosen = own.retry ?? (own.sideEffect ? 0 : (wider.retry ?? DEFAULT_RETRIES));
  if (typeof chosen === 'function') return chosen(error, times);
  if (times > Number(chosen === true ? DEFAULT_RETRIES : chosen)) return false;
  // an unreadable response may be a proxy's page or truncated; a mutation may have been executed and is not repeated
  return isTransient(error) || (!own.sideEffect && isUnreadable(error));
}

/** True for an error that may pass without a change: no response, a server error (500 up), or 408, 425, 429. */
export function isTransient(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status !== 'number' || status >= 500 || TRANSIENT_STATUSES.includes(status);
}

/** The delay that the error's `Retry-After` header demands (RFC 9110, 10.2.3: seconds or a date), ms from now. */
export function retryAfter(error: unknown, now: number): number {
  const failed = error as { response?: { headers?: Headers } } | undefined | null;
  const text = failed?.response?.headers?.get?.('retry-after')?.trim();
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // all date formats begin with the name of the day; otherwise, engines parse numbers as dates
  return /^[a-z]/i.test(text) ? Math.max(Date.parse(text) - now || 0, 0) : 0;
}

/** The delay before an attempt is a random part of `first` ms, doubled with each failure, up to `most` ms. */
export interface Backoff {
  /** Default 1,000 ms. */
  readonly first?: number | undefined;
  /** Default 30,000 ms. */
  readonly most?: number | undefined;
}

/**
 * The delay in ms after this many failures, with full jitter: clients that failed together retry at different times.
 */
export function backoffDelay(
  failures: number,
  clock: Pick<Clock, 'random'>,
  { first = DEFAULT_FIRST_DELAY, most = DEFAULT_MAX_DELAY }: Backoff = {},
): number {
  const chance = clock.random?.() ?? Math.random();
  return Math.floor(chance * Math.min(most, first * 2 ** failures));
}

/** True if a connection that lasted `ms` counts as a success. A connection that breaks at once does not. */
export function isStableConnection(
  ms: number,
  { first = DEFAULT_FIRST_DELAY }: Backoff = {},
): boolean {
  return ms >= first;
}
