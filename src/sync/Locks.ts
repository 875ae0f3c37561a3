/** Locks by name: one page at a time has a lock. */

/**
 * The part of `navigator.locks` (Web Locks API) that is used: runs `work` while no other page runs work under that
 * name. Locks that can be taken from a page pass a `LockGrant` to `work`.
 */
export interface Locks {
  request(name: string, work: (grant?: unknown) => Promise<void>): Promise<unknown>;
}

/** A held lock, which another page may take if this page freezes. */
export class LockGrant {
  /** Aborted when this page learns that another page has taken the lock. */
  readonly lost: AbortSignal;
  /**
   * Resolves with whether this page still holds the lock: a page that was frozen goes on before it learns of the loss.
   */
  readonly isHeld: () => Promise<boolean>;

  constructor(lost: AbortSignal, isHeld: () => Promise<boolean>) {
    this.lost = lost;
    this.isHeld = isHeld;
  }
}

/** The grant passed to `work`; undefined for locks that cannot be taken, and for a `Lock` of the platform. */
export function grantIn(value: unknown): LockGrant | undefined {
  return value instanceof LockGrant ? value : undefined;
}
