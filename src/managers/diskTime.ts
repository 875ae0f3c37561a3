/** Logical time of what comes from a disk: before everything that the page does. */
import type { Stamp } from '../store/order.ts';
import type { At } from './Filed.ts';

/** What is known of the page itself has logical times from here on; what lies on a disk, below. */
export const PAGE = 1;
/** More than all that is ever ordered on a disk: divided by this, its order is logical time. */
export const LATEST: number = 2 ** 47;

export function stampOf([order, fetchedAt, expiresAt]: At): Stamp {
  return { time: order / LATEST, fetchedAt, expiresAt };
}
