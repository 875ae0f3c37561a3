/** Counts requests of one key that lead to nothing, so that no reader asks for ever. */
import { SignalboxError } from '../diagnostics.ts';

// one key asked this often in this time (ms) without becoming readable is a loop
const TIMES = 10;
const WINDOW = 1_000;

export class Attempts {
  #since = 0;
  #times = 0;

  /** Notes an attempt at wall time `now`; true when there have been too many. */
  exceeded(now: number): boolean {
    if (now - this.#since > WINDOW) {
      this.#since = now;
      this.#times = 0;
    }
    return this.#times++ >= TIMES;
  }

  /** An answer was of use: it is the first of a new count. */
  succeeded(): void {
    this.#times = 1;
  }

  /** What ends the loop: F1, with what went wrong last. */
  error(last: Error | undefined, at: { endpoint: string; key: string }): SignalboxError {
    if (last instanceof SignalboxError && last.code === 'F1') return last;
    const reason = last?.message ?? 'every answer was expired, invalidated or incomplete at once';
    const parameters = { key: at.key, times: TIMES, ms: WINDOW, reason };
    return new SignalboxError('F1', parameters, { ...at, status: 400, cause: last });
  }
}
