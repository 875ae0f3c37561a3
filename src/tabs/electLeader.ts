/** One leader among all tabs of a name: elected by locks or leases, replaced when closed, killed or frozen. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { reportException } from '../errors.ts';
import { grantIn, pageFreezing, platformLocks, LockGrant } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import { channelOf } from '../sync/TabChannel.ts';
import type { TabChannel } from '../sync/TabChannel.ts';

/** Begins the work of the leader. Returns the function that ends the work. */
export type Lead = () => () => void;

/** The options of `electLeader`. */
export interface ElectionOptions {
  /**
   * An object with the `request` of Web Locks. Default: `navigator.locks`; without these, leases that tabs grant each
   * other over a `BroadcastChannel`; without a channel, each tab is a leader.
   */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = electLeader('clock', () => { const timer = setInterval(…); return () => clearInterval(timer); })`: runs
 * `lead` in one of all tabs with this name, and the cleanup function when the tab no longer leads: after `stop`, when
 * the page is frozen, or when another tab has taken over because this tab did not respond for 5 s. The next tab leads
 * at once if the leader was closed or crashed, after at most 10 s (with leases 12 s) if the leader does not respond.
 * Returns a function that leaves the election. An error of `lead` is reported, and the tab stays the leader, although
 * `lead` does not run.
 */
export function electLeader(
  name: string,
  lead: Lead,
  { locks = tabLocks() }: ElectionOptions = {},
): () => void {
  let isOver = false;
  let resign: (() => void) | undefined;
  let hasBegun = false;
  const work = (grant?: unknown) =>
    new Promise<void>((resolve) => {
      hasBegun = true;
      if (isOver) return resolve();
      const end = attempt(lead);
      resign = () => {
        resign = undefined;
        if (end !== undefined) attempt(end);
        resolve();
      };
      grantIn(grant)?.lost.addEventListener('abort', () => resign?.());
    });
  const freezing = pageFreezing(() => resign?.());
  const takePart = async () => {
    while (!isOver) {
      hasBegun = false;
      try {
        await locks.request(`signalbox leader ${name}`, work);
      } catch {
        // another page has taken the lock; if the platform refuses locks, no other tab can be reached either
        if (hasBegun) resign?.();
        else await work();
      }
      await freezing.thawed();
    }
  };
  void takePart();
  return () => {
    isOver = true;
    freezing.stop();
    resign?.();
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    reportException(error);
    return undefined;
  }
}

/** Tabs that cannot reach each other are each their own leader. */
export function tabLocks(): Locks {
  return platformLocks() ?? new ChannelLeases(() => channelOf('signalbox leases'));
}

// how long a claim waits for an objection, ms
const CLAIM = 50;
// how often the holder sends a sign of life, and the silence after which another tab claims the lease, ms
const BEAT = 3_000;
const SILENCE = 12_000;

/** `claims`: asks for objections. `holds`: the sender has the lease in this term. `ends`: the lease is free. */
interface LeaseMessage {
  readonly lease: string;
  readonly by: number;
  readonly term: number;
  readonly says: 'claims' | 'holds' | 'ends';
}

/*
 * Locks for platforms without any: leases that tabs grant each other over a channel.
 *
 *   claims ── 50 ms, no objection ────► holds ── every 3 s: "held" ──► ends
 *     ▲  └─ a holder, or an earlier claim ──► waits ─┐
 *     └────────────── "ends", or 12 s of silence ────┘
 *
 * Each holder has a later term than the holder before. A tab ends the lease before being frozen, and does not object to
 * claims while frozen. A tab that hangs receives a later term on resuming, and has lost the lease. Of two simultaneous
 * claims of the same term, the claim with the lesser number wins.
 */
class ChannelLeases implements Locks {
  readonly #channel: () => TabChannel | undefined;
  readonly #clock: Clock;

  /** `channel`: opens a channel to the other tabs for each request. */
  constructor(channel: () => TabChannel | undefined, clock: Clock = systemClock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  request(name: string, work: (grant: LockGrant) => Promise<void>): Promise<void> {
    const channel = this.#channel();
    const lost = new AbortController();
    const grant = new LockGrant(lost.signal, () => Promise.resolve(!lost.signal.aborted));
    if (channel === undefined) return work(grant);
    return new Promise((resolve, reject) => {
      const lease = new Lease(name, channel, this.#clock, {
        begin: () => {
          work(grant)
            .finally(() => lease.end())
            .then(resolve, reject);
        },
        lose: () => lost.abort(),
      });
    });
  }
}

interface Holder {
  begin(): void;
  lose(): void;
}

/** A request for a lease. */
class Lease {
  readonly #name: string;
  readonly #by = Math.random();
  readonly #channel: TabChannel;
  readonly #clock: Clock;
  readonly #holder: Holder;
  #state: 'claims' | 'waits' | 'holds' | 'lost' = 'claims';
  #term = 1;
  #timer: unknown;
  readonly #freezing: ReturnType<typeof pageFreezing>;

  constructor(name: string, channel: TabChannel, clock: Clock, holder: Holder) {
    this.#name = name;
    this.#channel = channel;
    this.#clock = clock;
    this.#holder = holder;
    channel.onmessage = ({ data }: { readonly data: LeaseMessage }) => {
      if (data?.lease === name) this.#hear(data);
    };
    channel.unref?.();
    this.#freezing = pageFreezing(() => this.#freeze());
    this.#claim();
  }

  #say(says: LeaseMessage['says']): void {
    const message: LeaseMessage = { lease: this.#name, by: this.#by, term: this.#term, says };
    this.#channel.postMessage(message);
  }

  #after(ms: number, job: () => void): void {
    this.#clock.clear(this.#timer);
    this.#timer = this.#clock.after(ms, job);
  }

  #claim(): void {
    this.#state = 'claims';
    this.#say('claims');
    this.#after(CLAIM, () => this.#hold());
  }

  #hold(): void {
    this.#state = 'holds';
    this.#beat();
    this.#holder.begin();
  }

  #beat(): void {
    this.#say('holds');
    this.#after(BEAT, () => this.#beat());
  }

  #wait(): void {
    this.#state = 'waits';
    this.#after(SILENCE, () => this.#claim());
  }

  #hear({ by, term, says }: LeaseMessage): void {
    const outranks = term > this.#term || (term === this.#term && by < this.#by);
    if (this.#state === 'lost' || this.#freezing.isFrozen) return;
    if (this.#state === 'holds') {
      if (says === 'claims' || !outranks) return this.#say('holds');
      return says === 'ends' ? undefined : this.#lose();
    }
    if (says === 'claims' && !outranks) {
      // an objection: the other tab waits for the holder, which may be this tab
      if (this.#state === 'claims') this.#say('claims');
      return;
    }
    // the next holder has a later term
    this.#term = Math.max(this.#term, says === 'claims' ? term : term + 1);
    if (says === 'ends') this.#claim();
    else this.#wait();
  }

  #lose(): void {
    this.#state = 'lost';
    this.#clock.clear(this.#timer);
    this.#holder.lose();
  }

  /** Timers stand until the page resumes. */
  #freeze(): void {
    if (this.#state === 'claims') this.#wait();
    if (this.#state !== 'holds') return;
    this.#say('ends');
    this.#lose();
  }

  end(): void {
    this.#freezing.stop();
    this.#clock.clear(this.#timer);
    if (this.#state === 'holds') this.#say('ends');
    this.#state = 'lost';
    this.#channel.onmessage = null;
    this.#channel.close();
  }
}
