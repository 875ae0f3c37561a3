/** Locks: one page at a time for each name, by the platform's locks or by leases on the disk. */
import type { Clock } from '../clock.ts';
import { ask } from './Disk.ts';
import type { Disk } from './Disk.ts';
import { newKey } from './newKey.ts';

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

// how long a lease lasts without renewal, so how long others wait for a page that has crashed, ms
const TERM = 10_000;
// how often a page tries to get a lease, ms
const OFTEN = 200;

/**
 * Leases on the disk. A page that freezes for longer than its lease and goes on may send at the same time as another
 * page: then a mutation may be sent twice, with the same key.
 */
export class Leases implements Locks {
  readonly #disk: Disk;
  readonly #clock: Clock;
  readonly #owner = newKey();

  constructor(disk: Disk, clock: Clock) {
    this.#disk = disk;
    this.#clock = clock;
  }

  async request(name: string, work: (grant: LockGrant) => Promise<void>): Promise<void> {
    let known: string | undefined;
    // The wall clock may have been set back since another page wrote its lease: a lease that is not renewed for a full
    // term, counted in attempts, is over regardless of its time.
    for (let unchanged = 0; ; unchanged++) {
      const other = await this.#take(name, unchanged * OFTEN > TERM);
      if (other === undefined) break;
      if (other !== known) unchanged = 0;
      known = other;
      await new Promise<void>((resolve) => void this.#clock.after(OFTEN, resolve));
    }
    let timer: unknown;
    const lost = new AbortController();
    const isHeld = async () => {
      if (!lost.signal.aborted && (await this.#take(name, false)) !== undefined) lost.abort();
      return !lost.signal.aborted;
    };
    const renew = () => {
      timer = this.#clock.after(TERM / 2, () => {
        isHeld().catch(() => {});
        renew();
      });
    };
    renew();
    try {
      await work(new LockGrant(lost.signal, isHeld));
    } finally {
      this.#clock.clear(timer);
      await this.#release(name);
    }
  }

  /** If this page was too slow, another page has the lease by now. */
  #release(name: string): Promise<void> {
    return this.#disk.change(async (store) => {
      const [owner] = ((await ask(store.get(keyOf(name)))) ?? []) as string[];
      if (owner === this.#owner) store.delete(keyOf(name));
    });
  }

  /** Takes the lease for another term and returns undefined, or returns the lease of another page that has it. */
  #take(name: string, isOver: boolean): Promise<string | undefined> {
    const now = this.#clock.now();
    return this.#disk.change(async (store) => {
      const [other, until] = ((await ask(store.get(keyOf(name)))) ?? ['', 0]) as [string, number];
      if (other !== this.#owner && until > now && !isOver) return `${other} ${until}`;
      store.put([this.#owner, now + TERM], keyOf(name));
      return undefined;
    });
  }
}

const keyOf = (name: string) => ['lease', name];
