/** The delay before a failed operation is tried again. */
import type { Clock } from '../clock.ts';

// ms
const DEFAULT_FIRST_DELAY = 1_000;
const DEFAULT_MAX_DELAY = 30_000;

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
