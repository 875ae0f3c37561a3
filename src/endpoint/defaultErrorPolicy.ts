/** Classifies errors of requests: aborts, unreadable responses, and the policy unless an endpoint has one. */
import type { ErrorPolicy } from './Endpoint.ts';

/** True for an abort error: of fetch (if its signal had no custom reason), of `throwIfAborted`, of React Native. */
export function isAbort(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | undefined | null)?.name === 'AbortError';
}

/** The error that an error policy gets. */
export interface ErrorWithStatus {
  readonly status?: number | undefined;
  readonly code?: unknown;
}

/** True for a response that arrived but cannot be read: HTML instead of JSON, truncated JSON. */
export function isUnreadable(error: unknown): boolean {
  const { code } = (error ?? {}) as ErrorWithStatus;
  return code === 'R5' || code === 'R6';
}

/** True for a response with status 404. */
export function isNotFound(error: unknown): boolean {
  return ((error ?? {}) as ErrorWithStatus).status === 404;
}

/**
 * The default error policy of rest endpoints: soft from status 500 up and without a status, and for a response without
 * the requested data (R5, R6, F2: their status is only likely, it does not say that data are gone), else hard.
 */
export function defaultErrorPolicy(error: ErrorWithStatus): ErrorPolicy {
  const empty = isUnreadable(error) || error.code === 'F2';
  return empty || (error.status ?? 500) >= 500 ? 'soft' : 'hard';
}
