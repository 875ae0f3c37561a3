/** The circuit breakers of the origins to which mutations go. */
import type { Clock } from '../clock.ts';
import { CircuitBreaker, PARALLEL } from './CircuitBreaker.ts';
import type { Drain } from './CircuitBreaker.ts';

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
