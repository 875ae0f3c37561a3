/** Ends refetch loops: a key that is fetched again and again without becoming readable gets an error. */
import { DEV, SignalboxError } from '../errors.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';

// this many requests of one key in this time (ms), without the key becoming readable, are a loop
const MAX_REQUESTS = 10;
const WINDOW_MS = 1_000;

export class RefetchLoopGuard {
  #since = 0;
  #count = 0;
  /** True if the last response brought no new data and no reader showed it. */
  lastResponseHadNoEffect = false;

  /** Counts a request at wall time `now`. True if there were too many. */
  countRequest(now: number): boolean {
    // a wall clock may be set back
    if (now < this.#since || now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#count = 0;
    }
    return this.#count++ >= MAX_REQUESTS;
  }

  /** `useful`: the response was shown or brought new data, or its readers left. Restarts the count. */
  recordOutcome(useful: boolean): void {
    this.lastResponseHadNoEffect = !useful;
    if (useful) this.#count = 1;
  }
}

/** The error F1, with the last error of the key, or the reason why there is none. */
export function loopError(record: ResultRecord, endpoint: string): SignalboxError {
  const { key, failure } = record;
  const last = failure?.error;
  if (last instanceof SignalboxError && last.code === 'F1') return last;
  const reason = last?.message ?? unreadableReason(record);
  const parameters = { key, times: MAX_REQUESTS, ms: WINDOW_MS, reason };
  return new SignalboxError('F1', parameters, { endpoint, key, status: 400, cause: last });
}

/** Why the key has no readable data although no request failed. */
function unreadableReason({ hasResponse, invalidatedAt, wasReadable }: ResultRecord): string {
  if (!DEV) return 'unreadable';
  if (!hasResponse) return 'each request was aborted';
  if (invalidatedAt !== undefined) return 'it was invalidated again before each response';
  if (wasReadable)
    return 'each response had expired when it was read (dataExpiryLength, invalidIfStale)';
  return 'each response was incomplete, or was deleted at once';
}
