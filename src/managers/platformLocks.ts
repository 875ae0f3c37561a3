/** The door to the platform's locks. */
import type { Locks } from './Locks.ts';

/** `navigator.locks`, which end with the page that has them; undefined where there are none, as in Node. */
export function platformLocks(): Locks | undefined {
  return globalThis.navigator?.locks;
}
