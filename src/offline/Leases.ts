/** Locks as leases in the storage of the log, for browsers without Web Locks. */
import type { Clock } from '../clock.ts';
import { LockGrant } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import type { LogStore } from './LogStore.ts';
import { randomText } from './LogEntry.ts';

// how long a lease lasts without renewal, so how long others wait for a page that has crashed, ms
const TERM = 10_000;
// how often a page tries to get a lease, ms
const RETRY_INTERVAL = 200;

/**
 * Leases in the log. A page that resumes after a freeze longer than the lease may send at the same time as another
 * page: then a mutation may be sent twice, with the same key.
 */
export class Leases implements Locks {
  readonly #store: LogStore;
  readonly #clock: Clock;
  readonly #owner = randomText();

  constructor(store: LogStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async request(name: string, work: (grant: LockGrant) => Promise<void>): Promise<void> {
    let known: string | undefined;
    // The wall clock may have been set back since another page wrote the lease: a lease that is not renewed for a full
    // term, counted in attempts, is over regardless of the recorded time.
    for (let unchanged = 0; ; unchanged++) {
      const other = await this.#take(name, { isOver: unchanged * RETRY_INTERVAL > TERM });
      if (other === undefined) break;
      if (other !== known) unchanged = 0;
      known = other;
      await new Promise<void>((resolve) => void this.#clock.after(RETRY_INTERVAL, resolve));
    }
    let timer: unknown;
    const lost = new AbortController();
    const check = async (isRenewal: boolean) => {
      if (!lost.signal.aborted && (await this.#take(name, { isRenewal })) !== undefined)
        lost.abort();
      return !lost.signal.aborted;
    };
    const isHeld = () => check(false);
    const renew = () => {
      timer = this.#clock.after(TERM / 2, () => {
        check(true).catch(() => {});
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
    return this.#store.change((records) => {
      const [owner] = leaseIn(records.get(keyOf(name)));
      if (owner === this.#owner) records.delete(keyOf(name));
    });
  }

  /**
   * Takes the lease for another term and returns undefined, or returns the lease that another page holds. `isOver`:
   * that page has not renewed the lease for a term. `isRenewal`: even a valid lease of this page is written.
   */
  #take(
    name: string,
    { isOver = false, isRenewal = false }: TakeOptions,
  ): Promise<string | undefined> {
    const now = this.#clock.now();
    return this.#store.change((records) => {
      const [other, until] = leaseIn(records.get(keyOf(name)));
      const isOwn = other === this.#owner;
      if (!isOwn && until > now && !isOver) return `${other} ${until}`;
      if (isOwn && until > now && !isRenewal) return undefined;
      records.put(keyOf(name), [this.#owner, now + TERM]);
      return undefined;
    });
  }
}

/** `locks`, and `leases` wherever the platform refuses locks, as in the sandboxed frame of a plugin. */
export function locksOrLeases(locks: Locks, leases: Locks): Locks {
  return {
    async request(name, work) {
      let hasBegun = false;
      const begin = (grant: unknown) => {
        hasBegun = true;
        return work(grant);
      };
      try {
        return await locks.request(name, begin);
      } catch (error) {
        if (hasBegun || (error as Partial<DOMException>).name !== 'SecurityError') throw error;
      }
      return leases.request(name, work);
    },
  };
}

interface TakeOptions {
  readonly isOver?: boolean;
  readonly isRenewal?: boolean;
}

const keyOf = (name: string) => `lease:${name}`;

/** A damaged lease is over. */
function leaseIn(value: unknown): readonly [owner: string, until: number] {
  return Array.isArray(value) ? (value as [string, number]) : ['', 0];
}
