/** When the panel renders: at most once in a frame, each second while it is visible, else not at all. */
import type { Clock } from '../../clock.ts';

// countdowns change this often, ms
const SECOND = 1_000;

export class RedrawScheduler {
  readonly #page: Document;
  readonly #clock: Clock;
  readonly #draw: () => void;
  #runs = false;
  #asked = false;
  #timer: unknown;
  readonly #turn = (): void => {
    this.#rest();
    this.request();
  };

  /** `clock`: the clock of the controller, which times the expiry. */
  constructor(page: Document, clock: Clock, draw: () => void) {
    this.#page = page;
    this.#clock = clock;
    this.#draw = draw;
  }

  start(): void {
    this.#runs = true;
    this.#page.addEventListener('visibilitychange', this.#turn);
    this.request();
  }

  stop(): void {
    this.#runs = false;
    this.#page.removeEventListener('visibilitychange', this.#turn);
    this.#rest();
  }

  /** Renders with the next frame if the panel is visible. */
  request(): void {
    if (!this.#runs || this.#asked || this.#page.hidden) return;
    this.#asked = true;
    this.#page.defaultView?.requestAnimationFrame(() => {
      this.#asked = false;
      if (!this.#runs || this.#page.hidden) return;
      this.#rest();
      this.#draw();
      this.#timer = this.#clock.after(SECOND, () => this.request());
    });
  }

  #rest(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }
}
