/** Whether a read of one key is in flight, as a signal; it follows the requests only while the signal is watched. */
import { nextMicrotask } from '../clock.ts';
import type { Inflight } from '../request/InFlightRequest.ts';
import { Cell } from '../signals.ts';

export class FetchingCell extends Cell<boolean> {
  readonly #inflight: Inflight;
  readonly #key: string;
  // a request may begin during a render, when no subscriber may be notified
  readonly #tickLater = (): void => void nextMicrotask(() => this.tick());

  constructor(inflight: Inflight, key: string) {
    super();
    this.#inflight = inflight;
    this.#key = key;
  }

  protected setStrong(strong: boolean): void {
    const { readListeners } = this.#inflight;
    if (strong) readListeners.set(this.#key, this.#tickLater);
    // after a reset, another instance may follow the key
    else if (readListeners.get(this.#key) === this.#tickLater) readListeners.delete(this.#key);
  }

  protected current(): boolean {
    return this.#inflight.has(this.#key);
  }
}
