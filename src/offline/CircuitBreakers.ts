/** The circuit breakers of the origins to which mutations go. */
import type { Clock } from '../clock.ts';
import { backoffDelay } from '../request/retryDelay.ts';
import type { QueueId } from './LogEntry.ts';

export class CircuitBreakers {
  readonly #clock: Clock;
  readonly #drain: Drain;
  readonly #all = new Map<string, CircuitBreaker>();
  /** True if many mutations wait for servers of unknown state: a single request is sent first. */
  #startsHalfOpen = false;

  constructor(clock: Clock, drain: Drain) {
    this.#clock = clock;
    this.#drain = drain;
  }

  breakerFor(origin: string): CircuitBreaker {
    let breaker = this.#all.get(origin);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(this.#clock, this.#drain);
      if (this.#startsHalfOpen) breaker.tryHalfOpen();
      this.#all.set(origin, breaker);
    }
    return breaker;
  }

  /** Ends all pauses. `queueCount`: the queues to drain next; if many, each origin gets a single request first. */
  attemptReset(queueCount: number): void {
    this.#startsHalfOpen = queueCount > MAX_CONCURRENT;
    for (const breaker of this.#all.values()) {
      if (this.#startsHalfOpen) breaker.tryHalfOpen();
      breaker.attemptReset();
    }
  }

  /** Called when the user has come back, perhaps logged in: held origins get a single request. */
  resetHeld(): void {
    for (const breaker of this.#all.values()) if (breaker.isHeld) breaker.attemptReset();
  }

  get isAnyHeld(): boolean {
    return [...this.#all.values()].some(({ isHeld }) => isHeld);
  }

  get drains(): readonly Promise<void>[] {
    return [...this.#all.values()].flatMap(({ drains }) => [...drains]);
  }

  stop(): void {
    for (const breaker of this.#all.values()) breaker.stop();
  }
}

// requests of an origin that run at once: as many as browsers open connections for with HTTP/1.1
const MAX_CONCURRENT = 6;
// how long a drained queue may take to claim a request, ms
const CLAIM_TIMEOUT = 1_000;

/** Sends the entries of a queue; `eager`: also entries that pause. */
type Drain = (queue: QueueId, eager: boolean) => Promise<void>;

/** Permission to send a single request. */
export interface Permit {
  readonly breaker: CircuitBreaker;
  /** The request has ended, or is not sent. */
  readonly release: () => void;
}

/*
 * Decides when requests to an origin may be sent, and how many at once.
 *
 *   closed ──── a failure that may pass ────► open: nothing is sent
 *     ▲                                         │ the pause is over, or `attemptReset`
 *     │                                         ▼
 *     └────────── success ──────────────── half-open: a single request at a time
 *
 * `holdOpen` opens without a pause, until `attemptReset`.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #drain: Drain;
  #state: 'closed' | 'open' | 'half-open' = 'closed';
  #running = 0;
  #failures = 0;
  /** Refused queues, first come first served. True: to be drained eagerly. */
  readonly #waiting = new Map<QueueId, boolean>();
  /** Queues being drained in turn, each until the permit is acquired. */
  readonly #draining = new Map<QueueId, Promise<void>>();
  #timer: unknown;
  #pausedUntil = 0;
  /** True from `holdOpen` until the next success. */
  isHeld = false;

  constructor(clock: Clock, drain: Drain) {
    this.#clock = clock;
    this.#drain = drain;
  }

  /** Called before many mutations are sent: if none is in flight, a single mutation is sent first. */
  tryHalfOpen(): void {
    if (this.#running === 0 && this.#state === 'closed') this.#state = 'half-open';
  }

  /** Undefined if no request may be sent now: the queue is drained later. */
  acquire(queue: QueueId, eager: boolean): Permit | undefined {
    this.#draining.delete(queue);
    if (this.#running >= this.#maxConcurrent) {
      this.enqueue(queue, eager);
      return undefined;
    }
    this.#running++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#running--;
      this.#drainWaiting();
    };
    return { breaker: this, release };
  }

  /** True if another request may be sent now; `reserved`: how many others are about to be sent. */
  canAcquire(reserved: number): boolean {
    const count = this.#running + this.#draining.size + reserved;
    return this.#waiting.size === 0 && count < this.#maxConcurrent;
  }

  /** The queue that is drained when a running request has ended; undefined if none waits. */
  get nextWaiting(): QueueId | undefined {
    const isFull = this.#running - 1 + this.#draining.size >= this.#maxConcurrent;
    return isFull ? undefined : this.#waiting.keys().next().value;
  }

  get #maxConcurrent(): number {
    if (this.#state === 'open') return 0;
    return this.#state === 'closed' ? MAX_CONCURRENT : 1;
  }

  /** Drains the queue, now or in turn. */
  drainInTurn(queue: QueueId, eager: boolean): void {
    this.enqueue(queue, eager);
    this.#drainWaiting();
  }

  /** Makes the queue wait for a turn. */
  enqueue(queue: QueueId, eager: boolean): void {
    this.#waiting.set(queue, eager || this.#waiting.get(queue) === true);
  }

  /** Called after a response of the server. */
  succeed(): void {
    // a response to a request from before the pause does not end the pause
    if (this.#state === 'open') return;
    this.#state = 'closed';
    this.#failures = 0;
    this.isHeld = false;
  }

  /** Handles a failure that may pass: pauses the origin, at least for `retryAfter` ms. */
  fail(retryAfter: number, randomFraction: number): void {
    const isFirst = this.#state !== 'open';
    // requests that ran together fail together, which counts once
    if (isFirst) this.#failures++;
    const random = () => randomFraction;
    const pause = retryAfter + backoffDelay(this.#failures - 1, { random });
    const pausedUntil = this.#clock.now() + pause;
    if (!isFirst && (retryAfter === 0 || pausedUntil <= this.#pausedUntil)) return;
    this.#open();
    this.#pausedUntil = pausedUntil;
    this.#timer = this.#clock.after(pause, () => this.attemptReset());
  }

  /** The user must log in: nothing is sent until `attemptReset`. */
  holdOpen(): void {
    this.#open();
    this.#pausedUntil = Infinity;
    this.isHeld = true;
  }

  #open(): void {
    this.stop();
    this.#state = 'open';
  }

  /** Ends a pause: sends a single request, and the others after the response. */
  attemptReset(): void {
    if (this.#state === 'closed') return;
    this.stop();
    this.#state = 'half-open';
    this.#drainWaiting();
  }

  /** Drains queues that wait, as many as may be sent now. */
  #drainWaiting(): void {
    for (const [queue, eager] of this.#waiting) {
      if (this.#running + this.#draining.size >= this.#maxConcurrent) return;
      this.#waiting.delete(queue);
      this.#draining.set(queue, this.#drainQueue(queue, eager));
    }
  }

  /** The queues that are being drained: after each, the breaker may drain other queues. */
  get drains(): Iterable<Promise<void>> {
    return this.#draining.values();
  }

  /** Has a time limit: a queue may be empty by now, or locked by another page, and the next queue must not wait. */
  async #drainQueue(queue: QueueId, eager: boolean): Promise<void> {
    let timer: unknown;
    const timeout = new Promise<void>(
      (resolve) => (timer = this.#clock.after(CLAIM_TIMEOUT, resolve)),
    );
    await Promise.race([this.#drain(queue, eager), timeout]);
    this.#clock.clear(timer);
    this.#draining.delete(queue);
    this.#drainWaiting();
  }

  stop(): void {
    this.#clock.clear(this.#timer);
  }
}
