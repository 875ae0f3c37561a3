/** Locks by name, each held by a single page at a time; the only module that uses the platform's locks. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { channelOf } from './TabChannel.ts';
import type { TabChannel } from './TabChannel.ts';

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
   * Resolves with whether this page still holds the lock: a page that was frozen goes on before learning of the loss.
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

// how long a page waits for a lock before asking the holder for a sign of life, and then for that sign, ms
const PATIENCE = 5_000;

type Options = { readonly signal: AbortSignal } | { readonly steal: true };

/** The part of `navigator.locks` that is used. */
interface PlatformLockManager {
  request(name: string, options: Options, work: () => Promise<void>): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly { name?: string; clientId?: string }[] }>;
}

/** A request for a lock, as known to the requesting page. */
interface LockRequest {
  /** True if the page has got the lock, even if the lock was lost since. */
  readonly hasBegun: () => boolean;
  readonly holds: () => boolean;
  /** The page that has the lock does not respond. */
  readonly giveUp: () => void;
}

/*
 *   waits   request ───── 5 s ──► "still held?" ───── 5 s, no response, the same holder ──► steals the lock
 *   holds   ────────────────────────► "held"             a page that hangs does not respond
 *   before the page is frozen: holds ──► releases        waits ──► requests again when the page resumes
 *
 * A page that has lost a lock and goes on learns from the grant that another page has the lock. The new holder may
 * repeat a request that this page had sent before: a mutation with the same idempotency key.
 */
class LivingLocks implements Locks {
  readonly #locks: PlatformLockManager;
  readonly #channel: () => TabChannel | undefined;
  readonly #clock: Clock;

  /**
   * `channel`: opens a channel to the other pages for each request; without a channel no lock is taken from another
   * page.
   */
  constructor(
    locks: PlatformLockManager,
    channel: () => TabChannel | undefined,
    clock: Clock = systemClock,
  ) {
    this.#locks = locks;
    this.#channel = channel;
    this.#clock = clock;
  }

  async request(name: string, work: (grant: LockGrant) => Promise<void>): Promise<void> {
    let result: Promise<void> | undefined;
    let waiting = new AbortController();
    let steals = false;
    const lost = new AbortController();
    const released = new Promise<void>((resolve) => {
      lost.signal.addEventListener('abort', () => resolve());
    });
    const hasBegun = () => result !== undefined;
    const holds = () => hasBegun() && !lost.signal.aborted;
    // a frozen page would keep the lock, and the work would stand
    const freezing = pageFreezing(() => (hasBegun() ? lost : waiting).abort());
    const isHeld = async () => {
      // the message of a loss is queued before the response to any later question
      await this.#locks.query();
      return !lost.signal.aborted;
    };
    const begin = async () => {
      if (freezing.isFrozen) return;
      result = work(new LockGrant(lost.signal, isHeld));
      await Promise.race([result, released]);
    };
    const giveUp = () => {
      steals = true;
      waiting.abort();
    };
    const stop = this.#watch(name, { hasBegun, holds, giveUp });
    try {
      while (!hasBegun()) {
        await freezing.thawed();
        waiting = new AbortController();
        const { signal } = waiting;
        await this.#locks.request(name, steals ? { steal: true } : { signal }, begin).catch(
          // another page has taken the lock, unless `work` has failed: the grant tells whether `work` has begun here
          (error: unknown) => {
            if (hasBegun()) lost.abort();
            else if (!signal.aborted) throw error;
          },
        );
      }
      await result;
    } finally {
      stop();
      freezing.stop();
    }
  }

  /**
   * Responds while this page holds the lock. Calls `giveUp` while this page waits for a page that does not respond.
   */
  #watch(name: string, { hasBegun, holds, giveUp }: LockRequest): () => void {
    const channel = this.#channel();
    if (channel === undefined) return () => {};
    const clock = this.#clock;
    let isAnswered = false;
    let timer: unknown;
    const after = (job: () => Promise<void>) => {
      clock.clear(timer);
      timer = clock.after(PATIENCE, () => void (hasBegun() || job().catch(() => {})));
    };
    const ask = async () => {
      const holder = await this.#holderOf(name);
      const askedAt = clock.now();
      isAnswered = false;
      channel.postMessage({ lock: name, asks: true });
      after(async () => {
        // a page that has slept itself has not read the response yet
        const slept = clock.now() - askedAt > 2 * PATIENCE;
        if (isAnswered || slept || holder === undefined) return after(ask);
        return holder === (await this.#holderOf(name)) && !hasBegun() ? giveUp() : after(ask);
      });
    };
    channel.onmessage = ({ data }: { readonly data: { lock?: unknown; asks?: unknown } }) => {
      if (data?.lock !== name) return;
      if (data.asks === true) {
        // a frozen page receives messages, but no response of the lock manager
        const respond = () => holds() && channel.postMessage({ lock: name, asks: false });
        if (holds()) this.#locks.query().then(respond, () => {});
      } else if (!hasBegun()) {
        isAnswered = true;
        // the response reaches all waiting pages: a single question in this time is enough
        after(ask);
      }
    };
    after(ask);
    return () => {
      clock.clear(timer);
      channel.onmessage = null;
      channel.close();
    };
  }

  async #holderOf(name: string): Promise<string | undefined> {
    const { held = [] } = await this.#locks.query();
    return held.find((lock) => lock.name === name)?.clientId;
  }
}

/**
 * `navigator.locks`, which end with the page that holds the lock, and can be taken from a frozen page; undefined if
 * there are none, as in Node.
 */
export function platformLocks(): Locks | undefined {
  const locks = globalThis.navigator?.locks;
  return locks && new LivingLocks(locks, () => channelOf('signalbox locks'));
}

interface Freezing {
  readonly isFrozen: boolean;
  /** Resolves at once while the page runs, else when the page resumes. */
  thawed(): Promise<void>;
  stop(): void;
}

/**
 * Calls `freeze` before the page is frozen; without a page never. In a frozen page no timer, response or lock arrives,
 * but messages of a `BroadcastChannel` do.
 */
export function pageFreezing(freeze: () => void): Freezing {
  const { document: page } = globalThis as { document?: Document };
  const view = page?.defaultView;
  let isFrozen = false;
  const waiting: (() => void)[] = [];
  const onFreeze = () => {
    isFrozen = true;
    freeze();
  };
  const onThaw = () => {
    isFrozen = false;
    for (const resume of waiting.splice(0)) resume();
  };
  const listeners = [
    [page, 'freeze', onFreeze],
    [view, 'pagehide', onFreeze],
    [page, 'resume', onThaw],
    [view, 'pageshow', onThaw],
  ] as const;
  for (const [target, type, listener] of listeners) target?.addEventListener(type, listener);
  return {
    get isFrozen() {
      return isFrozen;
    },
    thawed: () => (isFrozen ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    stop() {
      for (const [target, type, listener] of listeners) target?.removeEventListener(type, listener);
      onThaw();
    },
  };
}
