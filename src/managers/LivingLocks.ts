/** Locks of the platform, which are taken from a page that does not answer any more. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Locks } from './Locks.ts';
import type { TabChannel } from './TabChannel.ts';

// how long a page waits for a lock until it asks the holder for a sign of life, and for that sign, ms
const PATIENCE = 5_000;

type Options = { readonly signal: AbortSignal } | { readonly steal: true };

/** The part of `navigator.locks` that is used. */
export interface LockManager {
  request(name: string, options: Options, work: () => Promise<void>): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly { name?: string; clientId?: string }[] }>;
}

/*
 *   waits   request ───── 5 s ──► "who has it?" ───── 5 s, no answer, the same holder ──► steals it
 *   holds   ────────────────────────► "I have it"        a frozen page answers nothing
 *
 * A page that was frozen, and goes on, may end what it had begun beside the new holder: a mutation is sent twice then, with
 * one idempotency key.
 */
export class LivingLocks implements Locks {
  readonly #locks: LockManager;
  readonly #channel: () => TabChannel | undefined;
  readonly #clock: Clock;

  /** `channel`: opens one to the other pages for each request; without one no lock is taken from another page. */
  constructor(
    locks: LockManager,
    channel: () => TabChannel | undefined,
    clock: Clock = systemClock,
  ) {
    this.#locks = locks;
    this.#channel = channel;
    this.#clock = clock;
  }

  async request(name: string, work: () => Promise<void>): Promise<void> {
    let result: Promise<void> | undefined;
    const begin = () => (result = work());
    const waiting = new AbortController();
    const { signal } = waiting;
    const isHeld = () => result !== undefined;
    const stop = this.#watch(name, isHeld, () => waiting.abort());
    try {
      await this.#locks.request(name, { signal }, begin);
    } catch (error) {
      // another page has taken it: what has begun here ends by itself
      if (isHeld()) return await result;
      if (!signal.aborted) throw error;
      await this.#locks.request(name, { steal: true }, begin).catch(async (reason: unknown) => {
        if (!isHeld()) throw reason;
        await result;
      });
    } finally {
      stop();
    }
  }

  /** Answers for this page while it holds the lock, and calls `giveUp` while it waits for a page that does not answer. */
  #watch(name: string, isHeld: () => boolean, giveUp: () => void): () => void {
    const channel = this.#channel();
    if (channel === undefined) return () => {};
    const clock = this.#clock;
    let isAnswered = false;
    let timer: unknown;
    const after = (job: () => Promise<void>) => {
      timer = clock.after(PATIENCE, () => void (isHeld() || job().catch(() => {})));
    };
    const ask = async () => {
      const holder = await this.#holderOf(name);
      const asked = clock.now();
      isAnswered = false;
      channel.postMessage({ lock: name, asks: true });
      after(async () => {
        // a page that has slept itself has not read the answer yet
        const slept = clock.now() - asked > 2 * PATIENCE;
        if (isAnswered || slept || holder === undefined) return after(ask);
        return holder === (await this.#holderOf(name)) && !isHeld() ? giveUp() : after(ask);
      });
    };
    channel.onmessage = ({ data }: { readonly data: { lock?: unknown; asks?: unknown } }) => {
      if (data?.lock !== name) return;
      if (data.asks !== true) isAnswered = true;
      else if (isHeld()) channel.postMessage({ lock: name, asks: false });
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
