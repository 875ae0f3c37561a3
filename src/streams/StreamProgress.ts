/** The progress of a stream: when the server was last active, and since when messages may have been missed. */
import type { Controller } from '../Controller.ts';
import { anyOf } from '../request/Events.ts';
import type { KeyTest } from '../request/Events.ts';
import type { Clock } from '../clock.ts';
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { SignalboxError } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import { isStableConnection } from '../request/retryDelay.ts';
import type { Backoff } from '../request/retryDelay.ts';
import type {
  MissedPeriod,
  ResyncPolicy,
  SharedStream,
  StreamOptions,
} from '../sync/StreamOptions.ts';

// a tab that becomes the leader later than this after its start has followed another leader, ms
const FIRST_LEAD_WITHIN = 500;

export class StreamProgress {
  readonly #clock: Clock;
  readonly #backoff: Backoff | undefined;
  readonly #catchUp: (gap: MissedPeriod) => void | Promise<void>;
  /** How many attempts failed since a connection was open for long enough. */
  failures = 0;
  /** Since when messages may have been missed without a catch-up: wall time, ms. */
  lostAt: number | undefined;
  lastEventId = '';
  /** When the server was last active. */
  #aliveAt: number;
  /** When the open connection was opened. */
  #openedAt: number | undefined;

  // any: only the receiver knows the type of messages
  constructor(controller: Controller, options: StreamOptions<any>) {
    const { clock } = contextOf(controller);
    this.#clock = clock;
    this.#backoff = options.backoff;
    this.#catchUp = createCatchUp(controller, options.catchUp);
    this.#aliveAt = clock.now();
  }

  /** True if no connection was ever open or lost. */
  get isNew(): boolean {
    return this.#openedAt === undefined && this.lostAt === undefined;
  }

  noteAlive(): void {
    this.#aliveAt = this.#clock.now();
  }

  noteOpen(): void {
    this.noteAlive();
    this.#openedAt = this.#aliveAt;
  }

  /** The connection is no longer open, or never was: messages may be missed. */
  noteLost(): void {
    const openFor = this.#clock.now() - (this.#openedAt ?? Infinity);
    if (isStableConnection(openFor, this.#backoff)) this.failures = 0;
    this.lostAt ??= this.#aliveAt;
    this.#openedAt = undefined;
  }

  /** Catches up. After an error, which is passed to `fail`, the next gap begins where this gap did. */
  async catchUp(fail: (error: unknown) => void): Promise<void> {
    const { lostAt: since, lastEventId } = this;
    if (since === undefined) return;
    this.lostAt = undefined;
    try {
      await this.#catchUp({ since, lastEventId });
    } catch (error) {
      this.lostAt = since;
      fail(error);
    }
  }

  /** The callbacks for tabs that share the connection. */
  shared(begin: () => void, end: () => void): SharedStream {
    const since = this.#clock.now();
    return {
      lead: () => {
        // another tab was the leader until now
        if (this.#clock.now() - since > FIRST_LEAD_WITHIN) this.noteLost();
        begin();
        return end;
      },
      progress: () => ({ since: this.#aliveAt, lastEventId: this.lastEventId }),
      follow: ({ since: aliveAt, lastEventId }) => {
        this.#aliveAt = this.lostAt = aliveAt;
        this.lastEventId = lastEventId;
      },
    };
  }
}

/** Returns the function to call after a gap. Throws L5 for a value without reads. */
function createCatchUp(
  controller: Controller,
  policy: ResyncPolicy,
): (gap: MissedPeriod) => void | Promise<void> {
  if (typeof policy === 'function') return (gap) => policy(controller, gap);
  if (!policy) return () => {};
  const test = anyOf(policy.flatMap(readsOf));
  return () => controller.expireAll(test);
}

/** An endpoint itself, or the reads among the members of a resource. */
function readsOf(named: object): readonly KeyTest[] {
  const members: readonly unknown[] = isEndpoint(named) ? [named] : Object.values(named ?? {});
  const reads = members.filter(isEndpoint).filter(({ sideEffect }) => !sideEffect);
  if (reads.length === 0) throw new SignalboxError('L5', { value: named });
  return reads;
}
