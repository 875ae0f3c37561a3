/** The one module that uses the platform's locks. */
import { LivingLocks } from './LivingLocks.ts';
import type { Locks } from './Locks.ts';
import { channelOf } from './TabChannel.ts';

/**
 * `navigator.locks`, which end with the page that holds them, and can be taken from a frozen page; undefined if there
 * are none, as in Node.
 */
export function platformLocks(): Locks | undefined {
  const locks = globalThis.navigator?.locks;
  return locks && new LivingLocks(locks, () => channelOf('signalbox locks'));
}
