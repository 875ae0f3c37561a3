/** Logical time of data from a disk: before all times of the page. */
import type { Stamp } from '../store/records/versioning.ts';
import type { PersistedStamp } from '../sync/PersistedRecord.ts';

/** Logical times of the page begin here; times of disk data are below. */
export const FIRST_LIVE_TIME = 1;
/** Above every order on a disk: an order divided by this is a logical time. */
export const DISK_ORDER_RANGE: number = 2 ** 47;

export function stampOf([order, fetchedAt, expiresAt]: PersistedStamp): Stamp {
  return { time: order / DISK_ORDER_RANGE, fetchedAt, expiresAt };
}
