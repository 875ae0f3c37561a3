/** The circuit breakers of the origins to which mutations go. */
import type { Clock } from '../clock.ts';
import { backoffDelay } from '../request/retryDelay.ts';
import type { QueueId } from './LogEntry.ts';

export class CircuitBreakers {
  readonly #clock: Clock;
  readonly #drain: Drain;
  readonly #all = new Map<string, CircuitBreaker>();
  /** True if many mutations wait for servers of unknown state: one request is sent first. */
  #isCautious = false;

  constructor(clock: Clock, drain: Drain) {
    this.#clock = clock;
    this.#drain = drain;
  }

  of(origin: string): CircuitBreaker {
    let breaker = this.#all.get(origin);
    if (breaker === undefined) {
      breaker = new CircuitBreaker(this.#clock, this.#drain);
      if (this.#isCautious) breaker.beCautious();
      this.#all.set(origin, breaker);
    }
    return breaker;
  }

  /** Ends all pauses. `queues`: how many queues are drained next; if many, each origin gets one request first. */
  probe(queues: number): void {
    this.#isCautious = queues > PARALLEL;
    for (const breaker of this.#all.values()) {
      if (this.#isCautious) breaker.beCautious();
      breaker.probe();
    }
  }

  /** Called when the user has come back, perhaps logged in: origins that are held get one request. */
  probeHeld(): void {
    for (const breaker of this.#all.values()) if (breaker.held) breaker.probe();
  }

  get someHeld(): boolean {
    return [...this.#all.values()].some(({ held }) => held);
  }

  get calls(): readonly Promise<void>[] {
    return [...this.#all.values()].flatMap(({ calls }) => [...calls]);
  }

  stop(): void {
    for (const breaker of this.#all.values()) breaker.stop();
  }
}

// requests of one origin that run at once: as many as browsers open connections for with HTTP/1.1
export const PARALLEL = 6;
// how long a queue that was drained may take to claim its request, ms
const SOON = 1_000;

/** Sends the entries of a queue; `eager`: also entries that pause. */
export type Drain = (queue: QueueId, eager: boolean) => Promise<void>;

/** Permission to send one request. */
export interface Permit {
  readonly breaker: CircuitBreaker;
  /** The request has ended, or is not sent. */
  readonly release: () => void;
}

/*
 *   closed ──── a failure that may pass ────► open: nothing is sent
 *     ▲                                         │ the pause is over, or `probe`
 *     │                                         ▼
 *     └────────── success ──────────────── half-open: one request at a time
 *
 * `hold` opens without a pause: only `probe` ends it.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #drain: Drain;
  #state: 'closed' | 'open' | 'half-open' = 'closed';
  #running = 0;
  #failures = 0;
  /** Queues that were refused, first come first served, and whether they are drained eagerly. */
  readonly #waiting = new Map<QueueId, boolean>();
  /** Queues that are being drained in their turn, until they have a permit. */
  readonly #called = new Map<QueueId, Promise<void>>();
  #timer: unknown;
  #opensAt = 0;
  /** True from `hold` until the next success. */
  held = false;

  constructor(clock: Clock, drain: Drain) {
    this.#clock = clock;
    this.#drain = drain;
  }

  /** Called before many mutations are sent: if none is in flight, a single mutation is sent first. */
  beCautious(): void {
    if (this.#running === 0 && this.#state === 'closed') this.#state = 'half-open';
  }

  /** Undefined if no request may be sent now: the queue is drained later. */
  acquire(queue: QueueId, eager: boolean): Permit | undefined {
    this.#called.delete(queue);
    if (this.#running >= this.#limit) {
      this.wait(queue, eager);
      return undefined;
    }
    this.#running++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#running--;
      this.#callNext();
    };
    return { breaker: this, release };
  }

  get #limit(): number {
    if (this.#state === 'open') return 0;
    return this.#state === 'closed' ? PARALLEL : 1;
  }

  /** Drains the queue, now or in its turn. */
  add(queue: QueueId, eager: boolean): void {
    this.wait(queue, eager);
    this.#callNext();
  }

  /** Queues the queue for its turn. */
  wait(queue: QueueId, eager: boolean): void {
    this.#waiting.set(queue, eager || this.#waiting.get(queue) === true);
  }

  /** Called after a response of the server. */
  succeed(): void {
    // a response to a request from before the pause does not end the pause
    if (this.#state === 'open') return;
    this.#state = 'closed';
    this.#failures = 0;
    this.held = false;
  }

  /** Handles a failure that may pass: pauses the origin, at least for `retryAfter` ms. */
  fail(retryAfter: number, chance: number): void {
    const isFirst = this.#state !== 'open';
    // requests that ran together fail together, which counts once
    if (isFirst) this.#failures++;
    const random = () => chance;
    const pause = retryAfter + backoffDelay(this.#failures - 1, { random });
    const until = this.#clock.now() + pause;
    if (!isFirst && (retryAfter === 0 || until <= this.#opensAt)) return;
    this.#open();
    this.#opensAt = until;
    this.#timer = this.#clock.after(pause, () => this.probe());
  }

  /** The user must log in: nothing is sent until `probe`. */
  hold(): void {
    this.#open();
    this.#opensAt = Infinity;
    this.held = true;
  }

  #open(): void {
    this.stop();
    this.#state = 'open';
  }

  /** Ends a pause: sends one request, and the others after its response. */
  probe(): void {
    if (this.#state === 'closed') return;
    this.stop();
    this.#state = 'half-open';
    this.#callNext();
  }

  /** Drains queues that wait, as many as may be sent now. */
  #callNext(): void {
    for (const [queue, eager] of this.#waiting) {
      if (this.#running + this.#called.size >= this.#limit) return;
      this.#waiting.delete(queue);
      this.#called.set(queue, this.#call(queue, eager));
    }
  }

  /** The calls of queues: after each, the breaker may call other queues. */
  get calls(): Iterable<Promise<void>> {
    return this.#called.values();
  }

  /** Has a time limit: a queue may be empty by now, or locked by another page, and the next queue must not wait. */
  async #call(queue: QueueId, eager: boolean): Promise<void> {
    let timer: unknown;
    const late = new Promise<void>((resolve) => (timer = this.#clock.after(SOON, resolve)));
    await Promise.race([this.#drain(queue, eager), late]);
    this.#clock.clear(timer);
    this.#called.delete(queue);
    this.#callNext();
  }

  stop(): void {
    this.#clock.clear(this.#timer);
  }
}
