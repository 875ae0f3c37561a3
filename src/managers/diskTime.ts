/** Logical time of data from a disk: before all times of the page. */
import type { Stamp } from '../store/versioning.ts';
import type { At } from './Filed.ts';

/** Logical times of the page begin here; times of disk data are below. */
export const PAGE = 1;
/** Above every order on a disk: an order divided by this is a logical time. */
export const LATEST: number = 2 ** 47;

export function stampOf([order, fetchedAt, expiresAt]: At): Stamp {
  return { time: order / LATEST, fetchedAt, expiresAt };
}
