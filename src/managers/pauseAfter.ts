/** How long a stream waits before it tries again. */
import type { Clock } from '../clock.ts';
import type { Backoff } from './StreamOptions.ts';

const FIRST = 1_000;
const MOST = 30_000;

/** ms after this many failures before: a random part of all of it, so that those who lost a server together are spread. */
export function pauseAfter(failures: number, clock: Clock, backoff: Backoff = {}): number {
  const { first = FIRST, most = MOST } = backoff;
  const chance = clock.random?.() ?? Math.random();
  return Math.floor(chance * Math.min(most, first * 2 ** failures));
}

/** True where a connection that stood for `ms` was a success: one that opens and breaks at once is none. */
export function isLasting(ms: number, { first = FIRST }: Backoff = {}): boolean {
  return ms >= first;
}
