/** Counts requests of one key that lead to nothing, so that no reader asks for ever. */
import { DEV, SignalboxError } from '../diagnostics.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';

// one key asked this often in this time (ms) without becoming readable is a loop
const TIMES = 10;
const WINDOW = 1_000;

export class Attempts {
  #since = 0;
  #times = 0;
  /** The last attempt was aborted: by its reader's signal, or by its endpoint itself. */
  aborted = false;
  /** The last attempt was of no use. */
  idle = false;

  /** Notes an attempt at wall time `now`; true when there have been too many. */
  exceeded(now: number): boolean {
    // a wall clock may be set back
    if (now < this.#since || now - this.#since > WINDOW) {
      this.#since = now;
      this.#times = 0;
    }
    return this.#times++ >= TIMES;
  }

  /** `useful`: an answer was shown or brought something new, or its readers left. What follows begins a new count. */
  ended(useful: boolean): void {
    this.idle = !useful;
    if (useful) this.#times = 1;
  }

  /** What ends the loop: F1, with what went wrong last. */
  error(record: ResultRecord, endpoint: string): SignalboxError {
    const { key } = record;
    const last = record.failure?.error;
    if (last instanceof SignalboxError && last.code === 'F1') return last;
    const aborted = DEV ? 'it was aborted each time' : 'aborted';
    const reason = this.aborted ? aborted : (last?.message ?? unreadable(record));
    const parameters = { key, times: TIMES, ms: WINDOW, reason };
    return new SignalboxError('F1', parameters, { endpoint, key, status: 400, cause: last });
  }
}

/** Each request was answered, and yet nobody could read the answer. */
function unreadable({ invalidatedAt, shown }: ResultRecord): string {
  if (!DEV) return invalidatedAt === undefined ? (shown ? 'expired' : 'incomplete') : 'invalidated';
  if (invalidatedAt !== undefined) return 'it was invalidated again before each answer';
  if (shown) return 'each answer had expired when it was read (dataExpiryLength, invalidIfStale)';
  return 'each answer was incomplete or deleted at once';
}
