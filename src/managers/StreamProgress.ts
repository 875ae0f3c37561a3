/** How far a stream has come: when the server was last heard of, and what may have been missed since. */
import type { Clock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { Backoff } from '../fetch/backoffDelay.ts';
import { isStable } from '../fetch/backoffDelay.ts';
import { catchUp } from './catchUp.ts';
import type { SharedStream } from './SharedConnection.ts';
import type { Gap, StreamOptions } from './StreamOptions.ts';

// a tab that leads later than this after it began has followed another one, ms
const AT_ONCE = 500;

export class StreamProgress {
  readonly #clock: Clock;
  readonly #backoff: Backoff | undefined;
  readonly #work: (gap: Gap) => void | Promise<void>;
  /** Attempts that failed since a line lasted. */
  failures = 0;
  /** Since when messages may have been missed that nobody has asked for yet: wall time, ms. */
  lostAt: number | undefined;
  lastEventId = '';
  /** When the server was last heard of. */
  #aliveAt: number;
  /** Of the line that is open. */
  #openedAt: number | undefined;

  // any: what a message is, its receiver knows
  constructor(controller: Controller, options: StreamOptions<any>) {
    const { clock } = contextOf(controller);
    this.#clock = clock;
    this.#backoff = options.backoff;
    this.#work = catchUp(controller, options.catchUp);
    this.#aliveAt = clock.now();
  }

  /** Nothing was ever open, or lost. */
  get isNew(): boolean {
    return this.#openedAt === undefined && this.lostAt === undefined;
  }

  hear(): void {
    this.#aliveAt = this.#clock.now();
  }

  open(): void {
    this.hear();
    this.#openedAt = this.#aliveAt;
  }

  /** The line is not open any more, or was never: messages may be missed. */
  lose(): void {
    const stood = this.#clock.now() - (this.#openedAt ?? Infinity);
    if (isStable(stood, this.#backoff)) this.failures = 0;
    this.lostAt ??= this.#aliveAt;
    this.#openedAt = undefined;
  }

  /** Asks for what may have been missed. An error is told, and the next gap begins where this one did. */
  async catchUp(fail: (error: unknown) => void): Promise<void> {
    const { lostAt: since, lastEventId } = this;
    if (since === undefined) return;
    this.lostAt = undefined;
    try {
      await this.#work({ since, lastEventId });
    } catch (error) {
      this.lostAt = since;
      fail(error);
    }
  }

  /** For tabs that share the connection. */
  shared(begin: () => void, end: () => void): SharedStream {
    const since = this.#clock.now();
    return {
      lead: () => {
        // another tab has led until now
        if (this.#clock.now() - since > AT_ONCE) this.lose();
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
