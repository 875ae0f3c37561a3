/** Ends loops: a key that is fetched again and again and never becomes readable gets an error. */
import { DEV, SignalboxError } from '../diagnostics.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';

// this many requests of one key in this time (ms), without the key becoming readable, are a loop
const TIMES = 10;
const WINDOW = 1_000;

export class RefetchLoopGuard {
  #since = 0;
  #times = 0;
  /** The last request brought nothing new, and no reader showed its response. */
  lastWasUseless = false;

  /** Counts a request at wall time `now`; true when there have been too many. */
  exceeded(now: number): boolean {
    // a wall clock may be set back
    if (now < this.#since || now - this.#since > WINDOW) {
      this.#since = now;
      this.#times = 0;
    }
    return this.#times++ >= TIMES;
  }

  /** `useful`: the response was shown or brought something new, or its readers left. The count begins again then. */
  ended(useful: boolean): void {
    this.lastWasUseless = !useful;
    if (useful) this.#times = 1;
  }
}

/** F1, with the last error of the key, or why it has none. */
export function loopError(record: ResultRecord, endpoint: string): SignalboxError {
  const { key, failure } = record;
  const last = failure?.error;
  if (last instanceof SignalboxError && last.code === 'F1') return last;
  const reason = last?.message ?? unreadable(record);
  const parameters = { key, times: TIMES, ms: WINDOW, reason };
  return new SignalboxError('F1', parameters, { endpoint, key, status: 400, cause: last });
}

/** Why nothing can be read though no request has failed. */
function unreadable({ answered, invalidatedAt, shown }: ResultRecord): string {
  if (!DEV) return 'unreadable';
  if (!answered) return 'it was aborted each time';
  if (invalidatedAt !== undefined) return 'it was invalidated again before each answer';
  if (shown) return 'each answer had expired when it was read (dataExpiryLength, invalidIfStale)';
  return 'each answer was incomplete or deleted at once';
}
