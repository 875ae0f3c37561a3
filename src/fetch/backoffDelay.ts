/** How long to wait before what failed is tried again. */
import type { Clock } from '../clock.ts';

// ms
const FIRST = 1_000;
const MOST = 30_000;

/** The pause before an attempt: a random part of `first` ms, doubled with each failure, of `most` ms in the end. */
export interface Backoff {
  /** Default 1,000 ms. */
  readonly first?: number | undefined;
  /** Default 30,000 ms. */
  readonly most?: number | undefined;
}

/** ms after this many failures before: a random part of all of it, so that those who failed together are spread. */
export function backoffDelay(
  failures: number,
  clock: Pick<Clock, 'random'>,
  { first = FIRST, most = MOST }: Backoff = {},
): number {
  const chance = clock.random?.() ?? Math.random();
  return Math.floor(chance * Math.min(most, first * 2 ** failures));
}

/** True where what stood for `ms` was a success: what opens and breaks at once is none. */
export function isStable(ms: number, { first = FIRST }: Backoff = {}): boolean {
  return ms >= first;
}
