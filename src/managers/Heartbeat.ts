/** Finds out that a connection is dead which nobody has ended: no message has come for too long. */
import type { Clock } from '../clock.ts';

/** When silence means that a connection is dead. */
export interface HeartbeatOptions {
  /** Without any message for this long, ms, and at most half as long again, it is dead. */
  readonly ms: number;
  /** Sent after half of it, for the server to answer: text and bytes as they are, all else as JSON. */
  readonly ping?: unknown;
}

/** Beats twice in `ms`, and counts the beats since a message came: a clock that is set does not disturb it. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #half: number;
  readonly #missed: (beats: 1 | 2) => void;
  #beats = 0;
  #timer: unknown;

  /** `missed(1)`: time to ask whether somebody is there; `missed(2)`: nobody is. */
  constructor(clock: Clock, ms: number, missed: (beats: 1 | 2) => void) {
    this.#clock = clock;
    this.#half = ms / 2;
    this.#missed = missed;
  }

  start(): void {
    this.stop();
    this.heard();
    this.#wait();
  }

  heard(): void {
    // the beat under way has begun before it
    this.#beats = -1;
  }

  stop(): void {
    this.#clock.clear(this.#timer);
  }

  #wait(): void {
    this.#timer = this.#clock.after(this.#half, () => {
      this.#wait();
      this.#beats++;
      if (this.#beats === 1 || this.#beats === 2) this.#missed(this.#beats);
    });
  }
}
