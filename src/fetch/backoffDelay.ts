/** The delay before a failed operation is tried again. */
import type { Clock } from '../clock.ts';

// ms
const FIRST = 1_000;
const MOST = 30_000;

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
  { first = FIRST, most = MOST }: Backoff = {},
): number {
  const chance = clock.random?.() ?? Math.random();
  return Math.floor(chance * Math.min(most, first * 2 ** failures));
}

/** True if a connection that lasted `ms` counts as a success. A connection that breaks at once does not. */
export function isStableConnection(ms: number, { first = FIRST }: Backoff = {}): boolean {
  return ms >= first;
}
