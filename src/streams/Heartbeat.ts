/** Detects a dead connection that was not closed: no message has come for too long. */
import type { Clock } from '../clock.ts';

/** When silence means that a connection is dead. */
export interface HeartbeatOptions {
  /** After this time without a message, ms, or at most half as long again, the connection counts as dead. */
  readonly ms: number;
  /** Sent after half of the time, for the server to respond: text and bytes as they are, all other values as JSON. */
  readonly ping?: unknown;
}

/** Beats twice in `ms`, and counts the beats since the last message: setting the wall clock has no effect. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #half: number;
  readonly #missed: (beats: 1 | 2) => void;
  #beats = 0;
  #timer: unknown;

  /** `missed(1)`: time to send a ping; `missed(2)`: the connection is dead. */
  constructor(clock: Clock, ms: number, missed: (beats: 1 | 2) => void) {
    this.#clock = clock;
    this.#half = ms / 2;
    this.#missed = missed;
  }

  start(): void {
    this.stop();
    this.noteAlive();
    this.#wait();
  }

  noteAlive(): void {
    // the beat under way began before the message
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
