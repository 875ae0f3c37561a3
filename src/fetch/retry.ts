/** Sends a request until it is answered, or its failure counts: which failures are worth another attempt, and when. */
import type { Clock } from '../clock.ts';
import { TimeoutError } from '../diagnostics.ts';
import type { Circumstance } from '../diagnostics.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';

const TIMES = 3;
// the longest wait before the attempt 2, 3, 4…, ms: doubled each time
const FIRST = 1_000;
const MOST = 30_000;
// a reader is not kept waiting for longer than this because a server asks for it, ms
const PATIENCE = 60_000;

/** What the attempts of one request have in common. */
export interface Course {
  readonly endpoint: EndpointInterface;
  readonly policies: Policies;
  readonly clock: Clock;
  /** Of the whole request: aborted, no attempt follows. */
  readonly signal: AbortSignal;
  readonly about: Circumstance;
  /** An attempt failed; the one with this number follows in `delay` ms. */
  tell(attempt: number, error: unknown, delay: number): void;
}

/** Rejects with what the last attempt failed with. */
export async function retry(course: Course, send: Sending): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      // one after the other is the point
      // eslint-disable-next-line no-await-in-loop
      return await inTime(course, send);
    } catch (error) {
      const delay = delayAfter(course, error, attempt);
      if (delay === undefined) throw error;
      course.tell(attempt + 1, error, delay);
      // eslint-disable-next-line no-await-in-loop
      await during(course, delay, (resolve) => resolve(undefined));
    }
  }
}

/** One attempt; with a timeout it has a signal of its own. */
function inTime(course: Course, send: Sending): Promise<unknown> {
  const { endpoint, policies, signal, about } = course;
  const ms = endpoint.timeout ?? policies.timeout ?? 0;
  if (!(ms > 0)) return send(signal);
  return during(course, ms, (_, end) => end(new TimeoutError(ms, about)), send);
}

type Sending = (signal: AbortSignal) => Promise<unknown>;

/** Waits for what is sent, if anything is, until `late` ends it after `ms`, or the whole request is aborted. */
function during(
  { clock, signal }: Course,
  ms: number,
  late: (resolve: (value: unknown) => void, end: (reason: unknown) => void) => void,
  send?: Sending,
): Promise<unknown> {
  const attempt = new AbortController();
  let quit: () => void;
  let timer: unknown;
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      reject(reason);
      attempt.abort(reason);
    };
    quit = () => end(signal.reason);
    signal.addEventListener('abort', quit);
    timer = clock.after(ms, () => late(resolve, end));
    send?.(attempt.signal).then(resolve, reject);
  }).finally(() => {
    clock.clear(timer);
    signal.removeEventListener('abort', quit);
  });
}

/** How long to wait before the next attempt, ms; undefined where none follows. */
function delayAfter(course: Course, error: unknown, attempt: number): number | undefined {
  const { endpoint, policies, clock, signal } = course;
  const chosen = endpoint.retry ?? (endpoint.sideEffect ? 0 : (policies.retry ?? TIMES));
  const { name } = (error ?? {}) as { name?: unknown };
  if (signal.aborted || name === 'AbortError') return undefined;
  if (typeof chosen === 'function') {
    if (!chosen(error, attempt)) return undefined;
  } else if (attempt > Number(chosen === true ? TIMES : chosen) || !isPassing(error)) {
    return undefined;
  }
  const after = retryAfter(error, clock.now());
  if (after > PATIENCE) return undefined;
  // full jitter: those who failed together are spread over the whole wait
  const chance = clock.random?.() ?? Math.random();
  return after + Math.floor(chance * Math.min(MOST, FIRST * 2 ** (attempt - 1)));
}

/** True for failures that may pass by themselves: nobody answered, not now, too early, too often, or the server broke. */
function isPassing(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status !== 'number') return true;
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** What `Retry-After` of the error's response asks for (RFC 9110, 10.2.3: seconds or a date), ms from now. */
function retryAfter(error: unknown, now: number): number {
  const { response } = (error ?? {}) as { response?: { headers?: Headers } };
  const text = response?.headers?.get?.('retry-after')?.trim();
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // all forms of a date begin with the name of its day; without, engines take numbers for dates
  const ms = /^[a-z]/i.test(text) ? Date.parse(text) - now : 0;
  return ms > 0 ? ms : 0;
}
