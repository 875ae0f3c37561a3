/** Locks for platforms without any: leases that tabs grant each other over a channel. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { LockGrant, pageFreezing } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import type { TabChannel } from '../sync/TabChannel.ts';

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
 *   claims ── 50 ms, no objection ────► holds ── every 3 s: "I hold it" ──► ends
 *     ▲  └─ a holder, or an earlier claim ──► waits ─┐
 *     └────────────── "ends", or 12 s of silence ────┘
 *
 * Each holder has a later term than the holder before. A tab ends its lease before it is frozen, and does not object to
 * claims while it is. A tab that hangs receives a later term when it goes on, and has lost its lease. Of two simultaneous claims of one term, the claim with the lesser number wins.
 */
export class ChannelLeases implements Locks {
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

/** One request for a lease. */
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
